"""What an adjudicator wishes not to be shown before a decision."""

from accounts.models import User
from annotation.models import AdjudicatorPreference


def hide_votes(*, hides: bool, by: User) -> None:
    """Hide what annotators said from the person until they have decided, or (`hides` false) show it."""
    AdjudicatorPreference.objects.update_or_create(adjudicator=by, defaults={"hides_votes": hides})
