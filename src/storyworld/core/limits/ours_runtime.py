"""The limits of our own on requests, replies and the state of a running story, where the contract is silent.

It owns their numbers and must not know who enforces them.
"""

from __future__ import annotations

from functools import partial
from typing import Final

from storyworld.core.limits.contract import FIRST_LISTED, NEVER_MORE
from storyworld.core.limits.limit import PATCH_REJECTED, REFUSED, UNREADABLE, Limit, Outcome

ASKED = Outcome(
    "The prompt asks for at most so many; a role that proposes more is judged by the 20 operations of the beat alone.",
    "提示词最多请角色提出这么多；多提的只按每一拍 20 个操作的上限判断。",
)
SENTENCES_KEPT = Outcome(
    "The whole sentences up to it are kept and the beat says how many characters were left out; "
    "with no sentence end before it the seat is `reply_unusable`.",
    "保留上限之内的完整句子，并记录略去的字符数；若其中没有句末，该座位记为 `reply_unusable`。",
)
ACTION_KEPT = Outcome(
    "The whole sentences up to it are kept and the beat says how many characters were left out; "
    "with no sentence end before it the action is left out whole.",
    "保留上限之内的完整句子，并记录略去的字符数；若其中没有句末，则略去整个动作。",
)
_BEGINNING_READ = Outcome(
    "Only what stands before it is looked at; the beat names the number of characters beyond it in `leftOut`.",
    "只看上限之前的部分；超出的字符数由这一拍记在 `leftOut` 中。",
)
_TOLD_TOGETHER = Outcome(
    "What is beyond it is told together, as one more entry.",
    "超出的部分合为一条一并说明。",
)
BODY_REFUSED = Outcome(
    "A larger body is refused (HTTP 413, naming both numbers) before it is read as a whole.",
    "更大的请求体在完整读入之前即被拒绝（HTTP 413，并写明两个数字）。",
)
MORE_PROBLEMS = Outcome(
    "The first ones are reported; `moreProblems` says how many there are beyond them.",
    "报告最前面的问题；`moreProblems` 写明另外还有多少。",
)

_limit = partial(Limit, origin="ours")

