"""The page of late runs: computed by a job, topped up with one click, and as CSV."""

import csv
import io
import json
import re
from dataclasses import replace

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from corpus.models import RunKind
from exports.late_runs import queries
from exports.rows.answers import answer_rows
from exports.rows.items import item_rows
from exports.rows.per_run import run_rows
from exports.rows.shown_answers import released_batches
from exports.verification.program import verify
from exports.withdrawals.queries import rests_on_pool
from jobs.actions import execution
from jobs.models import Job, JobState
from sampling.models import Pool
from tests.annotation.pools import launched
from tests.corpus.imports import save_dataset
from tests.exports.judged_batches import release
from tests.exports.missed_answers.test_views import judged_by
from tests.parts import part
from tests.recomputed_tables import table
from tests.sampling.late_runs import create_late_run
from tests.sampling.scored_dataset import RULE, TURNS, create_scored_dataset, draw_pool

OTHER_QUESTION = [*TURNS[:2], TURNS[2] | {"Truth_rewrite": "Who then invented it?"}]


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

    assert "No run is late: each pool was drawn from all runs of the data set." in said
    assert reverse("run_import", args=[pool.study.slug]) in said


def test_a_version_without_a_pool_leads_to_the_version_that_has_one(client, dataset, tmp_path):
    save_dataset(dataset.study, tmp_path, OTHER_QUESTION, as_new_version=True)
    later = dataset.study.datasets.by_name("touch")

    said = page(client, later)

    assert "touch@2 has no pool of its own that a run could be late to." in said
    assert "Pools of touch@1: pool." in said
    assert "carry_over --dataset touch@2 takes it along" in said
    assert later.runs.filter(name="gale").exists()
    assert f'href="{address("late_runs", dataset)}"' in said


def test_without_any_pool_it_says_that_one_is_needed_first(client, study, tmp_path):
    said = page(client, create_scored_dataset(study, tmp_path))

    assert "no version of the data set has one yet: draw one first" in said
    assert reverse("pool_new", args=[study.slug]) in said


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


def test_before_the_top_up_is_settled_there_is_no_estimate(client, dataset):
    top_up(client, dataset)
    launched(dataset.pools.get(name="pool + gale"), name="more")
    compute(client, dataset)

    gale = rows_of(client, dataset)["gale"]
    assert (gale["estimate"], gale["n_topped_up"], gale["n_topped_up_settled"]) == ("", "2", "0")
    assert "The top-up is not settled yet: 0 of 2 answers are" in words(page(client, dataset))


def test_the_top_up_of_another_run_is_none(client, dataset, tmp_path, bob, dora):
    create_late_run(dataset, tmp_path, "juniper")
    top_up(client, dataset, "juniper")
    more = launched(dataset.pools.get(name="pool + juniper"), name="more")
    judged_by(more, (bob, dora), {})
    compute(client, dataset)

    gale = rows_of(client, dataset)["gale"]
    assert (gale["n_accepted"], gale["top_ups"], gale["n_topped_up"]) == ("1", "", "0")
    assert gale["estimate_note"] == "the pool was not topped up with answers of the run"


def test_nor_is_a_top_up_that_was_withdrawn(client, dataset, bob, dora):
    top_up(client, dataset)
    dataset.pools.filter(name="pool + gale").update(is_withdrawn=True)
    compute(client, dataset)

    gale = rows_of(client, dataset)["gale"]
    assert (gale["top_ups"], gale["n_to_ask"]) == ("", "2")


def test_how_many_answers_a_top_up_would_draw_is_exact(client, dataset, tmp_path):
    """Of maple's two new answers one scores at the threshold; all of iris's are below it."""
    for name in ("iris", "larch", "maple"):
        create_late_run(dataset, tmp_path, name)
    compute(client, dataset)

    found = rows_of(client, dataset)
    assert {name: row["n_to_ask"] for name, row in found.items()} == {
        "gale": "2",
        "hazel": "0",
        "iris": "0",
        "larch": "0",
        "maple": "1",
    }
    assert found["larch"]["n_without_score"] == "2"
    said = words(page(client, dataset))
    assert "Draw a top-up of 1 answer" in said
    assert said.count("Draw a top-up") == 2
    assert "2 answers without a score by paper#imported" in said
    top_up(client, dataset, "maple")
    assert dataset.pools.get(name="pool + maple").counts["n_candidates"] == 1


def test_new_scores_put_the_figures_out_of_date(client, dataset):
    compute(client, dataset)
    Job.objects.create(
        study=dataset.study,
        kind="import_scores",
        key="touch@1",
        state=JobState.DONE,
        params={"dataset": dataset.pk},
        created_by=dataset.created_by,
        finished_at=timezone.now(),
    )

    assert "Out of date" in page(client, dataset)


def test_the_page_the_results_and_a_release_say_the_same_of_a_topped_up_run(
    client, dataset, tmp_path, bob, dora
):
    create_late_run(dataset, tmp_path, "kestrel")
    top_up(client, dataset, "kestrel")
    before = figures_of_release(dataset)["kestrel"]
    assert (before.drawn, before.not_in_pool) == (0, 3)
    more = launched(dataset.pools.get(name="pool + kestrel"), name="more")
    judged_by(more, (bob, dora), {"Basalt.": "implausible"})
    compute(client, dataset)

    row = rows_of(client, dataset)["kestrel"]
    found = figures_of_release(dataset)["kestrel"]
    assert (row["estimate"], found.plausible_rate) == ("0.5", 0.5)
    assert (int(row["n_accepted"]), int(row["n_rejected"])) == (
        found.gold + found.silver,
        found.implausible,
    )
    assert (found.drawn, found.not_in_pool) == (2, 1)
    assert figures_of_release(dataset)["alder"].plausible == 2


def test_a_release_with_a_topped_up_run_verifies_itself(client, dataset, tmp_path, bob, dora):
    """Also where another pool asks about the same answer."""
    rule = replace(RULE, runs=frozenset({"alder", "birch", "cedar"}))
    again = launched(draw_pool(dataset, rule, name="again"), name="again")
    judged_by(again, (bob, dora), {"Green.": "implausible"})
    create_late_run(dataset, tmp_path, "kestrel")
    top_up(client, dataset, "kestrel")
    more = launched(dataset.pools.get(name="pool + kestrel"), name="more")
    out = tmp_path / "release"
    release(judged_by(more, (bob, dora), {}), out)

    found = verify(out).found
    assert [str(each) for of in found.values() for each in of.problems] == []
    tablet = [row for row in table(out, "items") if row["answer"] == "A tablet to test gold."]
    assert {row["runs"] for row in tablet} == {"alder|cedar|kestrel"}
    (given,) = [
        each
        for record in json.loads((out / "silver.json").read_text(encoding="utf-8"))
        for each in record["Truth_answers_alternative"]
        if each["answer"] == "A tablet to test gold."
    ]
    assert given["runs"] == ["alder", "cedar", "kestrel"]


def figures_of_release(dataset):
    """The rows of per_run.csv by run."""
    batches = list(released_batches(dataset, is_rehearsal=False))
    rows = answer_rows(dataset, batches, item_rows(batches, dataset=dataset))
    return {row.run: row for row in run_rows(rows)}


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

    assert "No run is late: each pool was drawn from all runs of the data set." in page(
        client, dataset
    )


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
