"""The little grammar that the rehearsal needs to speak an author's English in the first person."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from storyworld.models.rehearsal_words.phrases import Mood

VERBS = frozenset(
    """
    check confirm decline drop ease empty feed fill gather grow guess harm heal impress land lay lift lock measure
    notice order paint pick plan promise punish raise ride ruin sail salvage scare sign silence sing sleep slip
    smuggle sort
    steer strike swim tempt tie trace track trap treat undo unlock untie vote wash wear weigh welcome wish yield
    accept accuse act admit agree allow answer arrive ask avoid be bear beat become beg begin believe bring
    build burn buy call calm carry catch change choose claim climb close collect come confess convince count
    cover cross cut dare deal decide deceive defend deliver deny destroy discover do drink drive earn eat end
    enter escape expose face fetch fight find finish fix follow forget forgive free get give go guard hand have
    hear help hide hold hunt ignore join judge keep kill know lead learn leave let listen live load look lose
    love make marry meet mend move name obey offer open outwit overcome own part pass pay persuade play prevent
    protect prove pull push put question reach read recover refuse remain remember repair repay rescue resist
    return reveal rule run save say search see seek sell send serve set settle share show shut sit solve speak
    spend stand start stay steal stop survive take talk teach tell test think trade travel trust try turn
    uncover understand use visit wait wake walk warn watch win withstand work write
    """.split()
)
"""First words by which a goal or objective is known to be a deed, so that it can follow `I want to`."""

OTHERS = frozenset(
    """
    he she him her his hers himself herself they them their theirs themselves you your yours yourself yourselves
    """.split()
)
"""Words for somebody else, which would be wrong once the role says its goal itself."""

TITLES = frozenset(
    "dr mr mrs ms miss lady lord sir dame captain doctor father mother sister brother old young the".split()
)
"""First words of a name by which nobody is called alone."""

VOICES: Mapping[Mood, tuple[str, ...]] = MappingProxyType(
    {
        "terse": ("short", "terse", "dry", "curt", "level", "few words", "clipped", "laconic", "quiet", "brief"),
        "formal": (
            "formal",
            "exact",
            "polite",
            "complete sentences",
            "courteous",
            "precise",
            "educated",
            "official",
        ),
        "warm": ("warm", "gentle", "kind", "hospitable", "soft", "motherly", "cheerful", "joking", "friendly"),
        "blunt": ("blunt", "loud", "rough", "quick", "brisk", "blurts", "angry", "swears", "direct", "large"),
        "wary": (
            "wary",
            "slow",
            "nervous",
            "careful",
            "hesitant",
            "evasive",
            "whisper",
            "riddles",
            "shy",
            "anxious",
        ),
    }
)
"""Words that, standing in a role's voice, give away its mood."""
