"""What is done by the API: batches, items, reviews. The acts themselves: tests/annotation."""

import pytest

from accounts.actions import members
from accounts.models import Role, User
from annotation.actions import batches, reviews, verdicts
from annotation.models import Adjudication, BatchState, Note, Review
from audit.models import Event
from tests.annotation.desk import assert_counts_match, claim_one, places
from tests.cases import all_cases
from tests.conftest import member
from tests.factories import BatchFactory, CandidateFactory, ItemFactory

pytestmark = pytest.mark.database

PATH = "studies/lighthouses/"


def errors(reply) -> dict[str, str]:
    assert reply.status_code == 422
    return {each["pointer"]: each["detail"] for each in reply.json()["errors"]}


def conflict_detail(reply) -> str:
    assert reply.status_code == 409
    return reply.json()["detail"]


# Batches


def test_a_batch_goes_its_way(study, alice, program):
    draft = BatchFactory(pool__dataset__study=study, state=BatchState.DRAFT)
    CandidateFactory(pool=draft.pool)
    does, path = program(alice), f"{PATH}batches/{draft.pk}/"
    deadline = "2100-01-01T12:00:00Z"

    states = [
        does.post(f"{path}{act}/", said).json()["state"]
        for act, said in (
            ("open", {}),
            ("pause", {}),
            ("resume", {}),
            ("deadline", {"deadline_at": deadline}),
            ("close", {}),
            ("reopen", {}),
            ("close", {}),
        )
    ]
    settled = does.post(f"{path}settle/", {"rule": "unanimous"}).json()

    assert states == ["open", "paused", "open", "open", "closed", "open", "closed"]
    assert (settled["n_items"], settled["n_set_aside"], settled["n_new"]) == (1, 1, 1)
    assert does.get(path).json()["deadline_at"] == deadline


def test_what_an_act_refuses_is_told_in_its_words(batch, alice, program):
    does, path = program(alice), f"{PATH}batches/{batch.pk}/"

    assert (
        conflict_detail(does.post(f"{path}open/")) == f"the batch {batch.name} is open, not draft"
    )
    assert "close it first" in conflict_detail(does.post(f"{path}settle/", {"rule": "majority"}))


def test_settling_twice_writes_nothing_the_second_time(disputed, batch, alice, program):
    again = program(alice).post(f"{PATH}batches/{batch.pk}/settle/", {"rule": "unanimous"}).json()

    assert (again["n_disputed"], again["n_new"]) == (1, 0)


def test_settling_waits_for_claims_unless_it_is_told_to_end_them(batch, item, bob, alice, program):
    from annotation.actions import claims  # noqa: PLC0415

    claims.claim(batch=batch, by=bob)
    does, path = program(alice), f"{PATH}batches/{batch.pk}/"
    does.post(f"{path}close/")

    told = conflict_detail(does.post(f"{path}settle/", {"rule": "majority"}))
    assert told.endswith(
        'still open: wait until it expires, or send "expire_claims": true to release them'
    )
    said = {"rule": "majority", "expire_claims": True}
    assert does.post(f"{path}settle/", said).status_code == 200


def test_a_rule_that_there_is_not_is_invalid(batch, alice, program):
    assert "#/rule" in errors(
        program(alice).post(f"{PATH}batches/{batch.pk}/settle/", {"rule": "x"})
    )


# Items


def test_an_item_is_excluded_and_taken_in_again(disputed, alice, program):
    does, path = program(alice), f"{PATH}items/{disputed.public_id}/"

    out = does.post(f"{path}exclude/", {"reason": "unreadable"}).json()
    again = does.post(f"{path}exclude/", {"reason": "unreadable"})
    back = does.post(f"{path}readmit/", {"reason": "it can be read"}).json()

    assert (out["is_excluded"], out["verdict"]["set_aside_reason"]) == (True, "excluded")
    assert "excluded already" in conflict_detail(again)
    assert back["is_excluded"] is False


def test_an_item_is_adjudicated_once_however_often_it_is_sent(disputed, carol, program):
    does, path = program(carol), f"{PATH}items/{disputed.public_id}/"
    seen = does.get(path).json()["verdict"]["id"]
    decision = {"label": "plausible", "reason": "it answers", "seen": seen}

    first, second = (does.post(f"{path}adjudicate/", decision) for _ in range(2))

    assert (first.status_code, second.status_code) == (200, 200)
    assert first.json()["verdict"] == second.json()["verdict"]
    assert first.json()["verdict"]["label"] == "plausible"
    assert Adjudication.objects.count() == 1


