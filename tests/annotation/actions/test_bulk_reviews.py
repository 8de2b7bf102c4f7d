"""What is promised of reviewing many judgements at once: annotation/actions/bulk_reviews.py and review_plans.py."""

from contextlib import nullcontext
from decimal import Decimal
from random import Random

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from accounts.models import Role
from accounts.permissions import NotAllowedError
from annotation.actions import (
    batches,
    bulk_reviews,
    review_plans,
    settlement,
    verdicts,
)
from annotation.actions import (
    reviews as review_actions,
)
from annotation.actions.bulk_reviews import BrokenOffError
from annotation.actions.review_plans import NO_PLACE, NOT_ASKED, OWN_ITEM, TAKEN_BACK
from annotation.models import BatchState, Judgement, Review, ReviewAct, Verdict, Withdrawal
from annotation.queries import review_effects
from annotation.queries.batch_progress import OutcomeKind
from annotation.review_decisions import Decision, ReviewError
from audit.models import Event
from stats.aggregation import consensus
from tests.annotation.desk import NOW, assert_counts_match, places

SPAM = Decision(False, "random answers", "always 3", False, "random answer", "")
GOOD = Decision(True, "in good faith", "", True, "good", "")
MEANWHILE = "something was decided meanwhile"


def all_of(judged_batch, who, decision=SPAM):
    return {judgement.pk: decision for judgement in judged_batch.of(who)}


def decide(judged_batch, decisions, by, **more):
    return bulk_reviews.decide(batch=judged_batch.batch, decisions=decisions, by=by, **more)


def plan(judged_batch, decisions, by, **more):
    return review_plans.plan(batch=judged_batch.batch, decisions=decisions, by=by, **more)


def settled(judged_batch, alice):
    settlement.settle(batch=judged_batch.batch, rule="unanimous", by=alice)


def standing(judged_batch):
    return {
        judgement.pk: (judgement in counted, judgement.reviews.filter(replaced_by=None).first())
        for counted in [set(Judgement.objects.counted())]
        for judgement in Judgement.objects.filter(assignment__item__batch=judged_batch.batch)
    }


# Deciding


def test_one_act_decides_on_every_judgement_of_a_person(judged_batch, alice):
    act = decide(judged_batch, all_of(judged_batch, judged_batch.fay), alice)

    reviews = Review.objects.filter(act=act)
    assert [each.judgement.assignment.annotator for each in reviews] == [judged_batch.fay] * 2
    assert {(each.paid_because, each.counted_because) for each in reviews} == {
        ("random answers: always 3", "random answer")
    }
    assert places(judged_batch.item(6)) == (3, 0, 0, 2)
    assert places(judged_batch.item(7)) == (3, 1, 0, 1)
    assert_counts_match(judged_batch.batch)


def test_a_bulk_act_leaves_one_event_that_says_what_and_how_many(judged_batch, alice):
    act = decide(judged_batch, all_of(judged_batch, judged_batch.fay), alice)

    event = Event.objects.get(verb="reviewed in bulk")
    assert (event.actor, event.target) == ("alice", f"batch {judged_batch.batch}")
    assert event.details["n_judgements"] == 2
    assert event.details["act"] == str(act)
    assert event.details["counted_code"] == "random answer"


def test_what_is_decided_so_already_gets_no_second_row(judged_batch, alice):
    decide(judged_batch, all_of(judged_batch, judged_batch.fay), alice)
    more = all_of(judged_batch, judged_batch.fay)

    planned = plan(judged_batch, more, alice)

    assert (len(planned.done), len(planned.same)) == (0, 2)
    with pytest.raises(ReviewError, match="decided so already"):
        decide(judged_batch, more, alice)
    assert Review.objects.count() == 2


def test_several_judgements_of_one_item_move_its_places_together(judged_batch, alice, bob, dora):
    decisions = {judged_batch.judgement(6, who).pk: SPAM for who in (bob, dora, judged_batch.fay)}

    decide(judged_batch, decisions, alice, ask_again=True)

    assert places(judged_batch.item(6)) == (3, 3, 0, 0)
    assert_counts_match(judged_batch.batch)


def test_asking_again_opens_a_place_for_each_and_the_batch(judged_batch, alice):
    planned = plan(judged_batch, all_of(judged_batch, judged_batch.fay), alice, ask_again=True)
    assert (planned.n_opened, planned.reopens) == (2, True)

    decide(judged_batch, all_of(judged_batch, judged_batch.fay), alice, ask_again=True)

    judged_batch.batch.refresh_from_db()
    assert judged_batch.batch.state == BatchState.OPEN
    assert places(judged_batch.item(7)) == (3, 2, 0, 1)


