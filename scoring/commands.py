"""Helpers of the commands that name a similarity model."""

from pathlib import Path

from scoring.similarity_models import kind_of_model, model_folder
from scoring.thresholds import DEFAULT_SCORER, EVIDENCE, evidence_threshold


def name_for_workers(model: str) -> str:
    """Return a folder's absolute path, as workers have another working directory, or the name."""
    folder = None if model == DEFAULT_SCORER else model_folder(model)
    return model if folder is None else str(folder)


def model_name(model: str) -> str:
    """Return the name of the model's scorer: the last part of a folder."""
    found = name_for_workers(model)
    return Path(found).name if Path(found).is_absolute() else model


def evidence_threshold_of_model(model: str) -> float:
    """The default threshold of evidence for this model's SAS. Raises ModelError if there is no such model."""
    scorer = model_name(model)
    return evidence_threshold(scorer, None if scorer in EVIDENCE else kind_of_model(model))
