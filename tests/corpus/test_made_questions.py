"""Made questions in and out again: by the command and by the page."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from corpus.models import Offer, Turn
from jobs import shortcuts
from tests.corpus.made_questions import lines, made_dataset, question
from tests.corpus.reader_files import write_file
from tests.corpus.row_counts import n_rows
from tests.corpus.uploads import import_checked, job_page, run_newest_job, uploaded_file

pytestmark = pytest.mark.django_db

MADE = (question("q1"), question("q2", type="open", proof="Nowhere said."))


@pytest.fixture
def file(tmp_path):
    return write_file(tmp_path, lines(*MADE), "made.jsonl")


def imported(study, path, *options):
    out = StringIO()
    call_command("import_questions", str(path), "--study", study.slug, *options, stdout=out)
    return out.getvalue()


def test_the_command_imports_them_and_says_which_proofs_are_not_there(study, file):
    said = imported(study, file, "--dataset", "made", "--types", "closed, open")

    dataset = study.datasets.by_name("made")
    assert dataset.format == "questions"
    types = Turn.objects.of(dataset).values_list("meta__type", flat=True)
    assert list(types) == ["closed", "open"]
    assert Offer.objects.filter(turn__conversation__dataset=dataset).count() == 2
    assert "n_proofs_with_other_white_space: 1" in said
    assert "n_proofs_not_in_passage: 1" in said
    assert "1 proof is not in its passage and kept as it came: q2" in said


def test_a_question_of_another_type_is_refused_and_nothing_is_imported(study, file):
    before = n_rows()

    with pytest.raises(CommandError) as caught:
        imported(study, file, "--dataset", "made", "--types", "closed,recall")

    assert (
        'made.jsonl: line 2: type: "open" is not one of the types asked for (closed, recall)'
        in str(caught.value)
    )
    assert n_rows() == before


def test_they_are_written_back_byte_for_byte(study, file, tmp_path):
    imported(study, file, "--dataset", "made")

    out = str(tmp_path / "out")
    call_command("export_dataset", study=study.slug, dataset="made", out=out, stdout=StringIO())

    assert (tmp_path / "out" / "made.jsonl").read_bytes() == file.read_bytes()


def test_the_next_version_takes_along_the_questions_that_are_the_same(study, file, tmp_path):
    first = made_dataset(study, tmp_path, *MADE)
    (tmp_path / "b").mkdir()
    changed = write_file(
        tmp_path / "b",
        lines(MADE[0], question("q2", type="recall", answer="Nobody.")),
        "made.jsonl",
    )

    with pytest.raises(CommandError, match="1 changed"):
        imported(study, changed, "--dataset", "made")
    imported(study, changed, "--dataset", "made", "--new-version")

    same, other = Turn.objects.of(study.datasets.by_name("made"))
    assert (same.same_as, other.same_as) == (Turn.objects.of(first)[0], None)


def test_the_page_checks_the_types_first_and_imports_what_is_sound(
    client, study, alice, settings, tmp_path, monkeypatch
):
    settings.UPLOADS = tmp_path / "uploads"
    settings.UPLOADS.mkdir()
    monkeypatch.setattr(shortcuts.work_on, "delay", lambda job: None)
    client.force_login(alice, backend="accounts.backends.RealPeopleBackend")
    address = f"{reverse('dataset_import', args=[study.slug])}?format=questions"

    def send(types):
        file = uploaded_file(lines(*MADE), "made.jsonl")
        client.post(address, {"questions": file, "name": "made", "types": types})
        return run_newest_job()

    refused = job_page(client, send("closed"))
    assert "is not one of the types asked for (closed)" in refused
    assert not study.datasets.exists()

    checked = send("closed, open")
    assert "1 proof is not in its passage and kept as it came: q2" in job_page(client, checked)
    import_checked(client, checked)
    run_newest_job()
    assert study.datasets.get().format == "questions"
