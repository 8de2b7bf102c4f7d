"""What is promised of settling: annotation/actions/settlement.py and endings.py."""

from dataclasses import asdict

import pytest
from django.db import connection
from django.utils import timezone

from accounts.actions import members
from accounts.models import Role
from annotation.actions import batches, judgements, rehearsals, reviews, settlement, verdicts
from annotation.actions.settlement import SettleError
from annotation.models import (
    Assignment,
    Batch,
    BatchState,
    Item,
    Judgement,
    SetAside,
    Source,
    Verdict,
    VerdictState,
)
from annotation.queries import verdict_freshness
from annotation.rehearsal import annotators
from audit.models import Event
from jobs import transactions
from stats.aggregation.consensus import LEVEL, RULES
from tests.annotation.desk import NOW, after, claim_one, judge, places, submit
from tests.conftest import member
from tests.factories import ItemFactory, UserFactory


@pytest.fixture
def eve(study, alice):
    return member(study, "eve", Role.ANNOTATOR, by=alice)


@pytest.fixture
def batch_of_three_judgements(batch):
    batch.judgements_per_item = 3
    batch.save()
    return batch


def close(batch: Batch) -> Batch:
    return batches.close(batch=batch, by=batch.created_by)


def settle(batch: Batch, rule: str = "unanimous", **how: bool) -> settlement.Settlement:
    return settlement.settle(batch=batch, rule=rule, by=batch.created_by, **how)


def ending(item: Item) -> tuple[str, str]:
    """The state of the item's current verdict, with its label or reason."""
    verdict = verdicts.current_verdict(item)
    return verdict.state, verdict.label or verdict.set_aside_reason


# What an item ends with


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize(
    ("said", "ends"),
    [
        (["plausible", "plausible"], (VerdictState.DECIDED, "plausible")),
        (["plausible", "malformed"], (VerdictState.DISPUTED, "")),
        (["plausible"], (VerdictState.SET_ASIDE, SetAside.TOO_FEW)),
        ([], (VerdictState.SET_ASIDE, SetAside.TOO_FEW)),
    ],
)
def test_an_item_is_decided_disputed_or_has_too_few_judgements(
    batch, item, bob, dora, rule, said, ends
):
    for person, label in zip((bob, dora), said, strict=False):
        judge(batch, person, label)

    settle(close(batch), rule)

    assert ending(item) == ends


@pytest.mark.parametrize("rule", RULES)
def test_what_was_judged_once_is_set_aside_until_it_is_adjudicated_or_judged_again(
    study, batch, alice, bob, dora, carol, rule
):
    Batch.objects.filter(pk=batch.pk).update(judgements_per_item=1)
    first, second = (ItemFactory(batch=batch, n_wanted=1, n_open=1) for _ in range(2))
    judge(batch, bob, "plausible")
    judge(batch, bob, "plausible")
    settle(close(batch), rule)
    assert ending(first) == ending(second) == (VerdictState.SET_ASIDE, SetAside.TOO_FEW)

    reviews.adjudicate(item=first, label="malformed", reason="A list", by=carol)
    reviews.ask_again(item=second, by=alice)
    judge(batch, dora, "plausible")
    settle(close(Batch.objects.get(pk=batch.pk)), rule)

    assert ending(first) == (VerdictState.DECIDED, "malformed")
    assert ending(second) == (VerdictState.DECIDED, "plausible")


def test_two_of_three_are_a_majority_and_not_unanimous(batch_of_three_judgements, bob, dora, eve):
    item = ItemFactory(batch=batch_of_three_judgements)
    for person, label in ((bob, "plausible"), (dora, "plausible"), (eve, "malformed")):
        judge(batch_of_three_judgements, person, label)
    close(batch_of_three_judgements)

    settle(batch_of_three_judgements, "unanimous")
    assert ending(item) == (VerdictState.DISPUTED, "")
    settle(batch_of_three_judgements, "majority")
    assert ending(item) == (VerdictState.DECIDED, "plausible")


