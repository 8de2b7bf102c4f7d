"""Scoring and imports of scores as jobs; what is wrong with a file stands by row where people look for it."""

import pytest

from corpus import uploads
from corpus.uploads import Upload
from jobs.actions.jobs import JobStateError
from scoring.actions import score_jobs
from scoring.models import ImportedScore
from tests.corpus.imports import answer, create_dataset, create_run, turn
from tests.corpus.uploads import run_newest_job, uploaded_file


@pytest.fixture
def dataset(study, tmp_path):
    made = create_dataset(study, tmp_path, [turn(1, "A stone."), turn(2, "Black.")])
    create_run(made, tmp_path, [answer(1, "Slate."), answer(2, "Grey.")])
    return made


@pytest.fixture(autouse=True)
def folder(settings, tmp_path):
    settings.UPLOADS = tmp_path / "uploads"
    settings.UPLOADS.mkdir()
    return settings.UPLOADS


def import_csv(dataset, *rows, header="id,run,sas", **options) -> Upload:
    file = uploaded_file("\n".join([header, *rows]) + "\n", "sas.csv")
    upload = uploads.keep([file], by=dataset.created_by)
    asked = {"metric": "sas", "scorer": "paper", "leave_out_unknown": False, **options}
    score_jobs.import_scores(dataset=dataset, upload=upload, by=dataset.created_by, **asked)
    return upload


def test_scoring_starts_a_job_for_each_metric(dataset, alice):
    jobs = score_jobs.score(dataset=dataset, metrics=["em", "sas"], model="/m/tiny", by=alice)

    assert [job.params for job in jobs] == [
        {"dataset": dataset.pk, "metric": "em", "scorer": "", "bf16": False},
        {"dataset": dataset.pk, "metric": "sas", "scorer": "/m/tiny", "bf16": False},
    ]
    assert [job.key for job in jobs] == ["touch@1 em", "touch@1 sas /m/tiny"]


def test_scoring_what_is_being_scored_joins_it_or_starts_nothing(dataset, study, alice):
    asked = {"dataset": dataset, "model": "m", "by": alice}
    (first,) = score_jobs.score(metrics=["sas"], **asked)

    assert score_jobs.score(metrics=["sas"], **asked) == [first]
    with pytest.raises(JobStateError, match="was started with other parameters"):
        score_jobs.score(metrics=["em", "sas"], bf16=True, **asked)
    assert study.jobs.count() == 1


def test_imported_scores_are_attached_and_the_file_is_forgotten(
    dataset, folder, django_capture_on_commit_callbacks
):
    import_csv(dataset, "1_1,alder,0.9", "1_9,alder,0.5", leave_out_unknown=True)

    with django_capture_on_commit_callbacks(execute=True):
        job = run_newest_job()

    assert job.result == {
        "scorer": "paper#imported",
        "n_new": 1,
        "n_unchanged": 0,
        "n_left_out": 1,
    }
    assert ImportedScore.objects.get().value == 0.9
    assert not any(folder.iterdir())


def test_what_is_wrong_with_the_file_is_listed_by_row_and_nothing_is_imported(dataset):
    import_csv(dataset, "1_1,alder,high", "1_2,alder,0.4", "1_2,alder,0.5")

    job = run_newest_job()

    assert job.state == "failed"
    assert job.message.startswith("nothing was imported: 2 problems")
    assert list(job.errors.values_list("file", "row", "field")) == [
        ("sas.csv", "row 2", "sas"),
        ("sas.csv", "row 4", "sas"),
    ]
    assert not ImportedScore.objects.exists()


@pytest.mark.parametrize(
    ("rows", "options", "message"),
    [
        (["1_9,alder,0.5"], {}, "1_9 of the run alder has no answer"),
        (["1_1,alder,0.5"], {"header": "id,run,f1"}, 'column "sas" is not in the header'),
        (["1_1,alder,0.5"], {"scorer": "all-MiniLM-L6-v2"}, "import these under another name"),
    ],
)
def test_what_cannot_be_imported_is_said(dataset, rows, options, message):
    import_csv(dataset, *rows, **options)

    job = run_newest_job()

    assert job.state == "failed"
    assert message in job.message
    assert not ImportedScore.objects.exists()


def test_other_values_of_a_scorer_are_refused(dataset):
    import_csv(dataset, "1_1,alder,0.5")
    run_newest_job()
    import_csv(dataset, "1_1,alder,0.6")

    job = run_newest_job()

    assert job.message.startswith("nothing was imported: the scorer paper has other values")
    assert ImportedScore.objects.get().value == 0.5
