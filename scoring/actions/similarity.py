"""Similarity models as scorers of the database. Loads torch when a model is first wanted: only jobs do."""

from functools import lru_cache
from typing import TYPE_CHECKING

from django.core.exceptions import ValidationError

from activity.handlers import in_words
from scoring.models import Metric, Scorer
from scoring.similarity_models import ModelError

if TYPE_CHECKING:
    from scoring.sas import Similarity


@lru_cache(maxsize=1)
def model(name: str, *, bf16: bool = False) -> "Similarity":
    """The model, kept while this process works on chunks of it. Raises ModelError."""
    from scoring import sas  # noqa: PLC0415  seconds and much memory, which exact match and F1 do without

    return sas.load(name, bf16=bf16)


def scorer(name: str, *, bf16: bool = False) -> Scorer:
    """The scorer of the model in the version that is at hand. Raises ModelError."""
    identity = model(name, bf16=bf16).identity
    made = Scorer(metric=Metric.SAS, name=identity.name, version=identity.version)
    try:
        made.clean_fields(exclude=["identity", "study"])
        made.validate_constraints(exclude=["version"])  # that there is one already is no matter
    except ValidationError as error:
        raise ModelError(
            f"The model {identity.name} cannot be called so: {in_words(error)}. Rename its folder."
        ) from error
    found, _ = Scorer.objects.get_or_create(
        metric=made.metric,
        name=made.name,
        version=made.version,
        study=None,
        defaults={
            "identity": {
                "kind": identity.kind,
                "revision": identity.revision,
                "library": identity.library,
                "dtype": identity.dtype,
            }
        },
    )
    return found
