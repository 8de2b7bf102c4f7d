"""A setup's figures as the page tells them: in rows, in order, with what is to be warned of in words. Plain Python."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from exports.compared.picture import PICTURED, Picture, picture
from exports.compared.tables import strength
from exports.run_words import sorted_pairs

Told = Mapping[str, Any]
MEASURES = {
    "faithful": "Faithful",
    "appropriate": "Appropriate",
    "both": "F+A",
    "preference": "Preference",
}
AUTOMATIC = {
    "rouge_l": "ROUGE-L",
    "recall": "Recall",
    "rouge_lp": "RougeLp",
    "length": "Length",
}
MODELS = {
    "half": "Bradley-Terry, a tie as half a win for each",
    "davidson": "Davidson, with how likely ties are",
}
POLICIES = {
    "zero": "a tie counts nothing",
    "half": "a tie counts half",
    "both": "a tie counts for both",
}
ASKED = {
    "confidence": "Confidence",
    "appropriate": "Appropriate",
    "unknown": "Says that it does not know",
    "incoherent": "Incoherent",
    "relevant": "Passage is relevant",
    "faithful": "Faithful",
    "supports": "Passage supports the answer",
    "preference": "Preference",
}


@dataclass(frozen=True)
class Fit:
    """A model of strengths: its warnings, and a row a run."""

    name: str
    warnings: tuple[str, ...]
    rows: tuple[tuple[str, Told, Told], ...]  # run, strength, expected
    tie: float | None


@dataclass(frozen=True)
class Pairs:
    name: str
    pairs: Sequence[Told]
    n_tested: int
    n_told_apart: int
    is_preference: bool
    caution: str | None


@dataclass(frozen=True)
class Section:
    number: int
    name: str
    setup: Told
    cautions: tuple[str, ...]  # of the intervals of ratings and win-rates
    pictures: tuple[tuple[Picture, str], ...]  # with the name of its file
    policies: tuple[tuple[str, Told], ...]
    most: float  # what the sum of the win-rates is at most, where a tie counts nothing
    win_rates: tuple[tuple[str, tuple[Told, ...]], ...]
    fits: tuple[Fit, ...]
    pairs: tuple[Pairs, ...]
    agreement: tuple[tuple[str, Told], ...]
    rated_lengths: tuple[tuple[str, Told], ...]
    automatic: tuple[tuple[str, str, Sequence[Told], Sequence[Told]], ...]
    runs: tuple[tuple[str, Told, Told], ...]  # run, its scales, its automatic measures


def section(number: int, name: str, setup: Told) -> Section:
    rates = setup["win_rates"]
    n_compared = sum(rate["n_comparisons"] > 0 for rate in rates["zero"]["rates"])
    return Section(
        number=number,
        name=name,
        setup=setup,
        cautions=cautions(setup),
        pictures=tuple(
            (drawn, f"{column.name}-{number}.svg")
            for column in PICTURED
            for drawn in [picture(setup, column)]
            if any(mark.x is not None for mark in drawn.marks)
        ),
        policies=tuple((POLICIES[policy], rates[policy]) for policy in POLICIES),
        most=n_compared / 2,
        win_rates=tuple(
            (run["run"], tuple(rates[policy]["rates"][place] for policy in POLICIES))
            for place, run in enumerate(setup["runs"])
        ),
        fits=tuple(_fit(setup["bradley_terry"][model], MODELS[model]) for model in MODELS),
        pairs=tuple(_pairs(measure, setup["apart"][measure]) for measure in MEASURES),
        agreement=tuple(
            (ASKED.get(asked, asked), figures) for asked, figures in setup["agreement"].items()
        ),
        rated_lengths=tuple(
            (MEASURES[scale], figure) for scale, figure in setup["length"]["rated"].items()
        ),
        automatic=tuple(
            (
                AUTOMATIC[each["measure"]],
                MEASURES[each["scale"]],
                each["answers"],
                each["systems"],
            )
            for each in setup["automatic"]["beside"]
        ),
        runs=tuple(
            (run["run"], setup["scales"][place], setup["automatic"]["runs"][place])
            for place, run in enumerate(setup["runs"])
        ),
    )


def cautions(setup: Told) -> tuple[str, ...]:
    """Each sentence once, with the runs whose ratings it is of; all win-rates have one."""
    runs: defaultdict[str, list[str]] = defaultdict(list)
    for each in setup["scales"]:
        if each["caution"]:
            runs[each["caution"]].append(each["run"])
    found = [
        f"{', '.join(of)}{', each' if len(of) > 1 else ''}: {words}" for words, of in runs.items()
    ]
    return (*found, *filter(None, [setup["win_rates"]["zero"]["caution"]]))


def _pairs(measure: str, apart: Told) -> Pairs:
    return Pairs(
        MEASURES[measure],
        sorted_pairs(apart["pairs"]),
        sum(pair["p"] is not None for pair in apart["pairs"]),
        sum(pair["is_told_apart"] for pair in apart["pairs"]),
        measure == "preference",
        apart["caution"],
    )


def _fit(fit: Told, name: str) -> Fit:
    rows = [
        (each["run"], strength(fit, place, "strength"), strength(fit, place, "expected"))
        for place, each in enumerate(fit["strengths"])
    ]
    rows.sort(key=lambda row: (row[1]["value"] is None, -(row[1]["value"] or 0.0)))
    return Fit(name, tuple(_warnings(fit)), tuple(rows), fit["tie"])


def _warnings(fit: Told) -> Iterator[str]:
    if fit["reason"]:
        yield f"There are no strengths: {fit['reason']}."
    if len(fit["groups"]) > 1:
        parts = "; ".join(", ".join(group) for group in fit["groups"])
        yield f"Only within these groups can the runs be compared: {parts}."
    if fit["caution"]:
        yield fit["caution"]
