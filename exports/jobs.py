"""Handlers of the jobs of exports: releases, figures of each feature, and the draw of a precision
audit.
"""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from accounts.permissions import NotAllowedError
from annotation.models import Batch
from annotation.queries import guideline_versions
from corpus.models import Dataset
from exports.agreement.stored_figures import AgreementFigures
from exports.annotators import queries as annotator_queries
from exports.annotators.stored_figures import AnnotatorsFigures
from exports.comparison import queries as comparison_queries
from exports.comparison.errors import ComparisonError
from exports.comparison.result import comparison_result
from exports.comparison.stored_figures import ComparisonFigures
from exports.comparison_releases import actions as comparison_release_actions
from exports.meta_evaluation import figures as meta_evaluation_figures
from exports.meta_evaluation import queries as meta_evaluation_queries
from exports.meta_evaluation.independent_scorers import independent_scorers
from exports.meta_evaluation.stored_figures import MeasuresFigures, MeasuresResult
from exports.missed_answers.queries import audit_strata
from exports.missed_answers.stored_figures import MissedFigures, MissedResult
from exports.precision_audit import actions as precision_audit_actions
from exports.precision_audit.actions import AuditSample
from exports.precision_audit.estimate import PrecisionError, audit_figures
from exports.precision_audit.queries import precision_rows
from exports.primary_comparison.queries import primary_comparison
from exports.releases import actions as release_actions
from exports.releases.actions import Draft
from exports.releases.batch_report import agreement_by_guideline, batch_figures
from exports.releases.version_numbers import Label
from exports.results.figures import run_figures
from exports.results.stored_figures import RunsFigures, RunsResult
from exports.rows.answers import answer_rows
from exports.rows.background import Included
from exports.rows.earlier_answers import accepted_in_files
from exports.rows.items import item_rows
from exports.rows.judgements import judgement_rows
from exports.rows.per_run import run_rows
from exports.rows.tiers import TIERS
from exports.writers import stored_folders
from exports.writers.errors import ReleaseError
from jobs.handlers import Beat, Handler, JobFailedError, PlannedChunk, computed_values, single_chunk
from jobs.models import Job
from jobs.stored_figures import Result
from jobs.transactions import snapshot
from pages.stored_files import NOT_SHARED
from sampling.models import Pool
from scoring import score_queries
from scoring.models import Scorer
from stats import stratified_estimate
from stats.agreement.result import DEFAULT_REPLICATES
from stats.annotators import report as annotator_report
from stats.bootstrap_settings import Bootstrap
from stats.pairwise.bradley_terry_fit import NotConvergedError

# As in a report, so that the batch's page and the release say the same.
BOOTSTRAP = Bootstrap(replicates=DEFAULT_REPLICATES, seed=0)


def prepare_release(job: Job, params: Mapping[str, Any], beat: Beat) -> Draft:
    try:
        # Pages look for the release where the web server keeps its files; its mark came with the job.
        if job.params.get("mark", "") not in ("", stored_folders.mark()):
            raise ReleaseError(NOT_SHARED)
        return release_actions.prepare(
            study=job.study,
            dataset=Dataset.objects.select_related("study").get(pk=job.params["dataset"]),
            by=job.created_by,
            is_rehearsal=job.params["is_rehearsal"],
            left_out=job.params.get("left_out", ()),
            set_aside_disputes=job.params["set_aside_disputes"],
            label=Label(job.params.get("version", ""), job.params.get("note", "")),
            background=Included(job.params.get("background", Included.CHOICES)),
        )
    except ReleaseError as error:
        raise JobFailedError(f"there is no release: {error}") from error


def save_release(job: Job, params: Mapping[str, Any], draft: Draft) -> dict[str, Any]:
    try:
        released = release_actions.record(draft=draft)
    except ReleaseError as error:
        raise JobFailedError(f"there is no release: {error}") from error
    return {
        "release": released.number,
        **({"version": released.version} if released.version else {}),
        "accepted": accepted_in_files(released.report),
        "n_disputes_set_aside": released.n_disputes_set_aside,
    }


