"""Who is paused in a whole study."""

from django.db.models import QuerySet

from accounts.models import Study, User
from annotation.models import Assignment, Pause


def _current() -> QuerySet[Pause]:
    return Pause.objects.filter(replaced_by=None, is_paused=True, is_of_study=True)


def is_paused_in_study(study: Study, annotator: User) -> bool:
    return _current().filter(batch__study=study, annotator=annotator).exists()


def is_of_paused_person(assignment: Assignment) -> bool:
    """Whether the assignment is of somebody who is paused in the whole study."""
    rows = _current().filter(annotator=assignment.annotator_id)
    return rows.filter(batch=assignment.item.batch_id).exists()


def study_pauses(study: Study) -> list[Pause]:
    """The newest row of each person who is paused in the whole study."""
    rows = _current().filter(batch__study=study).select_related("annotator", "paused_by")
    return list({row.annotator_id: row for row in rows.order_by("pk")}.values())
