"""The page of scores: a mean for each run and scorer, sorted as one likes; undefined is said, never 0."""

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.actions import studies
from jobs.actions import jobs
from scoring import queries as scoring_queries
from scoring import score_queries
from scoring.actions import run_measures, score_imports
from scoring.models import Scorer
from tests.corpus.imports import answer, create_dataset, create_run, turn
from tests.corpus.uploads import run_newest_job
from tests.parts import part
from tests.sampling.scored_dataset import create_scored_dataset, import_scores
from tests.scoring.score_jobs import score

HOSTILE = '<img src=x onerror="alert(1)">'


@pytest.fixture
def client(alice):
    client = Client()
    client.force_login(alice, backend="accounts.backends.RealPeopleBackend")
    return client


@part
def dataset(study, folder):
    return create_scored_dataset(study, folder)


@part
def conversations(study, folder):
    """Four conversations, and three systems on original and on rewritten questions, with EM and F1."""
    turns = [turn(1, f"stone {n}", conversation=n, passages=["p1"]) for n in range(1, 5)]
    made = create_dataset(study, folder, turns)
    for place, name in enumerate(("alder", "birch", "cedar"), start=1):
        said = [
            answer(
                1,
                f"stone {n}" if n <= place else "slate",
                conversation=n,
                **({"Model_passages": {"p1": 1.0}} if n <= 2 else {}),
            )
            for n in range(1, 5)
        ]
        for setup in ("original", "rewritten"):
            about = {"team": "rare", "system": name, "setup": setup}
            create_run(made, folder, said, name=f"{name}-{setup[0]}", **about)
    score(made, "em")
    score(made, "f1")
    return made


@pytest.mark.parametrize("page", ["scores", "score_start", "release_new", "measures"])
def test_a_newer_data_set_without_runs_is_offered_and_no_default(
    client, dataset, study, tmp_path, page
):
    bare = create_dataset(study, tmp_path, [turn(1, "A stone.")], name="other")

    text = client.get(reverse(page, args=[study.slug])).text
    assert f'<option value="{dataset.pk}" selected>' in text or text.index(
        f'<option value="{dataset.pk}"'
    ) < text.index(f'<option value="{bare.pk}"')
    assert f'<option value="{bare.pk}"' in text


def page(client, study, **query):
    return client.get(reverse("scores", args=[study.slug]), query).content.decode()


def names(text):
    return re.findall(r'<th scope="row">\s*<a href="[^"]*/runs/\d+/" dir="auto">([^<]*)<', text)


def row_of(text, name):
    start = text.index(f">{name}<")
    return text[start : text.index("</tr>", start)]


def test_every_step_that_is_missing_leads_to_where_it_is_done(client, study, tmp_path):
    assert reverse("dataset_import", args=[study.slug]) in page(client, study)

    dataset = create_dataset(study, tmp_path, [turn(1, "A stone.")])
    assert reverse("run_import", args=[study.slug]) in page(client, study)

    create_run(dataset, tmp_path, [answer(1, "Slate.")])
    text = page(client, study)
    assert "No answer has a score yet" in text
    assert reverse("score_start", args=[study.slug]) in text
    assert reverse("scores_import", args=[study.slug]) in text


def test_a_row_has_the_mean_of_each_scorer_and_what_it_is_over(client, dataset, study):
    score(dataset, "em")

    text = page(client, study)

    row = row_of(text, "alder")
    assert "0.925" in row  # (.95 + .9) / 2 by the paper's scorer
    assert row.count("n = 2<") == 2
    assert "EM squad" in text
    assert "SAS paper" in text


def test_a_figure_without_an_interval_says_why(client, dataset, study):
    # A single conversation, which every replicate draws.
    assert "no interval: all replicates are equal" in row_of(page(client, study), "alder")


def test_a_run_without_scores_has_an_undefined_mean_and_stands_last(
    client, dataset, study, tmp_path
):
    create_run(dataset, tmp_path, [answer(3, "Nobody.")], name="zzz")
    column = f"mean_{score_queries.scorers(dataset)[0].pk}"

    text = page(client, study, sort=f"-{column}")

    row = row_of(text, "zzz")
    assert "undefined" in row
    assert "no answer on a turn with a reference" in row
    assert "n = 0<" in row
    assert "0.000" not in row
    assert names(text)[-1] == "zzz"


def test_intervals_and_numbers_can_be_hidden_and_every_link_keeps_that(client, dataset, study):
    assert "[" in row_of(page(client, study), "alder") or "no interval" in page(client, study)

    text = page(client, study, intervals="hide")

    assert "n = " not in row_of(text, "alder")
    assert "no interval" not in row_of(text, "alder")
    assert "intervals=hide&amp;sort=name" in text
    assert '<option value="hide" selected>hidden</option>' in text


