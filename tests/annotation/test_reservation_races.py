"""Items are reserved and released while people claim: real processes, on the database that is configured."""

import pytest

from annotation.models import Assignment, Reservation
from tests.annotation.actions.test_reservations import assert_places_match
from tests.annotation.desk import assert_counts_match
from tests.annotation.racing import race
from tests.annotation.trust import open_batch

pytestmark = [pytest.mark.database, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def batch(study, bob, dora):
    found = open_batch(study, None, n_items=60, prefetch_depth=5)
    found.items.update(n_wanted=1, n_open=1)
    return found


def work(batch, by: str, n: int, **how: float) -> dict:
    return {"task": "work", "batch": batch.pk, "by": by, "n": n, "pause": 0.01, **how}


def reserves(batch, whom: str, n: int, rounds: int = 1) -> dict:
    by = batch.study.created_by.username
    plan = {"by": by, "whom": whom, "n": n, "rounds": rounds, "after": 0.02}
    return {"task": "reserve", "batch": batch.pk, **plan}


@pytest.mark.parametrize("fickle", [0, 0.3])
def test_a_place_that_is_reserved_while_others_claim_is_theirs_alone(batch, bob, dora, fickle):
    reports = race(reserves(batch, "bob", 10, rounds=6), work(batch, "dora", 5, fickle=fickle))

    assert reports[0].get("reserved")
    assert_counts_match(batch)
    assert_places_match(batch)
    reserved = Reservation.objects.standing().values("item")
    others = Assignment.objects.filter(item__in=reserved).exclude(annotator=bob)
    assert not others.filter(state__in=["claimed", "submitted"]).exists()


def test_who_claims_their_part_in_two_tabs_is_handed_each_item_once(batch, bob, dora):
    race(
        reserves(batch, "bob", 20),
        work(batch, "bob", 5),
        work(batch, "bob", 5),
        work(batch, "dora", 5),
    )

    assert_counts_match(batch)
    assert_places_match(batch)
