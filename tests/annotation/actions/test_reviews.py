"""What is promised of decisions on work and items: annotation/actions/reviews.py."""

import pytest
from django.db import transaction

from accounts.models import Role
from accounts.permissions import NotAllowedError
from annotation.actions import batches, claims, judgements, reviews, settlement, verdicts
from annotation.models import (
    BatchState,
    Judgement,
    Review,
    SetAside,
    Source,
    Verdict,
    VerdictState,
)
from annotation.review_decisions import ReviewError
from audit.models import Event
from tests.annotation.desk import NOW, after, assert_counts_match, claim_one, judge, places, submit
from tests.conftest import member
from tests.factories import BatchFactory, ItemFactory


def review(
    judgement: Judgement, by, *, is_counted: bool, is_paid: bool = True, **more: object
) -> Review:
    return reviews.review(
        judgement=judgement,
        is_paid=is_paid,
        paid_reason="work was done",
        is_counted=is_counted,
        counted_reason="read it" if is_counted else "clicked through",
        by=by,
        **more,
    )


@pytest.fixture
def judged(batch, item, bob) -> Judgement:
    return judge(batch, bob)


@pytest.fixture
def closed(batch, item, alice, bob, dora):
    """A closed batch with one item on which bob and dora disagree."""
    judge(batch, bob, "plausible")
    judge(batch, dora, "malformed")
    return batches.close(batch=batch, by=alice)


# What is paid and what is counted


def test_a_review_is_two_decisions_each_with_its_reason(judged, alice):
    decision = review(judged, alice, is_paid=True, is_counted=False)

    assert (decision.is_paid, decision.paid_reason) == (True, "work was done")
    assert (decision.is_counted, decision.counted_reason) == (False, "clicked through")
    assert (decision.reviewed_by, decision.replaces) == (alice, None)


def test_a_review_leaves_an_event_that_says_who_decided_what(judged, alice, study):
    review(judged, alice, is_counted=False)

    event = Event.objects.get(verb="reviewed")
    assert (event.actor, event.study) == ("alice", study.slug)
    assert event.target == f"assignment {judged.assignment.public_id}"
    assert event.details["is_counted"] is False
    assert event.details["counted_reason"] == "clicked through"


def test_not_counted_shuts_the_place(batch, item, judged, alice, dora):
    review(judged, alice, is_counted=False)

    assert places(item) == (2, 1, 0, 0)
    claim_one(batch, dora)
    assert places(item) == (2, 0, 1, 0)
    assert_counts_match(batch)


def test_what_is_not_counted_leaves_the_counted_judgements_and_stays_stored(judged, alice):
    review(judged, alice, is_counted=False)

    assert list(Judgement.objects.counted()) == []
    assert list(Judgement.objects.not_withdrawn()) == [judged]


def test_whether_it_is_paid_moves_no_place(item, judged, alice):
    review(judged, alice, is_paid=False, is_counted=True)

    assert places(item) == (2, 1, 0, 1)
    assert list(Judgement.objects.counted()) == [judged]


def test_a_later_review_replaces_the_earlier_one(judged, alice, carol):
    first = review(judged, alice, is_counted=False)

    second = review(judged, carol, is_counted=True)

    assert second.replaces == first
    assert list(judged.reviews.filter(replaced_by=None)) == [second]


def test_not_counted_twice_shuts_one_place(item, judged, alice):
    review(judged, alice, is_counted=False)
    review(judged, alice, is_paid=False, is_counted=False)

    assert places(item) == (2, 1, 0, 0)


def test_counted_again_takes_the_shut_place(item, judged, alice):
    review(judged, alice, is_counted=False)
    review(judged, alice, is_counted=True)

    assert places(item) == (2, 1, 0, 1)
    assert list(Judgement.objects.counted()) == [judged]


