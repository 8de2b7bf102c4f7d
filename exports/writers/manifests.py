"""The manifest of a release: what it was made from, and the sha256 of its files."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from django.conf import settings
from django.utils import timezone

from annotation.models import Batch
from audit.models import Event
from corpus.models import Answer, Dataset
from corpus.queries import turn_ids
from exports.rows.ids import timestamp
from exports.rows.scores import Scores, by_scorer
from performance.compiled_queries import Compiled
from scoring.models import Scorer

_ANSWERS = Compiled(
    lambda *, dataset, run: (
        Answer.objects.of_systems(dataset).filter(run=run).order_by().values_list("pk", "turn_id")
    )
)


def release_manifest(
    dataset: Dataset,
    batches: Sequence[Batch],
    guidelines: Mapping[str, str],
    *,
    number: int,
    is_rehearsal: bool,
) -> dict[str, Any]:
    """The manifest but for its files. `created_at` is its only time; `guidelines` are the paths of
    guidelines by batch.
    """
    study = dataset.study
    return {
        "touchstone": settings.VERSION,
        "created_at": timestamp(timezone.now()),
        "study": study.slug,
        "title": study.title,
        "release": number,
        "is_rehearsal": is_rehearsal,
        "licence": study.licence,
        "citation": study.citation,
        "dataset": dataset_entry(dataset),
        "runs": run_entries(dataset),
        "scorers": [_scorer(dataset, scorer) for scorer in _scorers(batches)],
        "batches": [
            batch_entry(batch)
            | _version_of(batch, dataset)
            | _guideline_file(guidelines.get(batch.name, ""))
            for batch in sorted(batches, key=lambda batch: batch.name)
        ],
    }


def _version_of(batch: Batch, dataset: Dataset) -> dict[str, str]:
    """The version that the batch asks about, where it is an earlier one than that of the release."""
    asked = batch.pool.dataset
    return {} if asked == dataset else {"dataset": str(asked)}


def _guideline_file(path: str) -> dict[str, str]:
    return {"guideline_file": path} if path else {}


def file_digests(folder: Path) -> dict[str, str]:
    """The sha256 of every file in the folder."""
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.rglob("*")
        if path.is_file()
    }


def dataset_entry(dataset: Dataset) -> dict[str, Any]:
    return {
        "name": dataset.name,
        "version": dataset.version,
        "format": dataset.format,
        "licence": dataset.licence,
        "citation": dataset.citation,
        "digest": dataset.digest,
        "files": dataset.files,
        # The earlier release whose accepted answers it has.
        **({"release": dataset.release} if dataset.release else {}),
    }


def run_entries(dataset: Dataset) -> list[dict[str, Any]]:
    return [
        {"name": run.name, "kind": run.kind, "digest": run.digest, "files": run.files}
        for run in sorted(dataset.runs.counting(), key=lambda run: run.name)
    ]


def _scorers(batches: Iterable[Batch]) -> list[Scorer]:
    """The scorers that the batches' pools were drawn or searched with."""
    scorers = {batch.pool.scorer for batch in batches if batch.pool.scorer is not None}
    return sorted(scorers, key=lambda each: (each.metric, str(each), each.study_id is not None))


def _scorer(dataset: Dataset, scorer: Scorer) -> dict[str, Any]:
    turns = {pk: key for key, pk in turn_ids(dataset).items()}
    values = by_scorer(dataset, scorer, turns)
    return {
        "name": str(scorer),
        "metric": scorer.metric,
        "is_imported": scorer.study_id is not None,
        "identity": scorer.identity,
        "n_scores": len(values),
        "scores_sha256": _scores_sha256(dataset, turns, values),
    }


def _scores_sha256(dataset: Dataset, turns: Mapping[int, str], values: Scores) -> str:
    """The sha256 of the sorted scores: a line for each, `run turn value` with tabs between."""
    digest = hashlib.sha256()
    # Run by run, to hold the lines of one: no name has a tab, so the order is that of all lines together.
    for run in sorted(dataset.runs.counting(), key=lambda run: f"{run.name}\t"):
        lines = [
            f"{run.name}\t{turns[turn_id]}\t{value!r}\n"
            for pk, turn_id in _ANSWERS.all(dataset=dataset.pk, run=run.pk)
            if (value := values.get(pk)) is not None
        ]
        digest.update("".join(sorted(lines)).encode("utf-8"))
    return digest.hexdigest()


def batch_entry(batch: Batch) -> dict[str, Any]:
    pool = batch.pool
    versions = _guideline_versions(batch)
    return {
        "name": batch.name,
        # The name with which orders were drawn, if it is another one.
        **({"first_name": batch.first_name} if batch.first_name else {}),
        "scheme": batch.scheme,
        "judgements_per_item": batch.judgements_per_item,
        "grouping": batch.grouping,
        "seed": batch.seed,
        "claim_seconds": batch.claim_seconds,
        "largest_share": batch.largest_share,
        "deadline_at": timestamp(batch.deadline_at) or None,
        "reward": str(batch.price.shortest) if batch.price else None,
        "currency": batch.currency,
        "expected_seconds": batch.expected_seconds,
        "shows_context": batch.shows_context,
        "shows_markdown": batch.shows_markdown,
        "guideline_sha256": batch.guideline.sha256,
        **({"guideline_versions": versions} if versions else {}),
        **_audience_and_controls(batch),
        "rehearsal": _rehearsal(batch),
        "pool": {
            "name": pool.name,
            "purpose": pool.purpose,
            "rule": pool.rule,
            "scorer": str(pool.scorer) if pool.scorer else None,
            "counts": pool.counts,
        },
    }


def _audience_and_controls(batch: Batch) -> dict[str, Any]:
    """Who could work on the batch, and how often a control item or a repeat was handed out; {} for everybody and never."""
    found: dict[str, Any] = {}
    if batch.qualification:
        asked = batch.qualification
        found["audience"] = {"qualification": asked.name, "rule": asked.rule or None}
    if batch.control_every:
        found["control_every"] = batch.control_every
    if batch.repeat_every:
        found["repeat_every"] = batch.repeat_every
    return found


def _guideline_versions(batch: Batch) -> list[dict[str, Any]]:
    """The versions of a guideline that was changed after the batch opened, oldest first; else []."""
    if batch.guideline_since is None:
        return []
    return [
        {
            "version": each.number,
            "sha256": each.guideline.sha256,
            "since": timestamp(each.created_at) if each.number > 1 else None,
        }
        for each in batch.guideline_versions.select_related("guideline").order_by("number")
    ]


def _rehearsal(batch: Batch) -> dict[str, Any] | None:
    """The settings of the simulated annotators from the audit record; None for a real batch."""
    acts = Event.objects.filter(study=batch.study.slug, verb="rehearsed", target=f"batch {batch}")
    act = acts.last() if batch.is_rehearsal else None
    return act.details if act else None
