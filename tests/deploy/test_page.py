"""docs/deployment.md names what there is, and no command in it is past the tests."""

import re
import subprocess

from tests.deploy import page
from tests.jobs.installation import ROOT

SETTING = re.compile(r"\b(TOUCHSTONE_[A-Z_]+|DATABASE_URL|BROKER_URL)\b")
OF_COMPOSE = {"TOUCHSTONE_HOST"}


def read(path):
    return (ROOT / path).read_text(encoding="utf-8")


def test_every_block_can_be_parsed_by_a_shell():
    blocks = page.blocks()

    wrong = [
        done.stderr
        for block in blocks
        if (
            done := subprocess.run(["bash", "-n"], input=block, capture_output=True, text=True)
        ).returncode
    ]

    assert len(blocks) > 10
    assert wrong == []


def test_most_commands_are_run_by_the_tests():
    run = page.commands_to_run()

    assert len(run) >= 15
    assert any(each.startswith("runuser -u touchstone -- deploy/manage migrate") for each in run)


def test_every_setting_that_deployment_names_is_one():
    known = set(SETTING.findall(read("docs/settings.md")))
    files = ["docs/deployment.md", *(f"deploy/{path.name}" for path in files_with_settings())]

    named = {name for file in files for name in SETTING.findall(read(file))}

    assert {"DATABASE_URL", "TOUCHSTONE_PROXIES"} <= named
    assert named - known - OF_COMPOSE == set()


def files_with_settings():
    return [
        path for path in (ROOT / "deploy").iterdir() if path.is_file() and path.name != "manage"
    ]
