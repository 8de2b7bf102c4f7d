"""Which of the answers of two rounds stands is decided by somebody else, about the answers as they are."""

import pytest

from accounts.actions import members
from accounts.models import Role
from accounts.permissions import NotAllowedError
from annotation.actions import (
    batches,
    claims,
    review_plans,
    reviews,
    withdrawn_batches,
    written_decisions,
)
from annotation.models import Adjudication, Item, Judgement
from annotation.queries import written_pairs
from annotation.queries.decisions import decisions_by_batch
from annotation.review_decisions import Decision, ReviewError
from audit.models import Event
from exports.agreement.stored_figures import AgreementFigures
from tests.acts_at_once import at_once
from tests.annotation.desk import NOW
from tests.annotation.differing import (
    CHANGED,
    FIRST,
    KEPT,
    SKIPPED,
    THIRD,
    item,
    second_round_said,
)
from tests.annotation.rounds import write
from tests.conftest import member
from tests.exports.judged_batches import reject
from tests.factories import UserFactory
from tests.parts import part

NOT_COUNTED = Decision(True, "in good faith", "", False, "other", "odd")


@part
def batch(study, folder, bob, dora):
    """A question that was changed, one that was kept, and one that was skipped."""
    return second_round_said(study, folder, bob, dora, CHANGED, KEPT, SKIPPED)


def decide(item, by, label="first", **more):
    return written_decisions.decide(item=item, label=label, reason="so", by=by, **more)


def standing(item):
    return written_pairs.pair_of(item).decision


def without_kept(response):
    return {name: value for name, value in response.items() if name != "kept"}


def test_what_was_changed_or_skipped_differs_and_what_was_kept_does_not(batch):
    found = written_pairs.pairs(batch)

    assert [each.item for each in found] == [item(batch, 1), item(batch, 3)]
    assert written_pairs.progress_of(batch, found).n_open == 2
    assert not written_pairs.pair_of(item(batch, 2)).differs


@pytest.mark.parametrize(
    ("label", "response", "stands"),
    [
        ("first", None, FIRST),
        ("second", None, without_kept(CHANGED)),
        ("third", THIRD, THIRD),
        ("third", {"outcome": "unanswerable"}, {"outcome": "unanswerable"}),
    ],
)
def test_an_adjudicator_takes_one_or_writes_a_third(batch, carol, label, response, stands):
    made = decide(item(batch), carol, label, response=response)

    assert standing(item(batch)) == made
    assert made.response == stands
    assert written_pairs.progress_of(batch, written_pairs.pairs(batch)).n_decided == 1
    event = Event.objects.latest("pk")
    assert (event.verb, event.actor, event.target) == (
        "adjudicated",
        "carol",
        f"item {item(batch)}",
    )


def test_a_third_answer_keeps_the_rules_of_the_scheme(batch, carol):
    for response, words in (
        (THIRD | {"answer": " "}, "write something"),
        ({"outcome": "answered", "answer": "Oil."}, "tick at least one sentence"),
        ({name: each for name, each in THIRD.items() if name != "concise"}, "tick all of them"),
        (THIRD | {"s.1.99": "yes"}, "s.1.99 is asked here"),
        (THIRD | {"kept": "keep"}, "kept is asked here"),
        (FIRST, "answer 1 as it stands"),
        (without_kept(CHANGED), "answer 2 as it stands"),
        (None, "needs its text"),
    ):
        with pytest.raises(ReviewError, match=words):
            decide(item(batch), carol, "third", response=response)
    assert not Adjudication.objects.exists()


def test_nobody_decides_about_their_own(batch, study, alice, bob, dora, carol):
    for person in (bob, dora):
        members.add(study=study, user=person, roles=[Role.ADJUDICATOR], by=alice)
        with pytest.raises(ReviewError, match="nobody decides about their own"):
            decide(item(batch), person)
    assert written_pairs.own_items(bob, batch) == {each.pk for each in batch.items.all()}
    assert written_pairs.own_items(carol, batch) == set()
    with pytest.raises(NotAllowedError):
        decide(item(batch), alice)


