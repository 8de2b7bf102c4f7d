"""What an export computes in the background: a release, agreement, annotators, measures against people, what
was missed, the runs beside each other, by verdicts and as people compared them, the lots of a precision audit.
"""

import shutil
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import transaction

from accounts.permissions import NotAllowedError
from activity.actions import jobs
from activity.actions.transactions import snapshot
from activity.handlers import Beat, Handler, JobFailedError, PlannedChunk
from activity.models import Job
from annotation.models import Batch
from corpus.models import Dataset
from exports import against_people, missed
from exports.actions import auditing, folders, releasing
from exports.actions.auditing import Drawn
from exports.actions.errors import ReleaseError
from exports.actions.releasing import Draft
from exports.agreement.figures import DEFAULT_REPLICATES
from exports.answers import answer_rows
from exports.batch_figures import Bootstrap, batch_figures
from exports.compared.strengths import NotConvergedError
from exports.comparison import compared_now
from exports.merge import TIERS
from exports.models import Release
from exports.precision import PrecisionError, precision
from exports.quality import people
from exports.run_figures import run_figures
from exports.systems import per_run
from exports.tables import annotators, bases, compared, measured, standing
from exports.tables.audits import audited
from exports.tables.experts import precision_rows
from exports.tables.items import item_rows
from exports.tables.judgements import judgement_rows
from sampling.models import Pool
from scoring import tables as scoring_tables
from scoring.models import Scorer

# As in a report, so that the batch's page and the release say the same.
BOOTSTRAP = Bootstrap(replicates=DEFAULT_REPLICATES, seed=0)


def one_chunk(job: Job) -> list[PlannedChunk]:
    return [PlannedChunk()]


def result_of_chunk(job: Job) -> dict[str, Any]:
    return dict(job.chunks.get().result)


def folder_of(job: Job) -> Path:
    """Where the release of a job lies: a folder of its own among the run-time files."""
    folder: Path = settings.RELEASES / job.study.slug / str(job.pk)
    return folder.resolve()  # as a release records it, links followed


def prepare_release(job: Job, params: Mapping[str, Any], beat: Beat) -> Draft:
    # The place must be free. What else a worker left that died goes at the end.
    clear_unrecorded(job)
    try:
        return releasing.prepare(
            study=job.study,
            dataset=Dataset.objects.select_related("study").get(pk=job.params["dataset"]),
            out=folder_of(job),
            by=job.created_by,
            is_rehearsal=job.params["is_rehearsal"],
            set_aside_disputes=job.params["set_aside_disputes"],
        )
    except ReleaseError as error:
        raise JobFailedError(f"there is no release: {error}") from error


def save_release(job: Job, params: Mapping[str, Any], draft: Draft) -> dict[str, Any]:
    try:
        released = releasing.record(draft=draft)
    except ReleaseError as error:
        raise JobFailedError(f"there is no release: {error}") from error
    return {
        "release": released.number,
        "accepted": released.report["accepted"],
        "n_disputes_set_aside": released.n_disputes_set_aside,
    }


@transaction.atomic
def clear_release(job: Job) -> None:
    """Remove files of the job that are no release, unless it goes on: then a worker may be writing them."""
    if jobs.lock_ended(job):
        folders.clear_unfinished(folder_of(job))
        clear_unrecorded(job)


@transaction.atomic
def clear_unrecorded(job: Job) -> None:
    """Remove a folder that a worker delivered and did not record. Who is about to record one holds the job."""
    jobs.lock(job)
    folder = folder_of(job)
    if folder.exists() and not Release.objects.filter(folder=str(folder)).exists():
        shutil.rmtree(folder)


def compute_agreement(job: Job, params: Mapping[str, Any], beat: Beat) -> dict[str, Any]:
    batch = Batch.objects.select_related("study", "pool", "guideline").get(pk=job.params["batch"])
    judgements = judgement_rows([batch])
    beat()
    items = item_rows([batch])
    beat()
    figures = batch_figures(
        batch.name,
        judgements=judgements,
        items=items,
        bootstrap=BOOTSTRAP,
    )
    return figures | {"bootstrap": asdict(BOOTSTRAP)}


def keep_figures(job: Job, params: Mapping[str, Any], computed: dict[str, Any]) -> dict[str, Any]:
    return computed


def compute_annotators(job: Job, params: Mapping[str, Any], beat: Beat) -> dict[str, Any]:
    """Of one batch, or of all in which people judged."""
    if "batch" in job.params:
        batches = [
            Batch.objects.select_related("study", "pool", "guideline").get(pk=job.params["batch"])
        ]
    else:
        batches = list(annotators.real_batches(job.study))
    with snapshot():
        entries = annotators.entries(batches)
    beat()
    examined = people.examine(entries, **asdict(BOOTSTRAP), beat=beat)
    named = {"batches": [batch.name for batch in batches], "bootstrap": asdict(BOOTSTRAP)}
    return people.as_json(examined) | named


def plan_measures(job: Job) -> list[PlannedChunk]:
    """A measure a chunk."""
    dataset = Dataset.objects.get(pk=job.params["dataset"])
    found = scoring_tables.scorers(dataset)
    return [PlannedChunk({"scorer": scorer.pk}) for scorer in found]


