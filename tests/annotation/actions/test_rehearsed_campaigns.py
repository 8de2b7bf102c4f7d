"""What is promised of a rehearsed campaign: annotation/actions/rehearsed_campaigns.py."""

from collections import Counter
from dataclasses import replace
from types import SimpleNamespace

import pytest
from django.apps import apps
from django.db import transaction

from accounts.models import Study, User
from accounts.permissions import NotAllowedError
from annotation.actions import batches, rehearsed_campaigns
from annotation.actions.rehearsed_batches import Plan
from annotation.actions.rehearsed_campaigns import CampaignError
from annotation.models import Assignment, Batch
from annotation.queries import rehearsed_stages
from annotation.queries.rehearsed_stages import Campaign
from annotation.rehearsal.claims import ClaimsInOrder
from annotation.rehearsal.crowds import Crowd
from annotation.rehearsal.people import Habits, of_accuracy
from bench.coverage import crowds
from sampling.models import Pool
from stats.qualification import Rule
from tests.annotation.desk import claim_one
from tests.annotation.pools import evidence_pool_of, launched, pool_of
from tests.annotation.trainings import train, training_batch
from tests.factories import (
    CandidateFactory,
    ConversationFactory,
    DatasetFactory,
    PoolFactory,
    TurnFactory,
)

LABELS = ("plausible", "implausible", "malformed")
SURE = Habits("sure", LABELS, "plausible", of_accuracy(LABELS, 1.0), median_seconds=30, spread=1.0)
RANDOM = replace(SURE, name="random", random=1.0, is_bad=True)
ONE_KEY = replace(SURE, name="one key", one_key_after=0, is_bad=True)
CROWD = [SURE] * 4 + [RANDOM] * 2 + [ONE_KEY]
# With nine right answers of nine the lower bound is .817.
PLAN = Plan(seed=1, n_pilot=6, n_keyed=9, bar=0.6)


def large_pool(study: Study, n_turns: int = 24) -> Pool:
    """Two answers to each question; the data set has three questions more."""
    made = PoolFactory(dataset=DatasetFactory(study=study))
    conversation = ConversationFactory(dataset=made.dataset, key="7")
    for number in range(1, n_turns + 4):
        turn = TurnFactory(conversation=conversation, number=number, question=f"Why {number}?")
        for n in (1, 2) if number <= n_turns else ():
            CandidateFactory(pool=made, turn=turn, text=f"Answer {n} to question {number}")
    return made


@pytest.fixture
def like(study) -> Batch:
    return launched(large_pool(study), judgements_per_item=2, reward="0.06", currency="USD")


def play(batch: Batch, people: list[Habits] = CROWD, plan: Plan = PLAN) -> Campaign:
    return rehearsed_campaigns.rehearse_campaign(
        batch=batch, people=people, plan=plan, by=batch.created_by
    )


def n_rows() -> Counter[str]:
    return Counter({model.__name__: model._base_manager.count() for model in apps.get_models()})


def let_in(campaign: Campaign) -> dict[str, tuple[int, int]]:
    return {each.habits.name: (each.n_let_in, each.n) for each in campaign.groups}


def test_a_campaign_goes_from_the_pilot_to_the_full_batch(like):
    campaign = play(like)

    assert (campaign.pilot.n_items, campaign.pilot.n_judgements) == (6, 12)
    assert (campaign.training.n_items, campaign.training.n_judgements) == (9, 63)
    # Of 24 questions 3 made the pilot, and 6 the training, beside the 3 that the pool does not ask.
    assert (campaign.full.n_items, campaign.full.n_judgements) == (30, 60)
    assert (campaign.everyone.n_items, campaign.everyone.n_judgements) == (30, 60)
    assert campaign.full.n_missing == campaign.everyone.n_missing == 0
    # The rule lets in who is good and keeps out who is not.
    assert let_in(campaign) == {"sure": (4, 4), "random": (0, 2), "one key": (0, 1)}
    assert (campaign.full.n_people, campaign.everyone.n_people) == (4, 7)
    said = campaign.to_dict()
    assert (said["share_of_good_let_in"], said["share_of_bad_caught"]) == (1.0, 1.0)
    # Verdicts are held against the simulated truth.
    assert (said["trusted"]["accuracy"], said["trusted"]["n_decided"]) == (1.0, 30)
    assert said["everyone"]["accuracy"] < 1