def test_asking_again_where_no_place_would_open_is_refused_with_the_way_out(judged_batch, alice):
    decisions = all_of(judged_batch, judged_batch.fay)
    decide(judged_batch, decisions, alice)
    other = dict.fromkeys(decisions, Decision(False, "not own work", "", False, "not own work", ""))

    for again in (decisions, other):
        planned = plan(judged_batch, again, alice, ask_again=True)
        assert [step.why_not for step in planned.refused] == [NOT_ASKED] * 2
        with pytest.raises(ReviewError, match="on the page of its item"):
            decide(judged_batch, again, alice, ask_again=True)
    assert plan(judged_batch, other, alice).refused == ()


def test_asking_again_sent_twice_asks_once(judged_batch, alice):
    decisions = all_of(judged_batch, judged_batch.fay)
    decide(judged_batch, decisions, alice, ask_again=True)

    planned = plan(judged_batch, decisions, alice, ask_again=True)

    assert (len(planned.same), planned.refused, dict(planned.opened)) == (2, (), {})


def test_nobody_chooses_that_something_is_undone(judged_batch, alice):
    undone = Decision(True, "undone", "", True, "undone", "")

    with pytest.raises(ReviewError, match="undone cannot be chosen"):
        decide(judged_batch, all_of(judged_batch, judged_batch.fay, undone), alice)


def test_an_excluded_item_is_not_asked_again(judged_batch, alice):
    review_actions.exclude(item=judged_batch.item(6), reason="confusing", by=alice)

    planned = plan(judged_batch, all_of(judged_batch, judged_batch.fay), alice, ask_again=True)

    assert dict(planned.opened) == {judged_batch.item(7).pk: 1}


def test_only_requesters_ask_again_and_annotators_review_nothing(judged_batch, carol, bob):
    decisions = all_of(judged_batch, judged_batch.fay)

    with pytest.raises(NotAllowedError):
        decide(judged_batch, decisions, carol, ask_again=True)
    with pytest.raises(NotAllowedError):
        decide(judged_batch, decisions, bob)
    assert not ReviewAct.objects.exists()
    decide(judged_batch, decisions, carol)


def test_nobody_reviews_work_on_an_item_that_they_were_handed(study, judged_batch, alice, bob):
    study.memberships.get(user=bob).grants.create(role=Role.ADJUDICATOR, granted_by=alice)

    planned = plan(judged_batch, all_of(judged_batch, judged_batch.fay), bob)

    assert [step.why_not for step in planned.refused] == [OWN_ITEM, OWN_ITEM]
    with pytest.raises(ReviewError, match="assigned the item yourself"):
        decide(judged_batch, all_of(judged_batch, judged_batch.fay), bob)
    with pytest.raises(ReviewError, match="bob was assigned the item"):
        review_actions.review(
            judgement=judged_batch.judgement(6, judged_batch.fay),
            is_paid=True,
            paid_code="in good faith",
            paid_reason="",
            is_counted=True,
            counted_code="good",
            counted_reason="",
            by=bob,
        )


def test_what_was_taken_back_is_not_reviewed(judged_batch, alice):
    taken = judged_batch.judgement(6, judged_batch.fay)
    Withdrawal.objects.create(judgement=taken, withdrawn_at=NOW, withdrawn_by=judged_batch.fay)

    planned = plan(judged_batch, all_of(judged_batch, judged_batch.fay), alice)

    assert [step.why_not for step in planned.refused] == [TAKEN_BACK]
    assert len(planned.done) == 1


def test_a_reason_that_does_not_fit_decides_nothing(judged_batch, alice):
    wrong = Decision(True, "random answers", "", True, "good", "")
    decisions = all_of(judged_batch, judged_batch.fay) | {
        judged_batch.of(judged_batch.fay)[0].pk: wrong
    }

    with pytest.raises(ReviewError, match="random answers is no reason for paid"):
        decide(judged_batch, decisions, alice)
    assert not Review.objects.exists()


def test_judgements_of_another_batch_are_left_out(judged_batch, alice):
    assert plan(judged_batch, {10**12: SPAM}, alice).done == ()


def test_who_saw_another_plan_is_told_and_nothing_is_decided(judged_batch, alice, carol, bob):
    decisions = all_of(judged_batch, judged_batch.fay)
    seen = plan(judged_batch, decisions, alice).seal
    decide(judged_batch, {judged_batch.judgement(6, judged_batch.fay).pk: GOOD}, carol)

    with pytest.raises(ReviewError, match=MEANWHILE):
        decide(judged_batch, decisions, alice, seal=seen)
    assert Review.objects.count() == 1
    decide(judged_batch, decisions, alice, seal=plan(judged_batch, decisions, alice).seal)


