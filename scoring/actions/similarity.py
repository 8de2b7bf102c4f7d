"""Similarity models as scorers of the database. Imports torch: only jobs import this."""

from functools import lru_cache

from scoring import sas
from scoring.models import Metric, Scorer


@lru_cache(maxsize=1)
def model(name: str, *, bf16: bool = False) -> sas.Similarity:
    """The model, kept while this process works on chunks of it. Raises ModelError."""
    return sas.load(name, bf16=bf16)


def scorer(name: str, *, bf16: bool = False) -> Scorer:
    """The scorer of the model in the version that is at hand. Raises ModelError."""
    identity = model(name, bf16=bf16).identity
    found, _ = Scorer.objects.get_or_create(
        metric=Metric.SAS,
        name=identity.name,
        version=identity.version,
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