def test_money_and_hours_are_those_of_all_stages(like):
    campaign = play(like)
    said = campaign.to_dict()

    assert str(campaign.full.cost) == "$3.60"
    # 12 + 63 + 60 judgements, and 12 + 60 without the training.
    assert (said["trusted"]["cost"], said["everyone"]["cost"]) == ("$8.10", "$4.32")
    assert campaign.full.median_seconds == 30
    assert said["trusted"]["n_judgements"] == 135
    n_accepted = said["trusted"]["n_accepted"]
    assert said["trusted"]["yield"] == pytest.approx(n_accepted / 60)
    assert float(said["trusted"]["cost_of_accepted"][1:]) == pytest.approx(
        8.1 / n_accepted, abs=1e-4
    )


def test_an_unpaid_campaign_costs_nothing(study):
    said = play(launched(large_pool(study))).to_dict()

    assert said["trusted"]["cost"] is said["trusted"]["cost_of_accepted"] is None


def test_nothing_stays_of_it(like):
    before = n_rows()

    play(like)

    assert n_rows() == before
    like.refresh_from_db()
    assert (like.state, like.is_rehearsal) == ("open", False)


@pytest.mark.django_db(transaction=True)
def test_nothing_stays_of_it_in_a_transaction_of_its_own(alice, study):
    like = launched(large_pool(study))
    before = n_rows()

    play(like)

    assert n_rows() == before


def test_the_same_seed_gives_the_same_figures_and_another_gives_others(like):
    crowd = [replace(SURE, confusion=of_accuracy(LABELS, 0.7), spread=1.5)] * 6

    first, again = play(like, crowd), play(like, crowd)
    other = play(like, crowd, replace(PLAN, seed=2))

    assert first == again
    assert first != other


def test_a_batch_that_people_work_on_can_be_rehearsed_and_goes_on(like, bob):
    held = claim_one(like, bob)

    play(like)

    assert Assignment.objects.get() == held


def test_a_draft_and_a_closed_batch_can_be_rehearsed(study, alice):
    pool = large_pool(study)
    draft = batches.create(study=study, name="d", scheme="plausibility", pool=pool, by=alice)
    closed = batches.close(batch=launched(pool, name="c"), by=alice)

    assert play(draft).full.n_items == play(closed).full.n_items == 30


def test_where_nobody_is_let_in_all_judgements_are_missing(like):
    campaign = play(like, [RANDOM] * 3)

    assert (campaign.full.n_judgements, campaign.full.n_missing) == (0, 60)
    said = campaign.to_dict()
    assert said["share_of_good_let_in"] is None
    assert said["trusted"]["accuracy"] is said["trusted"]["yield"] is None
    assert said["everyone"]["n_decided"] > 0


def test_who_leaves_during_the_training_is_not_let_in(like):
    leaver = replace(SURE, name="leaver", leaves_after=8)

    campaign = play(like, [SURE] * 3 + [leaver])

    assert let_in(campaign) == {"sure": (3, 3), "leaver": (0, 1)}
    assert [each.n_trained for each in campaign.groups] == [3, 0]


def test_who_presses_one_key_after_the_training_is_let_in_all_the_same(like):
    """A training says nothing of what somebody does later: hidden control items do."""
    later = replace(ONE_KEY, name="later", one_key_after=40)

    assert let_in(play(like, [*CROWD, later]))["later"] == (1, 1)


# The bench simulates the same without a database