def test_nobody_decides_on_what_somebody_else_decided_meanwhile(
    disputed, study, alice, carol, program
):
    dan = member(study, "dan", Role.ADJUDICATOR, by=alice)
    seen = verdicts.current_verdict(disputed).pk
    reviews.adjudicate(item=disputed, label="malformed", reason="it breaks off", by=dan)

    reply = program(carol).post(
        f"{PATH}items/{disputed.public_id}/adjudicate/",
        {"label": "plausible", "reason": "it answers", "seen": seen},
    )

    assert conflict_detail(reply) == "dan decided it meanwhile, as malformed: check it again"
    assert verdicts.current_verdict(disputed).label == "malformed"


@all_cases(
    ("sent", "field", "detail"),
    [
        ({"reason": "r"}, "#/label", "This field is required."),
        ({"label": "plausible"}, "#/reason", "This field is required."),
        ({"label": "plausible", "reason": "  "}, "#/reason", "This field may not be blank."),
        ({"label": "plausible", "reason": "a\0b"}, "#/reason", "Null characters are not allowed."),
        ({"label": "plausible", "reason": "\ud800"}, "#/reason", "Surrogate"),
        ({"label": "plausible", "reason": "x" * 1001}, "#/reason", "no more than 1000"),
        ({"label": "faithful", "reason": "r"}, "#/label", "choose one of plausible"),
        ({"label": "plausible", "reason": "r", "seen": -1}, "#/seen", "greater than or equal to 0"),
        ({"label": "plausible", "reason": "r", "seen": "x"}, "#/seen", "integer"),
        ([], "#", "Expected a dictionary"),
    ],
)
def test_what_cannot_be_meant_is_said_by_field(disputed, carol, program, sent, field, detail):
    said = errors(program(carol).post(f"{PATH}items/{disputed.public_id}/adjudicate/", sent))

    assert detail in said[field]
    assert Adjudication.objects.count() == 0


def test_a_judgement_is_marked_as_correct(disputed, judged, carol, program):
    said = program(carol).post(f"{PATH}assignments/{judged[1].public_id}/mark-correct/").json()

    assert (said["verdict"]["label"], said["verdict"]["reason"]) == ("malformed", "marked correct")


def test_an_adjudication_is_taken_back(disputed, carol, program):
    does, path = program(carol), f"{PATH}items/{disputed.public_id}/"
    does.post(f"{path}adjudicate/", {"label": "plausible", "reason": "it answers"})
    seen = {"seen": does.get(path).json()["verdict"]["id"]}

    first, second = (does.post(f"{path}retract/", seen) for _ in range(2))

    assert first.json()["verdict"]["state"] == "disputed"
    assert "nothing to take back" in conflict_detail(second)


def test_one_more_is_asked_for_once_by_who_says_how_many_there_are(disputed, alice, eve, program):
    does, path = program(alice), f"{PATH}items/{disputed.public_id}/ask-again/"

    first, second = (does.post(path, {"n_asked": 2}) for _ in range(2))

    assert (first.json()["n_open"], first.json()["n_asked"]) == (1, 3)
    assert "one more was asked for already" in conflict_detail(second)
    assert places(disputed)[0] == 3


def test_a_note_sent_twice_is_one(item, alice, program):
    does, path = program(alice), f"{PATH}items/{item.public_id}/notes/"

    replies = [does.post(path, {"text": " odd one "}) for _ in range(2)]

    assert [each.status_code for each in replies] == [201, 201]
    assert Note.objects.count() == 1
    (said,) = does.get(path).json()
    assert (said["text"], said["noted_by"]) == ("odd one", "alice")


# Reviews

REFUSED = {
    "is_paid": True,
    "paid_reason": "work was done",
    "is_counted": False,
    "counted_reason": "clicked through",
}


def test_a_review_is_two_decisions_and_replaces_what_stood(judged, batch, item, alice, program):
    does, path = program(alice), f"{PATH}assignments/{judged[0].public_id}/reviews/"
    assert does.get(path).json() == {"reviews": []}

    made = does.post(path, REFUSED)
    does.post(path, REFUSED | {"is_counted": True, "counted_reason": "read it"})

    assert made.status_code == 201
    assert (made.json()["is_counted"], made.json()["reviewed_by"]) == (False, "alice")
    said = does.get(path).json()["reviews"]
    assert [(each["is_counted"], each["stands"]) for each in said] == [(False, False), (True, True)]
    assert_counts_match(batch)


