"""Who is to decide between written answers, now or later, is not shown how the work of those who wrote was reviewed."""

from accounts.actions import members
from accounts.models import Role
from annotation.actions import batches, written_decisions
from annotation.queries import before_decision
from tests.annotation.differing import CHANGED, KEPT, item, second_round_said
from tests.parts import part


@part
def batch(study, folder, bob, dora):
    return second_round_said(study, folder, bob, dora, CHANGED, KEPT)


def is_hidden(person, asked):
    return before_decision.hidden_from(person, asked, None).reviews


def test_reviews_are_hidden_until_it_is_decided_also_while_the_batch_is_open(batch, alice, carol):
    assert is_hidden(carol, item(batch))
    batches.reopen(batch=batch, by=alice)
    assert is_hidden(carol, item(batch))
    batches.close(batch=batch, by=alice)
    written_decisions.decide(item=item(batch), label="first", reason="so", by=carol)
    assert not is_hidden(carol, item(batch))


def test_reviews_are_shown_where_there_is_nothing_for_this_person_to_decide(
    batch, study, alice, bob, carol
):
    members.add(study=study, user=bob, roles=[Role.ADJUDICATOR], by=alice)
    assert not is_hidden(carol, item(batch, 2))
    assert not is_hidden(alice, item(batch))
    assert not is_hidden(bob, item(batch))
