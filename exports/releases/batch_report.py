"""The figures of one batch in a report. docs/report.md has the columns that they are computed from."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from math import fsum
from statistics import median

from exports.agreement.figures import is_scale, panel
from exports.rows.columns import ItemRow, JudgementRow
from exports.rows.pairs import rows_of_first_answer
from stats.bootstrap_settings import Bootstrap

Json = dict[str, object]


def batch_figures(
    batch: str,
    *,
    judgements: Iterable[JudgementRow],
    items: Iterable[ItemRow],
    bootstrap: Bootstrap,
) -> Json:
    """The figures of the batch of that name. Rows of other batches are ignored."""
    judgement_rows = [row for row in judgements if row.batch == batch]
    item_rows = [row for row in items if row.batch == batch]
    real = list({row.item_id: row for row in item_rows if not row.is_control}.values())
    (scheme,) = {row.scheme for row in item_rows} | {row.scheme for row in judgement_rows}
    submissions = list(
        {(row.assignment_id, row.submitted_at): row for row in judgement_rows}.values()
    )
    return {
        "batch": batch,
        "scheme": scheme,
        "n_items": len(real),
        "n_controls": len({row.item_id for row in item_rows if row.is_control}),
        "n_judgements": _judgements(submissions),
        "n_annotators": len({row.annotator for row in judgement_rows if not row.is_control}),
        **_outcomes(real),
        "agreement": _agreement(judgement_rows, real, scheme, bootstrap),
        "active_time": _active_time(submissions),
    }


def _judgements(submissions: Sequence[JudgementRow]) -> dict[str, int]:
    """The number of all submissions, and the numbers by fate, which add up to it."""
    found = Counter(map(_fate, submissions))
    fates = ("counted", "not_counted", "surplus", "withdrawn", "on_controls")
    return {"all": len(submissions)} | {fate: found[fate] for fate in fates}


def _fate(row: JudgementRow) -> str:
    if row.is_control:
        return "on_controls"
    if row.withdrawn:
        return "withdrawn"
    if row.surplus:
        return "surplus"
    return "counted" if row.counted else "not_counted"


def _outcomes(real: Sequence[ItemRow]) -> Json:
    decided = [row for row in real if row.state == "decided"]
    states = Counter(row.state for row in real)
    set_aside = Counter(row.set_aside_reason for row in real if row.state == "set aside")
    return {
        "verdicts": dict(Counter(row.verdict for row in decided)),
        "sources": dict(Counter(row.source for row in decided)),
        "n_disputed": states["disputed"],
        "set_aside": dict(set_aside),
        "n_unsettled": states[""],
    }


def _agreement(
    judgement_rows: Sequence[JudgementRow],
    real: Sequence[ItemRow],
    scheme: str,
    bootstrap: Bootstrap,
) -> Json:
    """The figures of agreement by question.

    Of a pair only the row of one answer is taken, so that a pair is one unit, whatever the order of
    its answers on the screen.
    """
    counted = _counted(judgement_rows, real)
    asked = sorted({row.question for row in counted}) or [scheme]
    return {
        question: panel(
            _comparable([row for row in counted if row.question == question]), **asdict(bootstrap)
        )
        for question in asked
    }


def _counted(judgement_rows: Sequence[JudgementRow], real: Sequence[ItemRow]) -> list[JudgementRow]:
    """The rows that agreement rests on: of counted judgements with an answer, of items that are not excluded."""
    kept = {row.item_id for row in real if not row.is_excluded}
    counted = [
        row
        for row in judgement_rows
        if row.counted and (row.label or row.value is not None) and row.item_id in kept
    ]
    return rows_of_first_answer(counted)


def agreement_by_guideline(
    versions: Mapping[str, str],
    *,
    judgements: Sequence[JudgementRow],
    items: Sequence[ItemRow],
    bootstrap: Bootstrap,
) -> list[Json]:
    """Agreement of one batch among the judgements by one and the same guideline, by question.

    `versions` names each guideline's versions by its sha256, in their order; one that nobody judged by is left
    out.
    """
    real = list({row.item_id: row for row in items if not row.is_control}.values())
    counted = _counted(judgements, real)
    found: list[Json] = []
    for sha256, version in versions.items():
        of_version = [row for row in counted if row.guideline_sha256 == sha256]
        for question in sorted({row.question for row in of_version}):
            figures = panel(
                _comparable([row for row in of_version if row.question == question]),
                **asdict(bootstrap),
            )
            found.append(
                {
                    "version": version,
                    "guideline_sha256": sha256,
                    "question": question,
                    "n_judgements": sum(
                        row.question == question and row.is_first for row in of_version
                    ),
                    "raw": figures["raw"],
                    "alpha": figures["alpha"],
                }
            )
    return found


def _comparable(judgement_rows: Sequence[JudgementRow]) -> Sequence[JudgementRow]:
    """The rows if all have a number, else those with a label."""
    return (
        judgement_rows if is_scale(judgement_rows) else [row for row in judgement_rows if row.label]
    )


def _active_time(submissions: Sequence[JudgementRow]) -> Json:
    seconds = [row.active_seconds for row in submissions]
    return {
        "n_judgements": len(seconds),
        "total_minutes": fsum(seconds) / 60,
        "median_seconds": median(seconds) if seconds else None,
        "reason": None if seconds else "no judgements",
    }
