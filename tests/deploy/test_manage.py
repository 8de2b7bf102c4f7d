"""deploy/manage gives a command the settings of the file of systemd, as systemd reads them."""

import json
import os
import subprocess

import pytest

from tests.jobs.installation import ROOT

SHOW = "import json, os; print(json.dumps(dict(os.environ)))"


@pytest.fixture
def manage(tmp_path):
    """What deploy/manage ends with, by the text of the file."""

    def run(text):
        file = tmp_path / "touchstone.env"
        if text is not None:
            file.write_text(text, encoding="utf-8")
        return subprocess.run(
            [ROOT / "deploy" / "manage", "shell", "--verbosity", "0", "--command", SHOW],
            env={
                "PATH": os.environ["PATH"],
                "TOUCHSTONE_DATA": str(tmp_path),
                "TOUCHSTONE_ENVIRONMENT_FILE": str(file),
            },
            capture_output=True,
            text=True,
            check=False,
        )

    return run


def test_a_value_arrives_as_it_stands(manage):
    values = {
        "DATABASE_URL": "postgres://u:p@h/db?sslmode=require&connect_timeout=5",
        "AWS_SECRET_ACCESS_KEY": "$HOME/a;b#c`id`&='d'*",
        "TOUCHSTONE_HOSTS": "one.example, two.example",
        "TOUCHSTONE_MODELS": "",
    }
    lines = ["# about", "; about", "", *(f"{name}={value}" for name, value in values.items())]

    done = manage("\n".join(lines))

    assert (done.returncode, done.stderr) == (0, "")
    assert values.items() <= json.loads(done.stdout).items()


@pytest.mark.parametrize(
    "line", ['NAME="a"', "NAME='a'", r"NAME=a\b", "NAME= a", "NAME=a ", " NAME=a", "NA ME=a"]
)
def test_what_systemd_would_not_read_as_it_stands_is_refused(manage, line):
    done = manage(f"{line}\n")

    assert done.returncode != 0
    assert done.stdout == ""
    assert "NA" in done.stderr


def test_without_the_file_no_command_is_run(manage):
    done = manage(None)

    assert (done.returncode != 0, done.stdout) == (True, "")