def test_nobody_ends_a_question_that_was_theirs_in_the_other_round(batch, study, alice, bob, dora):
    """Else one of the two who wrote decides by excluding the question or rejecting the other's answer."""
    firsts = batch.first_round.items.order_by("position")
    for person, theirs in ((bob, item(batch)), (dora, firsts[0])):
        members.add(study=study, user=person, roles=[Role.ADJUDICATOR], by=alice)
        judgement = Judgement.objects.get(assignment__item=theirs)
        with pytest.raises(ReviewError, match="assigned this question in the other round"):
            reviews.exclude(item=theirs, reason="odd", by=person)
        with pytest.raises(ReviewError, match="assigned this question in the other round"):
            reject(judgement, by=person)
        planned = review_plans.plan(
            batch=theirs.batch, decisions={judgement.pk: NOT_COUNTED}, by=person
        )
        assert [step.why_not for step in planned.refused] == [review_plans.OWN_ITEM]
    reviews.exclude(item=firsts[0], reason="odd", by=alice)


@pytest.mark.parametrize("is_of_first", [True, False])
def test_a_decision_stands_no_more_once_who_made_it_is_handed_the_question(
    batch, study, alice, carol, is_of_first
):
    decided = decide(item(batch), carol, "second")
    membership = study.memberships.get(user=carol)
    members.change_roles(membership=membership, roles=[Role.ANNOTATOR], by=alice)
    again = item(batch).came_from if is_of_first else item(batch)
    reviews.ask_again(item=again, by=alice)
    (handed,) = claims.claim(batch=again.batch, by=carol, now=NOW)
    assert handed.item == again

    pair = written_pairs.pair_of(item(batch))
    assert pair.decision is None
    assert pair.outdated == decided
    assert pair.is_open
    assert written_pairs.is_own(carol, item(batch))


def test_the_same_decision_sent_twice_is_one_and_another_one_meanwhile_is_told(
    batch, study, alice, carol
):
    eve = UserFactory(username="eve")
    members.add(study=study, user=eve, roles=[Role.ADJUDICATOR], by=alice)
    between = written_pairs.pair_of(item(batch)).sha256

    made = decide(item(batch), carol, seen=0, between=between)

    assert decide(item(batch), carol, seen=0, between=between) == made
    with pytest.raises(ReviewError, match="carol decided it meanwhile, as first"):
        decide(item(batch), eve, "second", seen=0, between=between)
    changed = decide(item(batch), eve, "second", seen=made.pk, between=between)
    assert standing(item(batch)) == changed


def test_an_answer_that_is_rejected_while_the_form_is_open_is_told(batch, carol):
    between = written_pairs.pair_of(item(batch)).sha256
    reject(Judgement.objects.get(assignment__item=item(batch)))

    with pytest.raises(ReviewError, match="do not count any more"):
        decide(item(batch), carol, between=between)
    assert not Adjudication.objects.exists()


def test_a_decision_about_an_answer_that_changed_stands_no_more(batch, alice, bob, dora, carol):
    decided = decide(item(batch), carol, "second")
    judgement = Judgement.objects.get(assignment__item=item(batch))
    reject(judgement)
    assert written_pairs.pair_of(item(batch)) is None

    reviews.ask_again(item=item(batch), by=alice)
    frank = member(item(batch).batch.study, "frank", Role.ANNOTATOR, by=alice)
    write(item(batch).batch, frank, CHANGED | {"answer": "Whale oil."})
    batches.close(batch=item(batch).batch, by=alice)

    pair = written_pairs.pair_of(item(batch))
    assert pair.decision is None
    assert pair.outdated == decided
    assert pair.is_open
    again = decide(item(batch), carol, "second", seen=decided.pk, between=pair.sha256)
    assert standing(item(batch)) == again
    assert again.response["answer"] == "Whale oil."


def test_where_several_changed_an_answer_the_response_says_whose_is_taken(batch, alice, carol):
    reviews.ask_again(item=item(batch), by=alice)
    frank = member(item(batch).batch.study, "frank", Role.ANNOTATOR, by=alice)
    other = CHANGED | {"answer": "Whale oil."}
    write(item(batch).batch, frank, other)
    batches.close(batch=item(batch).batch, by=alice)
    pair = written_pairs.pair_of(item(batch))
    assert [each.choice for each in pair.versions] == ["first", "second", "second-3"]

    with pytest.raises(ReviewError, match="several people changed it"):
        decide(item(batch), carol, "second")
    with pytest.raises(ReviewError, match="nobody in the second round said that"):
        decide(item(batch), carol, "second", response=THIRD)
    made = decide(item(batch), carol, "second", response=without_kept(other))

    assert made.response["answer"] == "Whale oil."


