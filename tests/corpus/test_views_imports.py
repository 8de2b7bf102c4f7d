"""Files are sent, checked and imported by the pages; what is wrong is said, and nothing is half done."""

import html
import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from accounts.actions import studies
from corpus import uploads
from corpus.actions import run_descriptions
from corpus.formats import DATASET_FORMATS
from corpus.models import Dataset, Run
from corpus.readers import scai_run, scores
from jobs import shortcuts
from jobs.actions import jobs
from jobs.models import Job, JobState
from tests.cases import all_cases
from tests.corpus.imports import answer, create_dataset, create_run, passage_table, turn
from tests.corpus.row_counts import n_rows
from tests.corpus.uploads import import_checked, job_page, post, run_newest_job, uploaded_file
from tests.parts import part

TURNS = [turn(1, "A stone."), turn(2, "It is dark.")]
ANSWERS = [answer(1, "A dark stone."), answer(2, "Black.")]


@pytest.fixture(autouse=True)
def folder(settings, tmp_path):
    settings.UPLOADS = tmp_path / "uploads"
    settings.UPLOADS.mkdir()
    return settings.UPLOADS


@pytest.fixture(autouse=True)
def started_jobs(monkeypatch):
    sent_to = []
    monkeypatch.setattr(shortcuts.work_on, "delay", sent_to.append)
    return sent_to


@pytest.fixture
def client(alice):
    client = Client()
    client.force_login(alice, backend="accounts.backends.RealPeopleBackend")
    return client


@part
def dataset(study, folder):
    return create_dataset(study, folder, TURNS)


def send_dataset(client, study, turns=TURNS, **data):
    return post(
        client, "dataset_import", study, {"truth": uploaded_file(turns), "name": "touch"} | data
    )


def send_runs(client, dataset, files, /, **data):
    about = {"dataset": dataset.pk, "kind": "system"}
    return post(client, "run_import", dataset.study, {"runs": files} | about | data)


def page_text(response):
    return response.content.decode()


def test_a_data_set_is_checked_and_then_imported(client, study, folder):
    passages = uploaded_file(passage_table(("1_1", "p1", "It is dark.")), "passages.tsv")
    before = n_rows()

    reply = send_dataset(client, study, passages=passages, licence="CC0", citation="Us, 2026")
    checked = run_newest_job()

    assert reply["Location"] == reverse("job", kwargs={"study": study.slug, "job": checked.pk})
    assert (checked.kind, checked.state) == ("check_dataset", JobState.DONE)
    assert n_rows() == before
    text = job_page(client, checked)
    assert "A new data set would be created" in text
    assert "CC0" in text
    assert "Us, 2026" in text
    assert "touch@1" in text

    import_checked(client, checked)
    done = run_newest_job()

    imported = Dataset.objects.get()
    assert (imported.licence, imported.citation) == ("CC0", "Us, 2026")
    assert [file["name"] for file in imported.files] == ["truth.json", "passages.tsv"]
    assert "The data set is there" in job_page(client, done)
    assert reverse("dataset", args=[study.slug, "touch", 1]) in job_page(client, done)


def test_the_files_of_an_import_are_removed_once_it_is_committed(
    client, study, folder, django_capture_on_commit_callbacks
):
    send_dataset(client, study)
    checked = run_newest_job()
    import_checked(client, checked)
    assert len(list(folder.iterdir())) == 1

    with django_capture_on_commit_callbacks(execute=True):
        run_newest_job()

    assert list(folder.iterdir()) == []
    assert "no longer here" in page_text(import_checked(client, checked))


def test_problems_of_two_files_of_one_name_are_told_apart(client, dataset):
    wrong = [uploaded_file([{**ANSWERS[0], "Model_answer": n}], "runs.json") for n in (1, 2)]
    send_runs(client, dataset, wrong, names="first\nsecond")

    text = job_page(client, run_newest_job())

    first, second = "runs.json</", "runs.json (2nd file of this name)</"
    # Each among the runs that were checked, and in the list of problems.
    assert (text.count(first), text.count(second)) == (2, 2)


def test_starting_a_check_wakes_a_worker(
    client, study, started_jobs, django_capture_on_commit_callbacks
):
    with django_capture_on_commit_callbacks(execute=True):
        send_dataset(client, study)

    assert started_jobs == [Job.objects.get().pk]


