"""Results of RAGAS are uploaded on the page that imports scores; what is wrong is named by file, row and field."""

import html

import pytest

from scoring.models import ImportedScore
from tests.corpus.uploads import job_page, post, run_newest_job, uploaded_file
from tests.scoring.ragas_files import ragas
from tests.scoring.views.test_new_scores import client, dataset, folder, scores  # noqa: F401  fixtures

COLUMNS = ("id", "user_input", "response", "faithfulness", "answer_correctness")
ROWS = (("1_1", "", "A stone.", "", "1"), ("1_2", "", "Grey.", "0.25", "0.5"))


def asked(dataset, *rows, **changes):  # noqa: F811
    file = uploaded_file(ragas(*rows, columns=COLUMNS), "gpt-4.csv")
    about = {"dataset": dataset.pk, "format": "ragas", "scorer": "gpt-4", "run": "alder"}
    return {**about, "file": file, **changes}


def test_every_metric_of_the_file_is_imported_and_what_has_no_value_is_counted(
    client,  # noqa: F811
    dataset,  # noqa: F811
    study,
):
    post(client, "scores_import", study, asked(dataset, *ROWS))

    text = " ".join(job_page(client, run_newest_job()).split())

    assert "3 scores imported for the scorer" in text
    assert "faithfulness, answer_correctness" in text
    assert "1 cell had no value" in text
    assert ImportedScore.objects.filter(scorer__name="gpt-4").count() == 3


def test_one_metric_alone_is_imported_where_it_is_named(client, dataset, study):  # noqa: F811
    post(client, "scores_import", study, asked(dataset, *ROWS, metric="faithfulness"))
    run_newest_job()

    assert [each.value for each in ImportedScore.objects.all()] == [0.25]


@pytest.mark.parametrize(
    ("row", "run", "said"),
    [
        (("1_1", "", "A stone.", "", "much"), "alder", "answer_correctness"),
        (("1_9", "", "A stone.", "", "1"), "alder", "is no turn of the data set"),
        (("1_1", "", "A reed.", "", "1"), "alder", "is not what the run alder answered"),
        (("1_1", "", "A stone.", "", "1"), "", "name the run that answered, or add a column run"),
        (("1_1", "", "A stone.", "", "1"), "oak", "is no run of the data set that has answers"),
    ],
)
def test_what_is_wrong_is_named_by_file_row_and_field_and_nothing_is_imported(
    client,  # noqa: F811
    dataset,  # noqa: F811
    study,
    row,
    run,
    said,
):
    post(client, "scores_import", study, asked(dataset, ROWS[1], row, run=run))

    text = html.unescape(job_page(client, run_newest_job()))

    assert said in text
    assert "gpt-4.csv" in text
    assert ("row 2" if said.startswith(("name", "is no run")) else "row 3") in text
    assert not ImportedScore.objects.exists()


@pytest.mark.parametrize(
    ("metric", "scorer", "said"),
    [
        ("m" * 41, "gpt-4", "Ensure this value has at most 40 characters"),
        ("f1", "squad", "squad is what scores computed here are called"),
    ],
)
def test_a_column_that_can_be_no_metric_of_the_scorer_is_named(
    client,  # noqa: F811
    dataset,  # noqa: F811
    study,
    metric,
    scorer,
    said,
):
    table = ragas(ROWS[1], columns=(*COLUMNS[:-1], metric))
    file = uploaded_file(table, "gpt-4.csv")
    post(client, "scores_import", study, asked(dataset, file=file, scorer=scorer))

    text = html.unescape(job_page(client, run_newest_job()))

    assert f"column {metric}" in text
    assert said in text
    assert not ImportedScore.objects.exists()


def test_all_that_is_wrong_is_said_at_once(client, dataset, study):  # noqa: F811
    changes = {"format": "scores", "metric": "", "run": "alder"}
    text = post(client, "scores_import", study, asked(dataset, *ROWS, **changes)).content.decode()

    assert "This field is required." in text
    assert "Only a file of RAGAS takes a run here" in text


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"leave_out_unknown": "on"}, "A file of RAGAS is taken whole, or not at all."),
        ({"format": "scores", "metric": "sas"}, "Only a file of RAGAS takes a run here"),
        ({"format": "scores", "metric": "", "run": ""}, "This field is required."),
        ({"format": "other"}, "other is not one of the available choices"),
    ],
)
def test_what_does_not_go_together_is_said_at_its_field(client, dataset, study, changes, said):  # noqa: F811
    reply = post(client, "scores_import", study, asked(dataset, *ROWS, **changes))

    assert said in reply.content.decode()
    assert not study.jobs.exists()
