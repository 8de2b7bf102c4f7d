from typing import Any

from django import forms

from annotation.models.limits import LONGEST_REASON

STUDY, BATCH = "study", "batch"
HELD = "What they hold now goes to other annotators; what they still submit of it is kept, but not counted."


class ReasonForm(forms.Form):
    """The reason why a person is paused or resumed."""

    reason = forms.CharField(
        max_length=LONGEST_REASON,
        help_text="Kept with the decision and in the history. The person does not see it.",
    )


class PauseForm(ReasonForm):
    """The scope of a pause, the whole study or one batch, and its reason."""

    field_order = ("where", "reason")

    def __init__(self, data: Any = None, *, batch: str) -> None:
        super().__init__(data)
        self.fields["where"] = forms.ChoiceField(
            label="Where?",
            choices=[
                (STUDY, f"In the whole study: no more items of any batch. {HELD}"),
                (BATCH, f"In “{batch}” only: what they hold now they can still submit."),
            ],
            initial=STUDY,
            widget=forms.RadioSelect,
        )
        self.order_fields(self.field_order)
