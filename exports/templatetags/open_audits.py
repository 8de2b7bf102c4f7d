"""How many accepted answers wait for somebody's audit, for the pages that say what waits."""

from collections import defaultdict
from collections.abc import Collection

from django import template

from accounts.models import User
from exports.models import PrecisionAudit
from exports.precision_audit.queries import progress

register = template.Library()


@register.simple_tag
def open_audits(person: User, studies: Collection[int]) -> dict[int, int]:
    """Return how many answers the person is to audit, by the primary key of the study."""
    found: dict[int, int] = defaultdict(int)
    audits = PrecisionAudit.objects.filter(study__in=studies).select_related("dataset")
    for audit in audits:
        found[audit.study_id] += progress(audit, person).n_left_for_you
    return dict(found)


@register.filter
def in_study(counts: dict[int, int], study: int) -> int:
    return counts.get(study, 0)
