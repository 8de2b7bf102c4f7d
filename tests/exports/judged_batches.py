"""Batches that people judged, and releases of them."""

import json
from pathlib import Path
from typing import Any

from accounts.models import User
from annotation.actions import batches, claims, reviews, settlement
from annotation.models import Batch, Judgement
from exports.releases import actions as release_actions
from jobs.actions import execution
from sampling.models import Pool
from tests.annotation.desk import NOW, submit
from tests.recomputed_tables import Rows, table
from tests.sampling.scored_dataset import begin_evidence, evidence_rule


def judge_batch(batch: Batch, *people: User, label: str = "plausible") -> Batch:
    """Judge every item of the batch as each of the people, with the same label."""
    for person in people:
        while held := claims.claim(batch=batch, by=person, now=NOW):
            submit(held[0], label)
    return batch


def close_batch(batch: Batch) -> Batch:
    return batches.close(batch=batch, by=batch.created_by)


def settle_batch(batch: Batch, rule: str = "unanimous") -> Batch:
    settlement.settle(batch=batch, rule=rule, by=batch.created_by)
    return batch


def judge_and_settle(batch: Batch, *people: User, label: str = "plausible") -> Batch:
    return settle_batch(close_batch(judge_batch(batch, *people, label=label)))


def reopen_batch(batch: Batch) -> Batch:
    return batches.reopen(batch=batch, by=batch.created_by)


def find_evidence(plausibility: Batch, *, name: str = "evidence") -> Pool:
    """Find evidence by overlap for all answers of the batch's pool; return the new pool."""
    rule = evidence_rule(batch=plausibility.name)
    execution.run(begin_evidence(plausibility.pool, rule, name=name))
    return plausibility.study.pools.get(name=name)


def reject(judgement: Judgement, by: User | None = None) -> None:
    """Review the judgement as paid and not counted, by default by who made the batch."""
    reviews.review(
        judgement=judgement,
        is_paid=True,
        paid_reason="done",
        is_counted=False,
        counted_reason="hasty",
        by=by or judgement.assignment.item.batch.created_by,
    )


def release(batch: Batch, out: Path, **options: Any) -> release_actions.ReleaseResult:
    """A release of the data set that the batch is on."""
    dataset = batch.pool.dataset
    return release_actions.release(
        study=dataset.study, dataset=dataset, out=out, by=dataset.created_by, **options
    )


def answers_of(folder: Path, **having: str) -> Rows:
    """The rows of answers.csv with these cells."""
    rows = table(folder, "answers")
    return [row for row in rows if having.items() <= row.items()]


def manifest_of(folder: Path) -> Any:
    return json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
