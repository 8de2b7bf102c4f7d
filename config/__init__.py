import os

# Every process of Touchstone begins here. What it writes is its owner's alone, whatever umask it was
# started with: judgements, sessions and keys lie on machines that others have accounts on.
os.umask(0o077)

from config.celery import app as celery_app  # noqa: E402

__all__ = ["celery_app"]
