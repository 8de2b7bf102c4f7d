"""Invitations for tests."""

from datetime import timedelta
from typing import Any

from django.utils import timezone

from accounts.actions import invitations
from accounts.models import Invitation, Role, Study


def create_invitation(study: Study, **changes: Any) -> tuple[Invitation, str]:
    """Create an invitation by the study's creator; return it with its token."""
    how = {
        "role": Role.ANNOTATOR,
        "n_most": 1,
        "expires_at": timezone.now() + timedelta(days=1),
        "note": "",
        "by": study.created_by,
    }
    return invitations.invite(study=study, **how | changes)
