"""docs/writing.md and docs/questions.md by commands: each line of their whole ways is run as it stands there."""

import csv
import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from accounts.models import User
from annotation.actions import claims
from annotation.models import Assignment, Batch, Item
from corpus.models import Dataset
from demo import curated
from demo.commands import DEMO_FOLDER
from tests import docs_commands
from tests.annotation import rounds

pytestmark = [pytest.mark.journey, pytest.mark.django_db]

HEADING = "The whole way by commands"


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    """A folder to work in, with the demonstration's data."""
    (tmp_path / "demo").symlink_to(DEMO_FOLDER)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(words: list[str]) -> None:
    call_command(*words, stdout=StringIO())


def write_all(batch: Batch) -> None:
    """bob and dora in turn write, or change what the other wrote, until neither is handed anything."""
    response = rounds.answered(2, 4, text="A first answer.")
    if batch.first_round is not None:
        response = rounds.answered(2, 4, text="A second answer.", kept="modify")
    people = [User.objects.get(username=name) for name in ("bob", "dora")]
    while people:
        people = [person for person in people if _writes(batch, person, response)]


def _writes(batch: Batch, person: User, response: dict[str, str]) -> bool:
    try:
        held = claims.claim(batch=batch, by=person)
    except claims.NothingToClaimError:
        return False
    for assignment in held:
        rounds.submit(assignment, response)
    return bool(held)


def test_written_answers_go_from_an_empty_study_to_files_by_the_commands_of_their_page(folder):
    for words in docs_commands.commands("writing.md", HEADING):
        if words[0] == "close_batch":
            write_all(Batch.objects.get(name=words[-1]))
        run(words)

    with (folder / "written" / "written.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    n_each = {number: sum(row["round"] == number for row in rows) for number in ("1", "2")}
    assert n_each == {"1": 16, "2": 16}
    assert len({(row["turn_id"], row["annotator"]) for row in rows}) == 32
    lines = (folder / "written/answers/train.jsonl").read_text(encoding="utf-8").splitlines()
    assert [len(json.loads(line)["output"]) for line in lines] == [2] * 8


def test_made_questions_go_from_a_file_to_their_next_version_by_the_commands_of_their_page(folder):
    for words in docs_commands.commands("questions.md", HEADING):
        if words[0] == "close_batch":
            curated.judge("curated", study="harbour")
        run([decided(word, words[0]) for word in words])

    version = Dataset.objects.get(name="harbour", version=2)
    n_edited = sum("curation" in turn.meta for turn in version_turns(version))
    assert (len(version_turns(version)), n_edited) == (10, 4)
    with (folder / "curated" / "questions.csv").open(encoding="utf-8", newline="") as file:
        outcomes = [row["outcome"] for row in csv.DictReader(file)]
    assert sorted(outcomes) == ["edited"] * 4 + ["kept"] * 6 + ["rejected"] * 2


def version_turns(dataset: Dataset) -> list:
    return [turn for each in dataset.conversations.all() for turn in each.turns.all()]


def decided(word: str, command: str) -> str:
    """The word; in the place of ITEM and ASSIGNMENT what the adjudicator decides of with this command."""
    if word not in ("ITEM", "ASSIGNMENT"):
        return word
    key = "as" if command == "mark_correct" else "label"
    (question,) = [
        name for name, said in curated.decisions().items() if key in said.get("carol", {})
    ]
    item = Item.objects.get(turn__conversation__key=question)
    if word == "ITEM":
        return str(item.public_id)
    person = curated.decisions()[question]["carol"]["as"]
    return str(Assignment.objects.get(item=item, annotator__username=person).public_id)