def test_a_verdict_keeps_the_rule_the_votes_and_who_settled(batch, item, alice, bob, dora):
    judge(batch, bob, "plausible")
    judge(batch, dora, "malformed")

    settle(close(batch), "majority")

    verdict = verdicts.current_verdict(item)
    assert (verdict.rule, verdict.votes) == ("majority", {"malformed": 1, "plausible": 1})
    assert (verdict.source, verdict.decided_by) == (Source.CONSENSUS, alice)


def test_by_posterior_a_verdict_keeps_how_likely_each_label_was(batch, items, bob, dora):
    for label in ("plausible", "plausible"):
        judge(batch, bob, label)
    for label in ("plausible", "malformed"):
        judge(batch, dora, label)

    settle(close(batch), "posterior")

    agreed, disputed, unjudged = (verdicts.current_verdict(item) for item in items)
    assert agreed.label == "plausible"
    assert agreed.posterior["plausible"] >= LEVEL
    assert sorted(agreed.posterior) == ["implausible", "malformed", "plausible"]
    assert disputed.state == VerdictState.DISPUTED
    assert sorted(disputed.posterior) == sorted(agreed.posterior)
    assert unjudged.posterior == {}


def test_by_posterior_an_excluded_item_tells_nothing_of_the_others(batch, items, alice, bob, dora):
    for label in ("plausible", "plausible", "malformed"):
        judge(batch, bob, label)
    for label in ("plausible", "plausible", "plausible"):
        judge(batch, dora, label)
    settle(close(batch), "posterior")
    before = verdicts.current_verdict(items[0]).posterior

    reviews.exclude(item=items[2], reason="confusing", by=alice)
    settled = settle(batch, "posterior")

    assert (settled.n_new, settled.n_superseded) == (2, 2)
    assert verdicts.current_verdict(items[0]).posterior["plausible"] > before["plausible"]
    assert verdicts.current_verdict(items[2]).posterior == before_excluded(items[2])
    assert settle(batch, "posterior").n_new == 0


def before_excluded(item):
    """What a person sets aside keeps what it came upon."""
    return verdicts.current_verdict(item).replaces.posterior


def test_an_adjudication_keeps_the_posterior_that_it_came_upon(batch, item, bob, dora, carol):
    judge(batch, bob, "plausible")
    judge(batch, dora, "malformed")
    settle(close(batch), "posterior")
    came_upon = verdicts.current_verdict(item).posterior

    reviews.adjudicate(item=item, label="malformed", reason="A list", by=carol)

    assert verdicts.current_verdict(item).posterior == came_upon != {}


def test_settling_by_posterior_supersedes_another_rule_once(batch, items, bob, dora):
    for person in (bob, dora):
        for _ in items:
            judge(batch, person, "plausible")
    settle(close(batch), "unanimous")

    by_posterior = settle(batch, "posterior")
    again = settle(batch, "posterior")
    back = settle(batch, "unanimous")

    assert (by_posterior.n_new, by_posterior.n_superseded) == (3, 3)
    assert (again.n_new, again.n_superseded) == (0, 0)
    assert back.n_superseded == 3
    assert verdicts.current_verdict(items[0]).posterior == {}


def test_after_settling_every_item_has_exactly_one_current_verdict(batch, items, bob, dora):
    judge(batch, bob)
    judge(batch, dora)

    settled = settle(close(batch))

    assert Verdict.objects.current().filter(item__batch=batch).count() == 3
    assert (settled.n_items, settled.n_decided, settled.n_set_aside) == (3, 1, 2)


def test_surplus_withdrawn_and_rejected_judgements_have_no_vote(batch, item, alice, bob, dora, eve):
    withdrawn = judge(batch, bob, "malformed")
    judgements.take_back(judgement=withdrawn, by=bob, now=NOW)
    submit(withdrawn.assignment, "plausible")
    rejected = judge(batch, dora, "malformed")
    reviews.review(
        judgement=rejected,
        is_paid=False,
        paid_reason="hasty",
        is_counted=False,
        counted_reason="hasty",
        by=alice,
    )
    reviews.ask_again(item=item, by=alice)
    late = claim_one(batch, eve)
    close(batch)
    submit(late, "malformed", after(601))

    settle(batch)

    assert verdicts.current_verdict(item).votes == {"plausible": 1}
    assert ending(item) == (VerdictState.SET_ASIDE, SetAside.TOO_FEW)


