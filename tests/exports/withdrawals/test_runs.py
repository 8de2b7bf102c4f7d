"""A withdrawn run is in no scores, results, new pool or release; what was judged stays."""

import pytest
from django.test import Client
from django.urls import reverse

from accounts.actions.withdrawals import WithdrawalError
from corpus.actions import withdrawn_runs
from corpus.models import Answer, Run, RunKind
from exports.comparison import queries as comparison_queries
from exports.comparison.result import comparison_result
from exports.results.stored_figures import RunsFigures
from sampling import queries as sampling_queries
from scoring.actions import value_matrix
from stats.bootstrap_settings import Bootstrap
from tests.exports.judged_batches import manifest_of, release
from tests.recomputed_tables import table
from tests.sampling.scored_dataset import draw_pool


@pytest.fixture
def client(alice) -> Client:
    client = Client()
    client.force_login(alice, backend="accounts.backends.RealPeopleBackend")
    return client


def withdraw(run, by):
    return withdrawn_runs.withdraw(run=run, reason="a copy", by=by)


def runs_of_accepted(folder) -> dict[str, set[str]]:
    """The runs of each accepted answer."""
    found: dict[str, set[str]] = {}
    for row in table(folder, "answers"):
        if row["tier"]:
            found.setdefault(row["answer_id"], set()).add(row["run"])
    return found


@pytest.fixture
def before(plausibility, tmp_path):
    """The runs of each accepted answer in a release that was made before."""
    release(plausibility, tmp_path / "before")
    return runs_of_accepted(tmp_path / "before")


def run_called(name, plausibility) -> Run:
    return plausibility.pool.dataset.runs.get(name=name)


def test_an_answer_that_only_a_withdrawn_run_gave_is_accepted_no_more(
    plausibility, before, alice, tmp_path
):
    answer, names = next((answer, names) for answer, names in before.items() if len(names) == 1)
    (name,) = names

    withdraw(run_called(name, plausibility), alice)

    release(plausibility, tmp_path / "after")
    after = runs_of_accepted(tmp_path / "after")
    assert answer not in after
    assert set(after) == {each for each, names in before.items() if names != {name}}


def test_an_answer_that_another_run_gave_too_stays_as_that_run_s(
    plausibility, before, alice, tmp_path
):
    answer, names = next((answer, names) for answer, names in before.items() if len(names) > 1)
    name = min(names)

    withdraw(run_called(name, plausibility), alice)

    release(plausibility, tmp_path / "after")
    assert runs_of_accepted(tmp_path / "after")[answer] == names - {name}


def test_no_table_of_a_new_release_names_a_withdrawn_run(plausibility, before, alice, tmp_path):
    name = min(min(names) for names in before.values())

    withdraw(run_called(name, plausibility), alice)

    release(plausibility, tmp_path / "after")
    assert name not in {each["name"] for each in manifest_of(tmp_path / "after")["runs"]}
    assert name not in {row["run"] for row in table(tmp_path / "after", "per_run")}
    for rows in (table(tmp_path / "after", "items"), table(tmp_path / "after", "judgements")):
        assert name not in {run for row in rows for run in row["runs"].split("|")}
    assert len(table(tmp_path / "after", "judgements")) == len(
        table(tmp_path / "before", "judgements")
    )


def test_scores_and_new_pools_leave_out_a_withdrawn_run(pool, alice):
    dataset = pool.dataset
    run = dataset.runs.exclude(kind=RunKind.REFERENCE).order_by("name").first()
    assert run in value_matrix.competing_runs(dataset)

    withdraw(run, alice)

    assert run not in value_matrix.competing_runs(dataset)
    assert not Answer.objects.of_systems(dataset).filter(run=run).exists()
    given = sampling_queries.turn_answers(dataset, pool.scorer)
    assert run.name not in {answer.run for turn in given for answer in turn.answers}
    drawn = draw_pool(dataset, name="second")
    assert not drawn.fates.filter(answer__run=run).exists()


def test_figures_say_that_something_changed_when_a_run_is_withdrawn(plausibility, study, alice):
    dataset = plausibility.pool.dataset
    before = RunsFigures(study, dataset).basis
    run = dataset.runs.exclude(kind=RunKind.REFERENCE).order_by("name").first()

    withdraw(run, alice)

    assert RunsFigures(study, dataset).basis.since(before)


def test_a_run_that_is_brought_back_counts_again(pool, alice):
    run = pool.dataset.runs.exclude(kind=RunKind.REFERENCE).order_by("name").first()
    withdraw(run, alice)

    withdrawn_runs.bring_back(run=run, reason="no copy", by=alice)

    assert run in pool.dataset.runs.counting()
    assert [row.is_withdrawn for row in run.withdrawals.all()] == [True, False]


def test_references_are_not_withdrawn(pool, alice):
    reference = pool.dataset.runs.get(kind=RunKind.REFERENCE)

    with pytest.raises(WithdrawalError, match="are references"):
        withdraw(reference, alice)


def test_the_page_that_asks_names_what_has_answers_of_the_run(plausibility, before, client, study):
    name = min(min(names) for names in before.values())

    page = client.get(reverse("run_withdraw", args=[study.slug, run_called(name, plausibility).pk]))

    said = page.content.decode()
    assert f"Pools drawn from it: {plausibility.pool}." in said
    assert f"Batches with its answers: {plausibility}." in said
    assert "Releases that contain it, which do not change: 1." in said


def test_a_run_is_withdrawn_and_brought_back_by_its_pages(pool, client, study):
    run = pool.dataset.runs.exclude(kind=RunKind.REFERENCE).order_by("name").first()
    where = [study.slug, run.pk]

    client.post(reverse("run_withdraw", args=where), {"reason": "a copy"})
    assert (
        "Withdrawn by <bdi>alice</bdi> on "
        in client.get(reverse("run", args=where)).content.decode()
    )
    listed = client.get(reverse("runs", args=[study.slug])).content.decode()
    assert '<span class="tag warn">withdrawn</span>' in listed

    client.post(reverse("run_bring_back", args=where), {"reason": "no copy"})
    assert "Withdrawn by" not in client.get(reverse("run", args=where)).content.decode()


def test_ratings_leave_out_a_withdrawn_run(rated, alice):
    assert_out_of_the_comparison(rated, alice)


def test_preferences_leave_out_a_withdrawn_run(preferred, alice):
    assert_out_of_the_comparison(preferred, alice)


def assert_out_of_the_comparison(compared, alice):
    run = compared.pool.dataset.runs.exclude(kind=RunKind.REFERENCE).order_by("name").first()
    before = comparison_queries.rows([compared])
    assert run.name in {row.run for row in before.answers}
    assert run.name in {name for row in before.judgements for name in row.runs.split("|")}

    withdraw(run, alice)

    after = comparison_queries.rows([compared])
    assert run.name not in {row.run for row in after.answers}
    assert run.name not in {name for row in after.judgements for name in row.runs.split("|")}
    assert len(after.judgements) == len(before.judgements)
    setups = comparison_result(after, Bootstrap(1000, 0))["setups"]
    assert run.name not in str(setups)
    assert setups