def test_problems_are_listed_by_row_and_nothing_is_offered_to_import(client, study):
    wrong = [{**TURNS[0], "Truth_answer": 3}, {**TURNS[1], "Turn_no": "two"}]
    send_dataset(client, study, wrong)

    checked = run_newest_job()
    text = job_page(client, checked)

    assert checked.state == JobState.DONE
    assert "Nothing would be imported: the files have 2 problems" in text
    for shown in ("record 1", "Truth_answer", "is not text", "record 2", "is not a whole number"):
        assert shown in text
    assert "Import</button>" not in text


def job_tag(text):
    return re.search(r'job-state">\s*<span class="tag([^"]*)">([^<]*)', text).groups()


def test_a_check_that_found_problems_says_so_whatever_it_checked(client, study, dataset):
    others = "problems found"
    send_dataset(client, study, [{**TURNS[0], "Truth_answer": 3}], name="other")
    assert job_tag(job_page(client, run_newest_job())) == (" bad", others)
    send_dataset(client, study, [turn(1, "A pebble.")])  # another one has the name
    assert job_tag(job_page(client, run_newest_job())) == (" bad", others)
    send_runs(
        client,
        dataset,
        [uploaded_file(ANSWERS, "a.json"), uploaded_file([{"Turn_no": 1}], "b.json")],
    )
    checked = run_newest_job()
    assert job_tag(job_page(client, checked)) == (" bad", others)
    assert "The job has ended: problems found" in job_page(client, checked)

    listed = client.get(reverse("jobs", kwargs={"study": study.slug})).content.decode()

    assert listed.count(others) == 3


def test_a_check_that_found_nothing_wrong_is_done(client, study, dataset):
    send_dataset(client, study)
    assert job_tag(job_page(client, run_newest_job())) == (" good", "done")
    send_runs(client, dataset, [uploaded_file(ANSWERS, "a.json")])
    assert job_tag(job_page(client, run_newest_job())) == (" good", "done")


def test_wrong_files_are_sent_anew_and_never_imported(client, study):
    send_dataset(client, study, [{**TURNS[0], "Truth_answer": 3}])
    checked = run_newest_job()

    assert reverse("dataset_import", args=[study.slug]) in job_page(client, checked)
    assert "nothing would be imported" in page_text(import_checked(client, checked)).lower()


EXAMPLES = {part.name: part.example for part in DATASET_FORMATS["scai"].parts}


def test_the_examples_of_the_import_pages_can_be_imported(client, study):
    files = {name: uploaded_file(text, f"{name}.txt") for name, text in EXAMPLES.items()}
    send_dataset(client, study, **files)
    import_checked(client, run_newest_job())
    run_newest_job()
    imported = Dataset.objects.get()
    send_runs(
        client,
        imported,
        [uploaded_file(scai_run.EXAMPLE, f"{name}.json") for name in ("alder", "birch")],
    )
    checked = run_newest_job()
    import_checked(client, checked)
    run_newest_job()
    about = {"dataset": imported.pk, "metric": "sas", "scorer": "m"}
    post(client, "scores_import", study, about | {"file": uploaded_file(scores.EXAMPLE, "s.csv")})

    assert run_newest_job().result["n_new"] == 2
    assert [set(run["counts"]) and run["outcome"] for run in checked.result["runs"]] == ["new"] * 2
    assert not any("quote" in said for run in checked.result["runs"] for said in run["warnings"])


@pytest.mark.parametrize(
    ("view", "shown"),
    [
        ("dataset_import", EXAMPLES.values()),
        ("run_import", [scai_run.EXAMPLE]),
        ("scores_import", [scores.EXAMPLE]),
    ],
)
def test_the_import_pages_show_an_example_of_each_file_in_three_lines(
    client, study, dataset, view, shown
):
    text = html.unescape(page_text(client.get(reverse(view, args=[study.slug]))))

    assert re.findall(r"<pre>(.*?)</pre>", text, re.DOTALL) == list(shown)
    assert [len(example.splitlines()) for example in shown] == [3] * len(shown)


def test_the_import_pages_name_every_field_of_the_examples(client, study, dataset):
    for view, example in (
        ("dataset_import", EXAMPLES.values()),
        ("run_import", [scai_run.EXAMPLE]),
    ):
        text = page_text(client.get(reverse(view, args=[study.slug])))
        hints = " ".join(re.findall(r'<p class="help"[^>]*>(.*?)</p>', text, re.DOTALL))
        fields = {
            name
            for each in example
            for name in re.findall(r'"(\w+)":', each) or each.splitlines()[0].split("\t")
        }

        assert {name for name in fields if name not in hints} <= {"tides_p0"}


