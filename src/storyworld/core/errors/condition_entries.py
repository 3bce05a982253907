"""Codes of one area: conditions, as an author writes them. Words: `line` and `column` from 1, in code points."""

from __future__ import annotations

from storyworld.core.errors.entry import Entry, Kind

_AT = "at line {line}, column {column}"
_AT_ZH = "第 {line} 行第 {column} 列"


def _entry(
    code: str,
    *,
    found: tuple[str, str],
    reason: tuple[str, str],
    remedy: tuple[str, str],
    kind: Kind = Kind.CONTENT,
) -> Entry:
    """An entry whose texts are given in English and Chinese, `found` without the place, which is the same for all."""
    return Entry(
        code=code,
        kind=kind,
        message=f"{{field}} {_AT}: {found[0]}",
        message_zh=f"{{field}} {_AT_ZH}：{found[1]}",
        reason=reason[0],
        reason_zh=reason[1],
        remedy=remedy[0],
        remedy_zh=remedy[1],
    )


_FLAG_FORMS = 'flags.lamp or flags["lamp-lit"]'
_SAME_ANSWER = (
    "A condition must give the same answer whenever a session is replayed, and in a bounded time.",
    "条件在每次重放时都必须得出同样的结果，并且耗时有限。",
)
_CHECKED = (
    "Every reference of a condition is checked before the story can be published.",
    "故事发布之前，条件中的每处引用都要检查。",
)

_NAMES = (
    "There are flags, visited, taken, hasFact, hasEntity, relation, beat and episodeBeat; text stands between "
    'quotation marks, and a flag whose id has a hyphen is written flags["lamp-lit"].'
)
_NAMES_ZH = (
    "可用的有 flags、visited、taken、hasFact、hasEntity、relation、beat、episodeBeat；文字放在引号里；"
    'id 带连字符的旗标写作 flags["lamp-lit"]。'
)

_READING = (
    _entry(
        "condition_syntax",
        found=("the condition cannot be read from here on", "从这里起读不懂这个条件"),
        reason=("A condition is one expression in CEL.", "一个条件就是一个 CEL 表达式。"),
        remedy=(
            "Look for a missing operator, parenthesis or quotation mark at this place or just before it.",
            "检查此处或稍前是否少了运算符、括号或引号。",
        ),
    ),
    _entry(
        "condition_character",
        found=("a character that conditions do not have", "这里有条件中不能出现的字符"),
        reason=(
            "Outside quotation marks a condition consists of ASCII names, numbers and operators.",
            "引号之外，条件只由 ASCII 名称、数字和运算符组成。",
        ),
        remedy=(
            "Use ASCII punctuation, == to compare, && for and, || for or; put text between quotation marks.",
            "标点请用半角；比较用 ==，“并且”用 &&，“或者”用 ||；文字放在引号里。",
        ),
    ),
    _entry(
        "condition_text_open",
        found=("a text begins that is never closed", "这里开始的文字没有结束引号"),
        reason=(
            "A text ends with the quotation mark it began with, on the same line.",
            "文字须在同一行以相同的引号结束。",
        ),
        remedy=(
            'Close the text, or write a quotation mark inside it as \\".',
            '补上结束引号；文字里面的引号写作 \\"。',
        ),
    ),
    _entry(
        "condition_too_deep",
        found=("the condition is nested too deeply", "条件嵌套过深"),
        reason=(
            "An expression may be 32 levels deep; each parenthesis and each term of a sum is a level.",
            "表达式最多 32 层；每层括号、连加的每一项都算一层。",
        ),
        remedy=(
            "Split it into several conditions of the same list: all must hold.",
            "拆成同一列表里的几个条件：它们须同时成立。",
        ),
        kind=Kind.LIMIT,
    ),
    _entry(
        "condition_not_boolean",
        found=("the condition gives {actual}; only boolean is allowed", "条件的结果是{found_zh}，只能是布尔"),
        reason=("A condition says yes or no.", "条件只回答是或否。"),
        remedy=("Compare the value with something, for example beat >= 3.", "把这个值与别的值比较，例如 beat >= 3。"),
    ),
    _entry(
        "condition_types",
        found=("{operator} is applied to ({types})", "{operator} 用在了（{types_zh}）上"),
        reason=(
            "Values of different types are never equal and have no order; each flag has the type it declares.",
            "不同类型的值不能比较；每个旗标的类型以其声明为准。",
        ),
        remedy=(
            "Compare integers with integers, texts with texts; write a boolean alone or with !.",
            "整数与整数比、文字与文字比；布尔值直接写，或在前面加 !。",
        ),
    ),
)

