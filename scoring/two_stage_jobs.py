"""The calibration job: scores each answer of a sample by both models, in chunks, and fits the band."""

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from corpus.models import Dataset
from jobs.handlers import Beat, Handler, JobFailedError, PlannedChunk
from jobs.models import Job
from scoring import queries as scoring_queries
from scoring.actions import calibration as calibration_actions
from scoring.actions import similarity
from scoring.models import Scorer
from scoring.similarity_models import ModelError
from scoring.two_stages import Calibration, NoBandError, Trial

CHUNK_SIZE = 128


def plan(job: Job) -> list[PlannedChunk]:
    """The sample in chunks, short answers first; none if a scorer with this specification exists."""
    spec = _specification(job)
    if calibration_actions.existing_scorer(spec):
        return []
    dataset = Dataset.objects.get(pk=job.params["dataset"])
    sample, n_pairs = calibration_actions.sample(dataset, spec["n_sample"], spec["seed"])
    places = sorted(range(len(sample)), key=lambda place: len(sample[place].prediction))
    parts = [places[start : start + CHUNK_SIZE] for start in range(0, len(places), CHUNK_SIZE)]
    if not parts:
        raise JobFailedError(f"the dataset {dataset} has no answer to compare: import runs first")
    return [
        PlannedChunk(
            {
                "asked": spec,
                "n_pairs": n_pairs,
                "places": part,
                "answers": [sample[place].answer_id for place in part],
            },
            n_units=len(part),
        )
        for part in parts
    ]


def _specification(job: Job) -> dict[str, Any]:
    try:
        return calibration_actions.specification(job.params)
    except ModelError as error:
        raise JobFailedError(str(error)) from error


def compute(job: Job, params: Mapping[str, Any], beat: Beat) -> dict[str, Any]:
    """Both models' scores of each answer, with its place in the sample, and the seconds of each model."""
    if _specification(job) != params["asked"]:
        raise JobFailedError(
            "this worker has other versions of the models than the job was begun with: give every"
            " worker the same ones, or cancel the job and start it again"
        )
    dataset = Dataset.objects.get(pk=job.params["dataset"])
    by_answer = {pair.answer_id: pair for pair in scoring_queries.pairs(dataset, params["answers"])}
    pairs = [by_answer[answer_id] for answer_id in params["answers"]]
    columns, seconds = [], []
    for name in ("first", "scorer"):
        beat()
        start = time.monotonic()
        try:
            columns.append(
                similarity.best_similarities(job.params[name], pairs, bf16=job.params["bf16"])
            )
        except ModelError as error:
            raise JobFailedError(str(error)) from error
        seconds.append(time.monotonic() - start)
    return {"points": list(zip(params["places"], *columns, strict=True)), "seconds": seconds}


def save(job: Job, params: Mapping[str, Any], computed: dict[str, Any]) -> dict[str, Any]:
    return computed


@dataclass(frozen=True)
class FittedBand:
    """An existing scorer, or the band of a new one with the estimated hours of scoring."""

    scorer: Scorer | None = None
    band: Calibration | None = None
    trial: Trial | None = None
    costs: dict[str, Any] = field(default_factory=dict)


def fit(job: Job, beat: Beat) -> FittedBand:
    """Fit the band.

    This happens outside any transaction: the sample may be large and models may have to be loaded.
    """
    chunks = list(job.chunks.parts())
    if not chunks:
        return FittedBand(scorer=calibration_actions.existing_scorer(_specification(job)))
    points = sorted(point for chunk in chunks for point in chunk.result["points"])
    try:
        band, trial = calibration_actions.calibrate(
            [(first, second) for _, first, second in points], chunks[0].params["asked"]
        )
    except NoBandError as error:
        raise JobFailedError(str(error)) from error
    first, second = (
        sum(chunk.result["seconds"][stage] for chunk in chunks) / len(points) for stage in (0, 1)
    )
    n_pairs = chunks[0].params["n_pairs"]
    costs = {
        "n_pairs": n_pairs,
        # By what the sample took on the machines that worked on it.
        "hours": n_pairs * (first + second * trial.n_near / trial.n_tried) / 3600,
        "hours_by_cross_encoder": n_pairs * second / 3600,
    }
    return FittedBand(band=band, trial=trial, costs=costs)


def finish(job: Job, fitted: FittedBand) -> dict[str, Any]:
    """Save the scorer and start the scoring job."""
    scorer = fitted.scorer
    if fitted.band is not None and fitted.trial is not None:
        first = job.chunks.parts()[0]
        try:
            scorer = calibration_actions.make_scorer(
                fitted.band, fitted.trial, first.params["asked"]
            )
        except ModelError as error:
            raise JobFailedError(str(error)) from error
    return _begin_scoring(job, scorer) | fitted.costs


def _begin_scoring(job: Job, scorer: Scorer | None) -> dict[str, Any]:
    if scorer is None:
        raise JobFailedError("the scorer was deleted: start the job again")
    trial, calibration = (
        calibration_actions.trial_of(scorer),
        calibration_actions.calibration_of(scorer),
    )
    return {
        "scorer": scorer.short,
        "threshold": calibration.threshold,
        "low": calibration.low,
        "high": calibration.high,
        **scorer.identity["trial"],
        "near": trial.n_near / trial.n_tried,
        "job": calibration_actions.begin_scoring(job=job, scorer=scorer).pk,
    }


CALIBRATE = Handler(
    plan=plan,
    compute=compute,
    save=save,
    finish=finish,
    conclude=fit,
    release=similarity.release_models,
)
