"""The report of a release. Every number is computed from its tables alone.

`docs/report.md` has the columns and the computation of each number, and `exports.verification` computes
each anew. Numbers do not depend on the order of the rows. An undefined number is None, with a reason beside it; a rate of
`per_run` is None exactly if its denominator is 0.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import asdict, replace
from hashlib import blake2b
from typing import TypeVar

import numpy as np

from annotation.schemes import ACCEPTANCE, GROUNDING
from exports.precision_audit.estimate import audit_figures
from exports.relations.figures import relation_figures
from exports.releases.batch_report import Json, batch_figures
from exports.results.figures import run_figures
from exports.rows.columns import AnswerRow, ItemRow, JudgementRow
from exports.rows.derived_columns import PrecisionRow, RelationRow
from exports.rows.pairs import RELATIONS
from exports.rows.per_run import run_rows
from exports.rows.tiers import TIERS
from stats.agreement.result import DEFAULT_REPLICATES
from stats.bootstrap_settings import Bootstrap

T = TypeVar("T")
DIGEST_SIZE = 16  # bytes

STEPS: dict[str, Callable[[AnswerRow], bool]] = {
    "drawn": lambda row: True,
    "settled": lambda row: row.plausibility in ACCEPTANCE.labels,
    "plausible": lambda row: row.plausibility == ACCEPTANCE.accepted,
    "faithful": lambda row: (
        row.plausibility == ACCEPTANCE.accepted and row.faithfulness == GROUNDING.accepted
    ),
    "gold": lambda row: row.tier == "gold",
    "silver": lambda row: row.tier == "silver",
}


def report(
    *,
    judgements: Sequence[JudgementRow],
    items: Sequence[ItemRow],
    answers: Sequence[AnswerRow],
    precision: Sequence[PrecisionRow] = (),
    relations: Sequence[RelationRow] = (),
    answers_step: Json | None = None,
    replicates: int = DEFAULT_REPLICATES,
    seed: int = 0,
) -> Json:
    """The report as JSON values.

    `answers_step` is the first step of the funnel, if it was counted before: then rows that were not
    drawn need no text and no turn (`CountedAnswers`).

    Raises ValueError for rows of several studies or data sets, for real and rehearsed rows
    together, and for rows that figures of agreement and counts of runs refuse.
    """
    drawn = [row for row in answers if row.sampled == "drawn"]
    real = [row for row in items if not row.is_control]
    asked: list[ItemRow | JudgementRow] = [*items, *judgements]
    batches = sorted({row.batch for row in asked})
    bootstrap = Bootstrap(replicates, seed)
    studies = {row.study for row in asked} | {row.study for row in answers}
    return {
        "study": _single_value("study", studies),
        "dataset": _single_value("dataset", {row.dataset for row in answers}),
        "is_rehearsal": _single_value("is_rehearsal", {row.is_rehearsal for row in asked}),
        "bootstrap": asdict(bootstrap),
        "funnel": [answers_step or _answers_step(answers)] + [_step(name, drawn) for name in STEPS],
        "accepted": {tier: _n_distinct(row for row in drawn if row.tier == tier) for tier in TIERS},
        "batches": [
            batch_figures(batch, judgements=judgements, items=items, bootstrap=bootstrap)
            for batch in batches
        ],
        "conflicts": _conflicts(real),
        "not_standing": _outdated_verdicts(real),
        "per_run": [asdict(row) for row in run_rows(answers)],
        "runs": run_figures(
            answers=answers, items=items, judgements=judgements, bootstrap=bootstrap
        ),
        "precision": audit_figures(precision),
        "clusters": _clusters(drawn),
        "relations": relation_figures(relations),
    }


def _single_value(name: str, values: Collection[T]) -> T | None:
    if len(values) > 1:
        raise ValueError(f"{name} differs between the rows: {sorted(map(str, values))}")
    return next(iter(values), None)


class CountedAnswers:
    """Counts the answers that pass through `counting` for a report, and holds little of them.

    `rows` has the drawn ones. Instead of each other it has a row of the same run and fate without
    the answer, its turn and its score.
    """

    def __init__(self) -> None:
        self.rows: list[AnswerRow] = []
        self._texts = (
            bytearray()
        )  # a digest of each, as a set of them would take five times the memory
        self._turns: set[str] = set()
        self._alike: dict[tuple[str, str], AnswerRow] = {}

    def counting(self, answers: Iterable[AnswerRow]) -> Iterator[AnswerRow]:
        for row in answers:
            self._turns.add(row.turn_id)
            text = f"{row.turn_id} {row.answer.strip()}".encode()
            self._texts += blake2b(text, digest_size=DIGEST_SIZE).digest()
            self.rows.append(row if row.sampled == "drawn" else self._like(row))
            yield row

    def step(self) -> Json:
        digests = np.frombuffer(self._texts, dtype=f"S{DIGEST_SIZE}")
        return _first_step(len(self.rows), len(np.unique(digests)), len(self._turns))

    def _like(self, row: AnswerRow) -> AnswerRow:
        alike = self._alike.get((row.run, row.sampled))
        if alike is None:
            alike = replace(
                row, turn_id="", answer="", score=None, represented_by="", passage_id=""
            )
            self._alike[row.run, row.sampled] = alike
        return alike


def _answers_step(answers: Sequence[AnswerRow]) -> Json:
    n_distinct = len({(row.turn_id, row.answer.strip()) for row in answers})
    return _first_step(len(answers), n_distinct, len({row.turn_id for row in answers}))


def _first_step(n_answers: int, n_distinct: int, n_turns: int) -> Json:
    """The first step, of all answers. Its distinct answers are counted by text, as not all have an
    answer id.
    """
    return {
        "step": "answers",
        "n_answers": n_answers,
        "n_distinct": n_distinct,
        "n_turns": n_turns,
    }


def _step(name: str, drawn: Iterable[AnswerRow]) -> Json:
    rows = [row for row in drawn if STEPS[name](row)]
    return {
        "step": name,
        "n_answers": len(rows),
        "n_distinct": _n_distinct(rows),
        "n_turns": len({row.turn_id for row in rows}),
    }


def _n_distinct(rows: Iterable[AnswerRow]) -> int:
    return len({row.answer_id for row in rows})


def _conflicts(real: Iterable[ItemRow]) -> list[Json]:
    """The answers with different verdicts in several batches of a scheme. Pairs of answers are in relations.csv."""
    rows_of: dict[tuple[str, str, str], list[ItemRow]] = {}
    for row in real:
        if row.state == "decided" and row.scheme not in RELATIONS:
            rows_of.setdefault((row.scheme, row.turn_id, row.answer_id), []).append(row)
    return [
        {
            "scheme": scheme,
            "turn_id": turn_id,
            "answer_id": answer_id,
            "verdicts": [
                {
                    "batch": row.batch,
                    "item_id": row.item_id,
                    "verdict": row.verdict,
                    "source": row.source,
                    "is_newest": row.is_newest,
                }
                for row in sorted(rows, key=lambda row: (row.batch, row.item_id))
            ],
        }
        for (scheme, turn_id, answer_id), rows in sorted(rows_of.items())
        if len({row.verdict for row in rows}) > 1
    ]


def _outdated_verdicts(real: Iterable[ItemRow]) -> list[Json]:
    """The faithfulness verdicts that do not count, as their plausibility verdict has changed since."""
    return [
        {
            "batch": row.batch,
            "item_id": row.item_id,
            "turn_id": row.turn_id,
            "answer_id": row.answer_id,
            "verdict": row.verdict,
            "came_from": row.came_from,
        }
        for row in sorted(real, key=lambda row: (row.batch, row.turn_id, row.item_id))
        if row.state == "decided" and not row.stands
    ]


def _clusters(drawn: Iterable[AnswerRow]) -> Json:
    """The numbers of turns by their numbers of accepted answers, among turns with drawn answers."""
    plausible: dict[str, set[str]] = {}
    gold: dict[str, set[str]] = {}
    for row in drawn:
        for found, holds in ((plausible, STEPS["plausible"](row)), (gold, STEPS["gold"](row))):
            found.setdefault(row.turn_id, set()).update([row.answer_id] if holds else [])
    return {
        "n_turns": len(plausible),
        "by_n_plausible": _turns_by_size(plausible.values()),
        "by_n_gold": _turns_by_size(gold.values()),
        "several_plausible": [
            {
                "turn_id": turn_id,
                "n_plausible": len(answer_ids),
                "n_gold": len(gold[turn_id]),
                "answer_ids": sorted(answer_ids),
            }
            for turn_id, answer_ids in sorted(plausible.items())
            if len(answer_ids) > 1
        ],
    }


def _turns_by_size(found: Iterable[set[str]]) -> list[Json]:
    sizes = Counter(map(len, found))
    return [{"n_answers": size, "n_turns": sizes[size]} for size in sorted(sizes)]
