"""A setup's figures as the page shows them: rows in their order, and cautions in words. Plain
Python.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from exports.agreement.presenter import Cell, cells
from exports.comparison import people_words
from exports.comparison.charts import PICTURE_COLUMNS, Picture, picture
from exports.comparison.measures import LABELS, RUN_MEASURES
from exports.comparison.tables import strength
from exports.primary_comparison.families import EXPLORATORY
from exports.primary_comparison.measures import COMPARED
from stats.agreement.registry import IN_COLUMNS
from stats.paired_order import sorted_pairs

Json = Mapping[str, Any]
MAX_NAMED = 6
MODELS = {
    "half": "Bradley-Terry, ties as half a win for each",
    "davidson": "Davidson, with a tie parameter",
}
POLICIES = {
    "zero": "ties = 0",
    "half": "ties = ½",
    "both": "ties = 1 for both",
}
QUESTIONS = {
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
    """A model of strengths: its warnings, and a row for each run."""

    name: str
    warnings: tuple[str, ...]
    rows: tuple[tuple[str, Json, Json], ...]  # run, strength, expected
    tie: float | None
    n_groups: int  # only within a group can runs be compared
    told_apart: frozenset[frozenset[str]]  # pairs that differ significantly by preference

    @property
    def has_any(self) -> bool:
        return any(strength["value"] is not None for _, strength, _ in self.rows)

    @property
    def can_compare(self) -> bool:
        """Whether all runs have strengths that can be compared."""
        return self.n_groups <= 1 and all(row[1]["value"] is not None for row in self.rows)

    @property
    def strongest(self) -> str | None:
        """The run that is stronger, and significantly different, from every other, if there is one."""
        return self._if_apart(0)

    @property
    def weakest(self) -> str | None:
        return self._if_apart(-1)

    def _if_apart(self, place: int) -> str | None:
        if not self.can_compare or len(self.rows) < 2:
            return None
        run = self.rows[place][0]
        others = [row[0] for row in self.rows if row[0] != run]
        return run if all(frozenset({run, other}) in self.told_apart for other in others) else None


@dataclass(frozen=True)
class Pairs:
    name: str
    pairs: Sequence[Json]
    n_tested: int
    n_told_apart: int
    caution: str | None

    @property
    def family(self) -> str:
        """Whether its tests are primary, exploratory, or some of either."""
        families = {pair.get("family", EXPLORATORY) for pair in self.pairs}
        return families.pop() if len(families) == 1 else "primary in part"

    @property
    def people_in_words(self) -> str:
        return people_words.of_pairs(self.pairs)

    @property
    def better_runs(self) -> list[tuple[str, str]]:
        """The better and the worse run of each significantly different pair; none of more than
        MAX_NAMED.
        """
        found = [
            (pair["one"], pair["other"]) if pair["difference"] > 0 else (pair["other"], pair["one"])
            for pair in self.pairs
            if pair["is_told_apart"]
        ]
        return found if len(found) <= MAX_NAMED else []


@dataclass(frozen=True)
class Section:
    number: int
    name: str
    setup: Json
    cautions: tuple[str, ...]  # of the intervals of ratings and win-rates
    pictures: tuple[tuple[Picture, str], ...]  # with the names of their files
    policies: tuple[tuple[str, Json], ...]
    max_win_rate_sum: float  # the largest possible sum of win-rates if a tie counts nothing
    win_rates: tuple[tuple[str, tuple[Json, ...]], ...]
    fits: tuple[Fit, ...]
    pairs: tuple[Pairs, ...]
    agreement: tuple[tuple[str, Json], ...]
    rated_lengths: tuple[tuple[str, Json], ...]
    automatic: tuple[tuple[str, str, Sequence[Json], Sequence[Json]], ...]
    runs: tuple[tuple[str, Json, Json], ...]  # run, its scales, its automatic measures

    @property
    def people_in_words(self) -> str:
        ratings = ("faithful", "appropriate", "both")
        figures = {COMPARED[name]: [scales[name] for _, scales, _ in self.runs] for name in ratings}
        win_rates = {"the win rate": [rates[0] for _, rates in self.win_rates]}
        return people_words.of_figures(figures | win_rates)

    @property
    def agreement_columns(self) -> list[str]:
        return [each.column for each in IN_COLUMNS.values()]

    @property
    def agreement_rows(self) -> list[tuple[str, list[Cell], int]]:
        """The coefficients of each question, and how many items have two judgements."""
        return [
            (question, cells(figures, IN_COLUMNS), figures["raw"]["n_items"])
            for question, figures in self.agreement
        ]

    @property
    def automatic_heads(self) -> list[str]:
        return list(RUN_MEASURES.values())

    @property
    def automatic_names(self) -> str:
        return ", ".join(LABELS.values())

    @property
    def automatic_rows(self) -> list[tuple[str, list[tuple[Json, str]], Json]]:
        """The automatic measures of each run with their units, and its ratings."""
        return [
            (
                run,
                [
                    (automatic[name], "length" if name == "length" else "share")
                    for name in RUN_MEASURES
                ],
                scales,
            )
            for run, scales, automatic in self.runs
        ]

    @property
    def keeps_order(self) -> bool:
        """Whether all tie policies put the runs into the same order by win-rate."""
        return not any(
            _signs(one, other) >= {True, False}
            for (_, one), (_, other) in combinations(self.win_rates, 2)
        )

    @property
    def closest_measure(self) -> tuple[str, str, float] | None:
        """The measure and the rating with the largest Kendall's tau over answers, and that; the
        first of equal ones.
        """
        found = [
            (measure, scale, answers[0]["value"])
            for measure, scale, answers, _ in self.automatic
            if answers[0]["value"] is not None
        ]
        return max(found, key=lambda each: each[2], default=None)


def _signs(one: Sequence[Json], other: Sequence[Json]) -> set[bool]:
    return {
        a["value"] > b["value"]
        for a, b in zip(one, other, strict=True)
        if None not in (a["value"], b["value"]) and a["value"] != b["value"]
    }


def section(number: int, name: str, setup: Json) -> Section:
    rates = setup["win_rates"]
    n_compared = sum(rate["n_comparisons"] > 0 for rate in rates["zero"]["rates"])
    return Section(
        number=number,
        name=name,
        setup=setup,
        cautions=cautions(setup),
        pictures=tuple(
            (drawn, f"{column.name}-{number}.svg")
            for column in PICTURE_COLUMNS
            for drawn in [picture(setup, column)]
            if any(mark.x is not None for mark in drawn.marks)
        ),
        policies=tuple((POLICIES[policy], rates[policy]) for policy in POLICIES),
        max_win_rate_sum=n_compared / 2,
        win_rates=tuple(
            (run["run"], tuple(rates[policy]["rates"][place] for policy in POLICIES))
            for place, run in enumerate(setup["runs"])
        ),
        fits=tuple(
            _fit(setup["bradley_terry"][model], MODELS[model], setup["apart"]["preference"])
            for model in MODELS
        ),
        pairs=tuple(_pairs(measure, setup["apart"][measure]) for measure in COMPARED),
        agreement=tuple(
            (QUESTIONS.get(asked, asked), figures) for asked, figures in setup["agreement"].items()
        ),
        rated_lengths=tuple(
            (COMPARED[scale], figure) for scale, figure in setup["length"]["rated"].items()
        ),
        automatic=tuple(
            (
                LABELS[each["measure"]],
                COMPARED[each["scale"]],
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


def cautions(setup: Json) -> tuple[str, ...]:
    """The cautions about intervals: each sentence on ratings once, with its runs, that on
    win-rates and that on few people.
    """
    runs: defaultdict[str, list[str]] = defaultdict(list)
    for each in setup["scales"]:
        if each["caution"]:
            runs[each["caution"]].append(each["run"])
    found = [
        f"{', '.join(of)}{', each' if len(of) > 1 else ''}: {words}" for words, of in runs.items()
    ]
    others = [setup["win_rates"]["zero"]["caution"], setup.get("caution_of_people")]
    return (*found, *filter(None, others))


def _pairs(measure: str, apart: Json) -> Pairs:
    return Pairs(
        COMPARED[measure],
        sorted_pairs(apart["pairs"]),
        sum(pair["p"] is not None for pair in apart["pairs"]),
        sum(pair["is_told_apart"] for pair in apart["pairs"]),
        apart["caution"],
    )


def _fit(fit: Json, name: str, apart: Json) -> Fit:
    rows = [
        (each["run"], strength(fit, place, "strength"), strength(fit, place, "expected"))
        for place, each in enumerate(fit["strengths"])
    ]
    rows.sort(key=lambda row: (row[1]["value"] is None, -(row[1]["value"] or 0.0)))
    told_apart = frozenset(
        frozenset({pair["one"], pair["other"]}) for pair in apart["pairs"] if pair["is_told_apart"]
    )
    return Fit(name, tuple(_warnings(fit)), tuple(rows), fit["tie"], len(fit["groups"]), told_apart)


def _warnings(fit: Json) -> Iterator[str]:
    if fit["reason"]:
        yield f"There are no strengths: {fit['reason']}."
    if len(fit["groups"]) > 1:
        parts = "; ".join(", ".join(group) for group in fit["groups"])
        yield f"Only within these groups can the runs be compared: {parts}."
    if fit["caution"]:
        yield fit["caution"]
