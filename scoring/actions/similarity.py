"""Similarity models as Scorer rows. Loads torch when a model is first used, which only jobs do."""

import ctypes
import gc
from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from django.core.exceptions import ValidationError

from corpus.models import References
from pages.validation import validation_message
from scoring.models import Metric, Scorer
from scoring.queries import Pair
from scoring.similarity_models import Identity, ModelError
from scoring.thresholds import DEFAULT_SCORER

if TYPE_CHECKING:
    from scoring.sas import Similarity

# Beyond these, a model's numbers depend on what else was in the batch.
DIGITS = 6
# Which of BERTScore's numbers each metric is.
BERTSCORE = {
    Metric.BERTSCORE.value: "f1",
    Metric.BERTSCORE_PRECISION.value: "precision",
    Metric.BERTSCORE_RECALL.value: "recall",
}
NOT_COMPARABLE = "not comparable with published BERTScores"


@lru_cache(maxsize=2)  # as many as two stages take
def model(name: str, *, bf16: bool = False) -> "Similarity":
    """The loaded model; the process keeps it for the next chunk, until `release_models`. Raises ModelError."""
    from scoring import sas  # noqa: PLC0415  seconds and much memory, which exact match and F1 do without

    return sas.load(name, bf16=bf16)


def release_models() -> None:
    """Give the memory of the loaded models back to the system: a large one has gigabytes."""
    if not model.cache_info().currsize:
        return
    model.cache_clear()
    gc.collect()
    # Where the C library is glibc: it keeps what was freed unless it is told to return it.
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)


def best_similarities(name: str, pairs: Sequence[Pair], *, bf16: bool = False) -> list[float]:
    """Return the maximum over its references for each pair.

    One call lets the model batch the pairs.
    """
    flat = [(pair.prediction, reference) for pair in pairs for reference in pair.references]
    numbers = iter(model(name, bf16=bf16).similarities(flat))
    return [round(max(next(numbers) for _ in pair.references), DIGITS) for pair in pairs]


def scorer(name: str, chosen: References = References.TRUTH, *, bf16: bool = False) -> Scorer:
    """The scorer of the model in this worker's version. Raises ModelError."""
    identity = model(name, bf16=bf16).identity
    return make_scorer(identity.name, identity.version, _stored_identity(identity), chosen=chosen)


def bert_scorer(metric: str, chosen: References = References.TRUTH) -> Scorer:
    """The scorer of one of BERTScore's metrics by the embedded model. Raises ModelError."""
    identity = model(DEFAULT_SCORER, bf16=False).identity
    version = f"{identity.version}, {NOT_COMPARABLE}"
    stored = _stored_identity(identity)
    return make_scorer(identity.name, version, stored, metric=metric, chosen=chosen)


def bert_scores(metrics: Collection[str], pairs: Sequence[Pair]) -> dict[str, list[float]]:
    """Return the maximum over its references for each pair, by metric. Raises ModelError.

    It is 0 if a text has no token (only a zero-width space, say), as for an empty answer. Texts are
    embedded once for all metrics.
    """
    from scoring import bertscore, sas  # noqa: PLC0415  as above

    embedded = model(DEFAULT_SCORER, bf16=False)
    if not isinstance(embedded, sas.BiEncoder):
        raise ModelError(f"{DEFAULT_SCORER} is no bi-encoder here: BERTScore needs its tokens.")
    flat = [(pair.prediction, reference) for pair in pairs for reference in pair.references]
    found = iter(bertscore.compute(embedded, flat))
    best: dict[str, list[float]] = {metric: [] for metric in metrics}
    for pair in pairs:
        scores = [score for score in (next(found) for _ in pair.references) if score]
        for metric, values in best.items():
            numbers = [getattr(score, BERTSCORE[metric]) for score in scores]
            values.append(round(max(numbers, default=0.0), DIGITS))
    return best


def _stored_identity(identity: Identity) -> dict[str, Any]:
    return {
        "kind": identity.kind,
        "revision": identity.revision,
        "library": identity.library,
        "dtype": identity.dtype,
    }


def make_scorer(
    name: str,
    version: str,
    identity: dict[str, Any],
    *,
    metric: str = Metric.SAS.value,
    chosen: References = References.TRUTH,
) -> Scorer:
    """Get or create the scorer of that name and version. Raises ModelError if the name is invalid."""
    candidate = Scorer(metric=metric, name=name, version=version, references=chosen)
    try:
        candidate.clean_fields(exclude=["identity", "study"])
        candidate.validate_constraints(
            exclude=["version"]
        )  # that there is one already is no matter
    except ValidationError as error:
        raise ModelError(
            f"The model {name} cannot be called so: {validation_message(error)}. Rename its folder."
        ) from error
    scorer, _ = Scorer.objects.get_or_create(
        metric=candidate.metric,
        name=candidate.name,
        version=candidate.version,
        references=candidate.references,
        study=None,
        defaults={"identity": identity},
    )
    return scorer
