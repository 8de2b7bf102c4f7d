"""The form of a search for evidence for the accepted answers of a batch."""

from typing import Any

from django import forms

from sampling.forms.search import SearchForm


class EvidenceForm(SearchForm):
    """The search for evidence for the plausible answers of a batch."""

    sample = forms.IntegerField(
        label="Ask about this many answers only",
        required=False,
        min_value=1,
        help_text="Drawn with the seed. Empty: all plausible ones.",
    )
    seed = forms.IntegerField(
        initial=1,
        min_value=0,
        max_value=2**63 - 1,
        help_text="The same seed draws the same answers.",
    )
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