def test_counted_again_takes_a_place_that_was_opened_and_not_filled(item, judged, alice):
    review(judged, alice, is_counted=False)
    reviews.ask_again(item=item, by=alice)

    review(judged, alice, is_counted=True)

    assert places(item) == (2, 1, 0, 1)


def test_counted_again_is_refused_when_others_filled_the_places(
    study, batch, item, judged, alice, dora
):
    review(judged, alice, is_counted=False)
    reviews.ask_again(item=item, by=alice)
    judge(batch, dora)
    judge(batch, member(study, "eve", Role.ANNOTATOR, by=alice))

    with pytest.raises(ReviewError, match="has its 2 judgements"):
        review(judged, alice, is_counted=True)

    assert places(item) == (2, 0, 0, 2)
    assert judged.reviews.count() == 1


def test_a_claimed_place_is_not_taken_from_who_works_on_it(study, batch, item, judged, alice, dora):
    review(judged, alice, is_counted=False)
    reviews.ask_again(item=item, by=alice)
    claim_one(batch, dora)
    claim_one(batch, member(study, "eve", Role.ANNOTATOR, by=alice))

    with pytest.raises(ReviewError):
        review(judged, alice, is_counted=True)

    assert places(item) == (2, 0, 2, 0)


def test_the_review_of_surplus_moves_no_place_and_cannot_make_it_count(batch, item, alice, bob):
    held = claim_one(batch, bob)
    batches.close(batch=batch, by=alice)
    surplus = submit(held, now=after(601))

    review(surplus, alice, is_paid=True, is_counted=False)
    with pytest.raises(ReviewError, match="surplus or taken back"):
        review(surplus, alice, is_counted=True)

    assert places(item) == (2, 2, 0, 0)


def test_the_review_of_what_was_taken_back_moves_no_place(batch, item, judged, alice, bob):
    assert not hasattr(judged, "withdrawal")  # asked before it happens, and remembered
    judgements.take_back(judgement=Judgement.objects.get(), by=bob, now=NOW)

    review(judged, alice, is_counted=False)
    with pytest.raises(ReviewError, match="surplus or taken back"):
        review(judged, alice, is_counted=True)

    assert places(item) == (2, 1, 1, 0)
    assert_counts_match(batch)


def test_annotators_and_strangers_review_nothing(item, judged, dora, mallory):
    for person in (dora, mallory):
        with pytest.raises(NotAllowedError):
            review(judged, person, is_counted=False)

    assert places(item) == (2, 1, 0, 1)


# Asking again


def test_rejected_work_is_not_asked_for_again_unless_somebody_says_so(
    batch, item, judged, alice, dora, study
):
    review(judged, alice, is_counted=False)
    judge(batch, dora)

    eve = member(study, "eve", Role.ANNOTATOR, by=alice)
    assert claims.claim(batch=batch, by=eve, now=NOW) == []


def test_ask_again_opens_a_shut_place(item, judged, alice):
    review(judged, alice, is_counted=False)

    reviews.ask_again(item=item, by=alice)

    assert places(item) == (2, 2, 0, 0)


def test_ask_again_wants_one_more_where_no_place_is_shut(item, judged, alice):
    reviews.ask_again(item=item, by=alice)

    assert places(item) == (3, 2, 0, 1)


def test_asking_again_twice_from_one_page_opens_one_place(item, judged, alice):
    n_asked = reviews.n_judgements_asked(item)
    reviews.ask_again(item=item, by=alice, n_asked=n_asked)

    with pytest.raises(ReviewError, match=f"{n_asked + 1} judgements by now, not for {n_asked}"):
        reviews.ask_again(item=item, by=alice, n_asked=n_asked)
    assert places(item)[0] == n_asked + 1


def test_ask_again_leaves_an_event(item, study, alice):
    reviews.ask_again(item=item, by=alice)

    event = Event.objects.get(verb="asked again")
    assert (event.actor, event.target) == ("alice", f"item {item.public_id}")


