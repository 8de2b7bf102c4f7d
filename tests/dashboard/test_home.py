"""Where everybody starts: the studies that one is in, and what waits for an adjudicator there."""

import pytest
from django.test import Client

from accounts.actions import members
from accounts.models import Role
from annotation.actions import (
    batches,
    double_adjudication,
    flags,
    judgements,
    messages,
    reviews,
    settlement,
)
from tests.annotation.desk import claim_one, judge
from tests.annotation.pools import launched
from tests.conftest import member
from tests.exports.judged_batches import judge_and_settle
from tests.exports.precision_audit.test_actions import draw_audit
from tests.factories import BatchFactory, ItemFactory, StudyFactory
from tests.parts import part
from tests.sampling.scored_dataset import create_scored_dataset, draw_pool


@pytest.fixture
def home(carol):
    client = Client()
    client.force_login(carol, backend="accounts.backends.RealPeopleBackend")
    return lambda: client.get("/").text


@part
def disputed(study, alice, bob, dora):
    """Two items in dispute, and a flag on one of them."""
    batch = BatchFactory(pool__dataset__study=study)
    for position in (1, 2):
        ItemFactory(batch=batch, position=position)
    held = claim_one(batch, bob)
    judgements.flag(assignment=held, message="Odd.", by=bob)
    for person, label in ((bob, "plausible"), (dora, "malformed")):
        for _ in range(2):
            judge(batch, person, label)
    batches.close(batch=batch, by=alice)
    settlement.settle(batch=batch, rule="unanimous", by=alice)
    return batch


def test_an_adjudicator_reads_how_much_waits(home, disputed):
    assert "2 disputes to settle" in home()
    assert "1 flag to answer" in home()


def test_an_adjudicator_reads_how_many_messages_nobody_has_read(home, study, alice, bob):
    assert "Messages: none now" in home()
    asked = [messages.send(study=study, text=text, by=bob) for text in ("When?", "Who pays?")]

    assert "2 messages to read" in home()

    messages.answer(message=asked[0], text="On Friday.", by=alice)
    messages.mark_read(message=asked[1], by=alice)
    assert "Messages: none now" in home()


def test_what_is_settled_and_answered_waits_no_more(home, disputed, alice, carol):
    for item in disputed.items.all():
        reviews.adjudicate(item=item, label="plausible", reason="It answers.", by=carol)
    flag = disputed.items.get(assignments__flags__isnull=False).assignments.get(flags__isnull=False)
    flags.answer(flag=flag.flags.get(), text="Judge it.", by=alice)

    assert "Disputes: none now" in home()
    assert "Flags: none now" in home()


def test_second_looks_and_audits_that_wait_are_said_where_no_dispute_is_left(
    home, disputed, study, alice, carol
):
    erin = member(study, "erin", Role.ADJUDICATOR, by=alice)
    for item in disputed.items.all():
        reviews.adjudicate(item=item, label="plausible", reason="It answers.", by=erin)
    double_adjudication.draw(batch=disputed, share=1, seed=1, by=alice)

    page = home()

    assert "Disputes: none now" in page
    assert "2 second looks" in page


def test_answers_that_wait_for_an_audit_are_said(home, study, alice, carol, tmp_path, bob, dora):
    pool = draw_pool(create_scored_dataset(study, tmp_path))
    plausibility = judge_and_settle(launched(pool), bob, dora)
    draw_audit(plausibility)

    assert "answers to audit" in home()
    disputes = Client()
    disputes.force_login(carol, backend="accounts.backends.RealPeopleBackend")
    assert "accepted answers to audit" in disputes.get(f"/studies/{study.slug}/disputes/").text


def test_another_studys_disputes_are_not_counted(home, carol, disputed):
    other = StudyFactory(title="Bridges")
    members.add(study=other, user=carol, roles=[Role.ADJUDICATOR], by=other.created_by)

    page = home()

    assert page.count("2 disputes to settle") == 1
    assert page.count("Disputes: none now") == 1


def test_it_asks_as_much_of_the_database_for_one_study_as_for_five(
    home, carol, disputed, django_assert_num_queries, django_assert_max_num_queries
):
    with django_assert_max_num_queries(11) as asked:
        home()
    for _ in range(4):
        other = StudyFactory()
        members.add(study=other, user=carol, roles=[Role.ADJUDICATOR], by=other.created_by)

    with django_assert_num_queries(len(asked)):
        home()


def test_of_a_study_without_its_second_factor_the_title_alone_is_shown(home, disputed, study):
    study.requires_second_factor = True
    study.description = "Answers about harbours."
    study.save()

    page = home()

    assert study.title in page
    assert "Set up a second factor" in page
    assert "Answers about harbours" not in page
    assert "to settle" not in page
