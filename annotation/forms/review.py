"""The form of a review: is it paid, is it counted, each with a code from a closed list and words."""

from typing import Any

from django import forms

from annotation import review_reasons
from annotation.models.limits import LONGEST_REASON
from annotation.review_decisions import Decision, ReviewError
from annotation.review_reasons import COUNTED, PAID, ReasonList

YES, NO = "yes", "no"


def _choices(reasons: ReasonList) -> list[Any]:
    """The choices grouped by outcome; a value is the outcome and the code, as "no: random answer"."""
    groups: list[Any] = [("", "Choose")]
    for outcome, key in ((True, YES), (False, NO)):
        decided = review_reasons.outcome_in_words(reasons, outcome)
        own = [
            (f"{key}: {each.code}", f"{decided}: {each.code}") for each in reasons.fitting(outcome)
        ]
        groups.append((decided.capitalize(), own))
    return groups


def _words_field(label: str, help_text: str = "Needed with “other”.") -> forms.CharField:
    return forms.CharField(
        label=label,
        max_length=LONGEST_REASON,
        required=False,
        help_text=help_text,
        widget=forms.TextInput(attrs={"dir": "auto"}),
    )


class ReviewForm(forms.Form):
    paid = forms.ChoiceField(label="Is it paid, and why?", choices=_choices(PAID))
    paid_words = _words_field(
        "In words, on the pay",
        "Needed with “other”. If it is not paid, the annotator reads this: name no system and nobody else.",
    )
    counted = forms.ChoiceField(label="Does it count, and why?", choices=_choices(COUNTED))
    counted_words = _words_field("In words, on the count")
    ask_again = forms.BooleanField(
        label="Ask for a replacement of each judgement that this excludes from the results",
        required=False,
    )

    def __init__(self, *args: Any, may_ask: bool, **options: Any) -> None:
        super().__init__(*args, **options)
        if not may_ask:
            del self.fields["ask_again"]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if "paid" in cleaned and "counted" in cleaned:
            try:
                cleaned["decision"] = self._decision(cleaned).cleaned()
            except ReviewError as error:
                self.add_error(None, f"{error}.")
        return cleaned

    def _decision(self, cleaned: dict[str, Any]) -> Decision:
        paid, _, paid_code = cleaned["paid"].partition(": ")
        counted, _, counted_code = cleaned["counted"].partition(": ")
        return Decision(
            is_paid=paid == YES,
            paid_code=paid_code,
            paid_reason=cleaned.get("paid_words", ""),
            is_counted=counted == YES,
            counted_code=counted_code,
            counted_reason=cleaned.get("counted_words", ""),
        )