def test_a_control_item_gets_no_verdict(batch, item, bob):
    control = ItemFactory(batch=batch, n_wanted=None, n_open=0)

    settled = settle(close(batch))

    assert settled.n_items == 1
    assert verdicts.current_verdict(control) is None


def test_an_item_skipped_by_everybody_with_a_desk_is_set_aside_as_such(
    study, batch, items, alice, bob, dora, carol
):
    # She holds the role and yet has no desk: nobody waits for her.
    member(study, "frieda", Role.ANNOTATOR, Role.REQUESTER, by=alice)
    for person in (bob, dora):
        judgements.skip(assignment=claim_one(batch, person), reason="unclear", by=person)
    judgements.skip(assignment=claim_one(batch, bob), reason="unclear", by=bob)

    settle(close(batch))

    reasons = [ending(item)[1] for item in items]
    assert reasons == [SetAside.SKIPPED_BY_ALL, SetAside.TOO_FEW, SetAside.TOO_FEW]


def test_an_item_that_somebody_judged_was_not_skipped_by_all(batch, item, alice, bob, dora):
    judge(batch, bob)
    judgements.skip(assignment=claim_one(batch, dora), reason="", by=dora)

    settle(close(batch))

    assert ending(item) == (VerdictState.SET_ASIDE, SetAside.TOO_FEW)


def test_in_a_study_without_annotators_nothing_counts_as_skipped_by_all(batch, item):
    settle(close(batch))

    assert ending(item) == (VerdictState.SET_ASIDE, SetAside.TOO_FEW)


# When settling is refused


@pytest.mark.parametrize("state", [BatchState.DRAFT, BatchState.OPEN, BatchState.PAUSED])
def test_settle_refuses_a_batch_that_is_not_closed(batch, item, bob, state):
    held = claim_one(batch, bob)
    Batch.objects.filter(pk=batch.pk).update(state=state)

    with pytest.raises(SettleError, match="close it first"):
        settle(batch, expire_claims=True)

    assert Assignment.objects.claimed().get() == held


def test_settle_refuses_a_rule_that_does_not_exist(batch, item):
    with pytest.raises(SettleError, match="no rule seniority: majority, posterior, unanimous"):
        settle(close(batch), "seniority")


def test_settle_refuses_while_a_claim_is_open(batch, items, bob, dora):
    claim_one(batch, bob, timezone.now())
    claim_one(batch, dora, timezone.now())

    with pytest.raises(SettleError, match=r"2 claims .* still open"):
        settle(close(batch))

    assert Assignment.objects.claimed().count() == 2
    assert not Verdict.objects.exists()


def test_settle_ends_claims_that_are_past_their_time(batch, item, bob):
    claim_one(batch, bob, NOW)

    settle(close(batch))

    assert places(item) == (2, 2, 0, 0)
    assert ending(item) == (VerdictState.SET_ASIDE, SetAside.TOO_FEW)


def test_settle_ends_open_claims_when_told_to(batch, item, bob):
    held = claim_one(batch, bob, timezone.now())

    settle(close(batch), expire_claims=True)

    assert places(item) == (2, 2, 0, 0)
    assert submit(held, now=timezone.now()).is_surplus


def test_what_comes_after_settling_changes_nothing_behind_the_verdict(batch, item, bob, dora):
    late = claim_one(batch, bob)
    judge(batch, dora)
    settle(close(batch), expire_claims=True)

    submit(late, "malformed", after(1))

    assert settle(batch).n_new == 0
    assert verdicts.current_verdict(item).votes == {"plausible": 1}


# While it is settled


@pytest.fixture
def between_verdicts(monkeypatch):
    """Verdicts are written one by one; gives what takes an act to be done after the first."""
    monkeypatch.setattr(transactions, "PIECE_SIZE", 1)

    def set_up(act):
        acts = iter([act])
        monkeypatch.setattr(transactions, "give_way", lambda: next(acts, lambda: None)())

    return set_up


