"""What is promised of earnings: readable for ever, each refusal with its reason."""

from annotation.actions import batches, bulk_reviews, messages, withdrawn_batches
from annotation.queries.earnings import earnings_of, totals
from annotation.review_decisions import Decision
from tests.annotation.actions.test_messages import refuse
from tests.annotation.desk import judge
from tests.factories import BatchFactory, ItemFactory


def paid_batch(batch, name="paid", reward="0.06", currency="GBP"):
    made = BatchFactory(pool=batch.pool, name=name, reward=reward, currency=currency)
    for position in (1, 2, 3):
        ItemFactory(batch=made, position=position)
    return made


def test_what_was_earned_stays_after_the_batch_is_closed_and_withdrawn(batch, alice, bob):
    paid = paid_batch(batch)
    judge(paid, bob)
    judge(paid, bob)
    batches.close(batch=paid, by=alice)
    withdrawn_batches.withdraw(batch=paid, reason="a mistake", by=alice)

    (line,) = earnings_of(bob)

    assert (line.n_judged, line.n_payable, line.n_refused) == (2, 2, 0)
    assert str(line.earned) == "£0.12"


def test_a_refusal_says_why_and_takes_its_judgements_from_the_earnings(batch, alice, bob):
    paid = paid_batch(batch)
    judge(paid, bob)
    refused = judge(paid, bob)
    refuse(refused, alice, words="one key throughout")

    (line,) = earnings_of(bob)

    assert (line.n_payable, line.n_refused, str(line.earned)) == (1, 1, "£0.06")
    (refusal,) = line.refusals
    assert refusal.reasons == {"answers were given without reading: one key throughout": 1}
    assert (refusal.n_refused, refusal.reply) == (1, None)
    assert refusal.questions == [refused.assignment.item.payload["question"]]


def test_many_judgements_refused_at_once_are_one_refusal_with_its_reply(batch, alice, bob):
    paid = paid_batch(batch)
    judged = [judge(paid, bob), judge(paid, bob)]
    decision = Decision(False, "not own work", "", True, "good", "")
    act = bulk_reviews.decide(
        batch=paid, decisions={each.pk: decision for each in judged}, by=alice
    )
    reply = messages.reply_to_refusal(refusal=act, text="It was me.", by=bob)

    ((refusal,),) = [line.refusals for line in earnings_of(bob)]

    assert refusal.reasons == {"somebody or something else did the work": 2}
    assert refusal.reply == reply


def test_a_refusal_that_was_decided_anew_is_kept_and_counts_no_more(batch, alice, bob):
    paid = paid_batch(batch)
    act = refuse(judge(paid, bob), alice)
    undoing = bulk_reviews.undoing_decisions(act)
    bulk_reviews.decide(batch=paid, decisions=undoing, undoes=act, by=alice)

    (line,) = earnings_of(bob)

    assert (line.n_payable, line.n_refused) == (1, 0)
    assert [each.n_refused for each in line.refusals] == [0]


def test_nobody_reads_the_refusals_of_others(batch, alice, bob, dora):
    paid = paid_batch(batch)
    refuse(judge(paid, bob), alice)
    judge(paid, dora)

    (line,) = earnings_of(dora)

    assert (line.n_refused, line.refusals) == (0, [])


def test_the_total_is_by_currency_and_leaves_unpaid_work_out(batch, items, bob):
    judge(batch, bob)
    for name, currency in (("a", "GBP"), ("b", "USD"), ("c", "GBP")):
        judge(paid_batch(batch, name, currency=currency), bob)

    lines = earnings_of(bob)

    assert [str(each) for each in totals(lines)] == ["£0.12", "$0.06"]
    assert [line.earned for line in lines if line.batch == batch] == [None]


def test_the_number_of_queries_does_not_grow(batch, alice, bob, django_assert_num_queries):
    for name in ("a", "b", "c"):
        refuse(judge(paid_batch(batch, name), bob), alice)

    with django_assert_num_queries(5):
        earnings_of(bob)
