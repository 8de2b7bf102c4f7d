"""What a batch's page says of its verdicts is counted once: annotation/queries/verdict_groups.py."""

import pytest

from annotation.actions import batches, reviews, settlement
from annotation.models import Verdict
from annotation.queries import batch_progress, verdict_freshness
from annotation.queries.candidates_and_flags import accepted_candidates
from annotation.queries.verdict_groups import last_rule, n_accepted, verdict_groups
from tests.annotation.desk import judge
from tests.factories import BatchFactory, ItemFactory
from tests.parts import part

pytestmark = pytest.mark.database


@part
def settled(study, alice, bob, dora, carol):
    """Two rules, an adjudication, a dispute and an item that one person saw."""
    batch = BatchFactory(pool__dataset__study=study, judgements_per_item=2, claim_seconds=600)
    items = [ItemFactory(batch=batch, position=position) for position in range(1, 6)]
    for label in ("plausible", "plausible", "malformed", "plausible", "plausible"):
        judge(batch, bob, label)
    for label in ("plausible", "malformed", "malformed", "implausible"):
        judge(batch, dora, label)
    batches.close(batch=batch, by=alice)
    for rule in ("unanimous", "majority"):
        settlement.settle(batch=batch, rule=rule, by=alice)
    reviews.adjudicate(item=items[1], label="plausible", reason="it answers", by=carol)
    return batch


def test_a_line_from_groups_is_the_line_of_a_list(settled):
    (listed,) = batch_progress.batch_lines([settled])

    assert batch_progress.batch_line(settled, verdict_groups(settled)) == listed
    assert (listed.n_verdicts, listed.n_disputed) == (5, 1)


def test_the_last_rule_is_that_of_the_verdicts_themselves(settled):
    current = Verdict.objects.current().filter(item__batch=settled)

    assert last_rule(verdict_groups(settled)) == verdict_freshness.last_rule(current) != ""


def test_a_later_adjudication_that_keeps_an_older_rule_does_not_name_it(settled):
    adjudicated = Verdict.objects.current().filter(item__batch=settled, source="adjudication")
    adjudicated.update(rule="unanimous")

    assert last_rule(verdict_groups(settled)) == "majority"


def test_of_a_batch_without_verdicts_there_is_no_rule_and_nothing_accepted(study):
    batch = BatchFactory(pool__dataset__study=study)

    assert verdict_groups(batch) == []
    assert last_rule([]) == ""
    assert n_accepted([], batch) == 0


def test_as_many_are_accepted_as_there_are_accepted_candidates(settled):
    n = accepted_candidates(settled).count()

    assert n_accepted(verdict_groups(settled), settled) == n == 2


def test_kinds_of_outcome_are_counted_whatever_made_them(settled):
    counts = batch_progress.outcome_counts(verdict_groups(settled))

    assert {kind.words: n for kind, n in counts}["plausible"] == 2
    assert sum(n for _, n in counts) == 5
