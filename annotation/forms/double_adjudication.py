from django import forms


class DrawForm(forms.Form):
    """The random draw of adjudications for double adjudication."""

    share = forms.FloatField(
        label="Share of the adjudicated items",
        min_value=0,
        max_value=1,
        initial=0.1,
        help_text="Above 0, up to 1; rounded up to whole items.",
        widget=forms.NumberInput(attrs={"step": "any"}),
    )
    seed = forms.IntegerField(
        label="Seed",
        min_value=0,
        max_value=2**31 - 1,
        initial=1,
        help_text="The same seed draws the same items of the same ones.",
    )
