"""The form of an audit sample."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from corpus.models import plain_name
from sampling.audit_samples.rule import DEFAULT_SIZE, REASONS, AuditError, AuditRule
from sampling.audit_samples.rule import MOST as MOST_OF_A_STRATUM
from sampling.forms.rules import GREATEST_SEED
from sampling.pools.selection import State

LEFT_OUT_AS = {
    State.BELOW_THRESHOLD: "Below the threshold",
    State.TOO_FEW_IN_TURN: "Too few in their question",
    State.REPRESENTED: "Represented by a candidate",
    State.CAPPED: "Capped",
}


def _size(reason: State) -> forms.IntegerField:
    return forms.IntegerField(
        min_value=0, max_value=MOST_OF_A_STRATUM, initial=DEFAULT_SIZE, label=LEFT_OUT_AS[reason]
    )


class AuditForm(forms.Form):
    """The number to draw for each reason why a pool left answers out.

    It asks only about reasons with answers. `rule` is set by a successful `clean`.
    """

    rule: AuditRule | None = None

    name = forms.CharField(
        max_length=100,
        validators=[plain_name],
        label="Name of the sample",
        error_messages={"required": "Give the sample a name."},
    )
    below_threshold = _size(State.BELOW_THRESHOLD)
    too_few_in_turn = _size(State.TOO_FEW_IN_TURN)
    represented = _size(State.REPRESENTED)
    capped = _size(State.CAPPED)
    seed = forms.IntegerField(
        min_value=0,
        max_value=GREATEST_SEED,
        initial=1,
        label="Seed",
        help_text="The same seed draws the same sample.",
    )

    def __init__(self, *args: Any, pool: str, n_answers: Mapping[str, int], **options: Any) -> None:
        super().__init__(*args, **options)
        self.pool = pool
        self.reasons = [reason for reason in REASONS if n_answers[reason.value]]
        for reason in REASONS:
            n = n_answers[reason.value]
            size = self.fields[reason.value]
            size.initial = min(DEFAULT_SIZE, n)
            size.help_text = f"Of {n:,} {'answer' if n == 1 else 'answers'}; equal ones count once."
            if not n:
                del self.fields[reason.value]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if not self.errors:
            sizes = {reason: cleaned[reason.value] for reason in self.reasons}
            try:
                self.rule = AuditRule(self.pool, sizes, cleaned["seed"])
            except AuditError as error:
                raise ValidationError(f"Nothing is drawn: {error}.") from error
        return cleaned