def test_the_bench_lets_in_the_same_people_and_finds_the_same_verdicts(like, monkeypatch):
    """With the same ids, in the order of the batches."""
    kept = SimpleNamespace(atomic=transaction.atomic, set_rollback=lambda rollback: None)
    monkeypatch.setattr(rehearsed_campaigns, "transaction", kept)
    people = [replace(SURE, confusion=of_accuracy(LABELS, 0.8), spread=1.5)] * 8 + [RANDOM] * 3
    crowd = Crowd(people, PLAN.seed)

    campaign = play(like, people)

    stages = ("pilot", "training", "full", "everyone")
    made = {name: Batch.objects.get(name__startswith=f"rehearsed {name}") for name in stages}
    ids = {
        name: list(each.items.order_by("position").values_list("public_id", flat=True))
        for name, each in made.items()
    }
    keys = [made["training"].items.get(public_id=each).key.label for each in ids["training"]]
    truths = {
        name: list(rehearsed_stages.true_labels(made[name], PLAN.seed).values())
        for name in ("full", "everyone")
    }
    piloted = crowd.after(
        crowd.works(items=ids["pilot"], claims=ClaimsInOrder([2] * len(ids["pilot"])))
    )
    let_in, after = crowds.trained(
        piloted, ids["training"], keys, Rule(min_answers=9, accuracy=0.6)
    )
    how = {"per_item": 2, "rule": "majority"}
    trusted = crowds.judged(after, ids["full"], truths["full"], who=let_in, **how)
    everyone = crowds.judged(piloted, ids["everyone"], truths["everyone"], **how)

    assert 0 < len(let_in) < 8
    assert len(let_in) == sum(each.n_let_in for each in campaign.groups)
    assert (trusted, everyone) == (campaign.full.scores, campaign.everyone.scores)


def test_a_rehearsed_training_leaves_the_rows_that_the_same_work_at_the_desk_leaves(
    study, bob, like, monkeypatch
):
    kept = SimpleNamespace(atomic=transaction.atomic, set_rollback=lambda rollback: None)
    monkeypatch.setattr(rehearsed_campaigns, "transaction", kept)
    desk = training_batch(study, "pim" * 3, reward="0.06", currency="USD")
    train(desk, bob, "r" * 9)

    play(like, [SURE] * 2)

    played = Batch.objects.get(name__startswith="rehearsed training")
    robot = played.cursors.order_by("annotator").first().annotator
    assert rows_of(played, robot) == rows_of(desk, bob)


def rows_of(training: Batch, person: User) -> dict[str, list[tuple]]:
    """The rows of one person's work, but for ids, times and what tells the items of two trainings apart."""
    own = Assignment.objects.filter(item__batch=training, annotator=person)
    taken = ("position", "round", "furthest", "n_taken", "n_controls", "last_turn", "run_from")
    return {
        "cursor": list(training.cursors.filter(annotator=person).values_list(*taken)),
        "items": list(training.items.values_list("n_wanted", "n_open", "n_claimed", "n_counted")),
        "work": list(
            own.order_by("item__position").values_list(
                *("state", "skip_choice", "first_part", "judgements__response"),
                *("judgements__number", "judgements__order", "judgements__is_surplus"),
            )
        ),
    }


# What is refused


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"n_keyed": 27}, "the pool asks 24 of the 27 questions of its data set"),
        ({"n_pilot": 50}, "after a pilot of 50 items"),
        ({"bar": 0.9}, "nobody can reach the bar 0.9 with 9 keyed items"),
    ],
)
def test_a_campaign_that_cannot_be_is_refused(like, change, sentence):
    before = n_rows()

    with pytest.raises(CampaignError, match=sentence):
        play(like, plan=replace(PLAN, **change))

    assert n_rows() == before


def test_fewer_people_than_an_item_wants_judgements_are_refused(like):
    with pytest.raises(CampaignError, match="2 judgements of an item need as many annotators"):
        play(like, [SURE])


def test_a_scheme_without_a_training_is_refused(study):
    batch = launched(evidence_pool_of(pool_of(study)), scheme="faithfulness")

    with pytest.raises(CampaignError, match="the scheme faithfulness has no training"):
        play(batch)


def test_a_training_is_refused(study):
    with pytest.raises(CampaignError, match="is a training: name the full batch"):
        play(training_batch(study, "pi"))


def test_only_a_requester_rehearses_a_campaign(like, bob):
    with pytest.raises(NotAllowedError):
        rehearsed_campaigns.rehearse_campaign(batch=like, people=CROWD, plan=PLAN, by=bob)
