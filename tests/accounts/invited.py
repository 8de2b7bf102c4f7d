"""An invitation for tests."""

from datetime import timedelta
from typing import Any

from django.utils import timezone

from accounts.actions import invitations
from accounts.models import Invitation, Role, Study


def invited(study: Study, **changes: Any) -> tuple[Invitation, str]:
    """An invitation of the study's creator, and its token."""
    how = {
        "role": Role.ANNOTATOR,
        "n_most": 1,
        "expires_at": timezone.now() + timedelta(days=1),
        "note": "",
        "by": study.created_by,
    }
    return invitations.invite(study=study, **how | changes)
