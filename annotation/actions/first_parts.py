"""The first part of a sheet: the answers given before the passages are shown.

It is stored with the assignment before the server sends the passages:
docs/adr/0018-comparisons-of-systems.md says why.
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
    """Store the first part; from now on the item shows everything. A first part stored earlier is kept.

    Raises ResponseError unless the response is exactly the first part, NotClaimedError.
    """
    assignment = judgements.locked_own_assignment(assignment, by)
    if assignment.state not in judgements.JUDGEABLE:
        raise NotClaimedError(f"this item was {assignment.state}")
    if assignment.first_part is None:
        assignment.first_part = _cleaned_first_part(response, assignment)
        assignment.save(update_fields=["first_part"])
    return assignment


def _cleaned_first_part(response: dict[str, Any], assignment: Assignment) -> dict[str, str] | None:
    scheme = schemes.get(assignment.item.batch.scheme)
    first_part = scheme.first_part(response, assignment.item.payload)
    if first_part is None:
        raise ResponseError(f"{scheme.name}: all of this item is shown at once")
    if more := set(response) - set(first_part):
        raise ResponseError(f"{scheme.name}: nothing called {min(more)} is asked in the first part")
    return first_part
