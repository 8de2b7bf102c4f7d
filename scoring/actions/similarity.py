"""Similarity models as scorers of the database. Loads torch when a model is first wanted: only jobs do."""

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from django.core.exceptions import ValidationError

from activity.handlers import in_words
from scoring.models import Metric, Scorer
from scoring.similarity_models import Identity, ModelError
from scoring.tables import Pair

if TYPE_CHECKING:
    from scoring.sas import Similarity

# Beyond these, a model's numbers depend on what else was in the batch.
DIGITS = 6


@lru_cache(maxsize=2)  # as many as two stages take
def model(name: str, *, bf16: bool = False) -> "Similarity":
    """The model, kept while this process works on chunks of it. Raises ModelError."""
    from scoring import sas  # noqa: PLC0415  seconds and much memory, which exact match and F1 do without

    return sas.load(name, bf16=bf16)


def best(name: str, pairs: Sequence[Pair], *, bf16: bool = False) -> list[float]:
    """The maximum over the references of each pair; all of them in one call, so that they batch."""
    flat = [(pair.prediction, reference) for pair in pairs for reference in pair.references]
    numbers = iter(model(name, bf16=bf16).similarities(flat))
    return [round(max(next(numbers) for _ in pair.references), DIGITS) for pair in pairs]


def scorer(name: str, *, bf16: bool = False) -> Scorer:
    """The scorer of the model in the version that is at hand. Raises ModelError."""
    identity = model(name, bf16=bf16).identity
    return scorer_of(identity)


def scorer_of(identity: Identity) -> Scorer:
    return made(
        identity.name,
        identity.version,
        {
            "kind": identity.kind,
            "revision": identity.revision,
            "library": identity.library,
            "dtype": identity.dtype,
        },
    )


def made(name: str, version: str, identity: dict[str, Any]) -> Scorer:
    """The scorer of that name and version, made where there is none. Raises ModelError."""
    wanted = Scorer(metric=Metric.SAS, name=name, version=version)
    try:
        wanted.clean_fields(exclude=["identity", "study"])
        wanted.validate_constraints(exclude=["version"])  # that there is one already is no matter
    except ValidationError as error:
        raise ModelError(
            f"The model {name} cannot be called so: {in_words(error)}. Rename its folder."
        ) from error
    found, _ = Scorer.objects.get_or_create(
        metric=wanted.metric,
        name=wanted.name,
        version=wanted.version,
        study=None,
        defaults={"identity": identity},
    )
    return found
