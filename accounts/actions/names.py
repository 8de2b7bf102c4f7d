"""Names of users and studies, which are unique."""

import contextlib
from collections.abc import Iterator
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import QuerySet

from accounts.models import ERASED


class NameTakenError(Exception):
    """A user or a study has the name already, or it is kept for erased people."""


def require_not_of_erased(name: str) -> None:
    if name.lower().startswith(ERASED):
        raise NameTakenError(f"names that begin with {ERASED} are those of people who were erased")


def require_free(same_name: QuerySet[Any], message: str) -> None:
    if same_name.exists():
        raise NameTakenError(message)


@contextlib.contextmanager
def error_if_taken(same_name: QuerySet[Any], message: str) -> Iterator[None]:
    """Raise NameTakenError instead of IntegrityError if another transaction took the name first."""
    try:
        with transaction.atomic():
            yield
    except IntegrityError as error:
        if same_name.exists():
            raise NameTakenError(message) from error
        raise
