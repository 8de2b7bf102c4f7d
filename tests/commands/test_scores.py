"""scores: the page's table without a browser."""

import csv
import io
import json

import pytest
from django.core.management import call_command
from django.test import Client

from jobs.models import Job
from scoring import presenter as scoring_presenter
from scoring import queries as scoring_queries
from scoring.actions import run_measures
from tests.commands.command_calls import command_error, run_command
from tests.corpus.imports import answer, create_dataset, create_run, turn
from tests.scoring.score_jobs import score
from tests.scoring.views.test_downloads import dataset, got

__all__ = ["dataset"]


@pytest.fixture
def client(alice):
    client = Client()
    client.force_login(alice, backend="accounts.backends.RealPeopleBackend")
    return client


@pytest.fixture
def options(dataset):
    return "--study", dataset.study.slug, "--dataset", "touch"


def printed(*args):
    out = io.StringIO()
    call_command("scores", *args, stdout=out)
    return out.getvalue()


def test_it_prints_what_the_page_s_file_has(client, options, study):
    page = got(client, study, "scores_csv").decode()

    assert printed(*options).rstrip() == page.rstrip()
    assert len(page.splitlines()) == 1 + 3 * 2


@pytest.mark.parametrize(("over", "asked"), [("all", ""), ("evaluator", "evaluator")])
def test_latex_is_that_of_the_page(client, options, study, over, asked):
    page = got(client, study, "scores_latex", over=asked).decode()

    assert printed(*options, "--latex", "--over", over) == page


def test_rankings_are_those_of_the_page(client, options, study):
    page = got(client, study, "rankings_csv").decode()

    assert printed(*options, "--rankings").rstrip() == page.rstrip()


def test_json_has_the_columns_of_the_csv_as_numbers(options):
    rows = run_command("scores", *options)["rows"]

    plain = list(csv.DictReader(io.StringIO(printed(*options))))
    assert [sorted(row) for row in rows] == [sorted(scoring_presenter.FIGURE_COLUMNS)] * 6
    as_text = [{name: "" if v is None else str(v) for name, v in row.items()} for row in rows]
    assert as_text == plain
    alder = next(row for row in rows if (row["run"], row["metric"]) == ("alder", "em"))
    assert alder["mean"] == 0.25
    assert alder["n_not_given"] == 1


def test_only_the_metrics_that_are_named_are_printed(options):
    rows = run_command("scores", *options, "--metric", "f1")["rows"]

    assert {row["metric"] for row in rows} == {"f1"}
    assert run_command("scores", *options, "--metric", "f1", "--rankings")["rows"] == []


def test_of_very_many_answers_the_page_s_job_counts_once(options, dataset, alice, monkeypatch):
    here = printed(*options)
    monkeypatch.setattr(scoring_queries, "MOST_ANSWERS_AT_ONCE", 1)

    assert printed(*options) == here
    assert printed(*options, "--over", "evaluator")
    assert Job.objects.filter(kind=run_measures.KIND).count() == 1

    score(dataset, "recall")
    assert len(json.loads(json.dumps(run_command("scores", *options)["rows"]))) == 9
    assert Job.objects.filter(kind=run_measures.KIND).count() == 2


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--metric", "rouge_l", "f1", "sas"], "there are no scores of rouge_l, sas"),
        (["--latex", "--rankings"], "--rankings are not LaTeX"),
        (["--latex", "--json"], "--json is not LaTeX"),
    ],
)
def test_what_cannot_be_printed_is_said(options, more, said):
    assert said in command_error("scores", *options, *more)


def test_without_scores_it_says_so(study, tmp_path):
    made = create_dataset(study, tmp_path, [turn(1, "a stone")])
    create_run(made, tmp_path, [answer(1, "slate")])

    said = command_error("scores", "--study", study.slug, "--dataset", "touch")

    assert said == "the data set touch@1 has no runs with scores to count"
