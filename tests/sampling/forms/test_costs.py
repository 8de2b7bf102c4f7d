"""What is promised of the price of a pool at the sampling desk: sampling/forms/costs.py."""

from decimal import Decimal

import pytest
from django.http import QueryDict

from annotation.actions import withdrawn_batches
from sampling.forms import costs
from tests.annotation.pools import launched, pool_of
from tests.sampling.views.test_desk import all_figures, desk
from tests.sampling.views.test_desk import client as client

PAID = {"judgements": "3", "seconds": "60", "reward": "0.12", "currency": "USD"}


def test_the_price_is_that_of_every_judgement(study):
    form = costs.cost_form_of(study, QueryDict("judgements=3&seconds=60&reward=0.12&currency=USD"))

    found = costs.cost(form, 100)

    assert (found.n_judgements, found.hours, str(found.price)) == (300, 5.0, "$36.00")


def test_without_a_batch_before_two_unpaid_judgements_of_half_a_minute_are_meant(study):
    found = costs.cost(costs.cost_form_of(study, QueryDict("")), 60)

    assert (found.n_judgements, found.hours, found.price) == (120, 1.0, None)


def test_the_desk_begins_with_what_the_newest_batch_of_plausibility_paid(study, alice):
    launched(
        pool_of(study),
        judgements_per_item=3,
        expected_seconds=45,
        reward=Decimal("0.065"),
        currency="GBP",
    )

    assert costs.initial_costs(study) == {
        "judgements": "3",
        "seconds": "45",
        "reward": "0.065",
        "currency": "GBP",
    }


def test_the_desk_does_not_begin_with_what_a_withdrawn_batch_paid(study, alice):
    batch = launched(pool_of(study), judgements_per_item=1)
    withdrawn_batches.withdraw(batch=batch, reason="opened by mistake", by=alice)

    assert costs.initial_costs(study)["judgements"] == str(costs.JUDGEMENTS_AN_ITEM)


@pytest.mark.parametrize(
    "wrong",
    [
        "judgements=0",
        "judgements=x",
        "seconds=0",
        "reward=0.00001&currency=USD",
        "reward=-1",
        "reward=1",
    ],
)
def test_what_cannot_be_meant_costs_nothing_that_could_be_said(study, wrong):
    assert costs.cost(costs.cost_form_of(study, QueryDict(wrong)), 10) is None


def test_the_desk_shows_cost_and_hours_beside_the_counts_and_what_a_step_down_adds(
    client, study, dataset
):
    text = " ".join(desk(client, study, threshold="0.84", **PAID).split())

    n_candidates = int(all_figures(text)[1])
    assert n_candidates > 0
    assert f"${n_candidates * 0.36:.2f}" in all_figures(text)
    assert str(n_candidates * 3) in all_figures(text)
    assert "more of judging, and $" in text


def test_an_unpaid_desk_shows_hours_and_no_money(client, study, dataset):
    text = desk(client, study, threshold="0.5")

    assert "of judging, at 30 s each" in text
    assert "$" not in text


def test_what_was_typed_is_carried_to_what_is_looked_at(client, study, dataset):
    text = desk(client, study, threshold="0.5", **PAID)

    assert "reward=0.12" in text


def test_a_wrong_price_is_said_and_the_counts_stay(client, study, dataset):
    text = desk(client, study, threshold="0.5", **PAID | {"currency": ""})

    assert "Say in which currency." in text
    assert len(all_figures(text)) == 3
