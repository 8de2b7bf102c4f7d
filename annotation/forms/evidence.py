"""The form of a search for evidence."""

from typing import Any

from django import forms

from corpus.models import plain_name
from scoring.thresholds import DEFAULT_SCORER, EVIDENCE, EVIDENCE_BY_KIND


class EvidenceForm(forms.Form):
    """The search for evidence for the plausible answers of a batch."""

    name = forms.CharField(label="Name of the pool", max_length=100, validators=[plain_name])
    threshold = forms.FloatField(
        label="Least token overlap (F1)",
        initial=0.3,
        min_value=0,
        max_value=1,
        help_text="A stretch of a passage is taken where its overlap with the answer is larger.",
    )
    scorer = forms.CharField(
        label="Similarity model",
        initial=DEFAULT_SCORER,
        help_text="The one that comes with Touchstone, or a folder or name that every worker finds.",
    )
    sas_threshold = forms.FloatField(
        label="Least similarity of a sentence",
        required=False,
        help_text=f"Empty: the model's own. {EVIDENCE[DEFAULT_SCORER]} for the one that comes along: on the"
        " shared task's answers it leaves 55 of 66 questions with evidence, and hardly a sentence about"
        f" something else. {EVIDENCE_BY_KIND['cross-encoder']} for a cross-encoder, as in the paper;"
        f" {EVIDENCE_BY_KIND['bi-encoder']} for another bi-encoder, where nobody has measured it: look at"
        " the evidence before you ask.",
    )
    max_words = forms.IntegerField(
        label="Maximum of words of evidence per question", initial=200, min_value=1
    )
    sample = forms.IntegerField(
        label="Ask about this many answers only",
        required=False,
        min_value=1,
        help_text="Drawn with the seed. Empty: all plausible ones.",
    )
    seed = forms.IntegerField(initial=1, min_value=0, max_value=2**63 - 1)
    only_never_asked = forms.BooleanField(
        label="Ask only about those that have not been asked about yet",
        required=False,
        initial=True,
        help_text="Otherwise the others are judged again, and the verdicts of the newer batch count.",
    )

    def __init__(self, *args: Any, is_first: bool, **options: Any) -> None:
        """`is_first`: the choice between all answers and those never asked about makes no difference."""
        super().__init__(*args, **options)
        if is_first:
            del self.fields["only_never_asked"]
        else:
            self.order_fields(["name", "only_never_asked"])