def test_another_data_set_of_the_name_can_be_imported_as_the_next_version(client, study, dataset):
    send_dataset(client, study, [turn(1, "A pebble."), TURNS[1]])
    checked = run_newest_job()
    text = job_page(client, checked)
    assert "another data set has this name" in text
    assert "reference in 1" in text

    import_checked(client, checked)
    assert Job.objects.count() == 1  # not without being asked to

    import_checked(client, checked, as_new_version="1")
    run_newest_job()
    assert sorted(map(str, Dataset.objects.all())) == ["touch@1", "touch@2"]


def test_the_same_data_set_again_is_not_offered_to_import(client, study, dataset):
    send_dataset(client, study)
    checked = run_newest_job()

    text = job_page(client, checked)
    assert "the same is there already" in text
    assert "Import</button>" not in text
    assert "nothing would be imported" in page_text(import_checked(client, checked)).lower()


def test_what_was_imported_once_is_not_offered_again_but_by_who_resumes(client, study):
    send_dataset(client, study)
    checked = run_newest_job()
    import_checked(client, checked)

    text = job_page(client, checked)
    assert "Import</button>" not in text
    assert "Followed by" in text

    Job.objects.filter(kind="import_dataset").update(
        state=JobState.CANCELLED, finished_at="2026-01-01T00:00Z"
    )
    assert "Import</button>" in job_page(client, checked)


def test_clicking_import_twice_is_one_import(client, study):
    send_dataset(client, study)
    checked = run_newest_job()

    import_checked(client, checked)
    import_checked(client, checked)

    assert Job.objects.filter(kind="import_dataset").count() == 1


@pytest.mark.parametrize("state", [JobState.WAITING, JobState.RUNNING])
def test_what_was_not_checked_to_the_end_is_not_imported(client, study, state):
    send_dataset(client, study)
    checked = Job.objects.get()
    Job.objects.update(state=state)

    assert "has checked nothing" in page_text(import_checked(client, checked))
    assert Job.objects.count() == 1


def test_a_job_of_another_kind_or_study_is_not_imported(client, study, mallory):
    score = jobs.start(study=study, kind="score", key="k", params={}, by=study.created_by)
    assert "has checked nothing" in page_text(import_checked(client, score))

    other = studies.create_study(slug="bridges", title="Bridges", requester=mallory)
    theirs = jobs.start(study=other, kind="check_dataset", key="k", params={}, by=mallory)
    address = reverse("import_checked", kwargs={"study": study.slug, "job": theirs.pk})
    assert client.post(address).status_code == 404


@all_cases(
    ("data", "error"),
    [
        ({"truth": ""}, "Choose a file."),
        ({"truth": uploaded_file(b"")}, "“truth.json” is empty."),
        ({"questions": uploaded_file(b"", "q.json")}, "“q.json” is empty."),
        ({"name": ""}, "This field is required."),
        ({"name": "touch@2"}, "has no @"),
        ({"name": "n" * 101}, "at most 100 characters"),
        ({"name": "a\u2028b"}, "U+2028"),
        ({"name": "stones/../touch"}, "a part between slashes"),
    ],
)
def test_a_form_that_says_too_little_or_too_much_is_said_and_imports_nothing(
    client, study, data, error
):
    reply = send_dataset(client, study, **data)

    assert reply.status_code == 200
    assert error in page_text(reply)
    assert not Job.objects.exists()


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\xff\xfe", "not UTF-8"),
        ("turn_id\tpassage_id\n", "not JSON"),
        ("{}", "not a list of objects"),
        ("[]", "the list is empty"),
        ("[" * 100_000, "nested too deeply"),
        ("\ufeff \n", "not a list"),
    ],
)
def test_a_file_that_is_something_else_is_said_by_the_check(client, study, content, problem):
    send_dataset(client, study, truth=uploaded_file(content, "Bild.png"))

    text = job_page(client, run_newest_job())

    assert problem in text
    assert "Bild.png" in text


def test_two_files_of_one_name_are_told_apart(client, study):
    questions = [{"Conversation_no": 1, "Turn_no": 1, "Question": "And that?"}]
    send_dataset(client, study, questions=uploaded_file(questions, "truth.json"))
    import_checked(client, run_newest_job())
    run_newest_job()

    assert Dataset.objects.get().conversations.get().turns.first().question == "And that?"


def test_names_in_any_script_and_with_slashes_have_pages(client, study):
    name = "Prüfstein/試金石 50% #1?"
    send_dataset(client, study, name=name)
    import_checked(client, run_newest_job())
    done = run_newest_job()

    address = reverse("dataset", args=[study.slug, name, 1])
    assert address in job_page(client, done)
    assert name in page_text(client.get(address))
    assert name in page_text(client.get(reverse("datasets", args=[study.slug])))


