"""The forms of messages between annotators and organisers."""

from django import forms

from annotation.models.limits import LONGEST_REASON


def _textarea(rows: int) -> forms.Textarea:
    return forms.Textarea(attrs={"rows": rows, "dir": "auto"})


class QuestionForm(forms.Form):
    text = forms.CharField(
        label="Your question",
        help_text="About pay, the guideline, your account or anything that is not about one item."
        " The organisers read it with your name, and their answer appears here and in My work.",
        max_length=LONGEST_REASON,
        widget=_textarea(4),
    )


class NoticeForm(forms.Form):
    text = forms.CharField(
        label="Notice",
        help_text="Every annotator of the batch reads it, on the annotation page and in My work, until they"
        " dismiss it. It must not name systems, scores or the labels of others.",
        max_length=LONGEST_REASON,
        widget=_textarea(3),
    )
