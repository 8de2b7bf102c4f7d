"""Archiving a study, so that it can be read and nothing in it changed, and bringing it back.

`accounts.permissions.require`, which every action on a study asks, refuses while it is archived.
"""

from django.db import transaction
from django.utils import timezone

from accounts import permissions
from accounts.actions.locks import lock_study
from accounts.errors import ActionError
from accounts.models import Role, Study, User
from annotation.models import Assignment, BatchState
from audit import events


class ArchiveError(ActionError):
    """The study cannot be archived or brought back; the message says why."""


@transaction.atomic
def archive(*, study: Study, by: User) -> Study:
    """Archive the study, and return it as it is now.

    Raises ArchiveError while people are asked about something, hold items, or a job is at work.
    """
    permissions.require_reader(by, study, Role.REQUESTER)
    lock_study(study)
    locked = Study.objects.get(pk=study.pk)
    if objection := objection_to_archiving(locked):
        raise ArchiveError(objection)
    locked.archived_at, locked.archived_by = timezone.now(), by
    locked.save(update_fields=["archived_at", "archived_by"])
    events.record(study=locked, by=by, verb="archived", target=locked)
    return locked


@transaction.atomic
def bring_back(*, study: Study, by: User) -> Study:
    """Let the study be changed again, and return it as it is now. Raises ArchiveError."""
    permissions.require_reader(by, study, Role.REQUESTER)
    lock_study(study)
    locked = Study.objects.get(pk=study.pk)
    if not locked.is_archived:
        raise ArchiveError(f"the study {locked.slug} is not archived")
    locked.archived_at = locked.archived_by = None
    locked.save(update_fields=["archived_at", "archived_by"])
    events.record(study=locked, by=by, verb="brought back", target=locked)
    return locked


def objection_to_archiving(study: Study) -> str:
    """Why the study cannot be archived now, as a sentence without its end; "" if it can."""
    if study.is_archived:
        return f"the study {study.slug} is archived already"
    at_work = study.batches.filter(state__in=[BatchState.OPEN, BatchState.PAUSED])
    if names := ", ".join(f"“{batch}”" for batch in at_work.order_by("created_at", "pk")):
        return f"batches are not closed: close {names} first"
    claims = Assignment.objects.claimed().filter(item__batch__study=study)
    last = claims.filter(expires_at__gt=timezone.now()).order_by("-expires_at").first()
    if last is not None:
        return f"a claim is still open, until {last.expires_at:%Y-%m-%d %H:%M} UTC at the latest"
    if jobs := ", ".join(f"{job.pk} ({job})" for job in study.jobs.unfinished().order_by("pk")):
        return f"a job is running: wait for the job {jobs}, or cancel it"
    return ""
