"""The figures of agreement on one question, as JSON values.

docs/report.md has the parts and the columns that they are computed from. No Django.
"""

from collections.abc import Sequence
from dataclasses import asdict
from functools import cached_property

import numpy as np

from exports.rows.columns import JudgementRow
from exports.rows.ids import conversation
from stats.agreement.annotator_bootstrap import (
    ESTIMAND,
    AnnotatorIntervals,
    annotator_intervals,
)
from stats.agreement.by_annotator import WITH_OTHERS, agreement_with_others
from stats.agreement.by_label import SHARE, SPECIFIC, label_shares, specific_agreement
from stats.agreement.cohen_kappa import COHEN, common_items, pairwise_kappa
from stats.agreement.confusion import confusion, confusion_of_two
from stats.agreement.judgement_table import Judgements
from stats.agreement.krippendorff_alpha import Level
from stats.agreement.nominal import prevalence, raw_agreement, raw_wilson
from stats.agreement.over_time import over_time
from stats.agreement.recommendation import recommendation
from stats.agreement.registry import COEFFICIENTS
from stats.agreement.result import Agreement

Json = dict[str, object]

LEAST_COMMON = 10
MOST_PAIRS = 100


def panel(rows: Sequence[JudgementRow], *, replicates: int, seed: int) -> Json:
    """The figures of counted judgements of one question, which all have a number or all have a
    label.

    They are over the first judgements of each item. What was asked for beyond these, of items in
    dispute, stands apart in `extra`: such items agree less than others, whatever people say there.

    If every row has a number the question is on a scale: its labels are the numbers, alpha is
    ordinal, and AC2 is computed beside AC1.
    """
    first = [row for row in rows if row.is_first]
    figures = _Panel(first, replicates, seed).figures()
    return figures | {"extra": _extra(rows, replicates, seed)}


def _extra(rows: Sequence[JudgementRow], replicates: int, seed: int) -> Json:
    """The number of items with judgements beyond the first, and of these judgements.

    `raw` is the agreement among all judgements of these items.
    """
    beyond = [row for row in rows if not row.is_first]
    tasks = {_task(row) for row in beyond}
    of_items = _Panel([row for row in rows if _task(row) in tasks], replicates, seed)
    return {
        "n_items": len(tasks),
        "n_judgements": len(beyond),
        "raw": _named(raw_agreement(of_items.table, **of_items.drawn)),
    }


def is_scale(rows: Sequence[JudgementRow]) -> bool:
    """Whether the judgements are on a scale: there are some, and all have a number."""
    return bool(rows) and all(row.value is not None for row in rows)


