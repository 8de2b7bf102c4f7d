"""Nearly the same answers, at the desk, with a pool and by the command: told before anything is drawn."""

from dataclasses import replace

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from jobs.actions import execution
from sampling.models import Fate, Pool
from sampling.pools.rule import Rule
from sampling.pools.selection import State
from scoring import queries as scoring_tables
from tests.commands.command_calls import command_error, run_command
from tests.corpus.imports import answer, create_run
from tests.parts import part
from tests.sampling.scored_dataset import RULE, create_scored_dataset, draw_pool, import_scores
from tests.sampling.views.test_desk import HTMX, answers_by_question, desk, fates, figures, press
from tests.sampling.views.test_pools import page

# "black." has 6 letters, "black ox." 9, three of which have to go: 1 - 3/15.
NEAR = replace(RULE, near=0.8)


@pytest.fixture
def client(alice):
    client = Client()
    client.force_login(alice, backend="accounts.backends.RealPeopleBackend")
    return client


@part
def dataset(study, folder):
    """`Black ox.` is near to `Black.`, by letters only; `Black ox` has its bag and no score."""
    dataset = create_scored_dataset(study, folder)
    create_run(dataset, folder, [answer(2, "Black ox.")], name="gorse")
    create_run(dataset, folder, [answer(2, "black ox")], name="hazel")
    import_scores(dataset, folder, {"gorse": [("1_2", 0.85)]})
    return dataset


def test_the_desk_takes_no_answers_for_nearly_the_same_unless_asked(client, dataset, study):
    text = desk(client, study)

    assert figures(text) == ["2", "4", "2.0", "8"]
    assert 'name="near"' in text
    assert "nearly the same, from a nearness" not in text
    press(client, study)
    assert "near" not in Pool.objects.get().rule
    assert "n_merged" not in Pool.objects.get().counts


def test_the_numbers_and_the_pool_are_those_of_the_nearness_that_is_asked_for(
    client, dataset, study
):
    text = desk(client, study, near="0.8")
    press(client, study, near="0.8")

    pool = Pool.objects.get()
    assert Rule.from_dict(pool.rule) == NEAR
    assert figures(text) == ["2", "3", "1.5", "6"]
    assert (pool.counts["n_candidates"], pool.counts["n_merged"]) == (3, 1)
    assert fates(text)["Represented"] == pool.counts["n_answers"]["represented"]
    assert 'name="near" value="0.8"' in text  # what a press on the button draws
    assert "from a nearness of <strong>0.8</strong>" in text


def test_what_would_be_merged_is_shown_with_how_near_it_is_and_why_the_other_is_kept(
    client, dataset, study
):
    text = desk(client, study, near="0.8")
    assert '<a href="' in text.split(">1 answer</a>")[0].rsplit("<p>", 1)[1]

    for headers in (None, HTMX):
        text = desk(client, study, headers=headers, near="0.8", show="merged")
        assert answers_by_question(text) == [["Black.", "Black ox."]]
        assert "nearness 0.800; the other is kept: higher score" in text


def test_that_nothing_is_so_near_is_said(client, dataset, study):
    text = desk(client, study, near="0.95", show="merged")

    assert text.count("No two answers above the threshold are as near as 0.95.") == 2
    assert answers_by_question(text) == []


def test_what_is_merged_is_not_looked_at_where_the_rule_asks_for_no_nearness(
    client, dataset, study
):
    assert answers_by_question(desk(client, study, show="merged"))[0][:2] == ["Black.", "Black ox."]


def test_a_represented_answer_says_how_near_it_is_unless_its_words_are_the_candidate_s(
    client, dataset, study
):
    [tool, colour] = desk(client, study, near="0.8", show="represented").split(
        '<article class="seen">'
    )[1:]

    assert "represented by (nearness 0.800)" in colour
    assert "represented by: " in colour  # "Blacks" has the words of "Black."
    assert "nearness" not in tool


