"""Asking for more of what did not settle: what the page says, and what its button does."""

import re

import pytest
from django.urls import reverse

from accounts.models import Role
from annotation.actions import batches, reviews, settlement
from annotation.models import Batch, BatchState, ExtraRound
from tests.annotation import judged_batches
from tests.annotation.desk import judge
from tests.annotation.desk_pages import client_of, text_of
from tests.conftest import member
from tests.parts import part


@part
def judged_batch(study, alice, bob, dora):
    """Closed and settled by majority; items 3, 4, 5, 7 and 8 are one against one, and gus has seen nothing."""
    judged_batch = judged_batches.create_judged_batch(study, alice, bob, dora, closed=False)
    member(study, "gus", Role.ANNOTATOR, by=alice)
    for item in judged_batch.batch.items.all():
        item.n_wanted, item.n_open = item.n_counted, 0
        item.save()
    batches.close(batch=judged_batch.batch, by=alice)
    settlement.settle(batch=judged_batch.batch, rule="majority", by=alice)
    return judged_batch


def address_of(judged_batch, **said):
    where = reverse("batch_more", kwargs={"study": "lighthouses", "batch": judged_batch.batch.pk})
    return where + (
        "?" + "&".join(f"{name}={value}" for name, value in said.items()) if said else ""
    )


def main(response) -> str:
    return " ".join(text_of(response).split("<main")[1].split())


def form_of(response, **other):
    plan = response.context["plan"]
    return {"rule": plan.rule, "cap": plan.cap, "seal": plan.seal} | other


def test_the_page_begins_with_the_rule_that_settled_the_batch_and_names_what_it_costs(
    judged_batch, alice
):
    Batch.objects.filter(pk=judged_batch.batch.pk).update(reward="0.06", currency="USD")

    page = client_of(alice).get(address_of(judged_batch))

    assert page.context["plan"].rule == "majority"
    assert "5 items" in main(page)
    assert "5: disagreement" in main(page)
    assert "Ask for 5 judgements, $0.30" in main(page)
    assert "The batch opens again" in main(page)
    assert "7.5 s, the median of this batch" in main(page)


def test_unpaid_work_costs_no_money_and_says_so(judged_batch, alice):
    page = client_of(alice).get(address_of(judged_batch, cap=2))

    assert "unpaid" in main(page)
    assert "$" not in main(page)


def test_by_unanimity_it_is_said_that_no_judgement_saves_a_conflict(judged_batch, alice):
    page = client_of(alice).get(address_of(judged_batch, rule="unanimous", cap=3))

    assert "no judgement more makes that unanimous" in main(page)
    assert "Ask for it" not in main(page)


@pytest.mark.parametrize("said", [{"rule": "hearsay"}, {"cap": "9"}, {"cap": "x"}])
def test_what_cannot_be_meant_is_told_at_its_field(judged_batch, alice, said):
    page = client_of(alice).get(address_of(judged_batch, **said))

    assert page.status_code == 400
    assert page.context["plan"] is None


def test_a_batch_of_which_all_settled_says_so(judged_batch, alice, carol):
    for number in (3, 4, 5, 7, 8):
        reviews.adjudicate(item=judged_batch.item(number), label="plausible", reason="x", by=carol)

    page = client_of(alice).get(address_of(judged_batch))

    assert "every item settles by majority: nothing is left to ask" in main(page)


def test_a_rehearsal_is_refused_in_words(judged_batch, alice):
    Batch.objects.filter(pk=judged_batch.batch.pk).update(is_rehearsal=True)

    page = client_of(alice).get(address_of(judged_batch))

    assert "nobody real is asked" in main(page)


def test_the_button_asks_and_leads_to_the_batch_that_is_open_again(judged_batch, alice):
    client = client_of(alice)

    answer = client.post(
        address_of(judged_batch), form_of(client.get(address_of(judged_batch))), follow=True
    )

    assert "One judgement more is asked of 5 items" in main(answer)
    assert Batch.objects.get(pk=judged_batch.batch.pk).state == BatchState.OPEN
    assert "5 not: they wait for a judgement" in main(client.get(address_of(judged_batch)))


def test_the_next_round_begins_with_the_rule_and_the_cap_of_the_last(judged_batch, alice):
    client = client_of(alice)
    client.post(
        address_of(judged_batch),
        form_of(client.get(address_of(judged_batch, rule="posterior", cap=3))),
    )

    plan = client.get(address_of(judged_batch)).context["plan"]

    assert (plan.rule, plan.cap) == ("posterior", 3)
    batches.close(batch=judged_batch.batch, by=alice)
    assert "which comes when the batch is open again" in re.sub(
        "<[^>]*>", "", main(client.get(address_of(judged_batch)))
    )


def test_the_button_sent_twice_asks_once(judged_batch, alice):
    client = client_of(alice)
    said = form_of(client.get(address_of(judged_batch)))
    client.post(address_of(judged_batch), said)

    again = client.post(address_of(judged_batch), said, follow=True)

    assert "Nothing was asked" in text_of(again)
    assert ExtraRound.objects.count() == 1


def test_what_the_person_did_not_see_is_not_asked(judged_batch, alice):
    client = client_of(alice)
    said = form_of(client.get(address_of(judged_batch)), seal="0" * 16)

    answer = client.post(address_of(judged_batch), said, follow=True)

    assert "something was judged or decided meanwhile" in text_of(answer)
    assert ExtraRound.objects.count() == 0


def test_a_form_that_nobody_sent_from_the_page_is_refused_at_its_field(judged_batch, alice):
    answer = client_of(alice).post(address_of(judged_batch), {"rule": "hearsay", "cap": "NaN"})

    assert answer.status_code == 400
    assert ExtraRound.objects.count() == 0


def test_what_became_of_a_round_stands_beside_what_was_expected(judged_batch, study, alice):
    client = client_of(alice)
    client.post(address_of(judged_batch), form_of(client.get(address_of(judged_batch))))
    gus = study.memberships.get(user__username="gus").user
    for _ in range(3):
        judge(judged_batch.batch, gus)
    batches.close(batch=judged_batch.batch, by=alice)
    settlement.settle(batch=judged_batch.batch, rule="majority", by=alice)

    (past,) = client.get(address_of(judged_batch)).context["past"]

    assert (past.n_asked, past.n_waiting, past.n_settled, past.n_adjudicated) == (5, 2, 3, 0)


def test_the_batch_and_the_disputes_lead_there_and_for_adjudicators_nothing_does(
    judged_batch, alice, carol
):
    where = {"study": "lighthouses", "batch": judged_batch.batch.pk}
    client = client_of(alice)

    assert address_of(judged_batch) in text_of(client.get(reverse("batch", kwargs=where)))
    assert address_of(judged_batch) in text_of(
        client.get(reverse("disputes", args=["lighthouses"]))
    )
    of_carol = client_of(carol).get(reverse("disputes", args=["lighthouses"]))
    assert address_of(judged_batch) not in text_of(of_carol)
