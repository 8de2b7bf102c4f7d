"""Which of several batches decides an answer."""

from annotation.models import Source, VerdictState
from exports.rows.items import item_rows
from exports.rows.outcomes import plausibility_outcomes
from exports.rows.precedence import LEAST, precedence
from tests.annotation.pools import launched
from tests.cases import all_cases
from tests.exports.judged_batches import close_batch, judge_and_settle, judge_batch, settle_batch
from tests.parts import part

DECIDED, DISPUTED, SET_ASIDE = VerdictState.DECIDED, VerdictState.DISPUTED, VerdictState.SET_ASIDE


def rank(state="", source=Source.CONSENSUS, *, stands=True, batch=0, item=1):
    return precedence(
        state=state, source=source if state else "", stands=stands, batch_rank=batch, item=item
    )


@all_cases(
    ("weaker", "stronger"),
    [
        (rank(DECIDED, stands=False, batch=1), rank(DECIDED)),
        (rank(DISPUTED, batch=1), rank(DECIDED)),
        (rank(SET_ASIDE, batch=1), rank(DECIDED)),
        (rank(SET_ASIDE, Source.ADJUDICATION, batch=1), rank(DECIDED)),
        (rank(batch=1), rank(DECIDED)),
        (rank(SET_ASIDE, batch=1), rank(DISPUTED)),
        (rank(DECIDED, batch=1), rank(DECIDED, Source.ADJUDICATION)),
        (rank(DECIDED), rank(DECIDED, batch=1)),
        (rank(SET_ASIDE), rank(batch=1)),
        (rank(SET_ASIDE), rank(SET_ASIDE, batch=1)),
        (rank(item=1), rank(item=2)),
        (LEAST, rank(stands=False)),
    ],
)
def test_the_order_in_which_items_decide(weaker, stronger):
    assert weaker < stronger


@part
def empty(plausibility):
    """A second batch on the same pool, closed and settled without a judgement."""
    return settle_batch(close_batch(launched(plausibility.pool, name="by mistake")))


def deciding_batches(batches):
    return {row.batch for row in item_rows(batches) if row.is_newest}


def test_a_batch_without_judgements_takes_no_verdict_away(plausibility, empty):
    dataset = plausibility.pool.dataset

    assert deciding_batches([plausibility, empty]) == {plausibility.name}
    assert set(plausibility_outcomes(dataset, is_rehearsal=False).values()) == {"plausible"}


def test_a_later_batch_that_decides_is_believed(plausibility, bob, dora):
    later = judge_and_settle(
        launched(plausibility.pool, name="again"), bob, dora, label="malformed"
    )

    assert deciding_batches([plausibility, later]) == {"again"}
    outcomes = plausibility_outcomes(plausibility.pool.dataset, is_rehearsal=False)
    assert set(outcomes.values()) == {"malformed"}


def test_a_later_dispute_leaves_the_verdict_until_it_is_adjudicated(plausibility, bob, dora):
    later = launched(plausibility.pool, name="again")
    judge_batch(later, bob)
    judge_batch(later, dora, label="malformed")
    settle_batch(close_batch(later))

    assert deciding_batches([plausibility, later]) == {plausibility.name}
