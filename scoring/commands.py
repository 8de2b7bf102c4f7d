"""What the commands that name a similarity model share."""

from pathlib import Path

from scoring.similarity_models import folder_called, kind_called
from scoring.thresholds import DEFAULT_SCORER, EVIDENCE, evidence_threshold


def where_any_worker_finds_it(model: str) -> str:
    """A model's folder in full, because a worker stands elsewhere; any other name as it is."""
    folder = None if model == DEFAULT_SCORER else folder_called(model)
    return model if folder is None else str(folder)


def name_of(model: str) -> str:
    """What a model is called wherever it lies: a folder by its last part, as its scorer is."""
    found = where_any_worker_finds_it(model)
    return Path(found).name if Path(found).is_absolute() else model


def own_threshold(model: str) -> float:
    """The SAS by this model that a sentence of evidence must exceed, unless the requester says otherwise.

    Raises ModelError where there is no such model.
    """
    scorer = name_of(model)
    return evidence_threshold(scorer, None if scorer in EVIDENCE else kind_called(model))