def test_what_changes_between_plan_and_act_stops_the_act(judged_batch, alice, monkeypatch):
    """As it would be if somebody decided while the act waits for the items' locks."""
    decisions = all_of(judged_batch, judged_batch.fay)
    begin = bulk_reviews.atomic_where_rows_are_locked
    judgement = judged_batch.judgement(6, judged_batch.fay)

    def meanwhile():
        monkeypatch.setattr(bulk_reviews, "atomic_where_rows_are_locked", begin)
        decide(judged_batch, {judgement.pk: GOOD}, alice)
        return begin()

    monkeypatch.setattr(bulk_reviews, "atomic_where_rows_are_locked", meanwhile)
    with pytest.raises(ReviewError, match=MEANWHILE):
        decide(judged_batch, decisions, alice)
    assert [each.paid_code for each in Review.objects.all()] == ["in good faith"]


def test_many_are_written_in_pieces_and_make_one_act(judged_batch, alice, monkeypatch):
    pieces = bulk_reviews.write_in_pieces
    monkeypatch.setattr(
        bulk_reviews, "write_in_pieces", lambda rows, write: pieces(rows, write, n=3)
    )
    everything = {
        judgement.pk: SPAM
        for judgement in Judgement.objects.filter(assignment__item__batch=judged_batch.batch)
    }

    act = decide(judged_batch, everything, alice, ask_again=True)

    assert act.reviews.count() == 17
    assert Event.objects.filter(verb="reviewed in bulk").count() == 1
    assert not Judgement.objects.counted().exists()
    assert_counts_match(judged_batch.batch)
    assert {places(item)[1] for item in judged_batch.items} == {3}


@pytest.fixture
def broken_off(judged_batch, alice, monkeypatch):
    """Decisions on all of the batch, written in pieces of 3, of which the third is refused once."""
    pieces, begun = bulk_reviews.write_in_pieces, []

    def in_threes(rows, write):
        def slowly(piece):
            begun.append(piece)
            if len(begun) == 3:
                raise ReviewError(bulk_reviews.MEANWHILE)
            write(piece)

        pieces(rows, slowly, n=3)

    monkeypatch.setattr(bulk_reviews, "write_in_pieces", in_threes)
    return {
        judgement.pk: SPAM
        for judgement in Judgement.objects.filter(assignment__item__batch=judged_batch.batch)
    }


def test_where_rows_are_locked_a_refused_act_writes_nothing(
    judged_batch, alice, broken_off, monkeypatch
):
    monkeypatch.setattr(bulk_reviews, "locks_rows", lambda: True)
    monkeypatch.setattr(bulk_reviews, "atomic_where_rows_are_locked", transaction.atomic)

    with pytest.raises(ReviewError, match=f"^{MEANWHILE}"):
        decide(judged_batch, broken_off, alice)

    assert not Review.objects.exists()
    assert not Event.objects.filter(verb="reviewed in bulk").exists()
    assert_counts_match(judged_batch.batch)


def test_in_pieces_a_broken_off_act_says_what_it_wrote_and_again_does_the_rest(
    judged_batch, alice, broken_off, monkeypatch
):
    monkeypatch.setattr(bulk_reviews, "locks_rows", lambda: False)
    monkeypatch.setattr(bulk_reviews, "atomic_where_rows_are_locked", nullcontext)

    with pytest.raises(BrokenOffError, match=r"^6 of 17 were written.*again does the rest"):
        decide(judged_batch, broken_off, alice)

    event = Event.objects.get(verb="reviewed in bulk")
    assert (event.details["n_judgements"], event.details["n_left"]) == (6, 11)
    assert Review.objects.count() == 6
    assert_counts_match(judged_batch.batch)

    rest = decide(judged_batch, broken_off, alice)
    assert rest.reviews.count() == 11


# Undoing


def test_an_act_is_undone_by_rows_that_replace_its_own(judged_batch, alice, carol):
    before = decide(judged_batch, all_of(judged_batch, judged_batch.fay, GOOD), alice)
    act = decide(judged_batch, all_of(judged_batch, judged_batch.fay), alice)

    undo = bulk_reviews.undo(act=act, by=carol)

    assert (undo.undoes, undo.reviewed_by) == (act, carol)
    assert Review.objects.count() == 6
    now = Review.objects.filter(replaced_by=None)
    assert {(each.act, each.counted_because) for each in now} == {(undo, "good")}
    assert before.reviews.filter(replaced_by=None).count() == 0
    assert places(judged_batch.item(6)) == (3, 0, 0, 3)
    assert_counts_match(judged_batch.batch)
    assert Event.objects.filter(verb="undid reviews").count() == 1


