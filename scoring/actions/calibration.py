"""Scorers in two stages (scoring.two_stages): calibrated on a sample, and then one scorer like another.

Such a scorer's version names both models, the threshold, the band and a digest of the calibration, so
that no two that differ are taken for one. Its identity keeps what was asked and how the band did.
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
    """How two stages are wanted.

    threshold   on the cross-encoder's scale: the one that pools will be drawn at
    first       the bi-encoder, where any worker finds it
    most_wrong  so large a share of all answers may be on the wrong side of it
    n_sample    how many answers are scored by both models, drawn with the seed
    """

    threshold: float
    first: str = DEFAULT_SCORER
    most_wrong: float = 0.01
    n_sample: int = 2000
    seed: int = 1


def begin(*, dataset: Dataset, model: str, bf16: bool, wanted: TwoStages, by: User) -> Job:
    """The job that calibrates, and then starts the scoring. `model` is the cross-encoder."""
    return jobs.start(
        study=dataset.study,
        kind=KIND,
        key=f"{dataset} {model} at {wanted.threshold:g}"[-200:],
        params={"dataset": dataset.pk, "scorer": model, "bf16": bf16, **asdict(wanted)},
        by=by,
    )


def asked(params: Mapping[str, Any]) -> dict[str, Any]:
    """What the job asks for, with the models in the versions at hand. Raises ModelError."""
    first, second = models(params)
    same = ("dataset", "threshold", "most_wrong", "n_sample", "seed")
    versions = {"first": first.version, "second": second.version, "name": second.name}
    return {**versions, **{name: params[name] for name in same}}


def models(params: Mapping[str, Any]) -> tuple[Identity, Identity]:
    """The two models at hand. Raises ModelError where they are not of the right kinds."""
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


def known(wanted: Mapping[str, Any]) -> Scorer | None:
    """The newest scorer that was calibrated as asked: what it scored is not scored again."""
    same_models = Scorer.objects.filter(metric=Metric.SAS, study=None, name=_name(wanted))
    found = (each for each in same_models.order_by("-pk") if each.identity.get("asked") == wanted)
    return next(found, None)


def _name(wanted: Mapping[str, Any]) -> str:
    return f"{TWO_STAGE}:{wanted['name']}"


def sample(dataset: Dataset, n: int, seed: int) -> tuple[list[scoring_queries.Pair], int]:
    """n distinct pairs drawn at random, in random order, and how many there are.

    By a hash of the texts and the seed: the order of runs and rows changes nothing.
    """
    seen: set[int] = set()
    drawn: list[tuple[int, int]] = []  # the smallest hashes, negative: a heap's first is its least
    for pair in scoring_queries.each_pair(dataset, Inputs.REFERENCES):
        at = lot(seed, *pair.key, separator=" ") >> (BITS - 96)
        if not pair.prediction or at in seen:
            continue
        seen.add(at)
        entry = (-at, pair.answer_id)
        if len(drawn) < n:
            heapq.heappush(drawn, entry)
        else:
            heapq.heappushpop(drawn, entry)
    order = {answer_id: place for place, (_, answer_id) in enumerate(sorted(drawn, reverse=True))}
    found = scoring_queries.pairs(dataset, order)
    return sorted(found, key=lambda pair: order[pair.answer_id]), len(seen)


def calibrate(points: Sequence[Point], wanted: Mapping[str, Any]) -> tuple[Calibration, Trial]:
    """The band that these points in random order give. Raises two_stages.NoBandError."""
    return two_stages.calibrate(
        points, threshold=wanted["threshold"], most_wrong=wanted["most_wrong"]
    )


def made(band: Calibration, trial: Trial, wanted: Mapping[str, Any]) -> Scorer:
    """The scorer with that band. Raises ModelError."""
    calibration = json.loads(json.dumps(asdict(band)))  # as the database gives it back
    digest = hashlib.sha256(json.dumps(calibration, sort_keys=True).encode()).hexdigest()
    return similarity.made(
        _name(wanted),
        f"{wanted['first']} then {wanted['second']}, threshold {band.threshold:g},"
        f" band {band.low:g} to {band.high:g}, calibration {digest[:16]}",
        {
            "kind": TWO_STAGE,
            "asked": dict(wanted),
            "calibration": calibration,
            "trial": asdict(trial),
        },
    )


def calibrated(params: Mapping[str, Any]) -> Scorer:
    """The scorer that a scoring job was started with. Raises ModelError where other models are at hand."""
    scorer = Scorer.objects.get(pk=params["calibrated"])
    first, second = models(params)
    for at_hand, wanted in (
        (first.version, scorer.identity["asked"]["first"]),
        (second.version, scorer.identity["asked"]["second"]),
    ):
        if at_hand != wanted:
            raise ModelError(
                f"This worker has {at_hand}, and {scorer.short} was calibrated with {wanted}. Give every"
                " worker the same models, or cancel the job and start it again."
            )
    return scorer


def calibration_of(scorer: Scorer) -> Calibration:
    stored = scorer.identity["calibration"]
    return Calibration(**{**stored, "knots": tuple(map(tuple, stored["knots"]))})


def trial_of(scorer: Scorer) -> Trial:
    return Trial(**scorer.identity["trial"])


def begin_scoring(*, job: Job, scorer: Scorer) -> Job:
    """The job that scores all answers by the calibrated scorer, after the one that calibrated it."""
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
