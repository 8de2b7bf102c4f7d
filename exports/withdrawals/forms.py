from django import forms

from accounts.withdrawable import LONGEST_REASON


class ReasonForm(forms.Form):
    """The reason why something is withdrawn or brought back."""

    reason = forms.CharField(
        max_length=LONGEST_REASON, help_text="Shown on its pages, and kept in the history."
    )
