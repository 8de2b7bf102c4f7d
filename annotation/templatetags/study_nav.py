"""What waits in a study, for its navigation."""

from django import template

from accounts.models import Study
from annotation.models import Batch, Flag, Verdict, VerdictState

register = template.Library()


@register.simple_tag
def has_disputes(study: Study) -> bool:
    disputed = Verdict.objects.current().filter(
        state=VerdictState.DISPUTED, item__batch__in=Batch.objects.counting().filter(study=study)
    )
    return disputed.exists()


@register.simple_tag
def has_flags(study: Study) -> bool:
    return Flag.objects.filter(assignment__item__batch__study=study).exists()