def test_the_scoring_that_is_at_work_is_followed_until_it_ends(client, dataset, study, alice):
    by_htmx = {"headers": {"HX-Request": "true"}}
    here = reverse("scores", args=[study.slug])
    params = {"dataset": dataset.pk, "metric": "em", "scorer": "", "bf16": False}
    job = jobs.start(study=study, kind="score", key="em of it", params=params, by=alice)
    assert "em of it" in page(client, study)
    part = client.get(here, **by_htmx)
    assert "em of it" in part.text
    assert "<html" not in part.text

    jobs.fail(job=job, message="no")

    assert client.get(here, **by_htmx).headers["HX-Refresh"] == "true"
    text = page(client, study)
    assert "failed" in text
    assert reverse("job", args=[study.slug, job.pk]) in text
    assert "HX-Refresh" not in client.get(here).headers


def test_a_measure_that_was_computed_and_has_no_score_says_why(client, dataset, study):
    """No run of the data set ranks passages."""
    score(dataset, "mrr")

    text = page(client, study)

    assert "MRR (no run ranks passages on a turn with known relevant passages)" in text


def test_the_list_is_sorted_by_the_mean_of_any_scorer(client, dataset, study):
    column = f"mean_{score_queries.scorers(dataset)[0].pk}"

    # dogwood's .99 is over two turns, of which it left one empty.
    assert names(page(client, study, sort=f"-{column}"))[:2] == ["alder", "cedar"]
    assert names(page(client, study, sort=column))[:2] == ["dogwood", "fir"]
    assert names(page(client, study)) == ["alder", "birch", "cedar", "dogwood", "echo", "fir"]


def test_runs_of_a_setup_stand_together_however_the_list_is_sorted(client, conversations, study):
    column = f"mean_{score_queries.scorers(conversations)[0].pk}"

    for sort in ("", "name", "-name", column, f"-{column}"):
        text = page(client, study, sort=sort)
        original, rewritten = text.split("Rewritten questions</span>")[:2]
        assert sorted(names(original)) == ["alder-o", "birch-o", "cedar-o"]
        assert sorted(names(rewritten)) == ["alder-r", "birch-r", "cedar-r"]
    assert names(page(client, study, sort="-name"))[:3] == ["cedar-o", "birch-o", "alder-o"]


def test_either_denominator_can_be_chosen_and_is_said(client, conversations, study):
    score(conversations, "mrr")

    every = page(client, study)
    evaluator = page(client, study, over="evaluator")

    assert "n = 4 (2 missing)" in row_of(every, "alder-o")
    assert "missing rankings as 0" in every
    assert "n = 2<" in row_of(evaluator, "alder-o")
    assert "in the shared task" in evaluator
    assert 'value="evaluator" selected' in evaluator
    assert "over=evaluator" in re.search(r'href="([^"]*table.csv[^"]*)"', evaluator)[1]


def test_the_rankings_say_value_and_number_of_runs(client, conversations, study):
    text = page(client, study)
    rankings = text[text.index("How the measures rank") :]

    # Both put the three runs of each setup in the same order.
    original = rankings[rankings.index("Original questions") : rankings.index("Rewritten")]
    assert re.search(r"EM.*?1\.000.*?>3</td>", original, re.DOTALL)
    between = rankings[rankings.index("Original against rewritten") :]
    assert between.count(">3</td>") == 2  # a row of each scorer


def test_rankings_are_compared_with_f1_rather_than_exact_match(client, conversations, study):
    chosen = Scorer.objects.get(metric="em")

    assert "Rank correlation of each measure with F1 by" in page(client, study)
    assert "Rank correlation of each measure with EM by" in page(client, study, against=chosen.pk)


def test_rankings_without_two_runs_or_measures_say_what_is_missing(client, study, tmp_path):
    made = create_dataset(study, tmp_path, [turn(1, "A stone.")])
    create_run(made, tmp_path, [answer(1, "Slate.")])
    score(made, "em")
    text = page(client, study)
    assert "Only one scorer has scores" in text
    assert "No system has one run with the setup" in text

    score(made, "f1")
    assert "No two runs were given the same questions" in page(client, study)


def test_rankings_of_runs_that_all_tie_are_undefined_with_the_reason(client, dataset, study):
    score(dataset, "em")

    rankings = page(client, study).partition("How the measures rank")[2]

    assert "undefined" in rankings
    assert "all runs have the same value" in rankings


def test_each_scorer_is_told_with_its_version_and_where_it_comes_from(client, dataset, study):
    score(dataset, "f1")

    text = page(client, study)

    table = text[text.index("<h2>Scorers</h2>") :]
    assert re.search(r">squad<.*?>1<.*?computed here", table, re.DOTALL)
    assert re.search(r">paper<.*?>imported<.*?imported", table, re.DOTALL)
    assert "11 scores" in table


