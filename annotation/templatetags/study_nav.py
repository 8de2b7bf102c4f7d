"""What waits in a study, for its navigation."""

from django import template
from django.db.models import Exists, OuterRef

from accounts.models import Study
from annotation.models import Batch, Flag, Message, Verdict, VerdictState

register = template.Library()


@register.simple_tag
def waiting(study: Study) -> dict[str, bool]:
    """Return whether there are `disputes`, `flags` and `messages` in the study, by one query."""
    batches = Batch.objects.counting().filter(study=OuterRef(OuterRef("pk")))
    disputed = Verdict.objects.current().filter(
        state=VerdictState.DISPUTED, item__batch__in=batches.values("pk")
    )
    flags = Flag.objects.filter(assignment__item__batch__study=OuterRef("pk"))
    messages = Message.objects.filter(study=OuterRef("pk"))
    rows = Study.objects.filter(pk=study.pk)
    found = rows.values_list(Exists(disputed), Exists(flags), Exists(messages)).get()
    return dict(zip(("disputes", "flags", "messages"), map(bool, found), strict=True))
