"""One annotator's stored figures as their page shows them. Imports no Django: it reads the JSON of a job's
result.
"""

from collections.abc import Sequence
from typing import Any

from stats.annotators.entries import CONTROL
from stats.jeffreys import lower_bound, upper_bound

FALLS = ("fall_within", "fall_between")


def page_figures(figures: dict[str, Any]) -> dict[str, Any]:
    """The figures with the cells of matrices, falls of agreement in words, and p-values as text."""
    return figures | {
        **{
            name: figures[name] | {"words": _fall_in_words(figures[name]["seen"])} for name in FALLS
        },
        "controls": _controls(figures["recalls"]),
        "asked": [_matrices(each) for each in figures["asked"]],
        "signals": [
            each | {"p_words": _chance(each["p"]), "adjusted_words": _chance(each["adjusted"])}
            for each in figures["signals"]
        ],
    }


def _controls(recalls: Sequence[dict[str, Any]]) -> dict[str, Any] | None:
    """How many control items were answered, `n`, and how many right, `found`, with the ends of Jeffreys' 95 % interval
    of the share; None if none was answered.
    """
    known = [each for each in recalls if each["known_by"] == CONTROL]
    n, found = (sum(each[name] for each in known) for name in ("n", "found"))
    if not n:
        return None
    low, high = lower_bound(found, n, 0.975), upper_bound(found, n, 0.975)
    return {"n": n, "found": found, "value": found / n, "low": low, "high": high}


def _matrices(question: dict[str, Any]) -> dict[str, Any]:
    """The question with its matrices as rows: a label, and cells with whether they are diagonal."""
    confusion = question["confusion"]
    labels, estimated = confusion["labels"], confusion["estimated"]
    others = question["shares_of_others"]
    return question | {
        "rows": _cells(labels, confusion["counts"]),
        "given": [question["shares"].get(label, 0) for label in labels],
        "others_gave": [others.get(label, 0.0) for label in labels] if others else [],
        "estimated": _cells(confusion["estimated_labels"], estimated) if estimated else [],
    }


def _cells(
    labels: Sequence[str], matrix: Sequence[Sequence[float]]
) -> list[tuple[str, list[tuple[float, bool]]]]:
    return [
        (label, [(value, at == number) for at, value in enumerate(row)])
        for number, (label, row) in enumerate(zip(labels, matrix, strict=True))
    ]


def _fall_in_words(seen: float | None) -> str:
    """A fall of agreement in words; a negative one is a rise."""
    if seen is None:
        return ""
    return f"agreement {abs(seen):.3f} {'higher' if seen < 0 else 'lower'}"


def _chance(p: float | None) -> str:
    if p is None:
        return ""
    return "under .0001" if p < 0.0001 else f"{p:.2g}".removeprefix("0")