def test_a_review_sent_again_writes_nothing(judged, batch, item, alice, eve, program):
    does, path = program(alice), f"{PATH}assignments/{judged[0].public_id}/reviews/"

    first, second = (does.post(path, REFUSED | {"ask_again": True}) for _ in range(2))

    assert first.json() == second.json()
    assert Review.objects.count() == 1
    assert places(item) == (2, 1, 0, 1)


def test_a_code_is_a_reason_without_words(judged, batch, item, alice, program):
    said = {
        "is_paid": True,
        "paid_code": "in good faith",
        "is_counted": True,
        "counted_code": "good",
    }

    made = program(alice).post(f"{PATH}assignments/{judged[0].public_id}/reviews/", said)

    assert (made.json()["paid_code"], made.json()["paid_reason"]) == ("in good faith", "")


def test_nobody_reviews_what_they_were_handed(judged, batch, item, bob, study, alice, program):
    members.add(study=study, user=bob, roles=[Role.ADJUDICATOR], by=alice)
    path = f"{PATH}assignments/{judged[1].public_id}/reviews/"

    assert "you were assigned the item yourself" in conflict_detail(
        program(bob).post(path, REFUSED)
    )


def test_a_review_asks_again(judged, batch, item, alice, eve, program):
    path = f"{PATH}assignments/{judged[0].public_id}/reviews/"

    program(alice).post(path, REFUSED | {"ask_again": True})

    assert places(item) == (2, 1, 0, 1)


@pytest.fixture
def item_seen_by_all(batch, judged, alice):
    """The item of a closed batch that everybody with a desk judged."""
    batches.close(batch=batch, by=alice)
    return judged[0].item


@pytest.fixture
def eve(study, alice) -> User:
    """An annotator who judged nothing."""
    return member(study, "eve", Role.ANNOTATOR, by=alice)


def test_asking_again_where_everybody_saw_the_item_is_refused_unless_told_to_go_on(
    item_seen_by_all, judged, batch, alice, program
):
    path = f"{PATH}assignments/{judged[0].public_id}/reviews/"
    does, sent = program(alice), REFUSED | {"ask_again": True}

    refused = conflict_detail(does.post(path, sent))
    many = errors(
        does.post(
            f"{PATH}batches/{batch.pk}/reviews/",
            {"decisions": [{"assignment": str(judged[0].public_id), **REFUSED}], "ask_again": True},
        )
    )

    assert "nobody is left to judge it" in refused
    assert "even_if_nobody" in refused
    assert "nobody is left to judge it" in many["#/decisions/0/assignment"]
    batch.refresh_from_db()
    assert (batch.state, Review.objects.count()) == (BatchState.CLOSED, 0)
    assert does.post(path, sent | {"even_if_nobody": True}).status_code == 201


def test_one_more_judgement_where_everybody_saw_the_item_is_refused_unless_told_to_go_on(
    item_seen_by_all, batch, alice, program
):
    does, path = program(alice), f"{PATH}items/{item_seen_by_all.public_id}/ask-again/"

    assert "nobody is left to judge it" in conflict_detail(does.post(path, {}))
    assert does.post(path, {"even_if_nobody": True}).status_code == 200
    batch.refresh_from_db()
    assert batch.state == BatchState.OPEN


def test_a_reply_to_asking_again_says_that_the_batch_is_open_again(
    judged, batch, alice, eve, study, program
):
    batches.close(batch=batch, by=alice)
    path = f"{PATH}assignments/{judged[0].public_id}/reviews/"

    plain = program(alice).post(path, REFUSED).json()
    asked = program(alice).post(
        path.replace(str(judged[0].public_id), str(judged[1].public_id)),
        REFUSED | {"ask_again": True},
    )

    assert plain["batch_state"] == "closed"
    assert asked.json()["batch_state"] == "open"


def test_what_was_never_judged_cannot_be_reviewed(batch, item, bob, alice, program):
    held = claim_one(batch, bob)

    reply = program(alice).post(f"{PATH}assignments/{held.public_id}/reviews/", REFUSED)

    assert "has no judgement" in conflict_detail(reply)


def test_many_reviews_are_made_at_once(judged, batch, item, alice, program):
    sent = [{"assignment": str(each.public_id), **REFUSED} for each in judged]

    made = program(alice).post(f"{PATH}batches/{batch.pk}/reviews/", {"decisions": sent})

    assert made.status_code == 201
    assert [each["assignment"] for each in made.json()["reviews"]] == [
        each["assignment"] for each in sent
    ]
    assert places(item) == (2, 0, 0, 0)
    assert_counts_match(batch)