def test_undoing_a_first_review_leaves_it_paid_and_counted_and_says_undone(judged_batch, alice):
    act = decide(judged_batch, all_of(judged_batch, judged_batch.fay), alice)

    bulk_reviews.undo(act=act, by=alice)

    now = Review.objects.filter(replaced_by=None)
    assert {(each.is_paid, each.is_counted, each.paid_because) for each in now} == {
        (True, True, "undone")
    }


def test_undoing_twice_undoes_once(judged_batch, alice):
    act = decide(judged_batch, all_of(judged_batch, judged_batch.fay), alice)
    bulk_reviews.undo(act=act, by=alice)

    with pytest.raises(ReviewError, match="nothing of the decision is left"):
        bulk_reviews.undo(act=act, by=alice)
    assert Review.objects.count() == 4


def test_an_undoing_can_be_undone(judged_batch, alice):
    act = decide(judged_batch, all_of(judged_batch, judged_batch.fay), alice)

    bulk_reviews.undo(act=bulk_reviews.undo(act=act, by=alice), by=alice)

    now = Review.objects.filter(replaced_by=None)
    assert {each.counted_because for each in now} == {"random answer"}
    assert_counts_match(judged_batch.batch)


def test_what_was_decided_anew_since_is_left_by_an_undoing(judged_batch, alice, carol):
    act = decide(judged_batch, all_of(judged_batch, judged_batch.fay), alice)
    decide(judged_batch, {judged_batch.judgement(6, judged_batch.fay).pk: GOOD}, carol)

    undo = bulk_reviews.undo(act=act, by=alice)

    assert [each.judgement.assignment.item.position for each in undo.reviews.all()] == [7]


def test_where_the_place_is_taken_the_undoing_leaves_it_and_says_so(judged_batch, alice, bob):
    act = decide(judged_batch, all_of(judged_batch, judged_batch.fay), alice)
    item = judged_batch.item(6)
    item.n_wanted = 2  # as if another one had taken the place
    item.save(update_fields=["n_wanted"])

    planned = plan(judged_batch, bulk_reviews.undoing_decisions(act), alice, undoes=act)
    undo = bulk_reviews.undo(act=act, by=alice)

    assert [(step.judgement.assignment.item, step.why_not) for step in planned.refused] == [
        (item, NO_PLACE)
    ]
    assert undo.reviews.count() == 1
    assert_counts_match(judged_batch.batch)


# What it changes, before it is made


def test_what_is_shown_before_counts_what_changes(judged_batch, alice, bob):
    settled(judged_batch, alice)

    shown = review_effects.effects(plan(judged_batch, all_of(judged_batch, bob), alice))

    assert (shown.n_counted_no_more, shown.n_paid_no_more, shown.n_items) == (8, 8, 8)
    too_few = OutcomeKind("set aside", "", "too few judgements")
    lost = {(each.before.words, each.after.words): each.n for each in shown.changes}
    assert lost == {
        ("plausible", too_few.words): 1,
        ("implausible", too_few.words): 1,
        ("in dispute", too_few.words): 5,
    }
    assert (shown.n_lose_verdict, shown.n_too_few) == (2, 7)
    assert (shown.is_settled, shown.rule) == (True, "unanimous")
    assert shown.unpaid is None


def test_an_adjudicated_item_is_told_to_stay(judged_batch, alice, carol, dora):
    settled(judged_batch, alice)
    review_actions.mark_correct(judgement=judged_batch.judgement(5, dora), by=carol)

    shown = review_effects.effects(plan(judged_batch, all_of(judged_batch, dora), alice))

    assert shown.n_adjudicated == 1
    assert sum(each.n for each in shown.changes) == 5


def test_before_a_batch_is_settled_it_is_told_by_the_strictest_rule(judged_batch, alice):
    shown = review_effects.effects(
        plan(judged_batch, all_of(judged_batch, judged_batch.fay), alice)
    )

    assert (shown.is_settled, shown.rule) == (False, "unanimous")
    assert {(each.before.words, each.after.words) for each in shown.changes} == {
        ("in dispute", "plausible"),
        ("in dispute", "set aside: too few judgements"),
    }


def test_with_a_price_the_money_is_told(judged_batch, alice, monkeypatch):
    monkeypatch.setattr(review_effects, "price_of", lambda batch: (Decimal("0.07"), "EUR"))

    shown = review_effects.effects(
        plan(judged_batch, all_of(judged_batch, judged_batch.fay), alice)
    )
    decide(judged_batch, all_of(judged_batch, judged_batch.fay), alice)
    back = review_effects.effects(
        plan(judged_batch, all_of(judged_batch, judged_batch.fay, GOOD), alice)
    )

    assert (shown.unpaid, shown.currency) == (Decimal("0.14"), "EUR")
    assert back.unpaid == Decimal("-0.14")


