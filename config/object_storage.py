"""Storage in a bucket of S3 or of a service that speaks as it does; loaded where TOUCHSTONE_FILES names one.

Where it is and who we are is said by the variables of boto3: AWS_ENDPOINT_URL_S3, AWS_ACCESS_KEY_ID and so on.
"""

import contextlib
import errno
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from boto3.exceptions import Boto3Error
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError
from storages.backends.s3 import S3Storage

CONFIG = Config(connect_timeout=5, read_timeout=30, retries={"mode": "standard", "max_attempts": 3})
# A larger file is read by way of the disk.
MOST_IN_MEMORY = 10_000_000  # bytes


@contextlib.contextmanager
def failures_as_os_errors() -> Iterator[None]:
    """Raise what goes wrong with the bucket as OSError, which is what goes wrong with a folder."""
    try:
        yield
    except (BotoCoreError, Boto3Error, ClientError) as error:
        raise OSError(errno.EIO, f"the storage of TOUCHSTONE_FILES fails: {error}") from error


class ObjectStorage(S3Storage):  # type: ignore[misc]
    """Storage under a prefix of a bucket."""

    def __init__(self, bucket: str, prefix: str) -> None:
        super().__init__(
            bucket_name=bucket,
            location=prefix,
            client_config=CONFIG,
            max_memory_size=MOST_IN_MEMORY,
        )

    def _open(self, name: str, mode: str = "rb") -> Any:
        with failures_as_os_errors():
            # All of it now: who reads the file later would not expect the bucket's errors.
            return super()._open(name, mode).open()

    def _save(self, name: str, content: Any) -> Any:
        with failures_as_os_errors():
            return super()._save(name, content)

    def delete(self, name: str) -> None:
        with failures_as_os_errors():
            super().delete(name)

    def exists(self, name: str) -> bool:
        with failures_as_os_errors():
            return bool(super().exists(name))

    def listdir(self, path: str) -> tuple[list[str], list[str]]:
        with failures_as_os_errors():
            folders, files = super().listdir(path)
            return folders, files

    def size(self, name: str) -> Any:
        with failures_as_os_errors():
            return super().size(name)

    def get_modified_time(self, name: str) -> datetime:
        with failures_as_os_errors():
            modified: datetime = super().get_modified_time(name)
            return modified
