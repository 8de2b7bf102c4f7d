"""Runs, scores and references of a batch: shown once nothing is left to decide, and on record for who saw them."""

import pytest

from accounts.models import Role
from annotation.actions import answer_sources as acts
from annotation.actions import double_adjudication, retractions, reviews, settlement
from annotation.models import SourcesShown
from annotation.queries import answer_sources
from annotation.review_decisions import ReviewError
from audit.models import Event
from exports.precision_audit import actions as precision_audit_actions
from exports.precision_audit.queries import progress
from tests.annotation import judged_batches
from tests.annotation.desk_pages import client_of
from tests.annotation.views.adjudication.test_double_adjudication import address_of, main
from tests.conftest import member
from tests.factories import BatchFactory, ItemFactory
from tests.parts import part

SHOWN = "Where the answer came from"
OFFERED = "Show the runs of this batch"


@part
def judged_batch(study, alice, bob, dora):
    """Settled by the strictest rule: items 3 to 8 are in dispute, of three questions."""
    found = judged_batches.create_judged_batch(study, alice, bob, dora)
    settlement.settle(batch=found.batch, rule="unanimous", by=alice)
    return found


def settle_all(judged_batch, by, but=()):
    for number in {3, 4, 5, 6, 7, 8} - set(but):
        item = judged_batch.item(number)
        reviews.adjudicate(item=item, label="plausible", reason="it answers", by=by)


def page_of(person, item) -> str:
    return main(client_of(person).get(address_of("item", item)))


def show(client, judged_batch, item):
    href = address_of("batch_sources", batch=judged_batch.batch.pk)
    return client.post(href, {"item": str(item.public_id)})


def test_a_dispute_on_another_question_keeps_the_runs_of_the_batch_hidden(judged_batch, carol):
    settle_all(judged_batch, carol, but={8})

    page = page_of(carol, judged_batch.item(3))

    assert SHOWN not in page
    assert OFFERED not in page


def test_another_batch_that_asks_one_of_the_questions_keeps_them_hidden(judged_batch, study, carol):
    settle_all(judged_batch, carol)
    ItemFactory(batch=BatchFactory(pool__dataset__study=study), turn=judged_batch.item(8).turn)

    assert OFFERED not in page_of(carol, judged_batch.item(3))


def test_once_all_is_decided_an_adjudicator_asks_for_them_and_that_is_recorded(judged_batch, carol):
    settle_all(judged_batch, carol)
    client, item = client_of(carol), judged_batch.item(3)
    before = main(client.get(address_of("item", item)))

    back = show(client, judged_batch, item)

    assert OFFERED in before
    assert SHOWN not in before
    assert back.url == address_of("item", item)
    assert SHOWN in main(client.get(back.url))
    row = SourcesShown.objects.get()
    assert (row.batch, row.shown_to) == (judged_batch.batch, carol)
    assert Event.objects.filter(verb="was shown the runs of").count() == 1


def test_asked_for_twice_it_is_recorded_once(judged_batch, carol):
    settle_all(judged_batch, carol)
    for _ in range(2):
        acts.show(batch=judged_batch.batch, by=carol)

    assert SourcesShown.objects.count() == 1


def test_they_are_refused_while_something_is_left(judged_batch, carol):
    settle_all(judged_batch, carol, but={8})

    with pytest.raises(ReviewError, match="not everything on its questions is decided"):
        acts.show(batch=judged_batch.batch, by=carol)
    show(client_of(carol), judged_batch, judged_batch.item(3))

    assert not SourcesShown.objects.exists()


def test_a_decision_after_they_were_shown_says_so(judged_batch, carol, alice):
    settle_all(judged_batch, carol)
    acts.show(batch=judged_batch.batch, by=carol)
    item = judged_batch.item(3)

    verdict = reviews.adjudicate(item=item, label="malformed", reason="garbled", by=carol)

    assert verdict.adjudication.after_sources
    assert "decided after the run was shown" in page_of(alice, item)


def test_what_is_undone_and_decided_again_after_they_were_shown_says_so_too(judged_batch, carol):
    settle_all(judged_batch, carol)
    acts.show(batch=judged_batch.batch, by=carol)
    item = judged_batch.item(3)
    retractions.retract(item=item, by=carol)

    again = reviews.adjudicate(item=item, label="malformed", reason="garbled", by=carol)

    assert again.adjudication.after_sources


def test_a_decision_of_somebody_who_was_shown_nothing_does_not_say_so(
    judged_batch, study, carol, alice
):
    settle_all(judged_batch, carol)
    acts.show(batch=judged_batch.batch, by=carol)
    erin = member(study, "erin", Role.ADJUDICATOR, by=alice)

    verdict = reviews.adjudicate(
        item=judged_batch.item(3), label="malformed", reason="garbled", by=erin
    )

    assert not verdict.adjudication.after_sources


def test_a_second_look_that_waits_keeps_them_hidden(judged_batch, alice, carol):
    settle_all(judged_batch, carol)
    double_adjudication.draw(batch=judged_batch.batch, share=0.1, seed=1, by=alice)

    assert answer_sources.access(judged_batch.item(4), carol) == answer_sources.Access.HIDDEN


def test_an_audit_that_the_person_is_to_judge_keeps_them_hidden(judged_batch, study, alice, carol):
    settle_all(judged_batch, carol)
    erin = member(study, "erin", Role.ADJUDICATOR, by=alice)
    dataset = judged_batch.batch.pool.dataset
    audit = precision_audit_actions.draw(
        dataset=dataset, sizes={"gold": 0, "silver": 50}, seed=1, by=alice
    )
    item = judged_batch.item(3)
    assert progress(audit, erin).n_left_for_you

    assert answer_sources.access(item, erin) == answer_sources.Access.HIDDEN
    while (left := progress(audit, erin)).next is not None:
        precision_audit_actions.judge(
            item=left.next, scheme="plausibility", label="plausible", by=erin
        )
    assert answer_sources.access(item, erin) == answer_sources.Access.OFFERED


def test_a_requester_who_adjudicates_nothing_sees_them_without_asking(judged_batch, alice, carol):
    settle_all(judged_batch, carol)

    assert SHOWN in page_of(alice, judged_batch.item(3))
    assert not SourcesShown.objects.exists()
