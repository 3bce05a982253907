"""Why a role does not speak in a beat.

Two of the codes also refuse a whole turn of which no seat yields a line: their kind is that of the refusal.
"""

from __future__ import annotations

from storyworld.core.errors.entry import Entry, Kind

ENTRIES: tuple[Entry, ...] = (
    Entry(
        code="role_cap_reached",
        kind=Kind.SKIP,
        message="{role} could have spoken, but the 3 seats were taken by roles that are declared earlier.",
        message_zh="{role} 本可以开口，但 3 个座位已由声明在前的角色占满。",
        reason="Three people are a scene; it also bounds a beat to 3 model calls.",
        reason_zh="三个人就是一场戏；这也把每一拍限制在 3 次模型调用之内。",
        remedy="Name the role in focusRoles.",
        remedy_zh="请在 focusRoles 中指定该角色。",
    ),
    Entry(
        code="not_in_focus",
        kind=Kind.SKIP,
        message="{role} was not in the focus of this turn.",
        message_zh="{role} 不在这一回合的焦点之中。",
        reason="A turn that names its roles seats only those.",
        reason_zh="回合指定了角色时，只有被指定的角色入座。",
        remedy="Name the role in focusRoles, or name nobody.",
        remedy_zh="请在 focusRoles 中加入该角色，或不指定任何角色。",
    ),
    Entry(
        code="not_subscribed",
        kind=Kind.SKIP,
        message="{role} does not subscribe to this event.",
        message_zh="{role} 没有订阅这个事件。",
        reason="An event wakes only the roles that the world subscribed to its type.",
        reason_zh="事件只唤醒世界里订阅了该类型的角色。",
        remedy="Subscribe the role in a new world revision.",
        remedy_zh="请在新的世界修订中为该角色添加订阅。",
    ),
    Entry(
        code="model_failed",
        kind=Kind.MODEL,
        message="The model of {role} gave no answer.",
        message_zh="{role} 的模型没有给出回答。",
        reason="A failed call is not made again within the beat: it skips the role.",
        reason_zh="失败的调用不会在同一拍里重来，该角色这一拍被跳过。",
        remedy="Look at the provider, then move the story on.",
        remedy_zh="请检查模型服务，然后继续故事。",
    ),
    Entry(
        code="reply_unusable",
        kind=Kind.SKIP,
        message="The reply of {role} held no line that could be read.",
        message_zh="{role} 的回复里没有可读的台词。",
        reason="A reply is read once and never asked for again.",
        reason_zh="回复只读一次，从不重新请求。",
        remedy="Look at the raw reply; another model may follow the reply format better.",
        remedy_zh="请查看原始回复；换一个模型也许更能遵守回复格式。",
    ),
    Entry(
        code="awaiting_human",
        kind=Kind.CONFLICT,
        message="{role} is played by a person, and the turn brought no line.",
        message_zh="{role} 由真人扮演，而这一回合没有带来台词。",
        reason="A person is never spoken for.",
        reason_zh="真人的台词从不代写。",
        remedy="Send the line in trigger.lines.",
        remedy_zh="请在 trigger.lines 中给出台词。",
    ),
    Entry(
        code="prompt_too_large",
        kind=Kind.SKIP,
        message="The prompt of {role} does not fit its context window, even without memory.",
        message_zh="{role} 的提示词即使去掉记忆也放不进上下文窗口。",
        reason="Nothing but the oldest memory is ever left out of a prompt.",
        reason_zh="提示词里除了最早的记忆，什么都不会省略。",
        remedy="Give the role a model with a larger window, or shorten its texts in a new revision.",
        remedy_zh="请换用窗口更大的模型，或在新修订中精简该角色的文本。",
    ),
)