def test_whose_work_was_rejected_is_not_handed_the_item_again(batch, item, judged, alice, bob):
    review(judged, alice, is_counted=False)
    reviews.ask_again(item=item, by=alice)

    assert claims.claim(batch=batch, by=bob, now=NOW) == []


def test_ask_again_brings_a_closed_batch_back_to_open_with_an_event(closed, item, alice):
    reviews.ask_again(item=item, by=alice)

    closed.refresh_from_db()
    assert (closed.state, closed.closed_at, closed.closed_by) == (BatchState.OPEN, None, None)
    assert Event.objects.filter(verb="reopened").count() == 1
    assert places(item) == (3, 1, 0, 2)


@pytest.mark.parametrize("state", [BatchState.OPEN, BatchState.PAUSED])
def test_ask_again_leaves_a_batch_that_is_not_closed_as_it_is(batch, item, alice, state):
    batch.state = state
    batch.save()

    reviews.ask_again(item=item, by=alice)

    batch.refresh_from_db()
    assert batch.state == state


def test_after_asking_again_the_verdict_stands_until_the_batch_is_settled_again(
    closed, item, alice
):
    settlement.settle(batch=closed, rule="unanimous", by=alice)

    reviews.ask_again(item=item, by=alice)

    assert verdicts.current_verdict(item).state == VerdictState.DISPUTED


def test_only_a_requester_asks_again(item, bob, carol, mallory):
    for person in (bob, carol, mallory):
        with pytest.raises(NotAllowedError):
            reviews.ask_again(item=item, by=person)

    assert places(item) == (2, 2, 0, 0)


def test_a_control_item_is_not_asked_again(batch, alice):
    control = ItemFactory(batch=batch, n_wanted=None, n_open=0)

    with pytest.raises(ReviewError, match="control item"):
        reviews.ask_again(item=control, by=alice)


def test_a_review_can_ask_again_in_one_act(item, judged, alice):
    review(judged, alice, is_counted=False, ask_again=True)

    assert places(item) == (2, 2, 0, 0)
    assert list(Event.objects.filter(target=f"item {item}").values_list("verb", flat=True)) == [
        "asked again"
    ]


def test_a_review_that_asks_again_reopens_a_closed_batch(closed, item, alice):
    judgement = Judgement.objects.first()

    review(judgement, alice, is_counted=False, ask_again=True)

    closed.refresh_from_db()
    assert closed.state == BatchState.OPEN
    assert places(item) == (2, 1, 0, 1)


def test_where_asking_again_is_refused_nothing_is_reviewed(item, judged, carol):
    with pytest.raises(NotAllowedError, match="carol is not requester"):
        review(judged, carol, is_counted=False, ask_again=True)

    assert not Review.objects.exists()
    assert places(item) == (2, 1, 0, 1)
    assert not Event.objects.filter(verb="reviewed").exists()


# Reasons


def decide(act: str, judgement: Judgement, reason: str, *, requester, adjudicator) -> object:
    """One decision of a kind, for that reason."""
    item, both = judgement.assignment.item, {"is_paid": True, "is_counted": False}
    match act:
        case "pay":
            return reviews.review(
                judgement=judgement, paid_reason=reason, counted_reason="x", by=requester, **both
            ).paid_reason
        case "count":
            return reviews.review(
                judgement=judgement, paid_reason="x", counted_reason=reason, by=requester, **both
            ).counted_reason
        case "exclude":
            return reviews.exclude(item=item, reason=reason, by=requester).reason
        case "readmit":
            reviews.exclude(item=item, reason="confusing", by=requester)
            return reviews.readmit(item=item, reason=reason, by=requester).reason
        case "adjudicate":
            verdict = reviews.adjudicate(
                item=item, label="plausible", reason=reason, by=adjudicator
            )
            return verdict.adjudication.reason


DECISIONS = ["pay", "count", "exclude", "readmit", "adjudicate"]


