"""The report of a release: every number computed from its tables and from nothing else.

`docs/report.md` names the columns and the computation of each number, with the same in pandas. The
order of the rows changes nothing. What is undefined is None, with the reason beside it; a rate of
`per_run` is None exactly where its denominator is 0.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import asdict
from typing import TypeVar

from annotation.schemes import ACCEPTANCE, GROUNDING
from exports.precision_audit.estimate import precision as precision_of
from exports.releases.batch_report import Json, batch_figures
from exports.results.figures import run_figures
from exports.rows.columns import AnswerRow, ItemRow, JudgementRow, PrecisionRow
from exports.rows.per_run import per_run
from exports.rows.tiers import TIERS
from stats.agreement.result import DEFAULT_REPLICATES
from stats.bootstrap_settings import Bootstrap

T = TypeVar("T")

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
    replicates: int = DEFAULT_REPLICATES,
    seed: int = 0,
) -> Json:
    """The report as JSON values.

    Raises ValueError for rows of several studies or data sets, for real and rehearsed rows together,
    and for what agreement and per-run counts refuse.
    """
    drawn = [row for row in answers if row.sampled == "drawn"]
    real = [row for row in items if not row.is_control]
    asked: list[ItemRow | JudgementRow] = [*items, *judgements]
    batches = sorted({row.batch for row in asked})
    bootstrap = Bootstrap(replicates, seed)
    studies = {row.study for row in asked} | {row.study for row in answers}
    return {
        "study": _only("study", studies),
        "dataset": _only("dataset", {row.dataset for row in answers}),
        "is_rehearsal": _only("is_rehearsal", {row.is_rehearsal for row in asked}),
        "bootstrap": asdict(bootstrap),
        "funnel": [_answers_step(answers)] + [_step(name, drawn) for name in STEPS],
        "accepted": {tier: _n_distinct(row for row in drawn if row.tier == tier) for tier in TIERS},
        "batches": [
            batch_figures(batch, judgements=judgements, items=items, bootstrap=bootstrap)
            for batch in batches
        ],
        "conflicts": _conflicts(real),
        "not_standing": _not_standing(real),
        "per_run": [asdict(row) for row in per_run(answers)],
        "runs": run_figures(
            answers=answers, items=items, judgements=judgements, bootstrap=bootstrap
        ),
        "precision": precision_of(precision),
        "clusters": _clusters(drawn),
    }


def _only(name: str, values: Collection[T]) -> T | None:
    if len(values) > 1:
        raise ValueError(f"{name} differs between the rows: {sorted(map(str, values))}")
    return next(iter(values), None)


def _answers_step(answers: Sequence[AnswerRow]) -> Json:
    """All answers: those that were not drawn have no answer id, so their texts are compared."""
    return {
        "step": "answers",
        "n_answers": len(answers),
        "n_distinct": len({(row.turn_id, row.answer.strip()) for row in answers}),
        "n_turns": len({row.turn_id for row in answers}),
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
    """Answers with unlike verdicts in several batches of a scheme."""
    rows_of: dict[tuple[str, str, str], list[ItemRow]] = {}
    for row in real:
        if row.state == "decided":
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


def _not_standing(real: Iterable[ItemRow]) -> list[Json]:
    """Verdicts that are kept but not accepted, as the one they came from has changed since."""
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
    """How many turns have how many accepted answers, among the turns of which any was drawn."""
    plausible: dict[str, set[str]] = {}
    gold: dict[str, set[str]] = {}
    for row in drawn:
        for found, holds in ((plausible, STEPS["plausible"](row)), (gold, STEPS["gold"](row))):
            found.setdefault(row.turn_id, set()).update([row.answer_id] if holds else [])
    return {
        "n_turns": len(plausible),
        "by_n_plausible": _by_size(plausible.values()),
        "by_n_gold": _by_size(gold.values()),
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


def _by_size(found: Iterable[set[str]]) -> list[Json]:
    sizes = Counter(map(len, found))
    return [{"n_answers": size, "n_turns": sizes[size]} for size in sorted(sizes)]
