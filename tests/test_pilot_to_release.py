"""docs/pilot-to-release.md by commands: each line of it is run as it stands there."""

import json
import shlex
import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from annotation.models import Batch, Judgement
from tests import pilot_to_release as way
from tests.browser import small_dataset

pytestmark = [pytest.mark.journey, pytest.mark.django_db]

PLAN = "# Plan\n\nThe share of plausible answers of each run, settled unanimously.\n"


def run(words: list[str]) -> None:
    program, *arguments = words
    if program == "python3":
        subprocess.run([sys.executable, *arguments], check=True, capture_output=True)
        return
    assert arguments[0] == "manage.py"
    command, *options = arguments[1:]
    if command == "close_batch":
        way.judge_all(Batch.objects.get(name=options[-1]))
    if "ITEM" in options:
        for item, label in way.disputes("pilot"):
            given = {"ITEM": str(item.public_id), "LABEL": label}
            call_command(command, *(given.get(word, word) for word in options), stdout=StringIO())
    elif command == "qualify":
        assert passed(options) == set(way.CAREFUL)
    else:
        call_command(command, *options, stdout=StringIO())


def passed(options: list[str]) -> set[str]:
    """Return whom the rule would let in."""
    out = StringIO()
    call_command("qualify", *options, "--json", stdout=out)
    people = json.loads(out.getvalue())["people"]
    return {each["annotator"] for each in people if each["decision"] == "granted"}


def test_a_way_from_a_pilot_to_a_release_goes_by_the_commands_of_its_page(tmp_path, monkeypatch):
    way.create_study(tmp_path)
    monkeypatch.chdir(tmp_path)
    Path("guideline.md").write_text(small_dataset.guideline("plausibility"), encoding="utf-8")
    Path("plan.md").write_text(PLAN, encoding="utf-8")

    for _, text in way.steps():
        for line in way.commands(text):
            run(shlex.split(line))

    pilot, full, faithful = (Batch.objects.get(name=name) for name in ("pilot", "full", "faithful"))
    assert judges(pilot) == {*way.CAREFUL, *way.CARELESS}
    assert judges(full) == judges(faithful) == set(way.CAREFUL)
    assert way.disputes("pilot") == []
    manifest = json.loads(Path("release/manifest.json").read_text(encoding="utf-8"))
    batches = {each["name"]: each for each in manifest["batches"]}
    assert batches.keys() == {"pilot", "full", "faithful"}
    (plan,) = batches["full"]["analysis_plans"]
    assert plan["is_before_judgements"]
    assert Path("release", plan["file"]).read_text(encoding="utf-8") == PLAN


def judges(batch: Batch) -> set[str]:
    given = Judgement.objects.filter(assignment__item__batch=batch)
    return set(given.values_list("assignment__annotator__username", flat=True))
