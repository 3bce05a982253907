"""By which names the parts of a reply are known: the one table of aliases, translated ones included.

It owns the names. It must not know what a part is worth.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from enum import StrEnum
from functools import lru_cache
from typing import Final


class Part(StrEnum):
    """The parts of a reply, by the keys that the prompt asks for. The speaker is not asked for, and often given."""

    LINE = "line"
    ACTION = "action"
    OPERATIONS = "operations"
    SPEAKER = "speaker"

    # That of its text, with which it is equal. An enumeration's own is asked for in Python, at every look into a table.
    __hash__ = str.__hash__


_LINE: Final = (
    "line lines linetext dialogue dialog dialogueline say says said speech spoken spokenline utterance "
    "台词 台詞 臺詞 对白 對白 对话 對話 话语 發言 发言 说 說 セリフ せりふ 科白 発言 대사 대화 "
    "réplique replique dialogo diálogo línea linea parlamento fala zeile dialogzeile replik battuta реплика диалог "
    "lờithoại حوار संवाद บทพูด"
).split()
# Words that name any text. They are believed only where nothing else could be meant.
_ANY_TEXT: Final = (
    "text content message reply response answer output 内容 內容 文本 文字 回复 回覆 回應 回应 回答 本文 テキスト 返答 "
    "응답 내용 texto texte testo текст ответ antwort respuesta réponse resposta risposta"
).split()
_ACTION: Final = (
    "action actions actiontext stageaction stagedirection gesture movement 动作 動作 行动 行動 舞台指示 アクション "
    "仕草 행동 동작 acción accion aktion handlung ação acao azione действие"
).split()
_OPERATIONS: Final = (
    "operations operation ops patch statepatch stateoperations statechanges 操作 操作列表 オペレーション 작업 "
    "operaciones opérations operationen operações operazioni операции"
).split()
_SPEAKER: Final = (
    "speaker speakerid speakername nextspeaker role roleid rolename name character charactername "
    "说话人 說話人 说话者 說話者 发言人 發言人 角色 角色名 人物 姓名 名字 話者 発話者 キャラクター 화자 인물 "
    "hablante personaje personnage locuteur sprecher figur falante personagem personaggio говорящий персонаж"
).split()

_PARTS: Final[Mapping[str, Part]] = {
    unicodedata.normalize("NFKC", name): part
    for part, names in (
        (Part.LINE, _LINE),
        (Part.ACTION, _ACTION),
        (Part.OPERATIONS, _OPERATIONS),
        (Part.SPEAKER, _SPEAKER),
    )
    for name in names
}
_ANY_TEXTS: Final = frozenset(unicodedata.normalize("NFKC", name) for name in _ANY_TEXT)
_NAME_MAX_CHARS: Final = 64


def folded(name: str) -> str:
    """A name without what models vary: case, width, spaces, `_`, `-`, quotes and backslashes."""
    return _folded(name[:_NAME_MAX_CHARS])


@lru_cache(maxsize=1024)
def _folded(name: str) -> str:
    letters = unicodedata.normalize("NFKC", name).casefold()
    return "".join(letter for letter in letters if letter.isalnum() or unicodedata.category(letter).startswith("M"))


def part_named(key: str) -> Part | None:
    """The part that a key names; None for a key that is unknown or could name any text."""
    return _part_named(key[:_NAME_MAX_CHARS])


@lru_cache(maxsize=1024)
def _part_named(name: str) -> Part | None:
    return _PARTS.get(_folded(name))


def names_any_text(key: str) -> bool:
    """Whether a key names a text without saying that it is spoken."""
    return folded(key) in _ANY_TEXTS
