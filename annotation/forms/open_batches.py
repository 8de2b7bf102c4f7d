"""Forms that change a batch after it opened."""

from typing import Any

from django import forms

from annotation.forms.drafts import DraftForm
from annotation.models.limits import MOST_JUDGEMENTS
from corpus.models import plain_name


class NameForm(forms.Form):
    name = forms.CharField(
        max_length=100,
        validators=[plain_name],
        help_text=DraftForm.base_fields["name"].help_text,
    )


class ShareForm(forms.Form):
    largest_share = forms.IntegerField(
        label=DraftForm.base_fields["largest_share"].label,
        min_value=1,
        max_value=100,
        required=False,
        help_text=DraftForm.base_fields["largest_share"].help_text,
    )

    def clean_largest_share(self) -> float | None:
        share: int | None = self.cleaned_data["largest_share"]
        return share / 100 if share else None


class JudgementsForm(forms.Form):
    judgements_per_item = forms.IntegerField(
        label="Judgements of each item", max_value=MOST_JUDGEMENTS
    )

    def __init__(self, least: int, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["judgements_per_item"] = forms.IntegerField(
            label="Judgements of each item",
            min_value=least,
            max_value=MOST_JUDGEMENTS,
            help_text="By different people. The number can be raised, not lowered.",
        )


class ReturnForm(forms.Form):
    expire_claims = forms.BooleanField(
        label="Release the items that people still hold",
        required=False,
        help_text="What somebody has judged without a connection and not sent yet is lost.",
    )


class GuidelineForm(forms.Form):
    guideline = forms.CharField(
        required=False,
        strip=False,  # the text to the letter, as from a file
        widget=forms.Textarea(attrs={"rows": 18}),
        help_text="In Markdown.",
    )

    def clean_guideline(self) -> str:
        text: str = self.cleaned_data["guideline"]
        return text.replace("\r\n", "\n")
