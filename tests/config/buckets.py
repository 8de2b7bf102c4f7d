"""A local S3 (moto) as a process of its own, with an empty bucket."""

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import boto3

from tests.config.serving import free_port, status, until

NAME = "touchstone-tests"
# What a Touchstone is told of a bucket, beside the address of the service.
ACCESS = {
    "TOUCHSTONE_FILES": f"s3://{NAME}/ours",
    "AWS_ACCESS_KEY_ID": "tests",
    "AWS_SECRET_ACCESS_KEY": "tests",
    "AWS_DEFAULT_REGION": "us-east-1",
    # Nobody looks for credentials of this machine, in files or at a cloud.
    "AWS_CONFIG_FILE": os.devnull,
    "AWS_SHARED_CREDENTIALS_FILE": os.devnull,
    "AWS_EC2_METADATA_DISABLED": "true",
}


@contextmanager
def bucket(log: Path) -> Iterator[dict[str, str]]:
    """The variables that name a bucket of a running service."""
    port = free_port()
    command = [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)]
    with log.open("wb") as file:
        process = subprocess.Popen(command, stdout=file, stderr=file, start_new_session=True)
    try:
        until(lambda: status(port, "/moto-api/") == 200, "the local S3")
        environment = {**ACCESS, "AWS_ENDPOINT_URL_S3": f"http://127.0.0.1:{port}"}
        client(environment).create_bucket(Bucket=NAME)
        yield environment
    finally:
        process.kill()
        process.wait()


def client(environment: Mapping[str, str]) -> Any:
    return boto3.client(
        "s3",
        endpoint_url=environment["AWS_ENDPOINT_URL_S3"],
        aws_access_key_id=environment["AWS_ACCESS_KEY_ID"],
        aws_secret_access_key=environment["AWS_SECRET_ACCESS_KEY"],
        region_name=environment["AWS_DEFAULT_REGION"],
    )


def names(environment: Mapping[str, str]) -> list[str]:
    """The names of everything in the bucket."""
    listed = client(environment).list_objects_v2(Bucket=NAME)
    return [each["Key"] for each in listed.get("Contents", [])]
