"""A qualification is revoked or granted while people claim: real processes, on the database that is configured."""

import pytest

from annotation.models import Assignment, Judgement
from tests.annotation.desk import assert_counts_match
from tests.annotation.racing import race
from tests.annotation.trust import grant, open_batch, qualification

pytestmark = [pytest.mark.database, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def trusted(study):
    return qualification(study)


@pytest.fixture
def full(study, trusted):
    return open_batch(study, trusted, n_items=40, prefetch_depth=5)


def decides(full, whom: str, *acts: str, after: float = 0.1) -> dict:
    by = full.study.created_by.username
    plan = {"batch": full.pk, "by": by, "whom": whom, "acts": list(acts), "after": after}
    return {"task": "decide", **plan}


def work(full, by: str, **how: float) -> dict:
    return {"task": "work", "batch": full.pk, "by": by, "n": 4, "pause": 0.02, **how}


@pytest.mark.parametrize("fickle", [0, 0.5])
def test_who_is_revoked_while_they_claim_holds_nothing_afterwards(trusted, full, bob, dora, fickle):
    grant(trusted, bob, dora)

    race(work(full, "bob", fickle=fickle), work(full, "dora"), decides(full, "bob", "revoke"))

    assert_counts_match(full)
    assert not Assignment.objects.claimed().filter(annotator=bob).exists()
    kept = Judgement.objects.filter(assignment__annotator=bob, withdrawal=None)
    counted = kept.filter(is_surplus=False).count()
    assert Assignment.objects.filter(annotator=bob, state="submitted").count() == kept.count()
    assert counted <= 40


def test_two_tabs_of_a_person_who_is_revoked_hold_nothing_afterwards(trusted, full, bob):
    grant(trusted, bob)

    race(
        work(full, "bob"),
        {"task": "browse", "batch": full.pk, "by": "bob", "patience": 0.5},
        decides(full, "bob", "revoke"),
    )

    assert_counts_match(full)
    assert not Assignment.objects.claimed().exists()


def test_granted_and_revoked_in_turn_the_last_decision_holds(trusted, full, bob, dora):
    grant(trusted, bob, dora)
    acts = ("revoke", "grant", "revoke", "grant", "revoke")

    race(
        {"task": "browse", "batch": full.pk, "by": "bob", "patience": 1},
        work(full, "dora"),
        decides(full, "bob", *acts, after=0.05),
    )

    assert_counts_match(full)
    assert not Assignment.objects.claimed().filter(annotator=bob).exists()


def test_two_organisers_at_once_do_not_both_revoke(trusted, full, bob, alice):
    grant(trusted, bob)
    one = {"task": "decide_once", "batch": full.pk, "by": alice.username, "whom": "bob"}

    reports = race(one, one)

    assert sorted(report["outcome"] for report in reports) == ["refused", "revoked"]
    states = [each.state for each in trusted.standings.all()]
    assert states == ["granted", "revoked"]
