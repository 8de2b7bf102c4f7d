"""Sessions of signed-in users."""

from django.db.models import F

from accounts.models import User


def end_everywhere(*, by: User) -> None:
    """End every session of the person, the present one too."""
    User.objects.filter(pk=by.pk).update(n_sign_outs_everywhere=F("n_sign_outs_everywhere") + 1)
