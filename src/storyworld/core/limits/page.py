"""The limits as a page and as data. It owns how a limit is shown and must not know where the page is written to."""

from __future__ import annotations

from typing import Any, Final, Literal

from storyworld.core.limits import ALL
from storyworld.core.limits.limit import Group, Limit, Origin, Unit

Language = Literal["en", "zh"]

CONTRACT_VERSION: Final = "1.48.0"

_GROUPS: dict[Group, dict[Language, str]] = {
    "cast": {"en": "Cast", "zh": "阵容"},
    "package": {"en": "Story package", "zh": "故事包"},
    "text": {"en": "Texts, ids and numbers", "zh": "文本、id 与数字"},
    "world": {"en": "World and agents", "zh": "世界与 agent"},
    "state": {"en": "State of a running story", "zh": "运行中的状态"},
    "beat": {"en": "Beat", "zh": "一拍"},
    "request": {"en": "Requests", "zh": "请求"},
    "script": {"en": "Script import and drafts", "zh": "剧本导入与草稿"},
    "project": {"en": "Project", "zh": "项目"},
}
# Items are counted by the name of the limit, and a bare value has no unit.
_UNITS: dict[Unit, dict[Language, str]] = {
    "items": {"en": "", "zh": ""},
    "value": {"en": "", "zh": ""},
    "roles": {"en": " roles", "zh": " 个角色"},
    "characters": {"en": " characters", "zh": " 个字符"},
    "bytes": {"en": " bytes", "zh": " 字节"},
    "beats": {"en": " beats", "zh": " 拍"},
    "calls": {"en": " calls", "zh": " 次调用"},
    "tokens": {"en": " tokens", "zh": " 个 token"},
    "levels": {"en": " levels", "zh": " 层"},
}
_ORIGINS: dict[Origin, dict[Language, str]] = {
    "contract": {"en": "contract", "zh": "合约"},
    "ours": {"en": "ours", "zh": "自定"},
}
_HEAD: dict[Language, str] = {
    "en": f"""# Limits

Each limit is declared once and is enforced by the engine; this page is generated from the declarations. "contract"
marks the numbers of the world limits contract {CONTRACT_VERSION}, "ours" those that it leaves open. A character is a
Unicode code point. Content is judged when it is created or published, never when it is read: what was published under
a looser limit keeps running.
""",
    "zh": f"""# 上限

每条上限只声明一次，由引擎强制执行；本页由这些声明生成。“合约”表示世界上限合约 {CONTRACT_VERSION} 规定的数字，
“自定”表示合约未规定、由我们补充的数字。一个字符指一个 Unicode 码位。内容只在创建或发布时校验，读取时从不重新校验：
在较宽松的上限下发布的内容照常运行。
""",
}
_COLUMNS: dict[Language, str] = {
    "en": "| limit | value | where | what happens over it | why | origin |",
    "zh": "| 上限 | 数值 | 适用于 | 超出时 | 原因 | 来源 |",
}


def groups(lang: Language) -> list[tuple[str, list[Limit]]]:
    """All limits in the order of the page: each group's title with its limits."""
    return [(titles[lang], [limit for limit in ALL if limit.group == group]) for group, titles in _GROUPS.items()]


def limits_page(lang: Language) -> str:
    """The page of all limits in Markdown, one table for each group, in English ("en") or Chinese ("zh")."""
    parts = [_HEAD[lang]]
    for title, group in groups(lang):
        rows = [_row(limit, lang) for limit in group]
        parts.append("\n".join([f"## {title}", "", _COLUMNS[lang], "|---|---|---|---|---|---|", *rows, ""]))
    return "\n".join(parts)


def limits_json() -> dict[str, Any]:
    """All limits as a JSON value, in the order of declaration, with the version of the contract they come from."""
    return {"contractVersion": CONTRACT_VERSION, "limits": [_entry(limit) for limit in ALL]}


def value_text(limit: Limit, lang: Language) -> str:
    """The number of a limit with its unit: `900,000 bytes`."""
    return f"{limit.value:,}{_UNITS[limit.unit][lang]}"


def words(limit: Limit, lang: Language) -> tuple[str, str]:
    """What happens over a limit, and why it is there."""
    return (limit.behaviour, limit.reason) if lang == "en" else (limit.behaviour_zh, limit.reason_zh)


def origin_word(limit: Limit, lang: Language) -> str:
    """Who set a limit."""
    return _ORIGINS[limit.origin][lang]


def _row(limit: Limit, lang: Language) -> str:
    behaviour, reason = words(limit, lang)
    origin = origin_word(limit, lang)
    return f"| `{limit.name}` | {value_text(limit, lang)} | `{limit.where}` | {behaviour} | {reason} | {origin} |"


def _entry(limit: Limit) -> dict[str, Any]:
    return {
        "name": limit.name,
        "value": limit.value,
        "unit": limit.unit,
        "group": limit.group,
        "where": limit.where,
        "behaviour": limit.behaviour,
        "behaviourZh": limit.behaviour_zh,
        "reason": limit.reason,
        "reasonZh": limit.reason_zh,
        "origin": limit.origin,
    }
