"""Notes on items: they decide nothing and appear in the item's history."""

from django.db import transaction

from accounts import permissions
from accounts.models import Role, User
from annotation.models import Item, Note
from annotation.queries import batch_clock
from annotation.review_decisions import cleaned_words
from audit import events


@transaction.atomic
def note(*, item: Item, text: str, by: User) -> Note:
    """Add a note to the item. Raises ReviewError if the text is empty.

    The same text by the same person twice in a row is one note: the button was pressed twice.
    """
    study = item.batch.study
    permissions.require(by, study, Role.ADJUDICATOR, Role.REQUESTER)
    text = cleaned_words(text, "note")
    Item.objects.locked().get(pk=item.pk)
    last = item.notes.last()
    if last is not None and (last.text, last.noted_by) == (text, by):
        return last
    written = Note.objects.create(
        item=item, text=text, noted_at=batch_clock.now(item.batch), noted_by=by
    )
    events.record(study=study, by=by, verb="noted", target=item, text=written.text)
    return written
