"""The limits of the world API contract 1.48.0, in its order. It owns their numbers and must not know who enforces them.

The source names each number; where it names no constant, the name here follows the style of those that it does name.
"""

from __future__ import annotations

from functools import partial
from typing import Final

from storyworld.core.limits.limit import PATCH_REJECTED, REFUSED, Limit, Outcome

SEATED = Outcome(
    "The first 3 eligible roles are seated; the others stand in `skippedRoles` with `role_cap_reached`.",
    "前 3 个符合条件的角色入座；其余角色以 `role_cap_reached` 列入 `skippedRoles`。",
)
NOT_PUBLISHED = Outcome(
    "A world whose event would wake more is refused when published, naming the event and the roles; never cut later.",
    "若某个事件会唤醒更多角色，世界在发布时被拒绝，并写明事件和角色；绝不在运行时截断。",
)
FIRST_REPORTED = Outcome(
    "The first 5 in order of declaration are reported with the number left out; "
    "the others appear as earlier ones are completed.",
    "按声明顺序报告前 5 个并写明略去的数量；前面的完成后，其余的才会出现。",
)
FIRST_LISTED = Outcome(
    "The first ones are listed, by id only, and the brief says how many were left out.",
    "只列出最前面的 id，并写明略去了多少。",
)
NEVER_MORE = Outcome(
    "It cannot be exceeded: the number of seats bounds it.",
    "不会超出：座位数决定了它的上限。",
)

_limit = partial(Limit, origin="contract")

