"""Work that makes many objects and no cycles. Imports no Django."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def garbage_collection_off() -> Iterator[None]:
    """Switch the garbage collector off: it would scan millions of objects that have no cycles.

    If two threads do, one may switch it on early, which only makes the other slower.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