@pytest.mark.parametrize("act", DECISIONS)
@pytest.mark.parametrize("reason", ["", "  ", "\n\t"])
def test_a_decision_without_a_reason_is_refused(closed, alice, carol, act, reason):
    judgement = Judgement.objects.first()

    with pytest.raises(ReviewError, match="is empty"):
        decide(act, judgement, reason, requester=alice, adjudicator=carol)

    assert places(judgement.assignment.item) == (2, 0, 0, 2)
    assert not Event.objects.filter(verb__in=["reviewed", "readmitted", "adjudicated"]).exists()


@pytest.mark.parametrize("act", DECISIONS)
def test_a_reason_is_stored_up_to_its_limit_and_refused_beyond_with_the_limit(
    closed, alice, carol, act
):
    judgement = Judgement.objects.first()

    with (
        pytest.raises(ReviewError, match="has 1001 characters; it may have 1000 at most"),
        transaction.atomic(),
    ):
        decide(act, judgement, "é" * 1001, requester=alice, adjudicator=carol)
    stored = decide(act, judgement, f" {'é' * 1000}\n", requester=alice, adjudicator=carol)

    assert stored == "é" * 1000


# Excluding


def test_an_excluded_item_is_set_aside_at_once(item, alice):
    decision = reviews.exclude(item=item, reason="confusing", by=alice)

    verdict = verdicts.current_verdict(item)
    assert (decision.is_excluded, decision.reason) == (True, "confusing")
    assert (verdict.state, verdict.set_aside_reason) == (VerdictState.SET_ASIDE, SetAside.EXCLUDED)
    assert (verdict.source, verdict.decided_by) == (Source.DECISION, alice)
    assert Event.objects.get(verb="excluded").details == {"reason": "confusing"}


def test_an_exclusion_and_what_follows_it_stand_in_one_line(item, alice, carol):
    decisions = [
        reviews.exclude(item=item, reason="confusing", by=alice),
        reviews.readmit(item=item, reason="it is not", by=carol),
        reviews.exclude(item=item, reason="it is", by=alice),
    ]

    assert [decision.replaces for decision in decisions] == [None, *decisions[:2]]


def test_an_item_is_excluded_or_not_and_nothing_between(item, alice):
    with pytest.raises(ReviewError, match="not excluded already"):
        reviews.readmit(item=item, reason="because", by=alice)
    reviews.exclude(item=item, reason="confusing", by=alice)
    with pytest.raises(ReviewError, match="is excluded already"):
        reviews.exclude(item=item, reason="confusing", by=alice)

    assert item.exclusions.count() == 1


def test_annotators_and_strangers_exclude_nothing(item, bob, mallory):
    for person in (bob, mallory):
        with pytest.raises(NotAllowedError):
            reviews.exclude(item=item, reason="because", by=person)
        with pytest.raises(NotAllowedError):
            reviews.readmit(item=item, reason="because", by=person)


def test_nobody_excludes_or_readmits_an_item_they_were_handed(study, batch, item, alice, bob):
    judge(batch, bob)
    study.memberships.get(user=bob).grants.create(role=Role.ADJUDICATOR, granted_by=alice)
    refused = "bob was assigned the item .*: nobody excludes or readmits their own"

    with pytest.raises(ReviewError, match=refused):
        reviews.exclude(item=item, reason="confusing", by=bob)
    assert not item.exclusions.exists()

    reviews.exclude(item=item, reason="confusing", by=alice)
    with pytest.raises(ReviewError, match=refused):
        reviews.readmit(item=item, reason="it is not", by=bob)
    assert item.exclusions.count() == 1


def test_nothing_more_is_asked_of_an_excluded_item(closed, item, alice):
    before = places(item)
    reviews.exclude(item=item, reason="confusing", by=alice)

    with pytest.raises(ReviewError, match="is excluded: readmit it first"):
        reviews.ask_again(item=item, by=alice)

    closed.refresh_from_db()
    assert (places(item), closed.state) == (before, BatchState.CLOSED)