STORY_MAX_ROLES: Final = _limit(
    name="STORY_MAX_ROLES",
    value=24,
    unit="roles",
    group="cast",
    where="StoryPackageContent.roles",
    outcome=REFUSED,
    reason=(
        "A product choice, not a technical bound: cost does not grow with the cast, since a role that is not "
        "speaking never enters another role's prompt."
    ),
    reason_zh="这是产品取舍，不是技术限制：不说话的角色不会进入别人的提示词，所以成本不随阵容增长。",
)
WORLD_MAX_ROLES: Final = _limit(
    name="WORLD_MAX_ROLES",
    value=24,
    unit="roles",
    group="cast",
    where="WorldContent.roles",
    outcome=REFUSED,
    reason="A world binds every role of its story package, so it can hold exactly as many roles as a package.",
    reason_zh="世界要为故事包的每个角色绑定 agent，所以能容纳的角色数与故事包相同。",
)
WORLD_AGENTS_PER_ROLE: Final = _limit(
    name="WORLD_AGENTS_PER_ROLE",
    value=1,
    unit="items",
    group="cast",
    where="WorldContent.roles[].agentId",
    outcome=REFUSED,
    reason="One performer, one character: an agent bound to two roles would know the secrets of both.",
    reason_zh="一个 agent 只演一个角色：若同时演两个角色，它就会知道双方的秘密。",
)
WORLD_TURN_MAX_ROLES: Final = _limit(
    name="WORLD_TURN_MAX_ROLES",
    value=3,
    unit="roles",
    group="cast",
    where="seats",
    outcome=SEATED,
    reason=(
        "Three people are a scene; with more, an audience loses the thread. It also bounds a beat to 3 model calls."
    ),
    reason_zh="三个人就是一场戏，再多观众就跟不上了。它同时把每一拍的模型调用限制在最多 3 次。",
)
WORLD_MAX_ROLES_PER_EVENT: Final = _limit(
    name="WORLD_MAX_ROLES_PER_EVENT",
    value=5,
    unit="roles",
    group="cast",
    where="WorldContent.roles[].subscriptions",
    outcome=NOT_PUBLISHED,
    reason=(
        "It equals what the event router delivers: whatever would be cut while running is refused when publishing."
    ),
    reason_zh="它等于事件路由能投递的角色数：与其在运行时截断，不如在发布时拒绝。",
)
MAX_EVENT_FANOUT: Final = _limit(
    name="MAX_EVENT_FANOUT",
    value=5,
    unit="roles",
    group="cast",
    where="event.wokenRoles",
    outcome=NOT_PUBLISHED,
    reason="The event router delivers one event to so many roles at most, so that one event cannot flood a beat.",
    reason_zh="事件路由把一个事件最多投递给这么多角色，避免单个事件淹没一拍。",
)
STORY_MAX_SECRETS_PER_ROLE: Final = _limit(
    name="STORY_MAX_SECRETS_PER_ROLE",
    value=20,
    unit="items",
    group="cast",
    where="StoryPackageContent.roles[].secrets",
    outcome=REFUSED,
    reason="Volume: each secret enters the prompt of its own role in every beat.",
    reason_zh="容量控制：每条秘密在每一拍都会进入该角色自己的提示词。",
)
STORY_MAX_GOALS_PER_ROLE: Final = _limit(
    name="STORY_MAX_GOALS_PER_ROLE",
    value=20,
    unit="items",
    group="cast",
    where="StoryPackageContent.roles[].goals",
    outcome=REFUSED,
    reason="Volume: each goal enters the prompt of its own role in every beat.",
    reason_zh="容量控制：每个目标在每一拍都会进入该角色自己的提示词。",
)
STORY_MAX_SCENES: Final = _limit(
    name="STORY_MAX_SCENES",
    value=100,
    unit="items",
    group="package",
    where="StoryPackageContent.scenes",
    outcome=REFUSED,
    reason="Enough for the places of a long series; more would only spend the bytes of the package.",
    reason_zh="足够容纳一部长剧的所有场景；再多只会消耗故事包的体积。",
)
STORY_MAX_NODES: Final = _limit(
    name="STORY_MAX_NODES",
    value=200,
    unit="items",
    group="package",
    where="StoryPackageContent.nodes",
    outcome=REFUSED,
    reason="A story graph of this size can still be checked, drawn and understood as a whole.",
    reason_zh="这个规模的故事图仍然可以整体校验、绘制和读懂。",
)
STORY_MAX_BRANCHES: Final = _limit(
    name="STORY_MAX_BRANCHES",
    value=200,
    unit="items",
    group="package",
    where="StoryPackageContent.branches",
    outcome=REFUSED,
    reason="Every beat works out which branches are open, so their number bounds the work of a beat.",
    reason_zh="每一拍都要判断哪些分支可走，分支数决定了这一步的工作量。",
)
STORY_MAX_PRECONDITIONS_PER_NODE: Final = _limit(
    name="STORY_MAX_PRECONDITIONS_PER_NODE",
    value=10,
    unit="items",
    group="package",
    where="StoryPackageContent.nodes[].preconditions",
    outcome=REFUSED,
    reason="All preconditions of a node must hold at once; a longer list is better written as one condition.",
    reason_zh="一个节点的前置条件必须同时成立；更长的列表不如合写成一个条件。",
)
STORY_MAX_ENDINGS: Final = _limit(
    name="STORY_MAX_ENDINGS",
    value=60,
    unit="items",
    group="package",
    where="StoryPackageContent.endings",
    outcome=REFUSED,
    reason="Enough for a series in which every episode has several endings of its own.",
    reason_zh="足够让连续剧的每一集都有自己的几个结局。",
)
STORY_MAX_ESTABLISHED_FACTS: Final = _limit(
    name="STORY_MAX_ESTABLISHED_FACTS",
    value=200,
    unit="items",
    group="package",
    where="StoryPackageContent.establishedFacts",
    outcome=REFUSED,
    reason="Facts stand in the prompt of every role that knows them, in every beat.",
    reason_zh="事实在每一拍都会进入所有知情角色的提示词。",
)
STORY_MAX_CANON: Final = _limit(
    name="STORY_MAX_CANON",
    value=100,
    unit="items",
    group="package",
    where="StoryPackageContent.canon",
    outcome=REFUSED,
    reason=(
        "Canon stands in the prompt of every role that knows it; a setting bible is cited as source, never embedded."
    ),
    reason_zh="正史设定会进入所有知情角色的提示词；完整设定集应以 source 引用，而不是内嵌。",
)
STORY_MAX_CONSTRAINTS: Final = _limit(
    name="STORY_MAX_CONSTRAINTS",
    value=50,
    unit="items",
    group="package",
    where="StoryPackageContent.constraints",
    outcome=REFUSED,
    reason="Constraints stand in every prompt, and each rule is judged for every patch.",
    reason_zh="约束会进入每一份提示词，其中的规则每个补丁都要判断一遍。",
)
STORY_MAX_FLAGS: Final = _limit(
    name="STORY_MAX_FLAGS",
    value=50,
    unit="items",
    group="package",
    where="StoryPackageContent.flags",
    outcome=REFUSED,
    reason="Flags are listed in every prompt so that a role knows what it may change.",
    reason_zh="旗标会列在每一份提示词里，角色才知道自己能改什么。",
)
STORY_MAX_INITIAL_RELATIONS: Final = _limit(
    name="STORY_MAX_INITIAL_RELATIONS",
    value=50,
    unit="items",
    group="package",
    where="StoryPackageContent.initialRelations",
    outcome=REFUSED,
    reason="A story cannot start with more relations than its state can hold.",
    reason_zh="故事开场时的关系数不能超过世界状态能容纳的数量。",
)
STORY_MAX_SERIES: Final = _limit(
    name="STORY_MAX_SERIES",
    value=24,
    unit="items",
    group="package",
    where="StoryPackageContent.series",
    outcome=REFUSED,
    reason="A season of television is about so many episodes.",
    reason_zh="一季剧集大约就是这么多集。",
)
STORY_MAX_ENDING_RULES_PER_EPISODE: Final = _limit(
    name="STORY_MAX_ENDING_RULES_PER_EPISODE",
    value=20,
    unit="items",
    group="package",
    where="StoryPackageContent.series[].endingRules",
    outcome=REFUSED,
    reason="The rules of an episode are judged in order after each of its beats.",
    reason_zh="每一拍之后都要按顺序判断本集的全部结局规则。",
)
STORY_MAX_CONDITIONS_PER_ENDING_RULE: Final = _limit(
    name="STORY_MAX_CONDITIONS_PER_ENDING_RULE",
    value=10,
    unit="items",
    group="package",
    where="StoryPackageContent.series[].endingRules[].conditions",
    outcome=REFUSED,
    reason="All conditions of a rule must hold at once; a longer list is better written as one condition.",
    reason_zh="一条规则的条件必须同时成立；更长的列表不如合写成一个条件。",
)
STORY_MAX_TURN_BUDGET: Final = _limit(
    name="STORY_MAX_TURN_BUDGET",
    value=200,
    unit="beats",
    group="package",
    where="StoryPackageContent.series[].turnBudget",
    outcome=REFUSED,
    reason="The evidence window: a longer episode could not be turned into a script.",
    reason_zh="证据窗口：更长的一集无法转成剧本。",
)
STORY_MAX_TEXT_CHARS: Final = _limit(
    name="STORY_MAX_TEXT_CHARS",
    value=500,
    unit="characters",
    group="text",
    where="StoryPackageContent.text",
    outcome=REFUSED,
    reason=(
        "Texts stand in prompts; a short one is read and obeyed, a long one is skimmed and paid for in every beat."
    ),
    reason_zh="文本会进入提示词：短文本会被认真遵守，长文本会被略读，却每一拍都要付费。",
)
STORY_PACKAGE_MAX_BYTES: Final = _limit(
    name="STORY_PACKAGE_MAX_BYTES",
    value=900_000,
    unit="bytes",
    group="package",
    where="StoryPackageContent",
    outcome=REFUSED,
    reason=(
        "A published revision must fit one document of 1 MiB; about 140 KiB are kept for the fields of the revision "
        "record itself."
    ),
    reason_zh="一个已发布的修订必须存进一个 1 MiB 的文档，约 140 KiB 留给修订记录自身的字段。",
)
WORLD_PATCH_MAX_OPERATIONS: Final = _limit(
    name="WORLD_PATCH_MAX_OPERATIONS",
    value=20,
    unit="items",
    group="state",
    where="patch.operations",
    outcome=PATCH_REJECTED,
    reason="A patch is applied or dropped as a whole; a small one can be explained when it falls.",
    reason_zh="补丁要么全部生效，要么全部放弃；补丁小，失败时才说得清原因。",
)
WORLD_STATE_MAX_ENTITIES: Final = _limit(
    name="WORLD_STATE_MAX_ENTITIES",
    value=50,
    unit="items",
    group="state",
    where="state.entities",
    outcome=PATCH_REJECTED,
    reason="Entities stand in prompts by id, and the whole state is digested in every beat.",
    reason_zh="实体以 id 出现在提示词里，而整个状态每一拍都要计算摘要。",
)
WORLD_STATE_MAX_RELATIONS: Final = _limit(
    name="WORLD_STATE_MAX_RELATIONS",
    value=50,
    unit="items",
    group="state",
    where="state.relations",
    outcome=PATCH_REJECTED,
    reason="A dense cast meets it before 24 roles: 24 roles have 276 pairs. Relate those who matter to each other.",
    reason_zh="关系很密的大阵容会先碰到它：24 个角色有 276 种两两组合。只记录重要的关系即可。",
)
WORLD_STATE_MAX_NOTES_PER_ROLE: Final = _limit(
    name="WORLD_STATE_MAX_NOTES_PER_ROLE",
    value=20,
    unit="items",
    group="state",
    where="state.notes",
    outcome=PATCH_REJECTED,
    reason="Notes stand in the prompt of their own role in every beat; old ones are to be removed by the role.",
    reason_zh="笔记每一拍都会进入该角色自己的提示词，旧笔记应由角色自行删除。",
)
WORLD_MAX_BRANCH_OPTIONS: Final = _limit(
    name="WORLD_MAX_BRANCH_OPTIONS",
    value=5,
    unit="items",
    group="beat",
    where="branchOptions",
    outcome=FIRST_REPORTED,
    reason="More than a handful of ways on is no choice any more, neither for a player nor for a role.",
    reason_zh="选项超过几个就不再是选择了，对玩家和角色都一样。",
)
WORLD_BRIEF_MAX_RELATION_IDS: Final = _limit(
    name="WORLD_BRIEF_MAX_RELATION_IDS",
    value=8,
    unit="roles",
    group="beat",
    where="effectsBrief.relationIds",
    outcome=FIRST_LISTED,
    reason="It keeps the brief of a role the same size in a cast of 24 as in one of 9.",
    reason_zh="这样无论阵容是 9 人还是 24 人，效果简报都一样大。",
)
WORLD_TURN_MAX_LINES_HEARD: Final = _limit(
    name="WORLD_TURN_MAX_LINES_HEARD",
    value=2,
    unit="items",
    group="beat",
    where="prompt.lines",
    outcome=NEVER_MORE,
    reason="The last of 3 seats hears the two lines before it.",
    reason_zh="3 个座位中的最后一个，最多听到前面两句台词。",
)
DELIBERATION_MAX_CANDIDATES: Final = _limit(
    name="DELIBERATION_MAX_CANDIDATES",
    value=2,
    unit="items",
    group="request",
    where="candidates",
    outcome=REFUSED,
    reason="A server constant: each candidate costs the model calls of a whole beat.",
    reason_zh="服务端常量：每个候选都要花掉一整拍的模型调用。",
)
DELIBERATION_MAX_ROLES: Final = _limit(
    name="DELIBERATION_MAX_ROLES",
    value=3,
    unit="roles",
    group="request",
    where="roles",
    outcome=REFUSED,
    reason="A server constant: a candidate has as many seats as a beat.",
    reason_zh="服务端常量：一个候选的座位数与一拍相同。",
)
SCRIPT_IMPORT_MAX_CHARS: Final = _limit(
    name="SCRIPT_IMPORT_MAX_CHARS",
    value=16_000,
    unit="characters",
    group="script",
    where="import.script",
    outcome=REFUSED,
    reason="A model reads the script in one call, and must have room left to answer.",
    reason_zh="模型要在一次调用里读完剧本，还得留出回答的余地。",
)
SCRIPT_DRAFT_MAX_BEATS: Final = _limit(
    name="SCRIPT_DRAFT_MAX_BEATS",
    value=500,
    unit="beats",
    group="script",
    where="scriptDraft.beats",
    outcome=REFUSED,
    reason="The evidence of one draft is read as a whole; a longer worldline is drafted by episode.",
    reason_zh="一份草稿的依据要整体读取；更长的世界线请按集分别起草。",
)
PROJECT_MAX_ACTIVE_WORLDS: Final = _limit(
    name="PROJECT_MAX_ACTIVE_WORLDS",
    value=1000,
    unit="items",
    group="project",
    where="active worlds",
    outcome=REFUSED,
    reason="Lists, backups and checks of a project stay of a known size; archived worlds do not count.",
    reason_zh="让项目的列表、备份和检查保持可预期的规模；已归档的世界不计入。",
)
PROJECT_MAX_ACTIVE_STORY_PACKAGES: Final = _limit(
    name="PROJECT_MAX_ACTIVE_STORY_PACKAGES",
    value=1000,
    unit="items",
    group="project",
    where="active story packages",
    outcome=REFUSED,
    reason="Lists, backups and checks of a project stay of a known size; archived packages do not count.",
    reason_zh="让项目的列表、备份和检查保持可预期的规模；已归档的故事包不计入。",
)
