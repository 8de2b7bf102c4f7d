"""What was sent with a form that has an error need not be chosen again."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from corpus import uploads
from corpus.forms.kept_files import GONE
from jobs import shortcuts
from jobs.models import Job
from tests.corpus.imports import answer, create_dataset, turn
from tests.corpus.uploads import import_checked, post, run_newest_job, uploaded_file

TURNS = [turn(1, "A stone."), turn(2, "It is dark.")]
ANSWERS = [answer(1, "A dark stone.")]


@pytest.fixture(autouse=True)
def folder(settings, tmp_path, monkeypatch):
    monkeypatch.setattr(shortcuts.work_on, "delay", lambda job: None)
    settings.UPLOADS = settings.FILE_UPLOAD_TEMP_DIR = tmp_path / "uploads"
    settings.UPLOADS.mkdir()
    return settings.UPLOADS


@pytest.fixture
def client(alice):
    client = Client()
    client.force_login(alice, backend="accounts.backends.RealPeopleBackend")
    return client


@pytest.fixture
def dataset(study, tmp_path):
    return create_dataset(study, tmp_path, TURNS)


def kept(reply, field="runs") -> list[str]:
    """The stored names that the form would send again."""
    return re.findall(rf'name="{field}-kept" value="([^"]*)"', reply.content.decode())


def send_runs(client, dataset, *files, **data):
    about = {"dataset": dataset.pk, "kind": "system"}
    return post(client, "run_import", dataset.study, {"runs": list(files)} | about | data)


def run_file(name, content=ANSWERS):
    return uploaded_file(content, name)


def names_of(job) -> list[str]:
    return [run["settings"]["name"] for run in job.params["runs"]]


def test_the_file_of_a_data_set_is_kept_while_its_name_is_wrong(client, study, folder):
    first = post(client, "dataset_import", study, {"truth": uploaded_file(TURNS), "name": "a@b"})
    (truth,) = kept(first, "truth")
    assert "truth.json" in truth
    assert (
        "required"
        not in re.search(r'<input type="file" name="truth"[^>]*>', first.content.decode())[0]
    )

    second = post(client, "dataset_import", study, {"truth-kept": truth, "name": "touch"})

    assert second.status_code == 302
    checked = run_newest_job()
    assert checked.result["outcome"] == "new"
    assert checked.params["files"] == {"truth": truth}


def test_one_empty_file_of_several_is_named_and_the_others_are_kept(client, dataset):
    files = [run_file("a.json"), run_file("b.json", b""), run_file("c.json")]
    first = send_runs(client, dataset, *files, names="x\ny\nz")

    text = first.content.decode()
    assert "“b.json” is empty." in text
    assert [name.rpartition("/")[2] for name in kept(first)] == ["a.json", "c.json"]
    assert "x\nz</textarea>" in text

    send_runs(client, dataset, names="x\nz", **{"runs-kept": kept(first)})

    assert names_of(Job.objects.get()) == ["x", "z"]


def test_a_kept_file_can_be_removed_and_others_added(client, dataset, folder):
    first = send_runs(client, dataset, run_file("a.json"), run_file("b.json"), kind="boat")
    a, b = kept(first)

    data = {"runs-kept": [a, b], "runs-remove": [a], "names": "a\nb\nc"}
    send_runs(client, dataset, run_file("c.json"), **data)

    job = Job.objects.get()
    assert names_of(job) == ["b", "c"]
    assert job.params["runs"][0]["file"] == b
    assert not (folder / a).exists()
    assert all(run["outcome"] == "new" for run in run_newest_job().result["runs"])


def test_what_is_kept_stays_kept_over_another_error(client, dataset, folder):
    first = send_runs(client, dataset, run_file("a.json"), kind="boat")
    second = send_runs(
        client, dataset, run_file("a.json"), kind="boat", **{"runs-kept": kept(first)}
    )

    assert kept(second)[0] == kept(first)[0]
    assert kept(second)[1].endswith("/2/a.json (2nd file of this name)")
    assert len(list(folder.iterdir())) == 1


def test_a_new_file_replaces_the_kept_one_where_there_is_one(client, study):
    first = post(client, "dataset_import", study, {"truth": uploaded_file(TURNS), "name": "a@b"})
    data = {"truth": uploaded_file([TURNS[0]], "one.json"), "truth-kept": kept(first, "truth")}
    post(client, "dataset_import", study, data | {"name": "touch"})

    assert run_newest_job().result["counts"]["n_turns"] == 1


def test_files_of_others_of_a_job_and_of_nowhere_are_not_taken(client, dataset, bob, alice):
    mine = uploads.keep([run_file("a.json")], by=alice)
    theirs = uploads.keep([run_file("a.json")], by=bob).files[0]
    outside = f"{mine.name}/1/../../secret"
    for name in (theirs, outside, "/etc/passwd", f"{mine.name}/2/a.json", "x", ""):
        reply = send_runs(client, dataset, **{"runs-kept": name})
        assert reply.status_code == 200
        assert kept(reply) == []
    send_runs(client, dataset, **{"runs-kept": mine.files[0]})
    assert Job.objects.count() == 1

    again = send_runs(client, dataset, **{"runs-kept": mine.files[0]})  # by the browser's Back

    assert GONE in again.content.decode()
    assert Job.objects.count() == 1


def test_scores_are_kept_too(client, dataset):
    address = "scores_import"
    file = uploaded_file("id,run,sas\n1_1,alder,.9\n", "sas.csv")
    data = {"dataset": dataset.pk, "metric": "sas", "scorer": "a#b"}
    first = post(client, address, dataset.study, data | {"file": file})
    again = {"file-kept": kept(first, "file"), "scorer": "paper"}
    second = post(client, address, dataset.study, data | again)

    assert second.status_code == 302
    assert Job.objects.get().params["file"] == kept(first, "file")[0]


def test_a_failed_import_of_scores_offers_to_send_another_file(client, dataset):
    file = uploaded_file("id,run,other\n1_1,alder,.9\n", "sas.csv")
    data = {"dataset": dataset.pk, "metric": "sas", "scorer": "paper", "file": file}
    post(client, "scores_import", dataset.study, data)
    job = run_newest_job()

    page = client.get(reverse("job", args=[dataset.study.slug, job.pk])).content.decode()

    assert "Send another file" in page
    assert "Resume the job" not in page


def test_a_failed_import_of_runs_offers_to_send_other_files(client, dataset):
    send_runs(client, dataset, run_file("a.json"))
    checked = run_newest_job()
    import_checked(client, checked)
    job = Job.objects.order_by("-pk").first()
    uploads.forget(job.params["upload"])
    run_newest_job()

    page = client.get(reverse("job", args=[dataset.study.slug, job.pk])).content.decode()

    assert "Send other files" in page
