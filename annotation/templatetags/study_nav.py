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
    # Begun with the few rows that there are of disputes and flags, and in this order: joined, SQLite begins with all
    # items of the study.
    replaced = Verdict.objects.filter(replaces=OuterRef("pk"))
    of_study = Batch.objects.filter(study=OuterRef(OuterRef("pk")))
    of_verdict = of_study.counting().filter(items=OuterRef("item"))
    disputed = Verdict.objects.filter(~Exists(replaced), Exists(of_verdict)).filter(
        state=VerdictState.DISPUTED
    )
    flags = Flag.objects.filter(Exists(of_study.filter(items__assignments=OuterRef("assignment"))))
    messages = Message.objects.filter(study=OuterRef("pk"))
    rows = Study.objects.filter(pk=study)
    return rows.values_list(Exists(disputed), Exists(flags), Exists(messages))


_WAITING = Compiled(_waiting)