def test_a_full_disk_is_a_sentence(client, study, monkeypatch):
    def full(path):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("config.storages.sync", full)

    reply = send_dataset(client, study)

    assert reply.status_code == 200
    assert "could not be kept (No space left on device)" in page_text(reply)


def test_files_that_are_gone_before_the_check_are_a_sentence(client, study):
    send_dataset(client, study)
    uploads.forget(Job.objects.get().params["upload"])

    assert "truth.json is not there. Either the upload was removed" in job_page(
        client, run_newest_job()
    )


def test_several_files_become_a_run_each_under_their_files_names(client, dataset):
    reply = send_runs(
        client,
        dataset,
        [uploaded_file(ANSWERS, "alder.json"), uploaded_file([ANSWERS[0]], "birch.v2.json")],
        team="Quarry",
        setup="rewritten",
    )
    checked = run_newest_job()
    assert reply.status_code == 302
    text = job_page(client, checked)
    assert "2 runs would be added" in text

    import_checked(client, checked)
    done = run_newest_job()

    runs = Run.objects.exclude(kind="reference").order_by("name")
    assert [(run.name, run.team, run.setup) for run in runs] == [
        ("alder", "Quarry", "rewritten"),
        ("birch.v2", "Quarry", "rewritten"),
    ]
    assert runs[0].files[0]["name"] == "alder.json"
    assert reverse("run", args=[dataset.study.slug, runs[0].pk]) in job_page(client, done)


def test_runs_can_be_named_in_the_form(client, dataset):
    files = [uploaded_file(ANSWERS, "run.json"), uploaded_file([ANSWERS[0]], "run.json")]
    send_runs(client, dataset, files, names="alder\r\n\r\n birch \n")
    import_checked(client, run_newest_job())
    run_newest_job()

    assert set(Run.objects.values_list("name", flat=True)) == {"reference", "alder", "birch"}


@pytest.mark.parametrize(
    ("names", "error"),
    [
        ("", "More than one run would be called run"),
        ("alder", "There are 1 names for 2 files."),
        ("alder\nalder", "More than one run would be called alder"),
        ("alder\nb|c", "has a |"),
        ("alder\n" + "b" * 201, "at most 200 characters"),
        ("alder\nb\u2029c", "There are 3 names for 2 files."),
        ("alder\nb\u0007c", "U+0007"),
    ],
)
def test_names_that_do_not_fit_are_said(client, dataset, names, error):
    files = [uploaded_file(ANSWERS, "run.json"), uploaded_file(ANSWERS, "run.json")]

    reply = send_runs(client, dataset, files, names=names)

    assert reply.status_code == 200
    assert error in page_text(reply)
    assert not Job.objects.exists()


def test_more_names_than_files_are_counted_and_not_compared(client, dataset):
    """Each with each: a list of a hundred thousand would keep the server for minutes."""
    reply = send_runs(client, dataset, [uploaded_file(ANSWERS, "run.json")], names="alder\n" * 3)

    assert "There are 3 names for 1 files." in page_text(reply)
    assert "More than one run" not in page_text(reply)


def test_of_several_runs_the_good_ones_are_imported_and_the_others_named(client, dataset, tmp_path):
    create_run(dataset, tmp_path, [answer(1, "Slate.")], name="cedar")
    create_run(dataset, tmp_path, ANSWERS, name="dogwood")
    files = {
        "alder": [*ANSWERS[:1], answer(2, "White.")],
        "birch": [answer(9, "Lost."), answer(1, 3)],
        "cedar": ANSWERS,
        "dogwood": ANSWERS,
        "elm": [answer(9, "Lost."), answer(8, "Lost too.")],
        "fir": ANSWERS,
    }
    send_runs(
        client, dataset, [uploaded_file(answers, f"{name}.json") for name, answers in files.items()]
    )

    checked = run_newest_job()

    text = job_page(client, checked)
    assert checked.state == JobState.DONE
    assert "2 runs would be added" in text
    assert "Another run has this name" in text  # cedar
    assert "there already" in text  # dogwood
    assert "is not a turn of touch@1" in text  # elm, by row
    assert "gives the same answers" in text  # fir
    assert "3 problems" in text

    import_checked(client, checked)
    done = run_newest_job()

    names = set(Run.objects.values_list("name", flat=True))
    assert names == {"reference", "alder", "cedar", "dogwood", "fir"}
    assert "2 runs" in job_page(client, done)


def test_answers_on_unknown_turns_are_left_out_where_asked(client, dataset):
    files = [uploaded_file([*ANSWERS, answer(9, "Lost.")], "alder.json")]
    send_runs(client, dataset, files, leave_out_unknown="on")
    import_checked(client, run_newest_job())
    run_newest_job()

    assert Run.objects.get(name="alder").n_left_out == 1


