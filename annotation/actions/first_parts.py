"""The first part of a sheet: what is said before the passages are shown.

It is kept with the assignment, and only then does the server hand out the passages:
docs/adr/0019-what-is-said-before-the-passages.md says why.
"""

from typing import Any

from django.db import transaction

from accounts.models import User
from annotation import schemes
from annotation.actions import judgements
from annotation.actions.judgements import NotClaimedError
from annotation.models import Assignment
from annotation.schemes import ResponseError


@transaction.atomic
def show_the_rest(*, assignment: Assignment, response: dict[str, Any], by: User) -> Assignment:
    """Keep what was said: from now on the item shows all it has. What was kept before stays, whatever comes later.

    Raises ResponseError (not the whole first part, or more than that), NotClaimedError.
    """
    assignment = judgements.own(assignment, by)
    if assignment.state not in judgements.JUDGEABLE:
        raise NotClaimedError(f"this item was {assignment.state}")
    if assignment.first_part is None:
        assignment.first_part = _read(response, assignment)
        assignment.save(update_fields=["first_part"])
    return assignment


def _read(response: dict[str, Any], assignment: Assignment) -> dict[str, str] | None:
    scheme = schemes.get(assignment.item.batch.scheme)
    said = scheme.first_part(response, assignment.item.payload)
    if said is None:
        raise ResponseError(f"{scheme.name}: all of this item is shown at once")
    if more := set(response) - set(said):
        raise ResponseError(f"{scheme.name}: nothing called {min(more)} is asked in the first part")
    return said
