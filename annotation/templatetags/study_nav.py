"""What waits in a study, for its navigation."""

from django import template
from django.db.models import Exists, OuterRef, QuerySet

from accounts.models import Study
from annotation.models import Batch, Flag, Message, Verdict, VerdictState
from performance.compiled_queries import Compiled, Param

register = template.Library()


@register.simple_tag
def waiting(study: Study) -> dict[str, bool]:
    """Return whether there are `disputes`, `flags` and `messages` in the study, by one query."""
    found = _WAITING.first(study=study.pk) or ()
    return dict(zip(("disputes", "flags", "messages"), map(bool, found), strict=True))


def _waiting(study: Param) -> QuerySet[Study, tuple[bool, ...]]:
    batches = Batch.objects.counting().filter(study=OuterRef(OuterRef("pk")))
    disputed = Verdict.objects.current().filter(
        state=VerdictState.DISPUTED, item__batch__in=batches.values("pk")
    )
    flags = Flag.objects.filter(assignment__item__batch__study=OuterRef("pk"))
    messages = Message.objects.filter(study=OuterRef("pk"))
    rows = Study.objects.filter(pk=study)
    return rows.values_list(Exists(disputed), Exists(flags), Exists(messages))


_WAITING = Compiled(_waiting)