WORLD_STATE_MAX_FACTS: Final = _limit(
    name="WORLD_STATE_MAX_FACTS",
    value=200,
    unit="items",
    group="state",
    where="state.facts",
    outcome=PATCH_REJECTED,
    reason="As many facts as a package may establish; only those of the running story are counted.",
    reason_zh="与故事包可声明的既定事实数相同；只计运行中产生的事实。",
)
WORLD_STATE_MAX_FACT_CHARS: Final = _limit(
    name="WORLD_STATE_MAX_FACT_CHARS",
    value=500,
    unit="characters",
    group="state",
    where="operation.text",
    outcome=UNREADABLE,
    reason="A fact of the running story is a text like an established one.",
    reason_zh="运行中产生的事实与既定事实一样，都是普通文本。",
)
WORLD_STATE_MAX_NOTE_CHARS: Final = _limit(
    name="WORLD_STATE_MAX_NOTE_CHARS",
    value=500,
    unit="characters",
    group="state",
    where="operation.note",
    outcome=UNREADABLE,
    reason="A note, or the note of a relation, stands in prompts like every other text.",
    reason_zh="笔记和关系备注与其他文本一样会进入提示词。",
)
WORLD_STATE_MAX_ENTITY_NAME_CHARS: Final = _limit(
    name="WORLD_STATE_MAX_ENTITY_NAME_CHARS",
    value=200,
    unit="characters",
    group="state",
    where="operation.name",
    outcome=UNREADABLE,
    reason="A thing of the story is named like everything else that has a name.",
    reason_zh="故事中的物件与其他有名称的东西一样命名。",
)
WORLD_STATE_MAX_ATTRIBUTES: Final = _limit(
    name="WORLD_STATE_MAX_ATTRIBUTES",
    value=20,
    unit="items",
    group="state",
    where="operation.attributes",
    outcome=UNREADABLE,
    reason="An entity is replaced whole, so all of its attributes travel in one operation.",
    reason_zh="实体是整体替换的，所有属性都在一个操作里提交。",
)
WORLD_STATE_MAX_ATTRIBUTE_CHARS: Final = _limit(
    name="WORLD_STATE_MAX_ATTRIBUTE_CHARS",
    value=500,
    unit="characters",
    group="state",
    where="operation.attributes.value",
    outcome=UNREADABLE,
    reason="An attribute's text is a text like every other.",
    reason_zh="属性的文本与其他文本一样。",
)
WORLD_PATCH_ASKED_OPERATIONS: Final = _limit(
    name="WORLD_PATCH_ASKED_OPERATIONS",
    value=6,
    unit="items",
    group="beat",
    where="prompt.replyFormat",
    outcome=ASKED,
    reason="3 seats that each obey propose 18 operations, which leaves the patch of 20 room for an event.",
    reason_zh="3 个座位都照办就是 18 个操作，20 个操作的补丁还能给事件留出余地。",
)
WORLD_BRIEF_MAX_ENTITY_IDS: Final = _limit(
    name="WORLD_BRIEF_MAX_ENTITY_IDS",
    value=20,
    unit="items",
    group="beat",
    where="effectsBrief.entityIds",
    outcome=FIRST_LISTED,
    reason="The second of the two bounded lists of the brief; the first things of a story are those that last.",
    reason_zh="效果简报里的第二份有上限的列表；故事里最先出现的物件往往最重要。",
)
WORLD_TURN_MAX_MODEL_CALLS: Final = _limit(
    name="WORLD_TURN_MAX_MODEL_CALLS",
    value=3,
    unit="calls",
    group="beat",
    where="modelCalls",
    outcome=NEVER_MORE,
    reason="One call a seat: what a beat costs is known before it begins.",
    reason_zh="每个座位一次调用：一拍的花费在开始之前就是确定的。",
)
LINE_MAX_CHARS: Final = _limit(
    name="LINE_MAX_CHARS",
    value=2000,
    unit="characters",
    group="beat",
    where="line",
    outcome=SENTENCES_KEPT,
    reason="A line is spoken on a stage; what is longer is a speech that no other seat could answer.",
    reason_zh="台词是要在台上说的；再长就成了别人无从接话的演讲。",
)
ACTION_MAX_CHARS: Final = _limit(
    name="ACTION_MAX_CHARS",
    value=500,
    unit="characters",
    group="beat",
    where="action",
    outcome=ACTION_KEPT,
    reason="A stage action is a text like every other of a story.",
    reason_zh="舞台动作与故事里的其他文本一样。",
)
REPLY_MAX_CHARS: Final = _limit(
    name="REPLY_MAX_CHARS",
    value=100_000,
    unit="characters",
    group="beat",
    where="reply",
    outcome=_BEGINNING_READ,
    reason="A reply at all of its bounds has fewer than 20,000; one that goes on and on may not hold up the beat.",
    reason_zh="一份各项都写满的回复不到 20,000 个字符；没完没了的回复不能拖住这一拍。",
)
REPLY_MAX_LEFT_OUT: Final = _limit(
    name="REPLY_MAX_LEFT_OUT",
    value=20,
    unit="items",
    group="beat",
    where="leftOut",
    outcome=_TOLD_TOGETHER,
    reason="A beat says what was left out of a reply, and a reply of nothing else may not swell the beat.",
    reason_zh="每一拍都会说明回复中省略了什么，但满是废料的回复不能把这一拍撑大。",
)
TRIGGER_MAX_TEXT_CHARS: Final = _limit(
    name="TRIGGER_MAX_TEXT_CHARS",
    value=2000,
    unit="characters",
    group="request",
    where="trigger.text",
    outcome=REFUSED,
    reason="What a player says may be as long as what a role says.",
    reason_zh="玩家说的话可以和角色的台词一样长。",
)
TRIGGER_MAX_FOCUS_ROLES: Final = _limit(
    name="TRIGGER_MAX_FOCUS_ROLES",
    value=24,
    unit="roles",
    group="request",
    where="trigger.focusRoles",
    outcome=REFUSED,
    reason="A focus names declared roles, each once, so it can name the whole cast and no more.",
    reason_zh="聚焦只能指定已声明的角色，每个一次，所以最多就是整个阵容。",
)
EVENT_ID_MAX_CHARS: Final = _limit(
    name="EVENT_ID_MAX_CHARS",
    value=200,
    unit="characters",
    group="request",
    where="eventId",
    outcome=REFUSED,
    reason="Event ids of other systems fit, and are remembered for the life of a session.",
    reason_zh="足够放下其他系统的事件 id，并在会话的整个生命周期里记住它。",
)
EVENT_MAX_DATA_CHARS: Final = _limit(
    name="EVENT_MAX_DATA_CHARS",
    value=4000,
    unit="characters",
    group="request",
    where="event.data",
    outcome=REFUSED,
    reason="The data of an event stands in the prompt of each role that it wakes.",
    reason_zh="事件数据会进入每个被唤醒角色的提示词。",
)
EVENT_MAX_EFFECTS: Final = _limit(
    name="EVENT_MAX_EFFECTS",
    value=20,
    unit="items",
    group="request",
    where="event.effects",
    outcome=REFUSED,
    reason="Effects are a patch, and count among the operations of their beat.",
    reason_zh="效果就是补丁，计入所在这一拍的操作数。",
)
IDEMPOTENCY_KEY_MAX_CHARS: Final = _limit(
    name="IDEMPOTENCY_KEY_MAX_CHARS",
    value=200,
    unit="characters",
    group="request",
    where="Idempotency-Key",
    outcome=REFUSED,
    reason="A key is kept for the life of a session; every common form of identifier fits.",
    reason_zh="键会在会话的整个生命周期里保存；各种常见的标识符都放得下。",
)
SEED_MAX: Final = _limit(
    name="SEED_MAX",
    value=2**53 - 1,
    unit="value",
    group="request",
    where="seed",
    outcome=REFUSED,
    reason="A seed is an integer of JSON like every other.",
    reason_zh="种子与其他 JSON 整数一样。",
)
REQUEST_MAX_BYTES: Final = _limit(
    name="REQUEST_MAX_BYTES",
    value=8_388_608,
    unit="bytes",
    group="request",
    where="request",
    outcome=BODY_REFUSED,
    reason=(
        "A body is held in memory as a whole; this is nine times the largest package, so that a draft over the limit "
        "still arrives and is explained."
    ),
    reason_zh="请求体要整体放进内存；这是最大故事包的九倍，超出体积上限的草稿仍能送达并得到说明。",
)
JSON_MAX_DEPTH: Final = _limit(
    name="JSON_MAX_DEPTH",
    value=64,
    unit="levels",
    group="request",
    where="json",
    outcome=REFUSED,
    reason=(
        "No document of ours has more than 10 levels; a bound keeps every reader of a value from running out of stack."
    ),
    reason_zh="我们的文档都不超过 10 层；设上限可避免任何读取者耗尽调用栈。",
)
JSON_MAX_NODES: Final = _limit(
    name="JSON_MAX_NODES",
    value=200_000,
    unit="items",
    group="request",
    where="json",
    outcome=REFUSED,
    reason="A package at all of its limits has fewer than 30,000 values; more only costs time and memory.",
    reason_zh="各项都写满的故事包也不到 30,000 个值；更多只会浪费时间和内存。",
)
PROBLEMS_MAX_REPORTED: Final = _limit(
    name="PROBLEMS_MAX_REPORTED",
    value=1000,
    unit="items",
    group="request",
    where="problems",
    outcome=MORE_PROBLEMS,
    reason="All problems are told at once, but an answer stays of a size that can be read.",
    reason_zh="所有问题一次说清，但回答要保持可读的长度。",
)
SCRIPT_IMPORT_BY_RULES_MAX_CHARS: Final = _limit(
    name="SCRIPT_IMPORT_BY_RULES_MAX_CHARS",
    value=500_000,
    unit="characters",
    group="script",
    where="import.scriptByRules",
    outcome=REFUSED,
    reason="Rules need no model: a whole season of scripts fits, and is read in about a second.",
    reason_zh="按规则导入不需要模型：一整季剧本也放得下，大约一秒即可读完。",
)
SCRIPT_IMPORT_BY_RULES_MAX_LINES: Final = _limit(
    name="SCRIPT_IMPORT_BY_RULES_MAX_LINES",
    value=10_000,
    unit="items",
    group="script",
    where="import.scriptByRules (lines that are not blank)",
    outcome=REFUSED,
    reason="Each line may begin a scene or a speech, so lines bound what becomes of a script; long plays have 5,000.",
    reason_zh="每一行都可能是一场或一段台词的开头，因此行数决定导入的规模；长篇戏剧也不过 5,000 行。",
)
PAGE_MAX_ITEMS: Final = _limit(
    name="PAGE_MAX_ITEMS",
    value=100,
    unit="items",
    group="request",
    where="query.limit",
    outcome=REFUSED,
    reason="A page is held in memory as a whole; the next one is a request away.",
    reason_zh="一页要整体放进内存；下一页只需再请求一次。",
)
PROJECT_MAX_NAME_CHARS: Final = _limit(
    name="PROJECT_MAX_NAME_CHARS",
    value=200,
    unit="characters",
    group="project",
    where="project.name",
    outcome=REFUSED,
    reason="It stands in lists, as other names do.",
    reason_zh="与其他名称一样，它出现在列表中。",
)
