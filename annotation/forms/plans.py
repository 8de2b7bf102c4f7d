"""The form of a plan of analysis."""

from django import forms

from annotation.models.limits import LONGEST_PLAN


class PlanForm(forms.Form):
    plan = forms.CharField(
        label="Plan of analysis",
        max_length=LONGEST_PLAN,
        strip=False,  # the text to the letter, as from a file
        widget=forms.Textarea(attrs={"rows": 14, "dir": "auto"}),
        help_text="In Markdown: which figures decide what, by which rule items are settled, what is left out, when"
        " people stop. Annotators do not see it. Releases publish it: name nobody.",
    )

    def clean_plan(self) -> str:
        text: str = self.cleaned_data["plan"]
        return text.replace("\r\n", "\n")