_OFF = (
    _entry(
        "condition_macro_off",
        found=("the macro {name}, which conditions do not have", "条件中没有宏 {name}"),
        reason=_SAME_ANSWER,
        remedy=("Write the alternatives out, or use in with a list.", "把各种情况逐一写出，或用 in 加列表。"),
    ),
    _entry(
        "condition_function_off",
        found=("{name}, which conditions do not have", "条件中没有 {name}"),
        reason=_SAME_ANSWER,
        remedy=(
            "Of texts there are size, contains, startsWith and endsWith; every value already has its type.",
            "文字可用 size、contains、startsWith、endsWith；各个值的类型本来就是确定的。",
        ),
    ),
    _entry(
        "condition_number_off",
        found=(
            "a decimal or unsigned number; only integers are allowed",
            "这里是小数或无符号数；只能用整数",
        ),
        reason=(
            "The numbers of a story are integers, so that every machine counts the same.",
            "故事里的数都是整数，这样每台机器算得一样。",
        ),
        remedy=("Write an integer without point, exponent or u.", "请写不带小数点、指数和 u 的整数。"),
    ),
    _entry(
        "condition_integer_range",
        found=("an integer over {limit}", "整数超过 {limit}"),
        reason=(
            "Larger integers are not kept exactly by every reader of JSON.",
            "更大的整数并非每个 JSON 读取程序都能精确保存。",
        ),
        remedy=("Use a smaller number.", "请用较小的数。"),
        kind=Kind.LIMIT,
    ),
    _entry(
        "condition_bytes_off",
        found=("a bytes literal, which conditions do not have", "条件中没有字节串"),
        reason=("Nothing in a story is a sequence of bytes.", "故事里没有字节串类型的值。"),
        remedy=("Leave out the b before the quotation mark.", "去掉引号前的 b。"),
    ),
    _entry(
        "condition_map_off",
        found=("a brace; conditions have no maps and no messages", "这里有花括号；条件中没有映射和消息"),
        reason=("Nothing in a story that a condition can read is a map.", "条件能读到的值都不是映射。"),
        remedy=("Use a list with in, or compare the values one by one.", "用 in 加列表，或逐个比较。"),
    ),
    _entry(
        "condition_index_off",
        found=('an index; only flags["id"] is allowed', '这里有下标；只能写 flags["id"]'),
        reason=("A list in a condition is only searched with in.", "条件里的列表只用于 in。"),
        remedy=("Name the value itself.", "请直接写出该值。"),
    ),
    _entry(
        "condition_list",
        found=(
            "a list that holds something other than literals and references of one type",
            "列表里只能是同一类型的字面值和引用",
        ),
        reason=("A value is never equal to one of another type.", "不同类型的值不会相等。"),
        remedy=("Write one list for each type, and nothing nested in it.", "每种类型各写一个列表，里面不要嵌套。"),
    ),
)

_REFERENCES = (
    _entry(
        "condition_name_unknown",
        found=("a name that conditions do not have", "条件中没有这个名称"),
        reason=_CHECKED,
        remedy=(_NAMES, _NAMES_ZH),
    ),
    _entry(
        "condition_flags_form",
        found=("flags without the id of a flag", "flags 后面没有旗标的 id"),
        reason=_CHECKED,
        remedy=(f"Write {_FLAG_FORMS}.", '写作 flags.lamp 或 flags["lamp-lit"]。'),
    ),
    _entry(
        "condition_argument",
        found=(
            "{name} without {count} text literal(s) in parentheses",
            "{name} 后面的括号里须有 {count} 个用引号括起来的 id",
        ),
        reason=_CHECKED,
        remedy=(
            'Write the ids themselves between quotation marks: visited("cave"), relation("ana", "bo", "trust").',
            '把 id 直接写在引号里：visited("cave")、relation("ana", "bo", "trust")。',
        ),
    ),
    _entry(
        "condition_id_form",
        found=("something that cannot be an id", "这不可能是 id"),
        reason=(
            "An id has 1 to 64 lower-case letters, digits, hyphens and underscores, and begins with a letter or digit.",
            "id 由 1 到 64 个小写字母、数字、连字符和下划线组成，以字母或数字开头。",
        ),
        remedy=("Write the id as it is declared.", "请按声明时的写法书写 id。"),
    ),
    _entry(
        "condition_flag_unknown",
        found=("no flag {actual} is declared", "没有声明旗标 {actual}"),
        reason=_CHECKED,
        remedy=("Declare the flag, or correct the id.", "声明这个旗标，或改正 id。"),
    ),
    _entry(
        "condition_node_unknown",
        found=("no node {actual} is declared", "没有声明节点 {actual}"),
        reason=_CHECKED,
        remedy=("Declare the node, or correct the id.", "声明这个节点，或改正 id。"),
    ),
    _entry(
        "condition_branch_unknown",
        found=("no branch {actual} is declared", "没有声明分支 {actual}"),
        reason=_CHECKED,
        remedy=("Declare the branch, or correct the id.", "声明这个分支，或改正 id。"),
    ),
    _entry(
        "condition_role_unknown",
        found=("no role {actual} is declared", "没有声明角色 {actual}"),
        reason=_CHECKED,
        remedy=("Declare the role, or correct the id.", "声明这个角色，或改正 id。"),
    ),
)

ENTRIES: tuple[Entry, ...] = (*_READING, *_OFF, *_REFERENCES)
