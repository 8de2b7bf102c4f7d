"""The page of late runs: computed by a job, topped up with one click, and as CSV."""

import csv
import io
import re

import pytest
from django.test import Client
from django.urls import reverse

from corpus.models import RunKind
from exports.late_runs import queries
from exports.rows.answers import answer_rows
from exports.rows.items import item_rows
from exports.rows.shown_answers import released_batches
from exports.withdrawals.queries import rests_on_pool
from jobs.actions import execution
from jobs.models import Job
from sampling.models import Pool
from tests.annotation.pools import launched
from tests.exports.missed_answers.test_views import judged_by
from tests.parts import part
from tests.sampling.late_runs import create_late_run


@pytest.fixture
def client(alice):
    client = Client()
    client.force_login(alice, backend="accounts.backends.RealPeopleBackend")
    return client


def address(name, dataset):
    return reverse(name, args=[dataset.study.slug, dataset.pk])


def page(client, dataset):
    reply = client.get(address("late_runs", dataset))
    assert reply.status_code == 200
    return reply.text


def words(text):
    return " ".join(re.sub(r"<[^>]*>", " ", text).split())


def compute(client, dataset):
    client.post(address("late_runs_start", dataset))
    return execution.run(Job.objects.filter(kind="late_runs").latest("pk"))


def rows_of(client, dataset):
    reply = client.get(address("late_runs_table", dataset))
    return {row["run"]: row for row in csv.DictReader(io.StringIO(b"".join(reply).decode()))}


def top_up(client, dataset, run="gale"):
    form = {"pool": dataset.pools.get(name="pool").pk, "run": dataset.runs.get(name=run).pk}
    return client.post(address("late_runs_top_up", dataset), form, follow=True)


@part
def dataset(pool, folder, bob, dora):
    """Judged: the tablet and "Black." are right, "Green." is not. Then gale and hazel came."""
    judged_by(launched(pool), (bob, dora), {"Green.": "implausible"})
    for name in ("gale", "hazel"):
        create_late_run(pool.dataset, folder, name)
    return pool.dataset


def test_where_no_run_is_late_it_leads_to_the_import(client, pool):
    said = page(client, pool.dataset)

    assert "No run of the data set came after a pool was drawn." in said
    assert reverse("run_import", args=[pool.study.slug]) in said


def test_each_answer_of_a_late_run_stands_in_one_column(client, dataset):
    compute(client, dataset)

    gale, hazel = rows_of(client, dataset).values()
    names = ("empty", "reference", "exact", "same_bag", "near", "new", "turn_not_asked")
    assert [gale[name] for name in names] == ["0", "0", "0", "1", "0", "1", "1"]
    assert [hazel[name] for name in names] == ["1", "1", "1", "0", "0", "0", "0"]
    assert (gale["coverage"], hazel["coverage"]) == ("0.0", "0.5")


def test_what_is_exact_inherits_its_verdict_and_what_has_its_words_does_not(client, dataset):
    compute(client, dataset)

    gale, hazel = rows_of(client, dataset).values()
    assert (hazel["lower"], hazel["upper"], hazel["n_open"]) == ("1.0", "1.0", "0")
    assert (gale["lower"], gale["upper"], gale["n_open"]) == ("0.0", "1.0", "2")
    assert "bounds 0 % to 100 %" in words(page(client, dataset))


def test_one_click_draws_the_top_up_and_leads_to_its_pool(client, dataset):
    compute(client, dataset)
    assert "Draw a top-up of pool for gale" in page(client, dataset)
    assert "Draw a top-up of pool for hazel" not in page(client, dataset)

    said = top_up(client, dataset).text

    assert "The top-up was drawn: open a batch on it." in said
    assert dataset.pools.get(name="pool + gale").counts["n_candidates"] == 2


def test_a_second_click_draws_nothing_and_says_why(client, dataset):
    top_up(client, dataset)

    said = top_up(client, dataset).text

    assert "There is nothing to ask about the run gale" in said
    assert Pool.objects.count() == 2


def test_after_the_top_up_is_judged_there_is_an_estimate_with_its_interval(
    client, dataset, bob, dora
):
    top_up(client, dataset)
    judged_by(
        launched(dataset.pools.get(name="pool + gale"), name="more"),
        (bob, dora),
        {"Basalt.": "implausible"},
    )
    compute(client, dataset)

    gale, hazel = rows_of(client, dataset).values()
    assert (gale["estimate"], gale["lower"], gale["upper"]) == ("0.5", "0.5", "0.5")
    assert 0 <= float(gale["estimate_low"] or 0) < float(gale["estimate_high"] or 1)
    assert (gale["top_ups"], gale["n_topped_up"]) == ("pool + gale", "2")
    assert hazel["estimate_note"] == "the pool was not topped up with answers of the run"
    assert "2 answers asked about" in words(page(client, dataset))
    assert "Draw a top-up" not in page(client, dataset)


def test_verdicts_of_the_top_up_count_in_the_next_release(client, dataset, bob, dora):
    top_up(client, dataset)
    judged_by(launched(dataset.pools.get(name="pool + gale"), name="more"), (bob, dora), {})

    batches = list(released_batches(dataset, is_rehearsal=False))
    rows = answer_rows(dataset, batches, item_rows(batches, dataset=dataset))

    tiers = {row.answer: row.tier for row in rows if row.run == "gale"}
    assert tiers == {"gold: a tablet to TEST!": "silver", "Basalt.": "silver", "Nobody.": ""}


def test_a_top_up_has_no_late_runs_of_its_own(client, dataset, tmp_path):
    top_up(client, dataset)
    create_late_run(dataset, tmp_path, "iris")

    found = queries.late_runs(dataset, lambda: None)

    assert [(row["pool"], row["run"]) for row in found] == [
        ("pool", "gale"),
        ("pool", "hazel"),
        ("pool", "iris"),
    ]


def test_references_and_withdrawn_runs_are_not_late(client, dataset):
    dataset.runs.filter(name="gale").update(kind=RunKind.REFERENCE)
    dataset.runs.filter(name="hazel").update(is_withdrawn=True)

    assert "No run of the data set came after a pool was drawn." in page(client, dataset)


def test_a_form_with_another_studys_run_or_no_number_is_not_found(client, dataset):
    here = address("late_runs_top_up", dataset)

    for form in ({}, {"pool": "x", "run": "1"}, {"pool": "0", "run": "0"}):
        assert client.post(here, form).status_code == 404


def test_before_the_figures_there_is_no_table(client, dataset):
    assert client.get(address("late_runs_table", dataset)).status_code == 404


def test_a_new_pool_or_run_puts_the_figures_out_of_date(client, dataset, tmp_path):
    compute(client, dataset)
    create_late_run(dataset, tmp_path, "iris")

    assert "Out of date" in page(client, dataset)


def test_a_pool_with_a_top_up_is_in_use(client, dataset):
    top_up(client, dataset)

    assert "Top-ups of it for late runs: pool + gale." in rests_on_pool(
        dataset.pools.get(name="pool")
    )
    assert (
        "pool"
        in client.get(
            reverse("pool", args=[dataset.study.slug, dataset.pools.get(name="pool + gale").pk])
        ).text
    )
