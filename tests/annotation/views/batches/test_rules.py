"""Which rule settles how many items: annotation/views/batches/rules.py and annotation/jobs.py."""

import re
from unittest.mock import patch

import pytest
from django.test import Client
from django.urls import reverse

from annotation.actions import batches as acts
from annotation.actions import reviews, settlement
from annotation.models import Judgement
from jobs.actions import execution
from jobs.models import Job
from stats.aggregation import rule_simulation
from tests.annotation import judged_batches
from tests.annotation.desk import judge

WORDS = {"p": "plausible", "m": "malformed"}


@pytest.fixture
def client(alice):
    client = Client()
    client.force_login(alice, backend="accounts.backends.RealPeopleBackend")
    return client


@pytest.fixture
def judged(batch, items, alice, bob, dora):
    """Closed: two items agreed on, one in dispute."""
    for person, said in ((bob, "ppm"), (dora, "ppp")):
        for each in said:
            judge(batch, person, WORDS[each])
    return acts.close(batch=batch, by=alice)


def address(name, batch):
    return reverse(name, kwargs={"study": batch.study.slug, "batch": batch.pk})


def words(reply):
    assert reply.status_code == 200
    return " ".join(re.sub(r"<[^>]*>", " ", reply.text).split())


def compute_rules(client, batch):
    """How certain the simulations are matters in tests/stats/aggregation only."""
    client.post(address("batch_rules_start", batch))
    job = Job.objects.filter(kind="compare_rules").latest("pk")
    with patch.object(rule_simulation, "MOST_REPLICATES", 5):
        return execution.run(job)


def test_before_anybody_judged_the_page_leads_to_the_batch(client, batch, item):
    reply = client.get(address("batch_rules", batch))

    assert "There are no counted judgements yet" in words(reply)
    assert '<form method="post" action="' + address("batch_rules_start", batch) not in reply.text


def test_without_judgements_no_job_is_started(client, batch, item):
    reply = client.post(address("batch_rules_start", batch), follow=True)

    assert "no rule settles anything" in words(reply)
    assert not Job.objects.filter(kind="compare_rules").exists()


def test_a_second_comparison_waits_for_the_first(client, judged):
    for _ in range(2):
        reply = client.post(address("batch_rules_start", judged), follow=True)

    assert Job.objects.filter(kind="compare_rules").count() == 1
    assert reply.status_code == 200
    assert "The figures are being computed" in words(client.get(address("batch_rules", judged)))


def test_every_rule_stands_beside_the_others_with_its_basis(client, judged):
    result = compute_rules(client, judged).result

    text = words(client.get(address("batch_rules", judged)))

    assert [each["rule"] for each in result["made"]] == ["unanimous", "majority", "posterior"]
    assert [each["n_settled"] for each in result["made"]] == [2, 2, 2]
    assert [each["n_disputed"] for each in result["made"]] == [1, 1, 1]
    assert "From 6 counted judgements of 3 items by 2 annotators" in text
    assert "Errors of annotators are assumed to be independent" in text
    assert "only two annotators" in text
    assert "Label differs from now" not in text


def test_the_result_is_led_to_from_the_job(client, judged):
    job = compute_rules(client, judged)

    reply = client.get(reverse("job", args=[judged.study.slug, job.pk]))

    assert "3 rules compared on 3 items" in words(reply)
    assert address("batch_rules", judged) in reply.text


def test_beside_verdicts_it_says_what_would_change_and_adjudications_do_not(
    client, judged, items, alice, carol
):
    settlement.settle(batch=judged, rule="unanimous", by=alice)
    reviews.adjudicate(item=items[2], label="malformed", reason="A list", by=carol)

    result = compute_rules(client, judged).result

    assert (result["is_settled"], result["n_adjudicated"]) == (True, 1)
    assert {each["n_other_label"] for each in result["made"]} == {0}
    assert {each["n_no_longer_settled"] for each in result["made"]} == {0}
    text = words(client.get(address("batch_rules", judged)))
    assert "Label differs from now" in text
    assert "Adjudications (1) are kept under every rule" in text


def test_what_was_adjudicated_is_not_newly_settled(client, study, alice, bob, dora, carol):
    """Item 6 is judged plausible, plausible, malformed: in dispute, and settled by majority."""
    judged_batch = judged_batches.create_judged_batch(study, alice, bob, dora)
    settlement.settle(batch=judged_batch.batch, rule="unanimous", by=alice)
    before = {
        each["rule"]: each for each in compute_rules(client, judged_batch.batch).result["made"]
    }
    reviews.adjudicate(item=judged_batch.item(6), label="malformed", reason="A list", by=carol)

    after = {
        each["rule"]: each for each in compute_rules(client, judged_batch.batch).result["made"]
    }

    assert before["majority"]["n_newly_settled"] == 1
    assert after["majority"] == before["majority"] | {"n_newly_settled": 0}
    assert "the rows that compare with now leave them out" in words(
        client.get(address("batch_rules", judged_batch.batch))
    )


def test_settling_offers_the_rules_with_their_numbers(client, judged):
    before = words(client.get(address("batch_settle", judged)))
    compute_rules(client, judged)

    after = words(client.get(address("batch_settle", judged)))

    assert "is computed under “Compare aggregation rules”" in before
    assert "Here: 2 settled, 1 in dispute; in simulation" in after
    assert "is computed under" not in after


def test_numbers_of_other_judgements_are_not_offered(client, judged, items, alice):
    compute_rules(client, judged)
    reviews.review(
        judgement=Judgement.objects.filter(assignment__item=items[0]).first(),
        is_paid=True,
        paid_reason="done",
        is_counted=False,
        counted_reason="hasty",
        by=alice,
    )

    assert "Here: " not in words(client.get(address("batch_settle", judged)))
    since = "Since then only 5 of 6 judgements count now, and 1 review was recorded."
    assert since in words(client.get(address("batch_rules", judged)))


def test_a_batch_is_settled_by_posterior_on_its_page(client, judged):
    reply = client.post(address("batch_settle", judged), {"rule": "posterior"}, follow=True)

    assert "2 items decided, 1 in dispute, 0 set aside" in words(reply)