@pytest.mark.parametrize("which", ["settled", "unsettled"])
def test_an_adjudication_while_a_batch_is_settled_stands(
    batch, items, carol, between_verdicts, which
):
    def adjudicate():
        ended = Verdict.objects.values("item")
        chosen = (
            Item.objects.filter(pk__in=ended)
            if which == "settled"
            else Item.objects.exclude(pk__in=ended)
        )
        decided.append(chosen.last())
        reviews.adjudicate(item=decided[0], label="malformed", reason="look", by=carol)

    decided = []
    between_verdicts(adjudicate)

    settled = settle(close(batch))

    assert ending(decided[0]) == (VerdictState.DECIDED, "malformed")
    assert (settled.n_items, settled.n_adjudicated, settled.n_set_aside) == (3, 1, 2)
    assert settled.n_new == (3 if which == "settled" else 2)
    assert Event.objects.filter(verb="settled").count() == 1


def test_a_review_while_a_batch_is_settled_is_counted(batch, items, bob, dora, between_verdicts):
    for _ in items:
        judge(batch, bob)
        judge(batch, dora)
    refused = Judgement.objects.filter(assignment__item=items[0]).first()
    between_verdicts(
        lambda: reviews.review(
            judgement=refused,
            is_paid=True,
            paid_reason="because",
            is_counted=False,
            counted_reason="asleep",
            by=batch.created_by,
        )
    )

    settle(close(batch))

    assert ending(items[0]) == (VerdictState.SET_ASIDE, SetAside.TOO_FEW)
    assert verdict_freshness.outdated_items(batch) == []


@pytest.mark.skipif(
    connection.features.has_select_for_update, reason="the batch is locked until it is settled"
)
def test_a_batch_that_is_opened_again_while_it_is_settled_is_refused(
    batch, items, between_verdicts
):
    between_verdicts(lambda: batches.reopen(batch=batch, by=batch.created_by))

    with pytest.raises(SettleError, match="is open: close it first"):
        settle(close(batch))

    settled = settle(close(batch))
    assert (settled.n_items, settled.n_new, settled.n_set_aside) == (3, 2, 3)


# Settling again


def test_settling_the_same_rows_by_the_same_rule_adds_nothing(batch, items, alice, bob, dora):
    judge(batch, bob)
    judge(batch, dora)
    reviews.exclude(item=items[1], reason="confusing", by=alice)
    first = settle(close(batch))

    second = settle(batch)

    assert (first.n_new, second.n_new, second.n_superseded) == (2, 0, 0)
    assert (second.n_decided, second.n_set_aside) == (1, 2)
    assert Verdict.objects.count() == 3


def test_settling_leaves_an_event_with_its_counts(batch, item, study):
    settled = settle(close(batch))

    event = Event.objects.get(verb="settled")
    assert (event.actor, event.study) == ("alice", study.slug)
    assert event.details == {"rule": "unanimous", **asdict(settled)}


def test_another_rule_supersedes_what_was_settled_and_says_how_many(batch, items):
    settle(close(batch), "unanimous")
    first = {item.pk: verdicts.current_verdict(item) for item in items}

    settled = settle(batch, "majority")

    assert (settled.n_new, settled.n_superseded) == (3, 3)
    for item in items:
        assert verdicts.current_verdict(item).replaces == first[item.pk]


def test_only_items_with_other_votes_are_settled_anew(batch, items, alice, bob, dora):
    for _ in items:
        judge(batch, bob)
        judge(batch, dora)
    settle(close(batch))
    reviews.review(
        judgement=Judgement.objects.get(assignment__item=items[1], assignment__annotator=bob),
        is_paid=True,
        paid_reason="because",
        is_counted=False,
        counted_reason="asleep",
        by=alice,
    )

    settled = settle(batch)

    assert (settled.n_new, settled.n_superseded, settled.n_decided) == (1, 1, 2)
    assert ending(items[1]) == (VerdictState.SET_ASIDE, SetAside.TOO_FEW)


@pytest.mark.parametrize("rule", RULES)
def test_settling_never_replaces_an_adjudication(batch, item, alice, bob, dora, carol, rule):
    judge(batch, bob, "plausible")
    judge(batch, dora, "plausible")
    settle(close(batch), "unanimous")
    decided = reviews.adjudicate(item=item, label="malformed", reason="no verb", by=carol)

    settled = settle(batch, rule)

    assert (settled.n_new, settled.n_adjudicated) == (0, 1)
    assert verdicts.current_verdict(item) == decided