def test_a_data_set_is_chosen_where_there_are_several(client, dataset, study, tmp_path):
    other = create_dataset(study, tmp_path, [turn(1, "Granite.")], name="granite")
    create_run(other, tmp_path, [answer(1, "Granite.")], name="gorse")
    score(other, "em")

    assert names(page(client, study)) == ["gorse"]  # the newest, unless another is asked for
    assert "alder" in names(page(client, study, dataset=dataset.pk))
    assert names(page(client, study, dataset="x'; --")) == ["gorse"]


def test_much_is_counted_by_a_job_and_not_while_one_waits(
    client, dataset, study, tmp_path, monkeypatch
):
    monkeypatch.setattr(scoring_queries, "MOST_ANSWERS_AT_ONCE", 2)
    monkeypatch.setattr(run_measures, "comparison_now", None)
    assert "There are too many answers" in page(client, study)

    reply = client.post(reverse("scores_count", args=[study.slug]), {"dataset": dataset.pk})
    assert reply.headers["Location"] == reverse("job", args=[study.slug, study.jobs.get().pk])
    assert "The table is being computed" in page(client, study)

    run_newest_job()
    text = page(client, study)
    assert "0.925" in row_of(text, "alder")
    assert "Compute the table" not in text

    import_scores(dataset, tmp_path, {"fir": [("1_3", 0.1)]})
    create_run(dataset, tmp_path, [answer(1, "Slate.")], name="gorse")
    text = page(client, study)
    assert "runs or scores were added since" in text
    assert "0.925" in row_of(text, "alder")
    assert "not counted yet" in row_of(text, "gorse")


def test_the_job_says_how_much_it_counted(client, dataset, study, monkeypatch):
    monkeypatch.setattr(scoring_queries, "MOST_ANSWERS_AT_ONCE", 2)
    client.post(reverse("scores_count", args=[study.slug]), {"dataset": dataset.pk})
    run_newest_job()

    text = client.get(reverse("job", args=[study.slug, study.jobs.get().pk])).content.decode()

    assert "6 runs under 1 scorer: the table is counted." in text


def test_where_nothing_can_be_counted_it_is_said(client, study, tmp_path):
    made = create_dataset(study, tmp_path, [turn(1, "A stone.")])

    reply = client.post(
        reverse("scores_count", args=[study.slug]), {"dataset": made.pk}, follow=True
    )

    assert "has no runs with scores to count" in reply.content.decode()


def test_a_count_that_is_begun_otherwise_is_said(client, dataset, study, tmp_path, alice):
    run_measures.begin(dataset=dataset, by=alice)
    import_scores(dataset, tmp_path, {"fir": [("1_3", 0.1)]})

    reply = client.post(
        reverse("scores_count", args=[study.slug]), {"dataset": dataset.pk}, follow=True
    )

    assert "was started with other parameters" in reply.content.decode()


@pytest.mark.parametrize("pk", ["", "x", "0", "99999999999999999999", "9" * 5000])
def test_what_is_no_data_set_of_the_study_is_not_found(client, dataset, study, pk):
    reply = client.post(reverse("scores_count", args=[study.slug]), {"dataset": pk})

    assert reply.status_code == 404


def test_the_number_of_queries_does_not_grow_with_runs(
    client, study, tmp_path, django_assert_num_queries
):
    def make(name, n):
        made = create_dataset(
            study, tmp_path, [turn(k, f"Stone {k}.") for k in range(1, n)], name=name
        )
        for k in range(n):
            create_run(made, tmp_path, [answer(1, f"Slate {k}.")], name=f"r{k}")
        score(made, "em")
        return made

    few, many = make("few", 3), make("many", 30)
    with CaptureQueriesContext(connection) as first:
        page(client, study, dataset=few.pk)
    with django_assert_num_queries(len(first)):
        assert len(names(page(client, study, dataset=many.pk))) == 30


def test_names_that_would_be_markup_are_shown_as_they_are(client, study, tmp_path):
    dataset = create_dataset(study, tmp_path, [turn(1, "A stone.")])
    create_run(dataset, tmp_path, [answer(1, "Slate.")], name=HOSTILE, team=HOSTILE)
    path = tmp_path / "s.csv"
    path.write_text(f'id,run,sas\n1_1,"{HOSTILE.replace(chr(34), chr(34) * 2)}",0.5\n')
    score_imports.save(
        dataset=dataset,
        metric="sas",
        scorer=HOSTILE,
        records=score_imports.read(path, metric="sas"),
        file="s.csv",
        by=study.created_by,
    )

    text = page(client, study, q=HOSTILE)

    assert HOSTILE not in text
    assert text.count("&lt;img src=x") >= 4


def test_the_scores_of_another_study_are_not_there(client, dataset, mallory):
    studies.create_study(slug="elsewhere", title="Elsewhere", requester=mallory)

    assert client.get(reverse("scores", args=["elsewhere"])).status_code == 404
