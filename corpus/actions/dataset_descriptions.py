"""Licence and citation of a data set, which are no part of its content and may be changed."""

from collections.abc import Mapping

from django.db import transaction

from accounts import permissions
from accounts.models import Role, User
from audit import events
from corpus.models import Dataset

FIELDS = ("licence", "citation")


def with_those_of(before: Dataset | None, about: Mapping[str, str]) -> dict[str, str]:
    """Return licence and citation of a version that continues `before`: what is not given stays as it was."""
    return {
        field: about.get(field) or (getattr(before, field) if before else "") for field in FIELDS
    }


@transaction.atomic
def describe(*, dataset: Dataset, about: Mapping[str, str], by: User) -> dict[str, str]:
    """Write licence and citation, as far as `about` has them; return the former values of what changed.

    Releases that exist keep the earlier ones, later releases have these. Raises ValidationError.
    """
    permissions.require(by, dataset.study, Role.REQUESTER)
    locked = Dataset.objects.select_for_update(no_key=True).get(pk=dataset.pk)
    after = {
        field: about[field].strip()
        for field in FIELDS
        if field in about and about[field].strip() != getattr(locked, field)
    }
    before = {field: getattr(locked, field) for field in after}
    if not after:
        return before
    for field, text in after.items():
        setattr(locked, field, text)
        setattr(dataset, field, text)
    locked.full_clean(exclude=["files", "study"])
    locked.save(update_fields=list(after))
    events.record(
        study=dataset.study,
        by=by,
        verb="changed the description of",
        target=dataset,
        before=before,
        after=after,
    )
    return before
