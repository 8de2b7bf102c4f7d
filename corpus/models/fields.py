"""What models of the corpus share: validators of names, and the field that hides rows while they are written."""

from django.core.exceptions import ValidationError
from django.db import models

from corpus import names
from jobs.models import Job


def plain_name(name: str) -> None:
    """Validate a name: see corpus.names."""
    if flaw := names.flaw(name):
        raise ValidationError(f"{flaw}: choose another")


def addressable(name: str) -> None:
    """Validate a name whose slashes stay slashes in addresses: see corpus.names."""
    if flaw := names.flaw_of_path(name):
        raise ValidationError(f"{flaw}: choose another")


def staged_by_job() -> "models.ForeignKey[Job | None, Job | None]":
    """Return a field for the job that is writing the row and the rows below it.

    It is None once all are written. Until then only the manager `everything` finds the row.
    """
    return models.ForeignKey(Job, models.PROTECT, null=True, editable=False, related_name="+")
