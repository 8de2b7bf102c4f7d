"""An invitation for tests."""

from datetime import timedelta
from typing import Any

from django.utils import timezone

from accounts.models import Invitation, Role, Study
from activity.actions import inviting


def invited(study: Study, **changes: Any) -> tuple[Invitation, str]:
    """An invitation of the study's creator, and its token."""
    how = {
        "role": Role.ANNOTATOR,
        "n_most": 1,
        "expires_at": timezone.now() + timedelta(days=1),
        "note": "",
        "by": study.created_by,
    }
    return inviting.invite(study=study, **how | changes)
