"""What a report says of one batch. The columns each number comes from are in docs/report.md."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from math import fsum
from statistics import median

from annotation import schemes
from exports.agreement.figures import on_a_scale, panel
from exports.rows.columns import ItemRow, JudgementRow
from stats.bootstrap_settings import Bootstrap

Json = dict[str, object]
# The questions that have two rows a judgement, one for each answer of a pair.
MIRRORED = {name for name in schemes.names() if schemes.get(name).shows == schemes.Shows.PAIR}


def batch_figures(
    batch: str,
    *,
    judgements: Iterable[JudgementRow],
    items: Iterable[ItemRow],
    bootstrap: Bootstrap,
) -> Json:
    """The figures of the batch of that name; rows of other batches are passed over."""
    said = [row for row in judgements if row.batch == batch]
    shown = [row for row in items if row.batch == batch]
    real = list({row.item_id: row for row in shown if not row.is_control}.values())
    (scheme,) = {row.scheme for row in shown} | {row.scheme for row in said}
    work = list({(row.assignment_id, row.submitted_at): row for row in said}.values())
    return {
        "batch": batch,
        "scheme": scheme,
        "n_items": len(real),
        "n_controls": len({row.item_id for row in shown if row.is_control}),
        "n_judgements": _judgements(work),
        "n_annotators": len({row.annotator for row in said if not row.is_control}),
        **_endings(real),
        "agreement": _agreement(said, real, scheme, bootstrap),
        "active_time": _active_time(work),
    }


def _judgements(work: Sequence[JudgementRow]) -> dict[str, int]:
    """What became of each submission; all but `all` add up to it."""
    found = Counter(map(_became, work))
    fates = ("counted", "not_counted", "surplus", "withdrawn", "on_controls")
    return {"all": len(work)} | {fate: found[fate] for fate in fates}


def _became(row: JudgementRow) -> str:
    if row.is_control:
        return "on_controls"
    if row.withdrawn:
        return "withdrawn"
    if row.surplus:
        return "surplus"
    return "counted" if row.counted else "not_counted"


def _endings(real: Sequence[ItemRow]) -> Json:
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
    said: Sequence[JudgementRow], real: Sequence[ItemRow], scheme: str, bootstrap: Bootstrap
) -> Json:
    """Figures by the question that was asked, as one judgement may answer several.

    A judgement of a pair has two rows that mirror each other, one for each answer: that of the answer with the lower
    id is taken, so that a pair is one unit, and its label says the same whoever saw it turned round.
    """
    kept = {row.item_id for row in real if not row.is_excluded}
    counted = [
        row
        for row in said
        if row.counted and (row.label or row.value is not None) and row.item_id in kept
    ]
    counted = list(_without_mirrors(counted))
    asked = sorted({row.question for row in counted}) or [scheme]
    return {
        question: panel(
            _answers([row for row in counted if row.question == question]), **asdict(bootstrap)
        )
        for question in asked
    }


def _without_mirrors(rows: Sequence[JudgementRow]) -> Iterator[JudgementRow]:
    first: dict[str, str] = {}
    for row in rows:
        if row.question in MIRRORED:
            first[row.item_id] = min(row.answer_id, first.get(row.item_id, row.answer_id))
    for row in rows:
        if row.question not in MIRRORED or row.answer_id == first[row.item_id]:
            yield row


def _answers(rows: Sequence[JudgementRow]) -> Sequence[JudgementRow]:
    """Numbers where everybody gave one, else labels."""
    return rows if on_a_scale(rows) else [row for row in rows if row.label]


def _active_time(work: Sequence[JudgementRow]) -> Json:
    seconds = [row.active_seconds for row in work]
    return {
        "n_judgements": len(seconds),
        "total_minutes": fsum(seconds) / 60,
        "median_seconds": median(seconds) if seconds else None,
        "reason": None if seconds else "no judgements",
    }
