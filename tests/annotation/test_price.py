"""What is promised of a paid batch, and of an unpaid one: the settings, its page, the desk."""

from decimal import Decimal

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.urls import reverse

from annotation.actions import drafts, judgements, reviews
from annotation.models import Batch, Judgement
from annotation.queries import annotator_progress, batch_costs
from sampling.pay import Money
from tests.annotation.desk import NOW, judge
from tests.annotation.desk_pages import client_of, open_desk, text_of
from tests.annotation.pools import launched, pool_of
from tests.annotation.views.batches.test_pages import address, filled
from tests.annotation.views.desk.test_sync import desk as desk  # the browser of bob
from tests.annotation.views.desk.test_sync import sent_judgement, sync_desk

MONEY = ("$", "£", "€", "so far", "Spent", "Effective hourly rate")
PAID = {"reward": Decimal("0.06"), "currency": "USD"}


@pytest.fixture
def paid(batch) -> Batch:
    Batch.objects.update(**PAID)
    batch.refresh_from_db()
    return batch


def usd(amount: str) -> Money:
    return Money(Decimal(amount), "USD")


def refuse_to_pay(judgement: Judgement, by) -> None:
    reviews.review(
        judgement=judgement,
        is_paid=False,
        paid_reason="pressed one key",
        is_counted=False,
        counted_reason="pressed one key",
        by=by,
    )


# The settings


def test_a_batch_is_unpaid_and_expects_what_its_scheme_does(study, alice):
    batch = launched(pool_of(study))

    assert (batch.reward, batch.currency, batch.price) == (None, "", None)
    assert batch.expected_seconds == 30


@pytest.mark.database
@pytest.mark.parametrize(
    "wrong",
    [
        {"reward": Decimal("0.06")},
        {"currency": "USD"},
        {"reward": Decimal(0), "currency": "USD"},
        {"reward": Decimal(-1), "currency": "USD"},
        {"reward": Decimal("0.06"), "currency": "XXX"},
    ],
)
def test_a_batch_has_a_reward_and_its_currency_or_neither(batch, wrong):
    with pytest.raises(IntegrityError, match="reward_and_currency"), transaction.atomic():
        Batch.objects.update(**wrong)

    Batch.objects.update(**PAID)


@pytest.mark.parametrize("reward", ["0.00001", "0.06001", "123456"])
def test_a_reward_has_at_most_four_decimals_and_is_no_fortune(study, reward):
    with pytest.raises(ValidationError, match="reward"):
        launched(pool_of(study), reward=Decimal(reward), currency="USD")


def test_the_form_makes_a_paid_draft_and_shows_it_again(study, client, alice):
    client.force_login(alice, backend="accounts.backends.RealPeopleBackend")
    pool = pool_of(study)

    client.post(
        address("batch_new", study),
        filled(pool, reward="0.065", currency="GBP", expected_seconds=45),
    )

    draft = study.batches.get()
    assert (draft.reward, draft.currency, draft.expected_seconds) == (
        Decimal("0.065"),
        "GBP",
        45,
    )
    form = client.get(address("batch_edit", study, draft)).context["form"]
    assert (form["reward"].value(), form["currency"].value()) == ("0.065", "GBP")
    following = client.get(address("batch_new", study)).context["form"]
    assert (following["reward"].value(), following["expected_seconds"].value()) == ("0.065", 45)


def test_a_draft_can_be_made_unpaid_again(study, alice):
    batch = launched(pool_of(study))
    Batch.objects.update(state="draft", **PAID)

    changed = drafts.edit(
        batch=batch,
        name=batch.name,
        scheme="plausibility",
        pool=batch.pool,
        guideline="",
        by=alice,
        reward=None,
        currency="",
    )

    assert changed.price is None


# What it costs


def test_what_stands_is_spent_and_what_was_taken_back_or_refused_is_not(paid, items, alice, bob):
    refuse_to_pay(judge(paid, bob), alice)
    judgements.take_back(judgement=judge(paid, bob), by=bob, now=NOW)
    judge(paid, bob)

    found = batch_costs.spending(paid, n_wanted=6)

    assert (found.n_payable, found.spent, found.all_asked) == (1, usd("0.06"), usd("0.36"))