@pytest.mark.parametrize("near", ["0.4", "1.1", "nan", "much"])
def test_a_nearness_that_cannot_be_meant_is_said_at_its_field(client, dataset, study, near):
    text = desk(client, study, near=near)

    assert 'id="id_near_error"' in text
    assert figures(text) == []


def test_very_many_answers_are_read_by_a_job_for_each_nearness(client, dataset, study, monkeypatch):
    expected = figures(desk(client, study, near="0.8"))
    monkeypatch.setattr(scoring_tables, "MOST_ANSWERS_AT_ONCE", 2)
    text = desk(client, study, near="0.8")
    assert "Read the answers" in text

    survey = reverse("pool_survey", args=[study.slug])
    fields = {"threshold": "0.8", "min_candidates": "1", "bag": "default", "seed": "1"}
    reply = client.post(survey, fields | {"near": "0.8"})

    assert "near=0.8" in reply.headers["Location"]
    execution.run(study.jobs.get())
    assert figures(desk(client, study, near="0.8")) == expected
    assert figures(desk(client, study, near="0.9")) == []
    [job] = study.jobs.all()
    text = client.get(reverse("job", args=[study.slug, job.pk])).content.decode()
    assert "&amp;near=0.8" in text


def test_a_pool_says_what_it_took_for_nearly_the_same(client, dataset):
    pool = draw_pool(dataset, NEAR)

    text = page(client, pool)
    assert "from a nearness of <strong>0.8</strong>" in text
    assert "1 text above the threshold goes with another" in text
    assert "near=0.8" in text  # the desk with this rule
    text = page(client, pool, list="left-out", state="represented")
    assert "by (nearness 0.800): " in text  # Black ox.
    assert "by (nearness 0.714): " in text  # black ox, which has the bag of that one
    assert Fate.objects.filter(pool=pool, state=State.REPRESENTED).count() == 4


def test_a_pool_drawn_in_parts_counts_the_same(dataset, client, study, monkeypatch):
    at_once = draw_pool(dataset, NEAR, name="at once")
    monkeypatch.setattr(scoring_tables, "MOST_ANSWERS_AT_ONCE", 2)
    options = ("--scorer", "paper", "--threshold", 0.8, "--min-candidates", 1, "--near", 0.8)

    run_command(
        *("draw_pool", "--study", study.slug, "--dataset", "touch", "--name", "in parts"), *options
    )

    in_parts = Pool.objects.get(name="in parts")
    assert in_parts.counts == at_once.counts
    assert in_parts.rule == at_once.rule


def test_the_left_out_answers_cost_the_same_few_queries_with_nearness(client, dataset):
    pool, plain = draw_pool(dataset, NEAR), draw_pool(dataset, name="plain")

    with CaptureQueriesContext(connection) as near_queries:
        page(client, pool, list="left-out")
    with CaptureQueriesContext(connection) as queries:
        page(client, plain, list="left-out")

    assert len(near_queries) == len(queries)


def test_the_command_shows_what_would_be_merged_and_draws_nothing(dataset, study):
    options = ("draw_pool", "--study", study.slug, "--dataset", "touch", "--name", "pool")
    rule = ("--scorer", "paper", "--threshold", 0.8, "--min-candidates", 1, "--near", 0.8)

    said = run_command(*options, *rule, "--preview")

    assert not Pool.objects.exists()
    assert said["merges"] == [
        {
            "turn": "1_2",
            "kept": "Black.",
            "kept_score": 0.9,
            "text": "Black ox.",
            "score": 0.85,
            "nearness": 0.8,
            "why": "higher score",
        }
    ]
    run_command(*options, *rule)
    counts = Pool.objects.get().counts
    assert {name: said[name] for name in counts} == counts
    assert "--near: Ensure this value is less" in command_error(
        *options, *rule[:-1], 2, "--preview"
    )
