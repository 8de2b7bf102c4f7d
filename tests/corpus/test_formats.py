"""What is promised of import formats: one module of corpus/readers each."""

from dataclasses import replace
from types import SimpleNamespace

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from corpus import formats
from corpus.formats import DuplicateFormatError
from corpus.problems import ImportProblems
from corpus.readers import scai_run
from corpus.readers.base import DatasetFormat, Part, ReadDataset
from corpus.records import DatasetRecords
from tests.corpus.reader_files import write_file

CARDS = DatasetFormat(
    name="cards",
    title="Index cards",
    parts=(
        Part(
            name="cards",
            label="Cards",
            help_text="Text, a question a line.",
            example="what are tides",
            option_help="one CARDS.txt",
        ),
    ),
    read=lambda files, beat: ReadDataset(DatasetRecords((), ()), []),
)


def test_the_formats_are_found_the_shared_tasks_first():
    assert next(iter(formats.DATASET_FORMATS)) == "scai"
    assert formats.RUN_FORMATS[0] == scai_run.RUN_FORMAT


@pytest.mark.parametrize("name", ["scai", "clapnq"])
def test_two_formats_of_one_name_are_refused_with_their_modules(name):
    first, second = (
        SimpleNamespace(__name__=f"corpus.readers.{module}", FORMAT=replace(CARDS, name=name))
        for module in ("cards", "copied_cards")
    )

    with pytest.raises(DuplicateFormatError, match=f"called {name}, in .* and .*cards: give"):
        formats.dataset_formats([first, second])


def test_what_begins_like_no_run_is_read_as_the_shared_tasks(tmp_path):
    assert formats.of_run(write_file(tmp_path, "id,answer")) == scai_run.RUN_FORMAT


def test_files_are_known_by_their_part_or_by_their_place_among_several():
    scai, clapnq = formats.DATASET_FORMATS["scai"], formats.DATASET_FORMATS["clapnq"]

    assert scai.by_key({"truth": ["t"], "passages": ["p"]}) == {"truth": "t", "passages": "p"}
    assert clapnq.by_key({"questions": ["a", "b"]}) == {"file 1": "a", "file 2": "b"}


@pytest.mark.parametrize(
    "format", formats.DATASET_FORMATS.values(), ids=list(formats.DATASET_FORMATS)
)
def test_the_examples_of_a_format_are_sound(format, tmp_path):
    files = format.by_key({part.name: [part] for part in format.parts})
    paths = {key: write_file(tmp_path, part.example, f"{key}.txt") for key, part in files.items()}

    try:
        read = format.read(paths, lambda: None)
    except ImportProblems as problems:
        pytest.fail(str(problems))
    assert read.records.turns


@pytest.mark.django_db
def test_one_more_format_is_on_the_page_and_asked_for_its_files(monkeypatch, client, study, alice):
    monkeypatch.setitem(formats.DATASET_FORMATS, CARDS.name, CARDS)

    client.force_login(alice, backend="accounts.backends.RealPeopleBackend")

    page = client.get(reverse("dataset_import", args=[study.slug]), {"format": "cards"})

    assert "Index cards</a>" in page.text
    assert "Text, a question a line." in page.text
    with pytest.raises(CommandError, match="2 files of the cards"):
        call_command(
            "import_dataset",
            "a",
            "b",
            study=study.slug,
            by=alice.username,
            name="c",
            format="cards",
        )
