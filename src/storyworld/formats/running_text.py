"""Whether a text reads as running text of some language, or as what bytes become when they are read in a wrong way.

A wrong reading of Chinese, Japanese or Korean gives real characters, but rare ones: in running text a few hundred
characters make more than half of all, and a reading by chance hits them seldom. A wrong reading of Latin script gives
letters that no one language has together, or signs inside words. The tables hold the commonest characters of each
language, and the letters beyond ASCII of each Latin alphabet. Knows nothing of bytes and encodings.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Final

# The commonest characters of running Chinese; then the forms of traditional writing for those that have another.
_CHINESE: Final = frozenset(
    "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种事成"
    "方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实日军者意无力它与长把机十民第公此已工"
    "使情明性知全三又关点正业外将两高间由问很最重并物手应向头文体美相见被什二等新己身果加西月话合回特代内信表化老给世位次"
    "门任常先海通教儿原东声提立及比员解水名真论处走义各入几口认条平气题活更别打女变四神何电数安少才结反受目太再感做必场件"
    "今切让光放眼书听白却快哪谁吗呢吧啊呀哦嗯您别请坐站叫喊笑哭死爱怕找等晚早夜风雨雪火山路车马门窗灯酒茶饭钱父母哥姐弟妹"
    "王李张刘陈幕景場人物地点间屋房床桌椅边远近左右春夏秋冬朝帮跟跑吃喝睡醒忘记完写读像往越似便且若还直够黑红黄青长短轻步"
    "這個們來為國說時會對後裡裏過發麼學現當沒動還進樣開從實軍無與長機點業將兩間問並應戰頭體見產話氣聽認誰嗎讓給別幾愛覺兒"
    "東車門馬錢請聲親師書邊遠場關電總變萬風雲飛陽樹紅黃銀龍歲務幹處義員條題數結論處種經著於麽們媽爺張劉陳燈飯貓燒點讀寫"
)
_KANJI: Final = frozenset(
    "日一人大年国会中本長出三同時上前見行自分間事者生今手二者何私思言方家気来物子下後入小話心十目女男名体度僕君先金月水火"
    "木土山川田口声顔父母兄弟妹姉親夫妻町村市東西南北京都島海空雨風雪花草馬犬鳥魚車道門戸店学校先生教文字書本読書聞音楽店"
    "立坐歩走帰着持取待食飲寝起死殺愛悪良好高安新古白黒赤青明暗早遅遠近内外左右前後中間正面幕場第登退舞台所全部少多無有不"
    "当然実際世界社会主義理由作用通過開始終最初次回度合点数四五六七八九百千万円夜朝昼晩昔夏冬春秋色光影力強弱元気病医者院客"
    "主旦那奥様嬢娘息電話答問題意味知考感情信頼願頭足身体首腰胸腹毛皮肉血涙笑泣怒喜悲別急静動止変化成結婚約束室屋庭木葉根石"
    "農民種番地貸借住宅公園駅汽船旅仕職業務官員警察兵隊軍戦争平和勝負野原森林池橋薬酒茶飯米肥料病虫枯稲反"
)
_HANGUL: Final = frozenset(
    "이다는에의가을로하고지사은기한서도를리자인대어아시나들있으정보그라일수해부과만전게니거요주여상오면스장원제음않없것내우"
    "까네세무야저러르마안구소성동비경문신조안물실미공국방말할때된되선모더생각히잘같못위중람말려번속와집왔았었했겠습니까합네"
    "냐군걸건데좀또왜누뭐무엇당신너희들얼굴눈손발밤낮앞뒤옆길산숲강바람비눈꽃놈년님아버머어형누언오빠불물술밥돈금은노래막"
)

# Letters beyond ASCII in the alphabets of Western Europe, as far as Windows-1252 holds them. Languages whose own
# encoding shares most of its bytes with it (Polish, Czech, Hungarian, Romanian, Turkish) become mixtures that none has.
_ALPHABETS: Final[Mapping[str, frozenset[str]]] = {
    "Dutch": frozenset("áàâäéèêëíïóôöúûü"),
    "French": frozenset("àâæçèéêëîïôœùûüÿñ"),
    "German": frozenset("äöüßéèà"),
    "Icelandic": frozenset("áæéíðóöúýþ"),
    "Italian": frozenset("àèéìíîòóùú"),
    "Nordic": frozenset("åäöæøéèüà"),
    "Portuguese": frozenset("áàâãçéêíóôõúü"),
    "Spanish": frozenset("áàçèéíïñòóúü"),
}
_FOREIGN_NAMES: Final = frozenset("áàâäçéèêëíîïñóôöúûü")
"""Letters that stand in foreign names and words of a text with few others, such as an English one."""

_SIGNS: Final = frozenset("¡¿«»‹›“”‘’„‚–—…·•§©®™°ºª½¼¾²³£€¥†\u00a0\u00ad\u2028\u2029\ufeff")
_SIGN_IN_WORD: Final = re.compile(
    r"[^\W\d_][^\x00-\x7f\w’‘–—…·\u00a0\u00ad][^\W\d_]|[^\W\d_][„‚]|[^\W\d_][½¼¾²³ºª][^\W\d_]"
)
_CAPITAL_IN_WORD: Final = re.compile("[a-zß-öø-ÿ][À-ÖØ-Þ][a-zß-öø-ÿ]|[a-zß-öø-ÿ]{2}[À-ÖØ-Þ]")
_WORD_BEYOND_ASCII: Final = re.compile(
    r"(?<![^\W\d_])(?:(?![\x00-\x7f])[^\W\d_]){2}(?![A-Za-z])|(?:(?![\x00-\x7f])[^\W\d_]){4}"
)

_RUN_BEYOND_ASCII: Final = re.compile("[^\x00-\x7f]+")

_EXCEPTIONS_MAX: Final = 0.05
_FOREIGN_MAX: Final = 0.01
_COMMON_MIN: Final = 0.3
"""Share of common characters in running text: 0.60 to 0.77 in whole plays and stories, at most 0.21 in wrong readings;
in pieces of few characters both come nearer to the bound.
"""
_COMMON_KANJI_MIN: Final = 0.25
_KANA_MIN: Final = 0.2
_FOREIGN_WRITING_MAX: Final = 0.1
_HANGUL_MIN: Final = 0.5
_ODD_MAX: Final = 0.03

_HIRAGANA: Final = ("\u3041", "\u3096")
_KATAKANA: Final = ("\u30a1", "\u30fa")
_SYLLABLES: Final = ("\uac00", "\ud7a3")
_HAN: Final = ("\u4e00", "\u9fff")

# What hardly stands in a script and abounds in wrong readings: controls, phonetic signs and combining marks, Greek and
# Cyrillic, writing of other continents, circled and squared characters, rare Chinese characters, private ones,
# half-width katakana, and what lies beyond the first plane but for pictures.
_ODD: Final = re.compile(
    "[\x80-\x9f\u0250-\u0fff\u1000-\u1dff\u2460-\u24ff\u3200-\u4dbf\ua000-\uabff\ue000-\uf8ff\ufb00-\ufdff\ufe70-\ufefe"
    "\uff61-\uff9f\ufff0-\uffff\U00010000-\U0001f2ff\U0001fb00-\U0010ffff]"
)


class RunningText:
    """A text, its characters counted once; each question is answered from the counts."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._counts = Counter(text)
        self._beyond_ascii = sum(count for char, count in self._counts.items() if char > "\x7f")
        self._han = self._between(_HAN)
        self._kana = self._between(_HIRAGANA) + self._between(_KATAKANA)

    def reads_as_chinese(self) -> bool:
        """Chinese characters, simplified or traditional, and among them enough common ones; hardly any kana."""
        return (
            self._han > 0
            and self._kana <= _FOREIGN_WRITING_MAX * self._han
            and self._between(_SYLLABLES) <= _FOREIGN_WRITING_MAX * self._han
            and self._share(_CHINESE, self._han) >= _COMMON_MIN
            and self._hardly_odd()
        )

    def reads_as_japanese(self) -> bool:
        """Kana, and among the Chinese characters, if there are any, enough common ones."""
        return (
            self._kana > 0
            and self._kana >= _KANA_MIN * (self._kana + self._han)
            and self._between(_SYLLABLES) <= _FOREIGN_WRITING_MAX * self._kana
            and (self._han == 0 or self._share(_KANJI, self._han) >= _COMMON_KANJI_MIN)
            and self._hardly_odd()
        )

    def reads_as_korean(self) -> bool:
        """Syllables of Hangul, enough common ones among them, and fewer Chinese characters."""
        syllables = self._between(_SYLLABLES)
        return (
            syllables > 0
            and syllables >= _HANGUL_MIN * (syllables + self._han)
            and self._kana <= _FOREIGN_WRITING_MAX * syllables
            and self._share(_HANGUL, syllables) >= _COMMON_MIN
            and self._hardly_odd()
        )

    def reads_as_latin(self) -> bool:
        """Letters beyond ASCII that one language of Western Europe has, within words, and no sign but punctuation."""
        letters = {char: count for char, count in self._counts.items() if char > "\x7f" and char.isalpha()}
        letters = {char: count for char, count in letters.items() if char not in "ªº"}
        signs = {char for char in self._counts if char > "\x7f" and char not in letters}
        if not signs <= _SIGNS:
            return False
        if not self._of_one_alphabet(letters):
            return False
        # The surroundings of what is beyond ASCII, each once: there are few different ones.
        found = _RUN_BEYOND_ASCII.finditer(self._text)
        around = "\n".join({self._text[max(run.start() - 2, 0) : run.end() + 1] for run in found})
        return not any(fault.search(around) for fault in (_SIGN_IN_WORD, _CAPITAL_IN_WORD, _WORD_BEYOND_ASCII))

    def _of_one_alphabet(self, letters: Mapping[str, int]) -> bool:
        total = sum(letters.values())
        outside = {
            name: sum(count for char, count in letters.items() if char.lower() not in alphabet)
            for name, alphabet in _ALPHABETS.items()
        }
        if min(outside.values()) <= _EXCEPTIONS_MAX * total:
            return True
        plain = sum(count for char, count in self._counts.items() if char <= "\x7f" and char.isalpha())
        return total <= _FOREIGN_MAX * plain and all(char.lower() in _FOREIGN_NAMES for char in letters)

    def _between(self, bounds: tuple[str, str]) -> int:
        first, last = bounds
        return sum(count for char, count in self._counts.items() if first <= char <= last)

    def _share(self, common: frozenset[str], of: int) -> float:
        return sum(self._counts[char] for char in common) / of

    def _hardly_odd(self) -> bool:
        odd = sum(count for char, count in self._counts.items() if _ODD.match(char))
        return odd <= _ODD_MAX * self._beyond_ascii


Language = Callable[[RunningText], bool]
CHINESE: Final[Language] = RunningText.reads_as_chinese
JAPANESE: Final[Language] = RunningText.reads_as_japanese
KOREAN: Final[Language] = RunningText.reads_as_korean
LATIN: Final[Language] = RunningText.reads_as_latin
