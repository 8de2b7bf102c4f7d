"""The form that draws a second round of written answers."""

from django import forms

from annotation.schemes.routing import Routes
from corpus.models import plain_name
from sampling.forms.rules import GREATEST_SEED

ROUTES = {
    Routes.GAPS: "Those whose ticked sentences are not consecutive",
    Routes.UNANSWERABLE: "These, and where somebody said that the passage does not answer",
    Routes.ALL: "Every answer",
}


class SecondRoundForm(forms.Form):
    """The name of the draft, which answers it shows, and the seed of their order."""

    name = forms.CharField(
        label="Name of the batch",
        max_length=100,
        validators=[plain_name],
        error_messages={"required": "Give the batch a name."},
    )
    routes = forms.ChoiceField(
        label="Which answers another person sees",
        widget=forms.RadioSelect,
        choices=[(each.value, words) for each, words in ROUTES.items()],
        initial=Routes.GAPS.value,
    )
    seed = forms.IntegerField(
        label="Seed",
        min_value=0,
        max_value=GREATEST_SEED,
        initial=1,
        help_text="The same seed gives the same order of items.",
    )
