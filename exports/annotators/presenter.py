"""What a page about one annotator says of the stored figures. Plain Python over the JSON that a job left."""

from collections.abc import Sequence
from typing import Any

FALLS = ("fall_within", "fall_between")


def in_words(found: dict[str, Any]) -> dict[str, Any]:
    """What a template cannot put together by itself: the cells of the matrices, and small chances."""
    return found | {
        **{name: found[name] | {"words": _fall(found[name]["seen"])} for name in FALLS},
        "asked": [_matrices(each) for each in found["asked"]],
        "signals": [
            each | {"p_words": _chance(each["p"]), "adjusted_words": _chance(each["adjusted"])}
            for each in found["signals"]
        ],
    }


def _matrices(asked: dict[str, Any]) -> dict[str, Any]:
    """Each row of a matrix with its label; each cell with whether it is on the diagonal."""
    confusion = asked["confusion"]
    labels, estimated = confusion["labels"], confusion["estimated"]
    others = asked["shares_of_others"]
    return asked | {
        "rows": _cells(labels, confusion["counts"]),
        "given": [asked["shares"].get(label, 0) for label in labels],
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


def _fall(seen: float | None) -> str:
    """A fall of agreement in words; it may be a rise."""
    if seen is None:
        return ""
    return f"agreement {abs(seen):.3f} {'higher' if seen < 0 else 'lower'}"


def _chance(p: float | None) -> str:
    if p is None:
        return ""
    return "under .0001" if p < 0.0001 else f"{p:.2g}".removeprefix("0")
