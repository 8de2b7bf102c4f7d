"""What the scores of answers can be cut by. Imports no Django."""

from collections.abc import Collection
from dataclasses import dataclass

# Of the question, by its metadata (corpus.question_meta) or its file; of the answer; of the score. Documents, of which
# there are the most, are last: the first cut that there is is that of the page.
OF_QUESTIONS = {
    "type": "Type",
    "section": "Section",
    "kind": "Kind of passage",
    "maker": "Maker",
    "part": "Part",
    "document": "Document",
}
OF_SCORES = {"run": "Run", "evaluator": "Evaluator", "refusal": "Refusal"}
CUTS = OF_QUESTIONS | OF_SCORES
# What the cut by refusal calls an answer that says that there is none, and any other.
REFUSAL = {True: "refusal", False: "answer"}
MOST_CUTS = 4
# What people may call a cut and which ones they may mean by it.
UNCLEAR = {
    "model": "maker (the model that made the question) or run (the system that answered it)",
    "system": "run (the system that answered)",
    "scorer": "evaluator (what gave the scores)",
}


class CutError(Exception):
    """The scores cannot be cut like this; the message says why and what could be done."""


@dataclass(frozen=True, slots=True)
class Choice:
    """What is asked for.

    by         the cuts, of which the last one makes the columns if there are several
    measure    the metric whose scores are taken
    evaluator  the only evaluator whose scores are taken; "" for all, where they are cut by evaluator
    """

    by: tuple[str, ...]
    measure: str
    evaluator: str = ""


def cuts_of(text: str, there: Collection[str]) -> tuple[str, ...]:
    """Return the cuts of a list with commas. Raises CutError.

    `there` are those that the data set has.
    """
    names = [name.strip() for name in text.split(",") if name.strip()]
    known = ", ".join(there)
    for name in names:
        if name in UNCLEAR:
            raise CutError(f"{name} may mean {UNCLEAR[name]}: say which")
        if name not in CUTS:
            raise CutError(f"{name} is nothing to cut by: there are {known}")
        if name not in there:
            raise CutError(f"no question of the data set has a {name}: there are {known}")
    if len(names) != len(set(names)):
        raise CutError("the same cut is there twice")
    if not 1 <= len(names) <= MOST_CUTS:
        raise CutError(f"name one to {MOST_CUTS} cuts: there are {known}")
    return tuple(names)