def test_a_judgement_that_came_too_late_is_spent(paid, items, bob):
    judge(paid, bob)
    Judgement.objects.update(is_surplus=True)

    assert batch_costs.spending(paid, 6).spent == usd("0.06")


def test_a_wage_is_measured_at_the_median_of_what_stands(paid, items, bob, dora):
    made = [judge(paid, person) for person in (bob, dora, bob, dora)]
    for judgement, seconds in zip(made, (10, 20, 40, 1000), strict=True):
        Judgement.objects.filter(pk=judgement.pk).update(active_seconds=seconds)

    found = batch_costs.spending(paid, 6)

    assert found.median_seconds == 30
    assert found.wage.per_hour == usd("7.20")


def test_before_the_first_judgement_no_wage_is_known(paid, items):
    found = batch_costs.spending(paid, 6)

    assert (found.median_seconds, found.wage.per_hour) == (None, None)
    assert found.spent == usd("0")


def test_an_unpaid_batch_spends_nothing_that_could_be_shown(batch, items, bob):
    judge(batch, bob)

    assert batch_costs.spending(batch, 6) is None


def test_the_page_of_a_paid_batch_says_what_was_spent(paid, items, alice, bob):
    judge(paid, bob)

    page = text_of(client_of(alice).get(address("batch", paid.study, paid)))

    assert "$0.06 for 1 payable judgement, of $0.36 for all that are asked for" in page
    assert "$28.80" in page
    assert "at or above what Prolific recommends, $12.00" in page


@pytest.mark.parametrize("name", ["batch", "batch_edit", "batch_open"])
def test_an_unpaid_batch_shows_no_money_to_its_requester(study, alice, name):
    batch = launched(pool_of(study))
    if name != "batch":
        Batch.objects.update(state="draft")

    page = text_of(client_of(alice).get(address(name, study, batch)))

    assert [sign for sign in MONEY if sign in page] == []


# The desk


def test_the_desk_of_a_paid_batch_says_what_one_has_earned(desk, paid, items, bob):
    first = open_desk(desk, paid).context["assignment"]
    assert "$0.00 so far" in text_of(open_desk(desk, paid))

    reply = sync_desk(desk, paid, [sent_judgement(first)], wanted=1, progress=True)

    assert reply["progress"]["n_refused"] == 0
    assert "$0.06 so far" in text_of(open_desk(desk, paid))
    assert "$0.06 so far" in text_of(desk.get(reverse("work")))


def test_nobody_is_told_of_money_that_a_review_refused(desk, paid, items, alice, bob):
    judge(paid, bob)
    refuse_to_pay(judge(paid, bob), alice)

    ahead = annotator_progress.desk_progress(paid, bob, NOW)

    assert (ahead.n_refused, ahead.earned) == (1, usd("0.06"))
    assert annotator_progress.progress_by_batch([paid], bob, NOW)[paid.pk].earned == usd("0.06")
    assert sync_desk(desk, paid, progress=True)["progress"]["n_refused"] == 1


def test_what_others_earned_or_lost_is_not_ones_own(paid, items, alice, bob, dora):
    refuse_to_pay(judge(paid, dora), alice)
    judge(paid, bob)

    assert annotator_progress.desk_progress(paid, bob, NOW).earned == usd("0.06")


def test_the_desk_of_an_unpaid_batch_is_silent_about_money_and_asks_no_more(
    desk, batch, items, bob
):
    held = open_desk(desk, batch).context["assignment"]
    reply = sync_desk(desk, batch, [sent_judgement(held)], wanted=1, progress=True)

    assert "n_refused" not in reply["progress"]
    page = text_of(open_desk(desk, batch))
    assert [sign for sign in MONEY if sign in page] == []
    assert annotator_progress.desk_progress(batch, bob, NOW).earned is None


def test_money_at_the_desk_costs_one_query(paid, items, bob, django_assert_num_queries):
    judge(paid, bob)
    unpaid = Batch.objects.get(pk=paid.pk)
    unpaid.reward, unpaid.currency = None, ""

    with django_assert_num_queries(5):
        annotator_progress.desk_progress(unpaid, bob, NOW)
    with django_assert_num_queries(6):
        annotator_progress.desk_progress(paid, bob, NOW)
