"""Plans of analysis: frozen with their time, and what was decided after them."""

import hashlib

import pytest

from annotation.actions import analysis_plans as acts
from annotation.actions import (
    batches,
    drafts,
    guideline_versions,
    judgements,
    open_batches,
    reviews,
    settlement,
    withdrawn_batches,
)
from annotation.actions.analysis_plans import PlanError
from annotation.actions.batches import BatchError
from annotation.models import AnalysisPlan, Exclusion
from annotation.queries import analysis_plans
from audit.models import Event
from tests.annotation.desk import claim_one, submit
from tests.annotation.trust import open_batch
from tests.factories import CandidateFactory

PLAN = "# Plan\n\nTwo judgements, unanimous.\n"


@pytest.fixture
def batch(study):
    return open_batch(study, None, n_items=2, judgements_per_item=2, name="full")


def freeze(batch, text=PLAN):
    return acts.freeze(batch=batch, text=text, by=batch.study.created_by)


def words(batch):
    return [each.what for each in analysis_plans.deviations(batch, analysis_plans.plans(batch))]


def test_a_plan_is_kept_to_the_letter_with_its_hash_and_an_event(batch, alice):
    plan = freeze(batch)

    assert (plan.text, plan.frozen_by, plan.n_judgements) == (PLAN, alice, 0)
    assert plan.sha256 == hashlib.sha256(PLAN.encode()).hexdigest()
    event = Event.objects.get(verb="froze the plan of")
    assert (event.target, event.details["sha256"]) == ("batch full", plan.sha256)


def test_a_plan_says_how_many_judgements_there_were_also_those_taken_back(batch, bob):
    assert freeze(batch).is_before_judgements
    held = claim_one(batch, bob)
    judgements.take_back(judgement=submit(held), by=bob)

    later = freeze(batch, "Another.")

    assert (later.n_judgements, later.is_before_judgements) == (1, False)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (" \n", "the plan is empty"),
        ("a\0b", "NUL"),
        ("x" * 100_001, "100,001 characters; at most 100,000"),
        (PLAN, "is the plan of full already"),
    ],
)
def test_what_is_no_new_text_is_refused(batch, text, says):
    freeze(batch)

    with pytest.raises(PlanError, match=says):
        freeze(batch, text)
    assert AnalysisPlan.objects.count() == 1


def test_a_draft_with_a_plan_is_not_discarded(study, alice):
    draft = open_batch(study, None, n_items=0, state="draft")
    freeze(draft)

    with pytest.raises(BatchError, match="a plan of analysis is frozen for the draft"):
        drafts.discard(batch=draft, by=alice)


def test_without_a_plan_nothing_deviates_and_what_came_before_it_does_not(batch, alice):
    guideline_versions.change(batch=batch, text="Be strict.", by=alice)
    assert words(batch) == []
    freeze(batch)

    assert words(batch) == []


def test_what_changes_the_figures_after_the_plan_deviates_in_order_of_time(
    batch, alice, bob, carol
):
    freeze(batch)
    guideline_versions.change(batch=batch, text="Be strict.", by=alice)
    open_batches.raise_judgements(batch=batch, judgements_per_item=3, by=alice)
    held = claim_one(batch, bob)
    submit(held)
    freeze(batch, "Three judgements.")
    batches.pause(batch=batch, by=alice)
    batches.close(batch=batch, by=alice)
    for rule in ("unanimous", "majority", "majority"):
        settlement.settle(batch=batch, rule=rule, by=alice)
    reviews.exclude(item=batch.items.exclude(pk=held.item_id).get(), reason="twice", by=carol)

    found = words(batch)

    assert Exclusion.objects.count() == 1
    assert found[0] == "the guideline was changed: version 2"
    assert found[1].startswith("more judgements of each item were asked for: from 2 to 3 of each")
    assert found[2] == "another plan was frozen, judgements until then: 1"
    assert found[3] == "the batch was closed early: 5 judgements missing then"
    assert found[4] == "the batch was settled by the rule majority, after unanimous"
    assert found[5].startswith("1 item was left out, the first on ")
    assert len(found) == 6


def test_a_batch_that_is_closed_with_all_judgements_does_not_deviate(study, alice, bob):
    batch = open_batch(study, None, n_items=1, judgements_per_item=1)
    freeze(batch)
    submit(claim_one(batch, bob))
    batches.close(batch=batch, by=alice)

    assert words(batch) == []


def test_withdrawing_and_bringing_back_deviate_and_their_reasons_are_not_told(batch, alice):
    freeze(batch)
    withdrawn_batches.withdraw(batch=batch, reason="bob slept", by=alice)
    withdrawn_batches.bring_back(batch=batch, reason="bob did not", by=alice)

    assert words(batch) == [
        "the batch was closed early: 4 judgements missing then",
        "the batch was withdrawn",
        "the batch was brought back",
    ]


def test_a_draft_that_is_renamed_keeps_its_deviations(study, alice):
    draft = open_batch(study, None, n_items=0, state="draft", name="first")
    CandidateFactory(pool=draft.pool)
    freeze(draft)
    for name in ("first", "second", "third"):
        draft = drafts.edit(
            batch=draft,
            name=name,
            scheme=draft.scheme,
            pool=draft.pool,
            guideline="Be kind.",
            by=alice,
        )

    assert words(draft) == [f"the draft was changed: on the pool {draft.pool.name}"] * 3
    renamed = Event.objects.filter(verb="renamed").order_by("pk").values_list("details", flat=True)
    assert list(renamed) == [
        {"before": "first", "after": "second"},
        {"before": "second", "after": "third"},
    ]


def test_a_renamed_batch_keeps_its_deviations_and_has_none_of_who_took_its_name(
    study, batch, alice
):
    freeze(batch)
    guideline_versions.change(batch=batch, text="Be strict.", by=alice)
    for name in ("second", "third"):
        batch = open_batches.rename(batch=batch, name=name, by=alice)
    other = open_batch(study, None, name="second")
    guideline_versions.change(batch=other, text="Be kind.", by=alice)

    assert words(batch) == ["the guideline was changed: version 2"]
    assert words(other) == []
