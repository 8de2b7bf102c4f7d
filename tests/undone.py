"""Acts that leave nothing behind, for tests that try many of them on the same rows."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import transaction


@contextmanager
def undone() -> Iterator[None]:
    """Whatever is done within is as if it had never been."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)
