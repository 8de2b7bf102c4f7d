"""The name of an installation's queue at the broker."""

import hashlib


def queue_name(key: str) -> str:
    """Return the name of the queue of the installation that has this secret key.

    Another installation on the same Redis has another one. A worker that read its messages would find
    no such job, or its own job of that number, and leave the other to wait.
    """
    return f"touchstone-{hashlib.sha256(f'queue of {key}'.encode()).hexdigest()[:16]}"
