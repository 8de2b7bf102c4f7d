"""A run that is renamed: what was computed notices it, releases keep the old name, and pages say where it is."""

import pytest
from django.test import Client
from django.urls import reverse

from corpus.actions import run_descriptions
from corpus.models import RunKind
from exports.comparison.stored_figures import ComparisonFigures
from exports.results.stored_figures import RunsFigures
from exports.rows.released_runs import released_runs
from sampling.actions import surveys
from scoring.actions import run_measures
from tests.exports.judged_batches import manifest_of, release
from tests.markup import one_line
from tests.recomputed_tables import table


@pytest.fixture
def client(alice) -> Client:
    client = Client()
    client.force_login(alice, backend="accounts.backends.RealPeopleBackend")
    return client


@pytest.fixture
def run(plausibility):
    runs = plausibility.pool.dataset.runs.exclude(kind=RunKind.REFERENCE)
    return runs.order_by("name").first()


def describe(run, by, **values):
    run_descriptions.describe(dataset=run.dataset, wanted={run.pk: values}, by=by)


def test_a_later_release_has_the_new_name_and_the_earlier_one_the_old(
    plausibility, run, alice, tmp_path
):
    release(plausibility, tmp_path / "before")
    describe(run, alice, name="ultron", team="Quarry")
    release(plausibility, tmp_path / "after")

    names = [
        {each["name"] for each in manifest_of(tmp_path / folder)["runs"]}
        for folder in ("before", "after")
    ]
    assert names[1] == names[0] - {run.name} | {"ultron"}
    assert {
        row["team"] for row in table(tmp_path / "after", "per_run") if row["run"] == "ultron"
    } == {"Quarry"}


def test_the_pages_say_under_which_name_a_run_is_in_which_release(
    plausibility, run, alice, client, study, tmp_path
):
    release(plausibility, tmp_path / "first")
    describe(run, alice, name="ultron")
    release(plausibility, tmp_path / "second")
    release(plausibility, tmp_path / "third")

    where = f"as “{run.name}” in release 1; as “ultron” in releases 2, 3"
    assert str(released_runs(run.dataset)[run.pk]) == where
    for page in (
        reverse("run", args=[study.slug, run.pk]),
        reverse("run_table", args=[study.slug, run.dataset_id]),
    ):
        assert where in one_line(client.get(page).content.decode())
    asked = client.get(reverse("run_withdraw", args=[study.slug, run.pk])).content.decode()
    assert "Releases that contain it, which do not change: 1, 2, 3." in asked


def test_a_run_that_took_a_released_name_is_not_the_one_that_was_released(
    plausibility, run, alice, tmp_path
):
    release(plausibility, tmp_path / "first")
    others = run.dataset.runs.exclude(kind=RunKind.REFERENCE).exclude(pk=run.pk)
    other = others.exclude(digest=run.digest).first()
    wanted = {run.pk: {"name": other.name}, other.pk: {"name": run.name}}
    run_descriptions.describe(dataset=run.dataset, wanted=wanted, by=alice)

    assert str(released_runs(run.dataset)[run.pk]) == f"as “{run.name}” in release 1"


def test_figures_say_that_a_run_was_renamed(plausibility, run, study, alice):
    before = RunsFigures(study, run.dataset).basis

    describe(run, alice, name="ultron")

    words = RunsFigures(study, run.dataset).basis.since(before)
    assert words == "Since then 1 renamed run was recorded."


def test_a_comparison_of_systems_says_that_a_run_was_renamed(rated, alice):
    before = ComparisonFigures(rated.study, rated).basis

    describe(rated.pool.dataset.runs.exclude(kind=RunKind.REFERENCE).first(), alice, name="ultron")

    assert ComparisonFigures(rated.study, rated).basis.since(before)


def test_a_survey_of_runs_that_changed_names_is_made_anew(pool, alice):
    dataset = pool.dataset
    first, second = dataset.runs.exclude(kind=RunKind.REFERENCE).order_by("name")[:2]
    before = surveys.basis(dataset, pool.scorer, "default")
    assert "n_run_changes" not in before.params  # those of earlier versions stay what they were

    wanted = {first.pk: {"name": second.name}, second.pk: {"name": first.name}}
    run_descriptions.describe(dataset=dataset, wanted=wanted, by=alice)

    after = surveys.basis(dataset, pool.scorer, "default")
    assert after.runs == before.runs
    assert after.digest != before.digest


def test_counted_scores_are_counted_anew_when_a_setup_changes(pool, alice):
    dataset = pool.dataset
    before = run_measures.basis(dataset, [pool.scorer])
    describe(dataset.runs.exclude(kind=RunKind.REFERENCE).first(), alice, setup="original")

    assert run_measures.basis(dataset, [pool.scorer]) != before
