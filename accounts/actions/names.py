"""Names of users and of studies, each of which is taken by one."""

import contextlib
from collections.abc import Iterator
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import QuerySet


class NameTakenError(Exception):
    """There is a user or a study of that name already."""


def require_free(same_name: QuerySet[Any], message: str) -> None:
    if same_name.exists():
        raise NameTakenError(message)


@contextlib.contextmanager
def error_if_taken(same_name: QuerySet[Any], message: str) -> Iterator[None]:
    """Of two who take one name at the same time, the second gets NameTakenError from the database."""
    try:
        with transaction.atomic():
            yield
    except IntegrityError as error:
        if same_name.exists():
            raise NameTakenError(message) from error
        raise
