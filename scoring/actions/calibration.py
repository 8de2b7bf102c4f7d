"""Calibrate scorers in two stages (scoring.two_stages) on a sample; then they score as any other scorer.

The version of such a scorer names both models, the threshold, the band and a digest of the calibration,
so two that differ never share a version. Its identity keeps the specification and the trial of the band.
"""

import hashlib
import heapq
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from accounts.models import User
from corpus.models import Dataset
from jobs.actions import jobs
from jobs.models import Job
from scoring import queries as scoring_queries
from scoring import two_stages
from scoring.actions import similarity
from scoring.models import Metric, Scorer
from scoring.registry import Inputs
from scoring.similarity_models import Identity, ModelError
from scoring.thresholds import DEFAULT_SCORER
from scoring.two_stages import Calibration, Point, Trial
from stats.lots import BITS, lot

KIND = "calibrate"
TWO_STAGE = "two-stage"  # the kind in the identity, and how names begin


@dataclass(frozen=True)
class TwoStages:
    """The options of a calibration.

    threshold   the threshold of later pools, on the cross-encoder's scale
    first       the bi-encoder, by a name that every worker can resolve
    most_wrong  the largest accepted share of answers on the wrong side of the threshold
    n_sample    the number of answers scored by both models, drawn with the seed
    """

    threshold: float
    first: str = DEFAULT_SCORER
    most_wrong: float = 0.01
    n_sample: int = 2000
    seed: int = 1


def begin(*, dataset: Dataset, model: str, bf16: bool, options: TwoStages, by: User) -> Job:
    """Start the job that calibrates, and then starts the scoring. `model` is the cross-encoder."""
    return jobs.start(
        study=dataset.study,
        kind=KIND,
        key=f"{dataset} {model} at {options.threshold:g}"[-200:],
        params={"dataset": dataset.pk, "scorer": model, "bf16": bf16, **asdict(options)},
        by=by,
    )


def specification(params: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options of the job with the versions of this worker's models.

    Raises ModelError.
    """
    first, second = models(params)
    copied = ("dataset", "threshold", "most_wrong", "n_sample", "seed")
    versions = {"first": first.version, "second": second.version, "name": second.name}
    return {**versions, **{name: params[name] for name in copied}}


def models(params: Mapping[str, Any]) -> tuple[Identity, Identity]:
    """Return the bi-encoder and the cross-encoder of this worker.

    Raises ModelError if a kind is wrong.
    """
    first, second = (
        similarity.model(params[name], bf16=params["bf16"]).identity for name in ("first", "scorer")
    )
    for identity, kind in ((first, "bi-encoder"), (second, "cross-encoder")):
        if identity.kind != kind:
            raise ModelError(
                f"{identity.name} is a {identity.kind}: two stages are a bi-encoder for all answers and a"
                " cross-encoder for those near the threshold. Name a cross-encoder, or score in one stage."
            )
    return first, second


def existing_scorer(spec: Mapping[str, Any]) -> Scorer | None:
    """The newest scorer with this specification, if any; its scores are used again."""
    same_models = Scorer.objects.filter(metric=Metric.SAS, study=None, name=_scorer_name(spec))
    matching = (
        scorer for scorer in same_models.order_by("-pk") if scorer.identity.get("asked") == spec
    )
    return next(matching, None)


def _scorer_name(spec: Mapping[str, Any]) -> str:
    return f"{TWO_STAGE}:{spec['name']}"


def sample(dataset: Dataset, n: int, seed: int) -> tuple[list[scoring_queries.Pair], int]:
    """Return n distinct pairs drawn at random, in random order, and the number of all pairs.

    The draw is by a hash of texts and seed, so the order of runs and rows does not matter.
    """
    known: set[int] = set()
    smallest: list[
        tuple[int, int]
    ] = []  # the smallest hashes, negative: a heap's first is its least
    for pair in scoring_queries.iter_pairs(dataset, Inputs.REFERENCES):
        at = lot(seed, *pair.key, separator=" ") >> (BITS - 96)
        if not pair.prediction or at in known:
            continue
        known.add(at)
        entry = (-at, pair.answer_id)
        if len(smallest) < n:
            heapq.heappush(smallest, entry)
        else:
            heapq.heappushpop(smallest, entry)
    order = {
        answer_id: place for place, (_, answer_id) in enumerate(sorted(smallest, reverse=True))
    }
    pairs = scoring_queries.pairs(dataset, order)
    return sorted(pairs, key=lambda pair: order[pair.answer_id]), len(known)


def calibrate(points: Sequence[Point], spec: Mapping[str, Any]) -> tuple[Calibration, Trial]:
    """The band fitted to these points, which are in random order. Raises two_stages.NoBandError."""
    return two_stages.calibrate(points, threshold=spec["threshold"], most_wrong=spec["most_wrong"])


def make_scorer(band: Calibration, trial: Trial, spec: Mapping[str, Any]) -> Scorer:
    """Get or create the scorer with this band. Raises ModelError."""
    calibration = json.loads(json.dumps(asdict(band)))  # as the database gives it back
    digest = hashlib.sha256(json.dumps(calibration, sort_keys=True).encode()).hexdigest()
    return similarity.make_scorer(
        _scorer_name(spec),
        f"{spec['first']} then {spec['second']}, threshold {band.threshold:g},"
        f" band {band.low:g} to {band.high:g}, calibration {digest[:16]}",
        {
            "kind": TWO_STAGE,
            "asked": dict(spec),
            "calibration": calibration,
            "trial": asdict(trial),
        },
    )


def scorer_of_job(params: Mapping[str, Any]) -> Scorer:
    """Return the scorer of a scoring job. Raises ModelError if this worker's models differ."""
    scorer = Scorer.objects.get(pk=params["calibrated"])
    first, second = models(params)
    for version, calibrated_version in (
        (first.version, scorer.identity["asked"]["first"]),
        (second.version, scorer.identity["asked"]["second"]),
    ):
        if version != calibrated_version:
            raise ModelError(
                f"This worker has {version}, and {scorer.short} was calibrated with {calibrated_version}. Give every"
                " worker the same models, or cancel the job and start it again."
            )
    return scorer


def calibration_of(scorer: Scorer) -> Calibration:
    stored = scorer.identity["calibration"]
    return Calibration(**{**stored, "knots": tuple(map(tuple, stored["knots"]))})


def trial_of(scorer: Scorer) -> Trial:
    return Trial(**scorer.identity["trial"])


def begin_scoring(*, job: Job, scorer: Scorer) -> Job:
    """Start the job that scores all answers with the calibrated scorer.

    If it is unfinished, return that job.
    """
    dataset = Dataset.objects.select_related("study").get(pk=job.params["dataset"])
    key = f"{dataset} sas {scorer.short}"[-200:]
    same = dataset.study.jobs.unfinished().filter(kind="score", key=key).first()
    return same or jobs.start(
        study=dataset.study,
        kind="score",
        key=key,
        params={
            "dataset": dataset.pk,
            "metric": Metric.SAS.value,
            "scorer": job.params["scorer"],
            "first": job.params["first"],
            "bf16": job.params["bf16"],
            "calibrated": scorer.pk,
            "after": job.pk,
        },
        by=job.created_by,
    )