def compute_measure(job: Job, params: Mapping[str, Any], beat: Beat) -> dict[str, Any]:
    """What the measure says of the answers that people settled, and of the runs."""
    dataset = Dataset.objects.get(pk=job.params["dataset"])
    scorer = Scorer.objects.get(pk=params["scorer"])
    values = scoring_tables.values(dataset, scorer)
    beat()
    settled = measured.settled(dataset)
    beat()
    units, runs = measured.units(settled, values), measured.of_runs(settled, values)
    found = against_people.of_answers(units)
    beat()
    return {
        "scorer": scorer.short,
        "metric": scorer.metric,
        "n_settled": len(settled.labels),
        "n_runs": len(settled.runs),
        "is_rehearsal": settled.is_rehearsal,
        "has_audit": settled.has_audit,
        **found,
        "runs": against_people.of_runs(
            scorer.short, runs.values, runs.n_values, runs.accepted, runs.weights
        ),
    }


def result_of_measures(job: Job) -> dict[str, Any]:
    return {"measures": [dict(chunk.result) for chunk in job.chunks.order_by("number")]}


def estimate_missed(job: Job, params: Mapping[str, Any], beat: Beat) -> dict[str, Any]:
    """What the pool of an audit sample missed, from one moment of the database."""
    audit = Pool.objects.select_related("dataset__study", "audit_of__dataset__study").get(
        pk=job.params["pool"]
    )
    with snapshot():
        rests_on = bases.basis(audit)
        found = audited(audit, beat)
    beat()
    return {
        "missed": missed.kept(missed.estimate(found.drawn, found.left_out)),
        "outside": dict(found.outside),
        "is_rehearsal": found.is_rehearsal,
        "basis": rests_on,
    }


def compute_results(job: Job, params: Mapping[str, Any], beat: Beat) -> dict[str, Any]:
    """What the runs come to by the verdicts of now, all read in one snapshot."""
    dataset = Dataset.objects.select_related("study").get(pk=job.params["dataset"])
    with snapshot():
        found = standing.of_results(dataset)
        items = item_rows(found.batches)
        beat()
        judgements = judgement_rows(found.batches)
        beat()
        answers = answer_rows(dataset, found.batches, items)
        tiers = {row.answer_id: row.tier for row in answers if row.answer_id}
        audits = precision_rows(dataset, tiers, is_rehearsal=found.is_rehearsal)
    beat()
    return {
        **found.to_dict(),
        "per_run": [asdict(row) for row in per_run(answers)],
        "runs": run_figures(
            answers=answers, items=items, judgements=judgements, bootstrap=BOOTSTRAP
        ),
        "precision": precision(audits),
        "bootstrap": asdict(BOOTSTRAP),
    }


def compute_comparison(job: Job, params: Mapping[str, Any], beat: Beat) -> dict[str, Any]:
    """Of one batch, or of all in which people compared runs."""
    with snapshot():
        batches = compared.compared_batches(job.study)
        if "batch" in job.params:
            batches = [compared.of_study(job.study).get(pk=job.params["batch"])]
        rows = compared.rows(batches)
    beat()
    try:
        return compared_now(rows, BOOTSTRAP, beat)
    except NotConvergedError as error:
        raise JobFailedError(f"the strengths of the runs were not found: {error}") from error


def choose_audit(job: Job, params: Mapping[str, Any], beat: Beat) -> Drawn:
    try:
        return auditing.choose(
            dataset=Dataset.objects.select_related("study").get(pk=job.params["dataset"]),
            sizes={tier: job.params[tier] for tier in TIERS},
            seed=job.params["seed"],
            is_rehearsal=job.params["is_rehearsal"],
        )
    except PrecisionError as error:
        raise JobFailedError(str(error)) from error


def save_audit(job: Job, params: Mapping[str, Any], drawn: Drawn) -> dict[str, Any]:
    try:
        audit = auditing.record(
            dataset=Dataset.objects.select_related("study").get(pk=job.params["dataset"]),
            drawn=drawn,
            seed=job.params["seed"],
            by=job.created_by,
            is_rehearsal=job.params["is_rehearsal"],
        )
    except NotAllowedError as error:
        raise JobFailedError(str(error)) from error
    return {"audit": audit.number, "audit_id": audit.pk, "n_drawn": len(drawn.answers)}


RELEASE = Handler(
    plan=one_chunk,
    compute=prepare_release,
    save=save_release,
    finish=result_of_chunk,
    clear=clear_release,
)
AGREEMENT = Handler(
    plan=one_chunk, compute=compute_agreement, save=keep_figures, finish=result_of_chunk
)
ANNOTATORS = Handler(
    plan=one_chunk, compute=compute_annotators, save=keep_figures, finish=result_of_chunk
)
MEASURES = Handler(
    plan=plan_measures, compute=compute_measure, save=keep_figures, finish=result_of_measures
)
MISSED = Handler(plan=one_chunk, compute=estimate_missed, save=keep_figures, finish=result_of_chunk)
RESULTS = Handler(
    plan=one_chunk, compute=compute_results, save=keep_figures, finish=result_of_chunk
)
COMPARISON = Handler(
    plan=one_chunk, compute=compute_comparison, save=keep_figures, finish=result_of_chunk
)
DRAW_PRECISION_AUDIT = Handler(
    plan=one_chunk, compute=choose_audit, save=save_audit, finish=result_of_chunk
)
