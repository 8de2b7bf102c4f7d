"""What the environment says wrongly is a sentence of manage.py with exit code 1, and no traceback."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def manage(*args, **environment):
    return subprocess.run(
        [sys.executable, "manage.py", *args],
        env={**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings", **environment},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )


def error_line(*args, **environment):
    """What is said where nothing can be done; one line."""
    done = manage(*args, **environment)
    assert done.returncode == 1, done.stdout
    assert "Traceback" not in done.stderr
    (line,) = done.stderr.splitlines()
    return line


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("DATABASE_URL", "nonsense", "DATABASE_URL is no database's address: say postgres://"),
        ("DATABASE_URL", "postgres://u:tell@h:port/x", "DATABASE_URL is no database's address"),
        ("DATABASE_URL", "mysql://u:tell@h/x", "DATABASE_URL names no database that Touchstone"),
        ("DATABASE_URL", "postgres://u:tell@h/", "DATABASE_URL names no database that Touchstone"),
        ("DATABASE_URL", "sqlite:////no/where.sqlite3", "DATABASE_URL: there is no folder /no"),
        ("TOUCHSTONE_DATA", "/dev/null/data", "nothing can be written into the folder /dev/null/d"),
        ("TOUCHSTONE_LEASE_SECONDS", "long", "TOUCHSTONE_LEASE_SECONDS=long: give a number of sec"),
        ("TOUCHSTONE_LEASE_SECONDS", "nan", "TOUCHSTONE_LEASE_SECONDS=nan: give seconds above 0"),
        ("TOUCHSTONE_WAKE_SECONDS", "0", "TOUCHSTONE_WAKE_SECONDS=0: give seconds above 0"),
        ("TOUCHSTONE_WAKE_SECONDS", "inf", "TOUCHSTONE_WAKE_SECONDS=inf: give seconds above 0"),
        ("TOUCHSTONE_PROXIES", "one", "TOUCHSTONE_PROXIES=one: give a whole number from 0 to 10"),
        (
            "TOUCHSTONE_MODELS",
            "/srv/a/model,/srv/b/model",
            "TOUCHSTONE_MODELS has two models of the name model",
        ),
        ("TOUCHSTONE_PROXIES", "11", "TOUCHSTONE_PROXIES=11: give a whole number from 0 to 10"),
        ("TOUCHSTONE_LOG_LEVEL", "loud", "TOUCHSTONE_LOG_LEVEL=LOUD: give one of DEBUG, INFO,"),
        ("TOUCHSTONE_FILES", "/mnt/files", "TOUCHSTONE_FILES=/mnt/files: say s3://BUCKET or s3:"),
        ("TOUCHSTONE_FILES", "s3:///files", "TOUCHSTONE_FILES=s3:///files: say s3://BUCKET or"),
        ("TOUCHSTONE_LOG_FORMAT", "xml", "TOUCHSTONE_LOG_FORMAT=xml: give one of line, json"),
        ("TOUCHSTONE_METRICS_TOKEN", "short", "TOUCHSTONE_METRICS_TOKEN can be guessed: give 20"),
        ("TOUCHSTONE_DEBUG", "perhaps", "TOUCHSTONE_DEBUG=perhaps: say 1 or 0"),
    ],
)
def test_a_setting_that_cannot_be_meant_is_named(name, value, said):
    line = error_line("jobs", "--study", "lighthouses", **{name: value})

    assert line.startswith("Touchstone cannot start: ")
    assert said in line
    assert "tell" not in line


@pytest.mark.parametrize("command", [["migrate"], ["jobs", "--study", "lighthouses"]])
def test_a_server_that_is_not_there_is_told(command):
    line = error_line(*command, DATABASE_URL="postgres://u:tell@127.0.0.1:1/touchstone")

    assert "the database" in line
    assert "Connection refused" in line
    assert "tell" not in line


def test_a_database_that_cannot_be_opened_is_told(tmp_path):
    line = error_line("jobs", "--study", "lighthouses", DATABASE_URL=f"sqlite:///{tmp_path}")

    assert "unable to open database file" in line


def test_a_broker_that_nobody_knows_is_told():
    done = manage("jobs", "--study", "lighthouses", BROKER_URL="carrier-pigeon://loft")

    assert done.returncode == 1
    assert "BROKER_URL begins with carrier-pigeon" in done.stderr
    assert "Traceback" not in done.stderr


def test_wrong_arguments_end_with_exit_code_1():
    done = manage("jobs", "--study", "lighthouses", "--most", "-1")

    assert done.returncode == 1
    assert "argument --most: -1 is not between 1 and 10000" in done.stderr


def test_arguments_that_are_no_utf_8_are_refused():
    done = manage("create_user", os.fsdecode(b"zo\xeb"))

    assert done.returncode == 1
    assert done.stderr == "CommandError: argument name: 'zo\\udceb' is not UTF-8\n"