def prepare_comparison_release(
    job: Job, params: Mapping[str, Any], beat: Beat
) -> comparison_release_actions.Draft:
    try:
        if job.params.get("mark", "") not in ("", stored_folders.mark()):
            raise ReleaseError(NOT_SHARED)
        return comparison_release_actions.prepare(
            study=job.study,
            batches=job.params["batches"],
            bootstrap=BOOTSTRAP,
            by=job.created_by,
            with_open_batches=job.params["with_open_batches"],
            beat=beat,
        )
    except (ComparisonError, ReleaseError) as error:
        raise JobFailedError(f"there is no release: {error}") from error
    except NotConvergedError as error:
        raise JobFailedError(f"the strengths of the runs were not found: {error}") from error


def save_comparison_release(
    job: Job, params: Mapping[str, Any], draft: comparison_release_actions.Draft
) -> dict[str, Any]:
    try:
        made = comparison_release_actions.record(draft=draft)
    except ReleaseError as error:
        raise JobFailedError(f"there is no release: {error}") from error
    return {
        "release": made.number,
        "batches": made.figures["batches"],
        "n_judgements": made.figures["n_judgements"],
    }


def compute_agreement(job: Job, params: Mapping[str, Any], beat: Beat) -> dict[str, Any]:
    batch = Batch.objects.select_related("study", "pool", "guideline").get(pk=job.params["batch"])
    with snapshot():
        stamp = AgreementFigures(job.study, batch).stamp()
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
    if batch.guideline_since is not None:
        figures["by_guideline"] = agreement_by_guideline(
            guideline_versions.numbers(batch),
            judgements=judgements,
            items=items,
            bootstrap=BOOTSTRAP,
        )
    return {**stamp, **figures, "bootstrap": asdict(BOOTSTRAP)}


def compute_annotators(job: Job, params: Mapping[str, Any], beat: Beat) -> dict[str, Any]:
    """The figures of annotators in one batch, or in all real batches of the study."""
    batch = None
    if "batch" in job.params:
        batch = Batch.objects.select_related("study", "pool", "guideline").get(
            pk=job.params["batch"]
        )
    with snapshot():
        stored = AnnotatorsFigures(job.study, batch)
        batches, stamp = stored.batches, stored.stamp()
        entries = annotator_queries.entries(batches)
    beat()
    examined = annotator_report.examine(entries, **asdict(BOOTSTRAP), beat=beat)
    named = {"batches": [batch.name for batch in batches], "bootstrap": asdict(BOOTSTRAP)}
    return {**stamp, **annotator_report.as_json(examined), **named}


def plan_measures(job: Job) -> list[PlannedChunk]:
    """A chunk for each measure. The stamp is that of the plan: later decisions count as later than
    it.
    """
    dataset = Dataset.objects.get(pk=job.params["dataset"])
    stamp = MeasuresFigures(job.study, dataset).stamp()
    found, circular = independent_scorers(dataset)
    left_out = [scorer.label for scorer in circular]
    return [
        PlannedChunk({"scorer": scorer.pk, "stamp": stamp, "left_out": left_out})
        for scorer in found
    ]


def compute_measure(job: Job, params: Mapping[str, Any], beat: Beat) -> dict[str, Any]:
    """The figures of one measure: on the settled answers, and on the runs."""
    dataset = Dataset.objects.get(pk=job.params["dataset"])
    scorer = Scorer.objects.get(pk=params["scorer"])
    values = score_queries.values(dataset, scorer)
    beat()
    settled = meta_evaluation_queries.settled_answers(dataset)
    beat()
    units, runs = (
        meta_evaluation_queries.units(settled, values),
        meta_evaluation_queries.run_sums(settled, values),
    )
    found = meta_evaluation_figures.answer_figures(units)
    beat()
    return {
        "scorer": scorer.short,
        "metric": scorer.metric,
        "n_settled": len(settled.labels),
        "n_runs": len(settled.runs),
        "is_rehearsal": settled.is_rehearsal,
        "has_audit": settled.has_audit,
        **found,
        "runs": meta_evaluation_figures.run_correlations(
            scorer.short, runs.values, runs.n_values, runs.accepted, runs.weights
        ),
    }


def result_of_measures(job: Job) -> MeasuresResult:
    chunks = list(job.chunks.order_by("number"))
    if not chunks:
        raise JobFailedError("the data set has no scores")
    stamp: Result = chunks[0].params["stamp"]
    measures = [chunk.result for chunk in chunks]
    return {**stamp, "measures": measures, "left_out": chunks[0].params["left_out"]}