def test_many_reviews_are_made_or_none(judged, batch, item, bob, alice, program):
    elsewhere = ItemFactory(batch=BatchFactory(pool__dataset=batch.pool.dataset))
    claimed = claim_one(elsewhere.batch, bob)
    sent = [
        {"assignment": str(judged[0].public_id), **REFUSED},
        {"assignment": str(claimed.public_id), **REFUSED},
        {"assignment": str(judged[1].public_id), **REFUSED},
    ]

    reply = program(alice).post(f"{PATH}batches/{batch.pk}/reviews/", {"decisions": sent})

    assert list(errors(reply)) == ["#/decisions/1/assignment"]
    assert Review.objects.count() == 0
    assert not Event.objects.filter(verb__startswith="reviewed").exists()
    assert places(item) == (2, 0, 0, 2)


@pytest.mark.parametrize(
    ("change", "pointer"),
    [
        ({"assignment": "x"}, "#/decisions/1/assignment"),
        ({"counted_reason": ""}, "#/decisions/1/counted_reason"),
        ({"counted_code": "good"}, "#/decisions/1/counted_code"),
        ({"counted_code": "undone"}, "#/decisions/1/counted_code"),
        ({"paid_code": "x" * 30}, "#/decisions/1/paid_code"),
        ({"is_paid": "maybe"}, "#/decisions/1/is_paid"),
        (None, "#/decisions/1/assignment"),  # the first once more
    ],
)
def test_what_is_wrong_with_many_is_said_by_place_and_field(
    judged, batch, alice, program, change, pointer
):
    first = {"assignment": str(judged[0].public_id), **REFUSED}
    second = first if change is None else first | {"assignment": str(judged[1].public_id)} | change

    reply = program(alice).post(
        f"{PATH}batches/{batch.pk}/reviews/", {"decisions": [first, second]}
    )

    assert list(errors(reply)) == [pointer]
    assert Review.objects.count() == 0


def test_at_most_so_many_are_reviewed_at_once(judged, batch, alice, program):
    one = {"assignment": str(judged[0].public_id), **REFUSED}

    for decisions in ([], [one] * 501):
        reply = program(alice).post(f"{PATH}batches/{batch.pk}/reviews/", {"decisions": decisions})
        assert list(errors(reply)) == ["#/decisions"]


def test_many_reviews_sent_again_write_nothing(judged, batch, item, alice, program):
    sent = {"decisions": [{"assignment": str(each.public_id), **REFUSED} for each in judged]}
    does, path = program(alice), f"{PATH}batches/{batch.pk}/reviews/"

    first, second = (does.post(path, sent) for _ in range(2))

    assert (first.status_code, first.json()) == (second.status_code, second.json())
    assert Review.objects.count() == 2


def test_an_adjudicator_reviews_and_does_not_ask_again(judged, batch, item, carol, program):
    path = f"{PATH}assignments/{judged[0].public_id}/reviews/"

    assert program(carol).post(path, REFUSED | {"ask_again": True}).status_code == 403
    assert Review.objects.count() == 0
    assert program(carol).post(path, REFUSED).status_code == 201


def test_an_open_batch_is_changed_and_an_empty_one_becomes_a_draft(study, alice, bob, program):
    from annotation.actions import claims  # noqa: PLC0415

    draft = BatchFactory(pool__dataset__study=study, state=BatchState.DRAFT)
    CandidateFactory(pool=draft.pool)
    does, path = program(alice), f"{PATH}batches/{draft.pk}/"
    does.post(f"{path}open/", {})

    wanted = {"name": "renamed", "largest_share": 0.5, "judgements_per_item": 3}
    changed = does.post(f"{path}change/", wanted | {"guideline": "Be strict.\n"}).json()

    assert {name: changed[name] for name in wanted} == wanted
    assert changed["n_wanted"] == 3
    draft.refresh_from_db()
    assert draft.guideline.text == "Be strict.\n"
    assert does.post(f"{path}change/", {"largest_share": None}).json()["largest_share"] is None
    assert does.post(f"{path}change/", {"judgements_per_item": 1}).status_code == 409
    claims.claim(batch=draft, by=bob)
    refused = conflict_detail(does.post(f"{path}return-to-draft/", {}))
    assert refused.endswith(
        'wait until their time is over, or send "expire_claims": true to release them'
    )
    released = {"expire_claims": True}
    assert does.post(f"{path}return-to-draft/", released).json()["state"] == "draft"
    assert does.post(f"{path}return-to-draft/", {}).status_code == 409