def test_an_excluded_item_stays_set_aside_under_every_rule(batch, item, alice, bob, dora):
    judge(batch, bob)
    judge(batch, dora)
    reviews.exclude(item=item, reason="confusing", by=alice)
    close(batch)

    for rule in ("unanimous", "majority"):
        assert settle(batch, rule).n_new == 0
    assert ending(item) == (VerdictState.SET_ASIDE, SetAside.EXCLUDED)


def test_an_item_taken_in_again_gets_its_verdict_when_settled(batch, item, alice, bob, dora):
    judge(batch, bob)
    judge(batch, dora)
    reviews.exclude(item=item, reason="confusing", by=alice)
    settle(close(batch))

    reviews.readmit(item=item, reason="it is not", by=alice)
    settle(batch)

    assert ending(item) == (VerdictState.DECIDED, "plausible")


# Giving up on disputes


@pytest.fixture
def disputed(batch, items, bob, dora) -> Item:
    judge(batch, bob, "plausible")
    judge(batch, dora, "malformed")
    settle(close(batch))
    return items[0]


def test_disputes_are_set_aside_as_disagreement_and_counted(batch, disputed, alice):
    assert settlement.set_aside_disputes(batch=batch, by=alice) == 1

    assert ending(disputed) == (VerdictState.SET_ASIDE, SetAside.DISAGREEMENT)
    assert verdicts.current_verdict(disputed).votes == {"malformed": 1, "plausible": 1}
    assert Event.objects.get(verb="set disputes aside").details == {"n_items": 1}


def test_where_nothing_is_in_dispute_nothing_is_set_aside(batch, disputed, alice, carol):
    reviews.adjudicate(item=disputed, label="plausible", reason="it is", by=carol)

    assert settlement.set_aside_disputes(batch=batch, by=alice) == 0

    assert ending(disputed) == (VerdictState.DECIDED, "plausible")
    assert not Event.objects.filter(verb="set disputes aside").exists()


def test_a_dispute_that_was_set_aside_stays_so_while_the_item_is_disputed(batch, disputed, alice):
    settlement.set_aside_disputes(batch=batch, by=alice)
    decision = verdicts.current_verdict(disputed)

    for rule in ("unanimous", "majority"):
        settle(batch, rule)

    assert verdicts.current_verdict(disputed) == decision


def test_a_dispute_that_was_set_aside_is_decided_once_the_votes_agree(batch, disputed, alice, bob):
    settlement.set_aside_disputes(batch=batch, by=alice)
    reviews.ask_again(item=disputed, by=alice)
    judge(batch, member(batch.study, "eve", Role.ANNOTATOR, by=alice), "plausible")
    close(batch)

    settle(batch, "majority")

    assert ending(disputed) == (VerdictState.DECIDED, "plausible")


# In a rehearsal


def test_a_rehearsed_batch_is_settled_in_its_own_time(batch, items, alice):
    rehearsals.rehearse(batch=batch, n_annotators=3, accuracy=1.0, seed=1, by=alice)
    last = max(Judgement.objects.values_list("submitted_at", flat=True))

    settle(close(batch))

    assert set(Verdict.objects.values_list("decided_at", flat=True)) == {last}
    assert annotators.EPOCH < last < NOW


def test_real_annotators_do_not_keep_a_rehearsed_item_from_being_skipped_by_all(
    batch, item, alice, bob
):
    batch.is_rehearsal = True
    batch.save()
    robot = UserFactory(is_simulated=True)
    members.add(study=batch.study, user=robot, roles=[Role.ANNOTATOR], by=alice)
    judgements.skip(assignment=claim_one(batch, robot), reason="", by=robot)

    settle(close(batch))

    assert ending(item) == (VerdictState.SET_ASIDE, SetAside.SKIPPED_BY_ALL)


def test_settle_gives_up_with_a_word_where_something_else_is_decided_again_and_again(
    batch, item, bob, dora, monkeypatch
):
    judge(batch, bob)
    judge(batch, dora)
    close(batch)
    tries = []
    monkeypatch.setattr(settlement, "_write", lambda plan, written: tries.append(plan))

    with pytest.raises(SettleError, match="settle it again"):
        settle(batch)

    assert len(tries) == settlement.MOST_TRIES