def estimate_missed(job: Job, params: Mapping[str, Any], beat: Beat) -> MissedResult:
    """The estimate of what the pool of an audit sample missed, from one snapshot."""
    audit = Pool.objects.select_related("dataset__study", "audit_of__dataset__study").get(
        pk=job.params["pool"]
    )
    with snapshot():
        stamp = MissedFigures(job.study, audit).stamp()
        found = audit_strata(audit, beat)
    beat()
    return {
        **stamp,
        "missed": stratified_estimate.as_json(
            stratified_estimate.estimate(found.drawn, found.left_out)
        ),
        "outside": {state: n for state, n in found.outside.items()},  # noqa: C416
        "is_rehearsal": found.is_rehearsal,
    }


def compute_results(job: Job, params: Mapping[str, Any], beat: Beat) -> RunsResult:
    """The results of the runs by the current verdicts, from one snapshot."""
    dataset = Dataset.objects.select_related("study").get(pk=job.params["dataset"])
    with snapshot():
        found = RunsFigures(job.study, dataset)
        stamp = found.stamp()
        items = item_rows(found.batches, dataset=dataset)
        beat()
        judgements = judgement_rows(found.batches, dataset=dataset)
        beat()
        answers = answer_rows(dataset, found.batches, items)
        tiers = {row.answer_id: row.tier for row in answers if row.answer_id}
        audits = precision_rows(dataset, tiers, is_rehearsal=found.is_rehearsal)
    beat()
    return {
        **stamp,
        "is_rehearsal": found.is_rehearsal,
        "per_run": [asdict(row) for row in run_rows(answers)],
        "runs": run_figures(
            answers=answers, items=items, judgements=judgements, bootstrap=BOOTSTRAP
        ),
        "precision": audit_figures(audits),
        "bootstrap": asdict(BOOTSTRAP),
    }


def compute_comparison(job: Job, params: Mapping[str, Any], beat: Beat) -> dict[str, Any]:
    """The comparison of runs in one batch, or in all batches of the study that count."""
    with snapshot():
        figures = ComparisonFigures(job.study)
        if "batch" in job.params:
            figures.batch = comparison_queries.launched_batches(job.study).get(
                pk=job.params["batch"]
            )
        stamp = figures.stamp()
        rows = comparison_queries.rows(figures.batches)
        primary = primary_comparison(job.study)
    beat()
    try:
        return {
            **stamp,
            **comparison_result(rows, BOOTSTRAP, beat, primary=primary, left_out=figures.left_out),
        }
    except NotConvergedError as error:
        raise JobFailedError(f"the strengths of the runs were not found: {error}") from error


def choose_audit(job: Job, params: Mapping[str, Any], beat: Beat) -> AuditSample:
    try:
        return precision_audit_actions.choose_sample(
            dataset=Dataset.objects.select_related("study").get(pk=job.params["dataset"]),
            sizes={tier: job.params[tier] for tier in TIERS},
            seed=job.params["seed"],
            is_rehearsal=job.params["is_rehearsal"],
        )
    except PrecisionError as error:
        raise JobFailedError(str(error)) from error


def save_audit(job: Job, params: Mapping[str, Any], sample: AuditSample) -> dict[str, Any]:
    try:
        audit = precision_audit_actions.record(
            dataset=Dataset.objects.select_related("study").get(pk=job.params["dataset"]),
            sample=sample,
            seed=job.params["seed"],
            by=job.created_by,
            is_rehearsal=job.params["is_rehearsal"],
        )
    except NotAllowedError as error:
        raise JobFailedError(str(error)) from error
    return {"audit": audit.number, "audit_id": audit.pk, "n_drawn": len(sample.answers)}


RELEASE = single_chunk(prepare_release, save=save_release)
RELEASE_COMPARISON = single_chunk(prepare_comparison_release, save=save_comparison_release)
AGREEMENT = single_chunk(compute_agreement)
ANNOTATORS = single_chunk(compute_annotators)
MEASURES = Handler(
    plan=plan_measures, compute=compute_measure, save=computed_values, finish=result_of_measures
)
MISSED = single_chunk(estimate_missed)
RESULTS = single_chunk(compute_results)
COMPARISON = single_chunk(compute_comparison)
DRAW_PRECISION_AUDIT = single_chunk(choose_audit, save=save_audit)