def test_readmitting_gives_an_adjudicated_item_its_adjudication_again(closed, item, alice, carol):
    decided = reviews.adjudicate(item=item, label="malformed", reason="no verb", by=carol)
    reviews.exclude(item=item, reason="confusing", by=alice)
    set_aside = verdicts.current_verdict(item)

    reviews.readmit(item=item, reason="it is not", by=alice)
    settled = settlement.settle(batch=closed, rule="majority", by=alice)

    again = verdicts.current_verdict(item)
    assert (again.state, again.label) == (VerdictState.DECIDED, "malformed")
    assert (again.source, again.adjudication) == (Source.ADJUDICATION, decided.adjudication)
    assert (again.replaces, again.decided_by) == (set_aside, carol)
    assert (settled.n_new, settled.n_adjudicated) == (0, 1)


def test_what_is_given_again_is_the_last_adjudication(closed, item, alice, carol):
    reviews.adjudicate(item=item, label="malformed", reason="no verb", by=carol)
    reviews.adjudicate(item=item, label="plausible", reason="there is one", by=carol)

    for _ in range(2):
        reviews.exclude(item=item, reason="confusing", by=alice)
        reviews.readmit(item=item, reason="it is not", by=alice)

    assert verdicts.current_verdict(item).label == "plausible"
    assert item.adjudications.count() == 2


def test_a_readmitted_item_that_nobody_adjudicated_waits_for_settling(closed, item, alice):
    settlement.settle(batch=closed, rule="majority", by=alice)
    reviews.exclude(item=item, reason="confusing", by=alice)

    reviews.readmit(item=item, reason="it is not", by=alice)
    before = verdicts.current_verdict(item)
    settlement.settle(batch=closed, rule="majority", by=alice)

    assert before.set_aside_reason == SetAside.EXCLUDED
    assert verdicts.current_verdict(item).state == VerdictState.DISPUTED


# Adjudicating


def test_an_adjudication_is_the_items_verdict_with_its_reason(closed, item, carol):
    verdict = reviews.adjudicate(item=item, label="malformed", reason="no verb", by=carol)

    assert verdicts.current_verdict(item) == verdict
    assert (verdict.state, verdict.label) == (VerdictState.DECIDED, "malformed")
    assert (verdict.source, verdict.decided_by) == (Source.ADJUDICATION, carol)
    assert (verdict.adjudication.label, verdict.adjudication.reason) == ("malformed", "no verb")
    assert Event.objects.get(verb="adjudicated").details["reason"] == "no verb"


def test_an_adjudication_replaces_what_was_settled_and_keeps_its_votes(closed, item, alice, carol):
    settlement.settle(batch=closed, rule="majority", by=alice)
    disputed = verdicts.current_verdict(item)

    verdict = reviews.adjudicate(item=item, label="plausible", reason="it is", by=carol)

    assert (verdict.replaces, verdict.rule) == (disputed, "majority")
    assert verdict.votes == {"malformed": 1, "plausible": 1}
    assert list(Verdict.objects.current()) == [verdict]


def test_an_adjudication_can_be_adjudicated_again(closed, item, carol):
    first = reviews.adjudicate(item=item, label="plausible", reason="it is", by=carol)

    second = reviews.adjudicate(item=item, label="malformed", reason="it is not", by=carol)

    assert second.replaces == first
    assert item.adjudications.count() == 2


def test_nobody_replaces_an_adjudication_that_they_have_not_seen(study, closed, item, alice, carol):
    erin = member(study, "erin", Role.ADJUDICATOR, by=alice)
    seen = verdicts.current_verdict(item).pk if verdicts.current_verdict(item) else 0
    reviews.adjudicate(item=item, label="plausible", reason="It is.", by=carol, seen=seen)

    for act in (reviews.adjudicate, reviews.exclude):
        more = {"label": "malformed"} if act == reviews.adjudicate else {}
        with pytest.raises(ReviewError, match="carol decided it meanwhile, as plausible"):
            act(item=item, reason="It is not.", by=erin, seen=seen, **more)
    stands = verdicts.current_verdict(item)
    assert (stands.label, stands.decided_by) == ("plausible", carol)

    reviews.adjudicate(item=item, label="malformed", reason="No.", by=erin, seen=stands.pk)
    assert verdicts.current_verdict(item).label == "malformed"


