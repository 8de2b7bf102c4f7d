"""What is promised of a batch before it opens: annotation/queries/batch_forecast.py and its page."""

from decimal import Decimal

import pytest

from annotation.actions import batches, settlement
from annotation.models import Batch, BatchState
from annotation.queries import batch_forecast
from tests.annotation.desk import judge
from tests.annotation.desk_pages import client_of, text_of
from tests.annotation.pools import evidence_pool_of, launched, pool_of
from tests.annotation.views.batches.test_pages import address

PAID = {"reward": Decimal("0.06"), "currency": "USD"}


def draft_of(pool, **fields) -> Batch:
    made = {"name": "next", "scheme": "plausibility"} | fields
    return batches.create(study=pool.study, pool=pool, by=pool.created_by, **made)


def settled(study, labels, people, *, name="first") -> Batch:
    """A batch in which everybody said these labels of its items, in their order."""
    batch = launched(pool_of(study, n_turns=2, n_each=len(labels) // 2), name=name)
    for person in people:
        for label in labels:
            judge(batch, person, label)
    batches.close(batch=batch, by=batch.created_by)
    settlement.settle(batch=batch, rule="unanimous", by=batch.created_by)
    return batch


def page_of(batch, alice) -> str:
    return text_of(client_of(alice).get(address("batch_open", batch.study, batch)))


def test_price_hours_and_wage_follow_from_the_settings(study, alice):
    found = batch_forecast.forecast(
        draft_of(pool_of(study), judgements_per_item=3, **PAID), [2, 2, 2]
    )

    assert (found.n_items, found.n_judgements) == (6, 18)
    assert str(found.all_asked) == "$1.08"
    assert found.hours == pytest.approx(0.15)
    assert str(found.wage.per_hour) == "$7.20"


def test_without_a_settled_batch_the_yield_is_unknown(study, alice):
    found = batch_forecast.forecast(draft_of(pool_of(study)), [2, 2, 2])

    assert (found.past, found.n_expected, found.half_width_clustered) == (None, None, None)
    assert found.half_width == pytest.approx(0.3123, abs=1e-4)
    assert "not known: no batch of this scheme is settled in the study yet" in page_of(
        Batch.objects.get(name="next"), alice
    )


def test_the_yield_is_that_of_the_settled_batches_of_the_scheme(study, alice, bob, dora):
    settled(study, ["plausible", "plausible", "implausible", "plausible"], [bob, dora])

    found = batch_forecast.forecast(draft_of(pool_of(study)), [4, 4])

    assert (found.past.n_batches, found.past.n_items, found.past.share) == (1, 4, 0.75)
    assert found.n_expected == 6


def test_a_batch_that_is_open_a_rehearsal_or_of_another_scheme_says_nothing(
    study, alice, bob, dora
):
    batch = settled(study, ["plausible", "implausible"], [bob, dora])
    asked = draft_of(pool_of(study))

    Batch.objects.filter(pk=batch.pk).update(is_rehearsal=True)
    assert batch_forecast.past_outcomes(asked) is None
    Batch.objects.filter(pk=batch.pk).update(is_rehearsal=False, scheme="faithfulness")
    assert batch_forecast.past_outcomes(asked) is None
    Batch.objects.filter(pk=batch.pk).update(
        scheme="plausibility", state=BatchState.OPEN, closed_at=None, closed_by=None
    )
    assert batch_forecast.past_outcomes(asked) is None


def test_items_of_one_question_that_ended_alike_make_the_batch_tell_less(study, alice, bob, dora):
    settled(study, ["plausible", "plausible", "implausible", "implausible"], [bob, dora])

    found = batch_forecast.forecast(draft_of(pool_of(study)), [4, 4])

    assert found.likeness == 1.0
    assert found.n_effective == 2
    assert found.half_width_clustered > found.half_width_of_past


def test_the_page_says_what_it_costs_and_brings_before_it_opens(study, alice, bob, dora):
    settled(study, ["plausible", "plausible", "implausible", "plausible"], [bob, dora])

    page = page_of(draft_of(pool_of(study), **PAID), alice)

    assert "$0.72 for 12 judgements, at $0.06 each" in page
    assert "$7.20" in page
    assert "under the US federal minimum, $7.25" in page
    assert "6 min of one person, at 30 s a judgement" in page
    assert "75 %, as of the 4 items of 1 settled batch" in page
    assert "margin of error at 50 %: ± 31.2 points (95 %)" in page


def test_what_has_no_evidence_is_neither_asked_for_nor_paid(study, alice):
    pool = evidence_pool_of(pool_of(study), without=1)

    page = page_of(draft_of(pool, scheme="faithfulness", **PAID), alice)

    assert "$0.48 for 8 judgements" in page
    assert "at 60 s a judgement" in page