class _Panel:
    def __init__(self, rows: Sequence[JudgementRow], replicates: int, seed: int) -> None:
        self.is_scale = is_scale(rows)
        self.rows = rows
        self.drawn = {"replicates": replicates, "seed": seed}

    @cached_property
    def table(self) -> Judgements:
        table = Judgements.from_columns(
            task=[_task(row) for row in self.rows],
            worker=[row.annotator for row in self.rows],
            label=[_number(row.value) if self.is_scale else row.label for row in self.rows],
            question=[row.turn_id for row in self.rows],
            cluster=[conversation(row.turn_id) for row in self.rows],
        )
        if not self.is_scale:
            return table
        return table.relabelled(np.argsort([float(label) for label in table.labels]))

    @property
    def level(self) -> Level:
        return "ordinal" if self.is_scale else "nominal"

    @cached_property
    def values(self) -> dict[str, float]:
        return {label: float(label) for label in self.table.labels} if self.is_scale else {}

    def figures(self) -> Json:
        table, wilson, shares = self.table, raw_wilson(self.table), prevalence(self.table)
        found = self._coefficients()
        quote = recommendation(
            raw=found["raw"],
            wilson=wilson,
            alpha=found["alpha"],
            ac1=found["ac1"],
            cohen=found.get("cohen"),
            prevalence=shares,
            people=self.people,
            on_a_scale=self.is_scale,
        )
        named = {key: _named(each) for key, each in found.items()}
        return {
            "level": self.level,
            "quote": asdict(quote) | {"beside": list(quote.beside)},
            **named,
            "raw": named["raw"] | {"wilson": asdict(wilson)},
            "prevalence": shares,
            "by_label": self._by_label(),
            "by_annotator": self._by_annotator(),
            "pairs": self._pairs(),
            "confusion": {"labels": list(table.labels), "counts": confusion(table).tolist()},
            "over_time": self._over_time(),
            "people": self._people(),
        }

    def _coefficients(self) -> dict[str, Agreement]:
        """The coefficients that the question has, by key."""
        found = {
            key: each.figure(self.table, level=self.level, values=self.values, **self.drawn)
            for key, each in COEFFICIENTS.items()
        }
        return {key: figure for key, figure in found.items() if figure is not None}

    def _by_label(self) -> Json:
        specific = specific_agreement(self.table, **self.drawn)
        shares = label_shares(self.table, **self.drawn)
        return {
            "specific": {"name": SPECIFIC.name, "estimand": SPECIFIC.estimand},
            "prevalence": {"name": SHARE.name, "estimand": SHARE.estimand},
            "labels": [
                {
                    "label": label,
                    "n_given": int(self.table.counts[:, place].sum()),
                    "prevalence": _figure(shares[label]),
                    "specific": _figure(specific[label]),
                }
                for place, label in enumerate(self.table.labels)
            ],
        }

    def _by_annotator(self) -> Json:
        found = agreement_with_others(self.table, **self.drawn)
        return {
            "name": WITH_OTHERS.name,
            "estimand": WITH_OTHERS.estimand,
            "annotators": [{"annotator": name} | _figure(each) for name, each in found.items()],
        }

    def _pairs(self) -> Json:
        common = common_items(self.table)
        bounds = {"at_least": LEAST_COMMON, "at_most": MOST_PAIRS}
        found = pairwise_kappa(self.table, **bounds, **self.drawn)
        return {
            "name": COHEN.name,
            "estimand": COHEN.estimand,
            **bounds,
            "n_pairs": len(common),
            "n_enough": sum(n >= LEAST_COMMON for n in common.values()),
            "kappas": [
                {"annotators": list(pair), "counts": confusion_of_two(self.table, pair).tolist()}
                | _figure(each)
                for pair, each in found.items()
            ],
        }

    def _over_time(self) -> list[Json]:
        ended: dict[str, str] = {}
        for row in self.rows:
            ended[_task(row)] = max(ended.get(_task(row), ""), row.submitted_at)
        found = over_time(self.table, ended, level=self.level, values=self.values, **self.drawn)
        return [
            {
                "first": each.first,
                "last": each.last,
                "raw": _figure(each.raw),
                "alpha": _figure(each.alpha),
            }
            for each in found
        ]

    @cached_property
    def people(self) -> AnnotatorIntervals:
        return annotator_intervals(self.table, level=self.level, values=self.values, **self.drawn)

    def _people(self) -> Json:
        found = self.people
        intervals = {key: asdict(getattr(found, key)) for key in ("raw", "alpha", "ac1")}
        return {"estimand": ESTIMAND, "n_annotators": found.n_workers} | intervals


def _task(row: JudgementRow) -> str:
    return f"{row.item_id} {row.answer_id} {row.passage_id}"


def _number(value: float | None) -> str:
    """The number without a superfluous fraction: 3, 2.5."""
    number = float(value or 0)
    return str(int(number)) if number.is_integer() else repr(number)


def _named(figure: Agreement) -> Json:
    return {"name": figure.measure.name, "estimand": figure.measure.estimand} | _figure(figure)


def _figure(figure: Agreement) -> Json:
    basis = figure.basis
    return {
        "value": figure.value,
        "reason": figure.reason,
        "n_items": basis.n_items,
        "n_judgements": basis.n_judgements,
        "n_annotators": basis.n_workers,
        "n_questions": basis.n_questions,
        "n_conversations": basis.n_clusters,
        "labels": list(basis.categories),
        "interval": asdict(figure.interval),
    }
