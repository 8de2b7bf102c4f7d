"""The deadline of a batch: its field, and the form that changes it."""

from datetime import UTC, datetime
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone

from pages.times import LocalTimeInput, zone_in_help


def deadline_field(**options: Any) -> forms.DateTimeField:
    options["help_text"] = zone_in_help(options["help_text"])
    return forms.DateTimeField(label="Deadline", required=False, widget=LocalTimeInput, **options)


def to_utc(at: datetime | None) -> datetime | None:
    """Raises ValidationError for a time that UTC cannot express."""
    try:
        return at and at.astimezone(UTC)
    except OverflowError as error:
        raise ValidationError("Enter a valid date/time.") from error


class DeadlineForm(forms.Form):
    deadline_at = deadline_field(help_text="Empty: none.")

    def clean_deadline_at(self) -> datetime | None:
        deadline_at = to_utc(self.cleaned_data["deadline_at"])
        if deadline_at is not None and deadline_at <= timezone.now():
            raise ValidationError("This time has passed: no items could be assigned.")
        return deadline_at