def test_what_items_show_is_not_read_and_judgements_are_read_once(judged_batch, alice, bob):
    settled(judged_batch, alice)

    with CaptureQueriesContext(connection) as asked:
        review_effects.effects(plan(judged_batch, all_of(judged_batch, bob), alice))

    texts = [each["sql"].split(" FROM ")[0] for each in asked]
    assert not [text for text in texts if '"payload"' in text]
    assert len([text for text in texts if '"response"' in text and '"client_id"' not in text]) == 1


@pytest.mark.parametrize(("decision", "n"), [(SPAM, 2), (GOOD, 0)])
def test_a_rule_is_asked_as_often_as_the_votes_differ(
    judged_batch, alice, bob, monkeypatch, decision, n
):
    settlement.settle(batch=judged_batch.batch, rule="posterior", by=alice)
    planned, asked = plan(judged_batch, all_of(judged_batch, bob, decision), alice), []

    def counting(votes, /, labels=()):
        asked.append(votes)
        return consensus.posterior(votes, labels)

    monkeypatch.setitem(consensus.RULES, "posterior", counting)
    review_effects.effects(planned)

    assert len(asked) == n


def test_a_plan_changes_nothing(judged_batch, alice):
    settled(judged_batch, alice)
    before = standing(judged_batch), [places(item) for item in judged_batch.items]

    review_effects.effects(
        plan(judged_batch, all_of(judged_batch, judged_batch.fay), alice, ask_again=True)
    )

    assert (standing(judged_batch), [places(item) for item in judged_batch.items]) == before
    assert not ReviewAct.objects.exists()


@pytest.mark.parametrize(
    "seed", [*range(3), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(3, 12))]
)
def test_what_was_told_before_is_what_happens(judged_batch, alice, carol, dora, seed):
    """Random decisions, one after the other, on a judged batch with an adjudication and an exclusion."""
    random, rule = Random(seed), ["unanimous", "majority", "posterior"][seed % 3]
    settlement.settle(batch=judged_batch.batch, rule=rule, by=alice)
    review_actions.mark_correct(judgement=judged_batch.judgement(5, dora), by=carol)
    review_actions.exclude(item=judged_batch.item(8), reason="confusing", by=alice)
    keys = list(Judgement.objects.values_list("pk", flat=True))
    for _ in range(3):
        chosen = {
            pk: random.choice([SPAM, GOOD]) for pk in random.sample(keys, random.randint(1, 9))
        }
        asks = random.random() < 0.3
        planned = plan(judged_batch, chosen, alice, ask_again=asks)
        if not planned.done:
            continue
        shown, before = review_effects.effects(planned), outcomes_by_item(judged_batch)
        n_counted, n_unpaid = Judgement.objects.counted().count(), unpaid()

        decide(judged_batch, chosen, alice, ask_again=asks, seal=planned.seal)
        judged_batch.batch.refresh_from_db()
        if shown.reopens:
            assert judged_batch.batch.state == BatchState.OPEN
            batches.close(batch=judged_batch.batch, by=alice)
        settlement.settle(batch=judged_batch.batch, rule=rule, by=alice)

        assert_counts_match(judged_batch.batch)
        moved = shown.n_counted_again - shown.n_counted_no_more
        assert Judgement.objects.counted().count() - n_counted == moved
        assert unpaid() - n_unpaid == shown.n_paid_no_more - shown.n_paid_again
        after = outcomes_by_item(judged_batch)
        changed = sorted(
            (before[each], after[each]) for each in before if before[each] != after[each]
        )
        told = sorted(
            pair
            for each in shown.changes
            for pair in [(each.before.words, each.after.words)] * each.n
        )
        assert changed == told


def outcomes_by_item(judged_batch) -> dict[int, str]:
    return {
        item.pk: OutcomeKind(now.state, now.label, now.set_aside_reason).words
        for item in judged_batch.items
        if (now := verdicts.current_verdict(item))
    }


def unpaid() -> int:
    return Review.objects.filter(is_paid=False, replaced_by=None).count()


def test_verdicts_stand_until_the_batch_is_settled_again(judged_batch, alice, bob):
    settled(judged_batch, alice)
    n_verdicts = Verdict.objects.count()

    decide(judged_batch, all_of(judged_batch, bob), alice)

    assert Verdict.objects.count() == n_verdicts
