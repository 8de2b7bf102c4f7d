"""A withdrawn batch counts nowhere: in no release, result, agreement of the study or conflict."""

import pytest
from django.test import Client
from django.urls import reverse

from annotation.actions import withdrawn_batches
from annotation.queries import candidates_and_flags
from exports.annotators.queries import real_batches
from exports.results.stored_figures import RunsFigures
from exports.rows import outcomes
from exports.writers.errors import ReleaseError
from tests.annotation.desk import judge
from tests.annotation.pools import launched
from tests.exports.judged_batches import (
    close_batch,
    manifest_of,
    release,
    settle_batch,
)
from tests.recomputed_tables import table


@pytest.fixture
def client(alice) -> Client:
    client = Client()
    client.force_login(alice, backend="accounts.backends.RealPeopleBackend")
    return client


@pytest.fixture
def mistaken(plausibility):
    """A second batch on the same answers, closed without a judgement: everything in it is set aside."""
    return settle_batch(close_batch(launched(plausibility.pool, name="by mistake")))


def withdraw(batch, reason="opened by mistake"):
    return withdrawn_batches.withdraw(batch=batch, reason=reason, by=batch.created_by)


def bring_back(batch):
    return withdrawn_batches.bring_back(batch=batch, reason="r", by=batch.created_by)


def n_accepted(folder) -> int:
    return sum(row["tier"] == "silver" for row in table(folder, "answers"))


def test_a_batch_opened_by_mistake_takes_nothing_from_a_release_once_it_is_withdrawn(
    plausibility, mistaken, tmp_path
):
    withdraw(mistaken)

    release(plausibility, tmp_path / "release")

    assert [each["name"] for each in manifest_of(tmp_path / "release")["batches"]] == [
        plausibility.name
    ]
    assert n_accepted(tmp_path / "release") > 0
    assert {row["batch"] for row in table(tmp_path / "release", "items")} == {plausibility.name}


def test_an_unfinished_batch_holds_up_no_release_once_it_is_withdrawn(plausibility, bob, tmp_path):
    unfinished = launched(plausibility.pool, name="begun")
    judge(unfinished, bob)
    with pytest.raises(ReleaseError, match="not closed: begun"):
        release(plausibility, tmp_path / "refused")

    withdraw(unfinished)

    release(plausibility, tmp_path / "release")
    assert {row["batch"] for row in table(tmp_path / "release", "judgements")} == {
        plausibility.name
    }


def test_a_batch_that_is_brought_back_is_in_the_next_release_again(
    plausibility, mistaken, tmp_path
):
    withdraw(mistaken)
    bring_back(mistaken)

    release(plausibility, tmp_path / "release")

    names = [each["name"] for each in manifest_of(tmp_path / "release")["batches"]]
    assert mistaken.name in names


def test_a_release_names_the_batch_that_came_of_a_withdrawn_one(
    plausibility, faithfulness, tmp_path
):
    withdraw(plausibility)

    with pytest.raises(
        ReleaseError,
        match=f"the batch {faithfulness.name} asks about answers of the batch {plausibility.name},"
        " which is withdrawn",
    ):
        release(faithfulness, tmp_path / "refused")


def test_a_withdrawn_batch_decides_no_answer_and_is_in_no_figures(plausibility, study):
    dataset = plausibility.pool.dataset
    assert outcomes.plausibility_outcomes(dataset, is_rehearsal=False)
    assert RunsFigures(study, dataset).batches == [plausibility]

    withdraw(plausibility)

    assert outcomes.plausibility_outcomes(dataset, is_rehearsal=False) == {}
    assert RunsFigures(study, dataset).obstacle
    assert list(real_batches(study)) == []


def test_answers_that_only_a_withdrawn_batch_held_against_evidence_were_never_asked(
    plausibility, faithfulness
):
    assert candidates_and_flags.n_never_asked([plausibility]) == {}

    withdraw(faithfulness)

    assert candidates_and_flags.n_never_asked([plausibility])[plausibility.pk] > 0
    assert candidates_and_flags.batches_followed_by_evidence([plausibility]) == set()


def test_the_agreement_of_the_study_leaves_out_a_withdrawn_batch(plausibility, client, study):
    page = reverse("study_agreement", args=[study.slug])
    assert plausibility.name in client.get(page).content.decode()

    withdraw(plausibility)

    assert plausibility.name not in client.get(page).content.decode()


# Pages


def test_the_page_that_asks_names_what_rests_on_the_batch(
    plausibility, faithfulness, client, study, tmp_path
):
    release(plausibility, tmp_path / "release")

    page = client.get(reverse("batch_withdraw", args=[study.slug, plausibility.pk]))

    said = page.content.decode()
    assert f"Batches that came of it: {faithfulness.name}." in said
    assert "Releases that contain it, which do not change: 1." in said


def test_a_batch_is_withdrawn_and_brought_back_by_its_pages(plausibility, client, study):
    where = [study.slug, plausibility.pk]

    client.post(reverse("batch_withdraw", args=where), {"reason": "the wrong <guideline>"})
    page = client.get(reverse("batch", args=where)).content.decode()
    assert "Withdrawn by <bdi>alice</bdi> on " in page
    assert "the wrong &lt;guideline&gt;" in page
    assert reverse("batch_settle", args=where) not in page

    client.post(reverse("batch_bring_back", args=where), {"reason": "it was right"})
    page = client.get(reverse("batch", args=where)).content.decode()
    assert "Withdrawn by" not in page
    assert reverse("batch_settle", args=where) in page


def test_without_a_reason_the_page_asks_again(plausibility, client, study):
    page = client.post(reverse("batch_withdraw", args=[study.slug, plausibility.pk]), {})

    assert page.status_code == 400
    plausibility.refresh_from_db()
    assert not plausibility.is_withdrawn


def test_a_second_withdrawal_says_that_nothing_was_changed(plausibility, client, study):
    withdraw(plausibility)

    where = reverse("batch_withdraw", args=[study.slug, plausibility.pk])
    page = client.post(where, {"reason": "again"}, follow=True)

    assert "Nothing was changed: " in page.content.decode()


def test_evidence_is_not_looked_for_with_a_withdrawn_batch(plausibility, client, study):
    withdraw(plausibility)

    page = client.get(reverse("evidence_new", args=[study.slug, plausibility.pk]), follow=True)

    assert "is withdrawn: bring it back first." in page.content.decode()


def test_the_list_of_batches_marks_the_withdrawn_ones(plausibility, client, study):
    withdraw(plausibility)

    listed = client.get(reverse("batches", args=[study.slug]), {"state": "withdrawn"})

    assert '<span class="tag warn">withdrawn</span>' in listed.content.decode()
