"""What the API does not answer to an adjudicator before the decision: reviews, and on request what annotators said."""

import pytest

from annotation.actions import adjudicator_preferences, reviews
from annotation.models import Batch
from tests.conftest import member

RANDOM = {"is_paid": False, "paid_code": "random answers", "paid_reason": ""} | {
    "is_counted": False,
    "counted_code": "random answer",
    "counted_reason": "",
}


@pytest.fixture
def reviewed(disputed, judged, alice):
    """The item in dispute, of whose judgements alice refused bob's."""
    reviews.review(judgement=judged[0].judgements.get(), by=alice, **RANDOM)
    return disputed


def address(item) -> str:
    return f"studies/lighthouses/items/{item.public_id}/"


def test_reviews_are_not_answered_before_the_decision(reviewed, carol, program):
    answer = program(carol).get(address(reviewed)).json()

    assert "random answer" not in str(answer)
    assert not [line for line in answer["history"] if "reviewed" in line["what"]]
    assert [each["is_counted"] for each in answer["judgements"]] == [False, True]


def test_reviews_are_answered_after_the_decision(reviewed, carol, program):
    reviews.adjudicate(item=reviewed, label="plausible", reason="it answers", by=carol)

    answer = program(carol).get(address(reviewed)).json()

    assert answer["judgements"][0]["not_counted_because"] == "random answer"
    assert [line for line in answer["history"] if "reviewed A: not paid" in line["what"]]


def test_a_requester_who_adjudicates_nothing_is_answered_with_reviews(reviewed, alice, program):
    answer = program(alice).get(address(reviewed)).json()

    assert answer["judgements"][0]["not_counted_because"] == "random answer"


def test_the_reviews_of_an_assignment_wait_for_the_decision_and_ones_own_do_not(
    reviewed, judged, study, alice, carol, program
):
    erin = member(study, "erin", "adjudicator", by=alice)
    reviews.review(judgement=judged[1].judgements.get(), by=erin, **RANDOM)

    def n_read(person, assignment) -> int:
        path = f"studies/lighthouses/assignments/{assignment.public_id}/reviews/"
        return len(program(person).get(path).json()["reviews"])

    assert [n_read(who, judged[0]) for who in (alice, erin, carol)] == [1, 0, 0]
    assert [n_read(who, judged[1]) for who in (alice, erin, carol)] == [1, 1, 0]
    reviews.adjudicate(item=reviewed, label="plausible", reason="it answers", by=carol)
    assert [n_read(carol, each) for each in judged] == [1, 1]


def test_labels_are_not_answered_on_request(reviewed, carol, program):
    adjudicator_preferences.hide_votes(hides=True, by=carol)
    reads = program(carol)

    answer = reads.get(address(reviewed)).json()
    (dispute,) = reads.get("studies/lighthouses/disputes/").json()["results"]
    batch = Batch.objects.get()
    (listed,) = reads.get(f"studies/lighthouses/batches/{batch.pk}/items/").json()["results"]

    assert (answer["judgements"], answer["history"], answer["verdict"]["votes"]) == ([], [], {})
    assert (dispute["votes"], listed["verdict"]["votes"]) == ({}, {})


def test_labels_are_answered_after_the_decision(reviewed, carol, program):
    adjudicator_preferences.hide_votes(hides=True, by=carol)
    reviews.adjudicate(item=reviewed, label="plausible", reason="it answers", by=carol)

    answer = program(carol).get(address(reviewed)).json()

    assert [each["label"] for each in answer["judgements"]] == ["plausible", "malformed"]
    assert answer["verdict"]["votes"] != {}