def test_the_same_decision_sent_twice_is_taken_once(closed, item, carol):
    decision = {"label": "plausible", "reason": "It is.", "seen": 0}
    first = reviews.adjudicate(item=item, by=carol, **decision)

    assert reviews.adjudicate(item=item, by=carol, **decision) == first
    assert item.adjudications.count() == 1


def test_what_was_settled_anew_meanwhile_is_looked_at_again(closed, item, alice, carol):
    settlement.settle(batch=closed, rule="majority", by=alice)

    with pytest.raises(ReviewError, match="settled again meanwhile"):
        reviews.adjudicate(item=item, label="plausible", reason="It is.", by=carol, seen=0)


def test_mark_as_correct_settles_an_item_with_one_judgement_left(
    study, batch, item, alice, bob, carol
):
    judgement = judge(batch, bob, "implausible")
    batches.close(batch=batch, by=alice)

    verdict = reviews.mark_correct(judgement=judgement, by=carol)

    assert (verdict.label, verdict.adjudication.reason) == ("implausible", "marked correct")


@pytest.mark.parametrize("label", ["faithful", "", "Plausible"])
def test_an_adjudication_says_one_of_the_schemes_labels(closed, item, carol, label):
    with pytest.raises(ReviewError, match="has no label"):
        reviews.adjudicate(item=item, label=label, reason="because", by=carol)

    assert verdicts.current_verdict(item) is None


@pytest.mark.parametrize("state", [BatchState.OPEN, BatchState.PAUSED])
def test_nothing_is_adjudicated_before_the_batch_is_closed(batch, item, carol, state):
    batch.state = state
    batch.save()

    with pytest.raises(ReviewError, match="close it first"):
        reviews.adjudicate(item=item, label="plausible", reason="because", by=carol)


def test_nobody_adjudicates_an_item_they_judged(study, closed, item, bob):
    grants = study.memberships.get(user=bob).grants
    grants.create(role=Role.ADJUDICATOR, granted_by=bob)

    with pytest.raises(ReviewError, match="nobody adjudicates their own"):
        reviews.adjudicate(item=item, label="plausible", reason="because", by=bob)


def test_nobody_marks_a_judgement_on_an_item_they_judged_as_correct(study, closed, item, bob):
    grants = study.memberships.get(user=bob).grants
    grants.create(role=Role.ADJUDICATOR, granted_by=bob)

    for judgement in Judgement.objects.all():
        with pytest.raises(ReviewError, match="nobody adjudicates their own"):
            reviews.mark_correct(judgement=judgement, by=bob)


def test_an_excluded_item_is_not_adjudicated(closed, item, alice, carol):
    reviews.exclude(item=item, reason="confusing", by=alice)

    with pytest.raises(ReviewError, match="readmit it first"):
        reviews.adjudicate(item=item, label="plausible", reason="because", by=carol)


def test_only_an_adjudicator_adjudicates(closed, item, alice, dora, mallory):
    for person in (alice, dora, mallory):
        with pytest.raises(NotAllowedError):
            reviews.adjudicate(item=item, label="plausible", reason="because", by=person)


def test_who_adjudicates_elsewhere_decides_nothing_here(closed, item, carol):
    elsewhere = ItemFactory(batch=BatchFactory())

    with pytest.raises(NotAllowedError, match="carol is not adjudicator"):
        reviews.adjudicate(item=elsewhere, label="plausible", reason="because", by=carol)