def test_where_no_run_would_come_in_none_is_offered(client, dataset):
    send_runs(client, dataset, [uploaded_file("nonsense", "alder.json")])
    checked = run_newest_job()

    text = job_page(client, checked)
    assert "Nothing would be added" in text
    assert "Import 0" not in text
    assert "no run would be imported" in page_text(import_checked(client, checked)).lower()


@pytest.mark.parametrize(
    ("data", "error"),
    [
        ({"runs": []}, "Choose a file."),
        (
            {"runs": [uploaded_file(b"", "a.json"), uploaded_file(ANSWERS, "b.json")]},
            "“a.json” is empty.",
        ),
        ({"dataset": "999"}, "Select a valid choice"),
        ({"dataset": "nonsense"}, "Select a valid choice"),
        ({"kind": "reference"}, "Select a valid choice"),
        ({"team": "a\u2028b"}, "U+2028"),
    ],
)
def test_a_form_of_runs_that_does_not_fit_is_said(client, dataset, data, error):
    sound = {
        "runs": [uploaded_file(ANSWERS, "alder.json")],
        "dataset": dataset.pk,
        "kind": "system",
    }

    reply = post(client, "run_import", dataset.study, sound | data)

    assert reply.status_code == 200
    assert error in page_text(reply)
    assert not Job.objects.exists()


def test_runs_of_another_study_s_data_set_are_refused(client, dataset, mallory, tmp_path):
    other = studies.create_study(slug="bridges", title="Bridges", requester=mallory)
    theirs = create_dataset(other, tmp_path, TURNS)

    reply = send_runs(client, dataset, [uploaded_file(ANSWERS, "alder.json")], dataset=theirs.pk)

    assert "Select a valid choice" in page_text(reply)


def test_without_a_data_set_the_way_leads_to_its_import(client, study):
    reply = client.get(reverse("run_import", args=[study.slug]), follow=True)

    assert "Runs answer a data set: import that first." in page_text(reply)


def test_a_form_without_its_token_is_refused(alice, study):
    client = Client(enforce_csrf_checks=True)
    client.force_login(alice, backend="accounts.backends.RealPeopleBackend")

    assert send_dataset(client, study).status_code == 403


def test_hostile_files_and_names_are_shown_and_not_run(client, dataset):
    hostile = '<img src=x onerror="alert(1)">'
    file = SimpleUploadedFile("x.json", b'[{"Conversation_no": "<script>alert(2)</script>"}]')
    send_runs(
        client,
        dataset,
        [file, uploaded_file(ANSWERS, "b.json")],
        names=f"{hostile}\nb",
        team=hostile,
    )

    text = job_page(client, run_newest_job())

    assert "<img src=x" not in text
    assert "<script>alert" not in text
    assert "&lt;script&gt;alert(2)" in text


def test_each_checked_run_has_its_own_description(client, dataset):
    files = [uploaded_file(ANSWERS, "a.json"), uploaded_file(ANSWERS[:1], "b.json")]
    send_runs(client, dataset, files, team="Quarry")
    checked = run_newest_job()
    assert job_page(client, checked).count('value="Quarry"') == 2

    import_checked(client, checked, **{"run-1-team": "Pit", "run-1-kind": "baseline"})
    run_newest_job()

    described = Run.objects.exclude(kind="reference").values_list("name", "team", "kind")
    assert sorted(described) == [("a", "Quarry", "system"), ("b", "Pit", "baseline")]


def test_a_description_that_no_run_may_have_is_refused_before_the_import(client, dataset):
    send_runs(client, dataset, [uploaded_file(ANSWERS, "a.json")])
    checked = run_newest_job()

    for field, value in (("team", "x" * 201), ("kind", "boat"), ("setup", "a\u0007")):
        reply = import_checked(client, checked, **{f"run-0-{field}": value})
        assert f"The {field} of a: “" in page_text(reply)
    assert not Job.objects.filter(kind="import_runs").exists()


def test_the_page_of_an_import_leads_to_the_run_after_it_was_renamed(client, dataset, alice):
    send_runs(client, dataset, [uploaded_file(ANSWERS, "a.json")])
    import_checked(client, run_newest_job())
    done = run_newest_job()
    run = Run.objects.get(name="a")
    run_descriptions.describe(dataset=dataset, wanted={run.pk: {"name": "ultron"}}, by=alice)

    assert reverse("run", args=[dataset.study.slug, run.pk]) in job_page(client, done)
