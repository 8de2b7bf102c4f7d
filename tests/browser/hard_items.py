"""Items that are hard to lay out, for each scheme: long passages, a table, code, Arabic and Chinese."""

from annotation.models import Batch
from annotation.schemes import payloads
from tests.factories import BatchFactory, GuidelineFactory, ItemFactory

QUESTION = (
    "How is a lighthouse lit, who keeps it, and what did that cost in the years before the war?"
)
_SENTENCE = "The keepers lit the lamp at dusk, trimmed its wick twice in the night, and wrote the hours down. "
_TABLE = "year | oil | gas\n1868 | 12 | 0\n1869 | 7 | 31\n"
_CODE = "def lit(hour):\n    if hour < 6:\n        return True\n    return hour > 18\n"
_ARABIC = "أضاء الحراس المصباح عند الغروب وسجلوا الساعات في الدفتر. "
_CHINESE = "守灯人在黄昏时点亮灯、夜里两次修剪灯芯、并记下时间。"

PASSAGES = (
    _SENTENCE * 33,
    _TABLE * 4 + _ARABIC * 20,
    _CODE + _CHINESE * 20,
)  # the first has 600 words
ANSWERS = (_SENTENCE * 12, _ARABIC * 6 + _CODE, _TABLE + _CHINESE * 5)
N_ANSWERS = {
    "preference": 2,
    "rating": 3,
    "relation": 2,
    "relevance": 0,
    "writing": 0,
    "curation": 0,
}
SCHEMES = (
    *("plausibility", "faithfulness", "preference", "rating", "relation", "relevance"),
    *("writing", "curation"),
)


def content(scheme: str, question: str = QUESTION) -> dict:
    made = {"answer": ANSWERS[1], "proof": _TABLE, "section": "Results"}
    of_curation = {"made": made | {"type": "open", "types": ["closed", "open"]}}
    return (of_curation if scheme == "curation" else {}) | payloads.payload(
        question=question,
        context=["Is there a lighthouse?"],
        answers=ANSWERS[: N_ANSWERS.get(scheme, 1)],
        evidence=list(PASSAGES[:2]) if scheme == "faithfulness" else None,
        passages=_passages(scheme),
    )


def _passages(scheme: str) -> list[dict] | None:
    """The passages of a screen; of writing one, whose sentences are the hard texts."""
    if scheme == "writing":
        sentences = [*PASSAGES, *[_SENTENCE] * 12]
        return [{"title": "Lighthouse", "text": " ".join(sentences), "sentences": sentences}]
    if scheme in ("preference", "rating", "relevance", "curation"):
        return [{"title": "Lighthouse", "text": text, "sentences": []} for text in PASSAGES]
    return None


def hard_batch(study, scheme: str, n: int = 3, guideline: str = "") -> Batch:
    """Without a text there is no guideline to read before."""
    made = BatchFactory(
        pool__dataset__study=study,
        scheme=scheme,
        guideline=GuidelineFactory(study=study, scheme=scheme, text=guideline),
    )
    for position in range(1, n + 1):
        ItemFactory(
            batch=made, position=position, payload=content(scheme, f"{QUESTION} ({position})")
        )
    return made
