"""Marks on sections of a guideline that were unclear when an item was settled."""

from django.db import transaction

from accounts import permissions
from accounts.models import Role, User
from annotation.models import Item, UnclearMark
from annotation.queries import batch_clock, guideline_issues
from annotation.review_decisions import ReviewError
from audit import events


@transaction.atomic
def mark_unclear(
    *, item: Item, section: str, by: User, is_unclear: bool = True
) -> UnclearMark | None:
    """Mark a section of the guideline (empty: all of it) as unclear for this item, or take the mark back.

    Returns None if nothing changes: the button was pressed twice.
    """
    batch = item.batch
    permissions.require(by, batch.study, Role.ADJUDICATOR, Role.REQUESTER)
    if section and section not in guideline_issues.sections(batch.guideline.text):
        raise ReviewError(f"the guideline has no section {section}")
    Item.objects.locked().get(pk=item.pk)
    before = item.unclear_marks.filter(section=section, replaced_by=None).first()
    if is_unclear == (before is not None and before.is_unclear):
        return None
    mark = UnclearMark.objects.create(
        item=item,
        section=section,
        replaces=before,
        is_unclear=is_unclear,
        marked_at=batch_clock.now(batch),
        marked_by=by,
    )
    verb = "marked the guideline unclear" if is_unclear else "unmarked the guideline"
    events.record(study=batch.study, by=by, verb=verb, target=item, section=section)
    return mark
