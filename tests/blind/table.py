"""Who may learn what, as data; tests/test_blindness.py holds every page to it."""

from dataclasses import dataclass

from tests.blind.world import DRAFTED, SETTLED, TURNS, UNTOLD, Secret

ANNOTATOR, ADJUDICATOR = "annotator", "adjudicator"
OUTSIDERS = ("annotator elsewhere", "requester elsewhere", "nobody")

# What a screen shows, and what members are told of the study. All else is somebody's secret.
SHOWN = ("study", "batch", "question", "answer", "evidence")
BEHIND = ("run", "citation", "left out", "score", "reference")
SAID_BY_OTHERS = ("comment", "flag")
OF_THEMSELVES = ("background",)
MADE_BY = ("maker",)
ORGANISERS = ("data set", "file", "licence", "scorer", "pool", "passage", "draft", "organising")


@dataclass(frozen=True)
class Line:
    """These people learn nothing of these kinds; `sentence` is the promise that says so."""

    who: tuple[str, ...]
    kinds: tuple[str, ...]
    sentence: str
    turns: tuple[int, ...] = ()  # none: of whatever turn


TABLE = (
    Line(
        (ANNOTATOR,),
        (*BEHIND, "scorer", *SAID_BY_OTHERS, "decision", "item", "annotator"),
        "An annotator's session learns no run, score, reference, others' labels, control marks.",
    ),
    Line(
        (ANNOTATOR,),
        ORGANISERS,
        "No page, file name or asset that an annotator can fetch tells run, score, reference, others'"
        " labels, or which items are controls.",
    ),
    Line(
        (ANNOTATOR,),
        ("question", "answer"),
        "Context shows earlier questions; a draft is nobody's yet.",
        turns=(DRAFTED,),
    ),
    Line(
        (ADJUDICATOR,),
        BEHIND,
        "Reviewers and adjudicators do not see run, score or reference either until the item is settled.",
        turns=tuple(turn for turn in TURNS if turn != SETTLED),
    ),
    Line(
        (ANNOTATOR,),
        ("explanation",),
        "In training, what was expected of an item is told once it is judged.",
        turns=(UNTOLD,),
    ),
    Line(
        (ANNOTATOR, ADJUDICATOR),
        OF_THEMSELVES,
        "What annotators say of themselves stands beside no judgement.",
    ),
    Line(
        (ANNOTATOR, ADJUDICATOR),
        MADE_BY,
        "Who curates a question learns nothing of who or what made it.",
    ),
    Line(
        (ADJUDICATOR,),
        ("annotator",),
        "Adjudicators read judgements and comments side by side, names hidden.",
    ),
    Line(
        OUTSIDERS,
        (
            *SHOWN,
            *BEHIND,
            *SAID_BY_OTHERS,
            *ORGANISERS,
            *OF_THEMSELVES,
            *MADE_BY,
            "explanation",
            "decision",
            "item",
            "annotator",
        ),
        "Whoever is not in a study gets 404 there, so that no address says what exists.",
    ),
)

# What they are there to learn: who finds it not has not looked, and then finding no secret says nothing.
LEARNT = {
    ANNOTATOR: (*SHOWN, "explanation"),
    ADJUDICATOR: ("study", "batch", "question", "answer", *SAID_BY_OTHERS, "decision", "item"),
}


def keeps(who: str, secret: Secret, told: tuple[int, ...] = ()) -> str:
    """The promise by which this is a secret to that person; "" where it is none.

    `told` are the turns about which nothing is open any more.
    """
    for line in TABLE:
        is_told = line.who == (ADJUDICATOR,) and secret.about in told
        is_of_turn = not line.turns or secret.about in line.turns
        if who in line.who and secret.kind in line.kinds and is_of_turn and not is_told:
            return line.sentence
    return ""
