"""TOUCHSTONE_FILES as the storages of Django's settings."""

from importlib.util import find_spec
from typing import Any

from django.core.exceptions import ImproperlyConfigured

S3 = "s3://"


def storage(place: str, name: str) -> dict[str, Any]:
    """Return the storage of releases or uploads: in the bucket that `place` names, else in the data folder.

    Raises ImproperlyConfigured if it names none, or a package is missing.
    """
    if not place:
        options = {"setting": name.upper()}
        return {"BACKEND": "config.storages.FolderStorage", "OPTIONS": options}
    bucket, _, prefix = place.removeprefix(S3).partition("/")
    if not (place.startswith(S3) and bucket):
        raise ImproperlyConfigured(
            f"TOUCHSTONE_FILES={place}: say s3://BUCKET or s3://BUCKET/PREFIX"
        )
    if not (find_spec("boto3") and find_spec("storages")):
        raise ImproperlyConfigured(
            "TOUCHSTONE_FILES needs django-storages and boto3: pip install -r requirements-s3.txt"
        )
    options = {"bucket": bucket, "prefix": f"{prefix.strip('/')}/{name}".lstrip("/")}
    return {"BACKEND": "config.object_storage.ObjectStorage", "OPTIONS": options}