def test_a_decision_that_is_undone_gives_way_to_the_one_before(batch, carol):
    first = decide(item(batch), carol)
    second = decide(item(batch), carol, "second", seen=first.pk)

    with pytest.raises(ReviewError, match="decided again meanwhile"):
        written_decisions.retract(item=item(batch), by=carol, seen=first.pk)
    assert written_decisions.retract(item=item(batch), by=carol, seen=second.pk).decision == first
    assert written_decisions.retract(item=item(batch), by=carol).is_open
    with pytest.raises(ReviewError, match="nothing to take back"):
        written_decisions.retract(item=item(batch), by=carol)


def test_the_latest_decision_about_these_answers_stands_and_is_the_one_undone(batch, carol):
    made = decide(item(batch), carol)
    about_others = Adjudication.objects.create(
        item=item(batch), label="second", between_sha256="0" * 64, reason="so", adjudicated_by=carol
    )
    pair = written_pairs.pair_of(item(batch))
    assert (pair.decision, pair.newest, pair.outdated) == (made, about_others, None)

    undone = written_decisions.retract(item=item(batch), by=carol, seen=made.pk)

    assert undone.is_open
    assert undone.outdated == about_others


def test_no_figure_of_a_batch_rests_on_which_answer_stands(batch, carol):
    def found():
        return decisions_by_batch([batch])[batch.pk], AgreementFigures(batch.study, batch).basis

    before = found()
    made = decide(item(batch), carol)
    assert found() == before
    written_decisions.retract(item=item(batch), by=carol, seen=made.pk)
    assert found() == before


def test_what_is_not_to_be_decided_is_refused_and_says_why(batch, alice, carol):
    first = batch.first_round
    with pytest.raises(ReviewError, match="the answers do not differ"):
        decide(item(batch, 2), carol)
    with pytest.raises(ReviewError, match="choose first, second or third"):
        decide(item(batch), carol, "plausible")
    with pytest.raises(ReviewError, match="of no second round"):
        decide(first.items.first(), carol)
    reviews.exclude(item=item(batch, 3), reason="odd", by=alice)
    with pytest.raises(ReviewError, match="do not count any more"):
        decide(item(batch, 3), carol)
    batches.reopen(batch=batch, by=alice)
    with pytest.raises(ReviewError, match="decided once it is closed"):
        decide(item(batch), carol)
    batches.close(batch=batch, by=alice)
    withdrawn_batches.withdraw(batch=first, reason="odd", by=alice)
    with pytest.raises(ReviewError, match="is withdrawn"):
        decide(item(batch), carol)


def test_an_excluded_item_that_is_readmitted_keeps_its_decision_and_has_no_verdict(
    batch, alice, carol
):
    decided = decide(item(batch), carol)
    reviews.exclude(item=item(batch), reason="odd", by=alice)
    assert written_pairs.pair_of(item(batch)) is None

    reviews.readmit(item=item(batch), reason="not odd", by=alice)

    assert standing(item(batch)) == decided
    assert not item(batch).verdicts.filter(adjudication__isnull=False).exists()


@pytest.mark.django_db(transaction=True)
def test_of_two_adjudicators_at_once_one_decides_and_the_other_is_told(batch, study, alice, carol):
    eve = member(study, "eve", Role.ADJUDICATOR, by=alice)
    item_id = item(batch).pk

    def act(person, label):
        own = Item.objects.get(pk=item_id)
        return decide(own, person, label, seen=0)

    done = at_once(
        study,
        lambda: act(carol, "first"),
        lambda: act(eve, "second"),
        lock=lambda _: Item.objects.locked().get(pk=item_id),
    )

    assert Adjudication.objects.count() == 1
    (refused,) = [each for each in done if isinstance(each, ReviewError)]
    assert "decided it meanwhile" in str(refused)
