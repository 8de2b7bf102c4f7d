"""What a pilot showed, whatever is asked for on its page; as JSON values too, which a job stores. No Django."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from exports.after_pilot.figures import LabelDisputes, Yield
from stats.proportion_intervals import Interval

Json = dict[str, Any]


@dataclass(frozen=True)
class Times:
    """Active seconds of the batch's current judgements: the median of all, their sum, and by person (user's key)."""

    median: float | None
    total: float
    n: int
    n_by_person: Mapping[int, int]
    median_by_person: Mapping[int, float]


@dataclass(frozen=True)
class PilotFigures:
    """The figures that do not depend on what is asked for on the page.

    spent           the seconds of judgements
    accepted        the yield, as queries.batch_yield()
    disputes        by label
    answers         by the person's key how often they gave each answer (expected label, label given), as
                    expected_labels.answers_by_person()
    n_comments      judgements with a comment
    why_no_answers  why there are none; "" if there are
    """

    spent: Times
    accepted: Yield | None
    disputes: list[LabelDisputes]
    answers: Mapping[int, Counter[tuple[str, str]]]
    n_comments: int
    why_no_answers: str = ""


def as_json(found: PilotFigures) -> Json:
    """Return the figures with pairs where a key is a number, which no object of JSON has."""
    spent = asdict(found.spent)
    for name in ("n_by_person", "median_by_person"):
        spent[name] = [*spent[name].items()]
    answers = [
        (person, expected, given, n)
        for person, own in found.answers.items()
        for (expected, given), n in own.items()
    ]
    return {
        "spent": spent,
        "accepted": asdict(found.accepted) if found.accepted else None,
        "disputes": [asdict(each) for each in found.disputes],
        "answers": answers,
        "people": [*found.answers],
        "n_comments": found.n_comments,
        "why_no_answers": found.why_no_answers,
    }


def from_json(values: Mapping[str, Any]) -> PilotFigures:
    """Return the figures of which as_json() made these values."""
    spent = dict(values["spent"])
    for name in ("n_by_person", "median_by_person"):
        spent[name] = dict(spent[name])
    accepted = values["accepted"]
    if accepted is not None:
        accepted = Yield(**accepted | {"share": Interval(**accepted["share"])})
    answers: dict[int, Counter[tuple[str, str]]] = {
        person: Counter() for person in values["people"]
    }
    for person, expected, given, n in values["answers"]:
        answers[person][expected, given] = n
    return PilotFigures(
        spent=Times(**spent),
        accepted=accepted,
        disputes=[LabelDisputes(**each) for each in values["disputes"]],
        answers=answers,
        n_comments=values["n_comments"],
        why_no_answers=values["why_no_answers"],
    )
