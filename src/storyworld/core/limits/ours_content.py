"""The limits of our own on what authors and developers write, where the contract is silent.

It owns their numbers and must not know who enforces them.
"""

from __future__ import annotations

from functools import partial
from typing import Final

from storyworld.core.limits.limit import REFUSED, Limit

_limit = partial(Limit, origin="ours")

ID_MAX_CHARS: Final = _limit(
    name="ID_MAX_CHARS",
    value=64,
    unit="characters",
    group="text",
    where="id",
    outcome=REFUSED,
    reason="Ids stand in addresses, prompts and conditions; a short one can be read and typed.",
    reason_zh="id 会出现在地址、提示词和条件里，短一点才便于阅读和输入。",
)
LANGUAGE_MAX_CHARS: Final = _limit(
    name="LANGUAGE_MAX_CHARS",
    value=35,
    unit="characters",
    group="text",
    where="StoryPackageContent.language",
    outcome=REFUSED,
    reason="RFC 5646 advises room for tags of 35 characters, the longest that it foresees in practice.",
    reason_zh="RFC 5646 建议为语言标签预留 35 个字符，这是它预计实际会用到的最大长度。",
)
STORY_MAX_NAME_CHARS: Final = _limit(
    name="STORY_MAX_NAME_CHARS",
    value=200,
    unit="characters",
    group="text",
    where="StoryPackageContent.title",
    outcome=REFUSED,
    reason=(
        "Titles, names and labels are shown in one line and stand in prompts; longer words belong in a description."
    ),
    reason_zh="标题、名称和标签要在一行内显示，还会进入提示词；更长的内容应写进描述。",
)
STORY_MAX_LOGLINE_CHARS: Final = _limit(
    name="STORY_MAX_LOGLINE_CHARS",
    value=500,
    unit="characters",
    group="text",
    where="StoryPackageContent.logline",
    outcome=REFUSED,
    reason="It is a text like every other of a package: two sentences that say what the story is about.",
    reason_zh="它与故事包里的其他文本一样：用两句话说明故事讲什么。",
)
STORY_MAX_VOICE_CHARS: Final = _limit(
    name="STORY_MAX_VOICE_CHARS",
    value=500,
    unit="characters",
    group="text",
    where="StoryPackageContent.roles[].voice",
    outcome=REFUSED,
    reason="It is a text like every other of a package, and stands in every prompt of its role.",
    reason_zh="它与故事包里的其他文本一样，会进入该角色的每一份提示词。",
)
STORY_MAX_RELATION_NOTE_CHARS: Final = _limit(
    name="STORY_MAX_RELATION_NOTE_CHARS",
    value=500,
    unit="characters",
    group="text",
    where="StoryPackageContent.initialRelations[].note",
    outcome=REFUSED,
    reason="It is a text like every other of a package.",
    reason_zh="它与故事包里的其他文本一样。",
)
STORY_MAX_FLAG_TEXT_CHARS: Final = _limit(
    name="STORY_MAX_FLAG_TEXT_CHARS",
    value=500,
    unit="characters",
    group="text",
    where="StoryPackageContent.flags[].initial",
    outcome=REFUSED,
    reason="The value of a flag is a word or a sentence; longer memories are notes or facts.",
    reason_zh="旗标的值是一个词或一句话；更长的内容应写成笔记或事实。",
)
STORY_MAX_CONDITIONS_PER_BRANCH: Final = _limit(
    name="STORY_MAX_CONDITIONS_PER_BRANCH",
    value=10,
    unit="items",
    group="package",
    where="StoryPackageContent.branches[].conditions",
    outcome=REFUSED,
    reason="The same as for the preconditions of a node: a longer list is better written as one condition.",
    reason_zh="与节点的前置条件相同：更长的列表不如合写成一个条件。",
)
STORY_MAX_CONDITIONS_PER_ENDING: Final = _limit(
    name="STORY_MAX_CONDITIONS_PER_ENDING",
    value=10,
    unit="items",
    group="package",
    where="StoryPackageContent.endings[].conditions",
    outcome=REFUSED,
    reason="The same as for an ending rule of an episode: a longer list is better written as one condition.",
    reason_zh="与剧集的结局规则相同：更长的列表不如合写成一个条件。",
)
INTEGER_MAX: Final = _limit(
    name="INTEGER_MAX",
    value=2**53 - 1,
    unit="value",
    group="text",
    where="integer",
    outcome=REFUSED,
    reason=(
        "Every reader of JSON, JavaScript's included, holds integers up to 2^53 - 1 exactly, in both directions from 0."
    ),
    reason_zh="包括 JavaScript 在内，所有 JSON 读取器都能精确表示绝对值不超过 2^53 − 1 的整数。",
)
RELATION_MAX_VALUE: Final = _limit(
    name="RELATION_MAX_VALUE",
    value=100,
    unit="value",
    group="package",
    where="StoryPackageContent.initialRelations[].value",
    outcome=REFUSED,
    reason="A scale that people understand without a table: -100 to 100, with 0 for strangers.",
    reason_zh="人人都懂的刻度：从 -100 到 100，0 表示素不相识。",
)
WORLD_MAX_NAME_CHARS: Final = _limit(
    name="WORLD_MAX_NAME_CHARS",
    value=200,
    unit="characters",
    group="world",
    where="WorldContent.name",
    outcome=REFUSED,
    reason="A name is shown in one line.",
    reason_zh="名称要在一行内显示。",
)
WORLD_MAX_SUBSCRIPTIONS_PER_ROLE: Final = _limit(
    name="WORLD_MAX_SUBSCRIPTIONS_PER_ROLE",
    value=20,
    unit="items",
    group="world",
    where="WorldContent.roles[].subscriptions",
    outcome=REFUSED,
    reason="A role that is woken by more kinds of events than this is better put in focus by whoever sends the turn.",
    reason_zh="如果要被更多种事件唤醒，不如由发起回合的一方直接指定它出场。",
)
WORLD_MAX_MEMORY_BEATS: Final = _limit(
    name="WORLD_MAX_MEMORY_BEATS",
    value=50,
    unit="beats",
    group="world",
    where="WorldContent.settings.memoryBeats",
    outcome=REFUSED,
    reason="A prompt stays bounded whatever the length of a session: 50 beats of 3 lines.",
    reason_zh="无论会话多长，提示词都有上限：最多 50 拍，每拍 3 句。",
)
AGENT_MAX_NAME_CHARS: Final = _limit(
    name="AGENT_MAX_NAME_CHARS",
    value=200,
    unit="characters",
    group="world",
    where="AgentContent.name",
    outcome=REFUSED,
    reason="A name is shown in one line; the names of a model and its provider are held to the same length.",
    reason_zh="名称要在一行内显示；模型和提供方的名称也按同样的长度限制。",
)
AGENT_MAX_PERSONA_CHARS: Final = _limit(
    name="AGENT_MAX_PERSONA_CHARS",
    value=8000,
    unit="characters",
    group="world",
    where="AgentContent.persona",
    outcome=REFUSED,
    reason="A persona stands at the head of every prompt of its agent; several pages are room enough to be somebody.",
    reason_zh="人设位于该 agent 每份提示词的开头；好几页的篇幅，足够塑造一个人物。",
)
AGENT_MAX_OUTPUT_TOKENS: Final = _limit(
    name="AGENT_MAX_OUTPUT_TOKENS",
    value=32_768,
    unit="tokens",
    group="world",
    where="AgentContent.model.maxOutputTokens",
    outcome=REFUSED,
    reason="A line has 2,000 characters at most; the rest is room for models that think before they speak.",
    reason_zh="一句台词最多 2,000 个字符，余量留给先思考再开口的模型。",
)
AGENT_MAX_CONTEXT_WINDOW: Final = _limit(
    name="AGENT_MAX_CONTEXT_WINDOW",
    value=10_000_000,
    unit="tokens",
    group="world",
    where="AgentContent.contextWindow",
    outcome=REFUSED,
    reason="Larger than any window that a model offers; a number beyond it is a slip of the keyboard.",
    reason_zh="比任何模型提供的窗口都大；再大的数字多半是手误。",
)
