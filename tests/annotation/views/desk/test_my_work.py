"""What is promised of "my work": everything that waits for a person, across studies."""

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.actions import background, consent, members
from accounts.models import BackgroundQuestion, Role
from annotation.actions import batches, claims, flags, judgements, withdrawn_batches
from annotation.models import Batch
from tests.annotation.desk import judge, submission
from tests.annotation.desk_pages import address, client_of, open_desk, text_of
from tests.factories import BatchFactory, ItemFactory, StudyFactory


def work_of(user):
    return client_of(user).get(reverse("work"))


def names(lines):
    return [line.batch.name for line in lines]


def test_the_signed_out_are_sent_to_sign_in(db):
    assert Client().get(reverse("work")).status_code == 302


def test_what_was_undone_and_not_answered_again_is_told_until_it_is(batch, items, bob):
    judgement = judge(batch, bob)
    judgements.take_back(judgement=judgement, by=bob)
    assert "You undid 1 answer in" in text_of(work_of(bob))

    judge(batch, bob)

    assert "You undid" not in text_of(work_of(bob))


def test_a_batch_stands_with_its_question_and_how_far_one_is(batch, items, bob):
    judge(batch, bob)

    shown = text_of(work_of(bob))

    assert batch.name in shown
    assert "Does this response answer the question?" in shown
    assert "1 of 3" in shown
    assert "about 30 s an item" in shown
    assert address("desk", batch) in shown


def test_the_time_left_comes_from_the_persons_own_median(batch, bob):
    for position in range(1, 14):
        ItemFactory(batch=batch, position=position)
    for seconds in (30.0, 60.0, 90.0):
        (held,) = claims.claim(batch=batch, by=bob)
        said = submission()
        judgements.submit(
            assignment=held,
            submission=judgements.Submission(said.client_id, said.response, said.shown_at, seconds),
            by=bob,
        )

    assert '3 of 13 <span class="pace">· about 10 min left' in text_of(work_of(bob))


def test_batches_stand_where_they_belong(batch, items, alice, bob):
    paused = BatchFactory(pool=batch.pool, name="paused one")
    closed = BatchFactory(pool=batch.pool, name="closed one")
    late = BatchFactory(pool=batch.pool, name="late one", deadline_at=timezone.now() - timedelta(1))
    BatchFactory(pool=batch.pool, name="empty one")
    for each in (paused, closed, late):
        ItemFactory(batch=each)
    BatchFactory(pool=batch.pool, name="draft one", state="draft")
    BatchFactory(pool=batch.pool, name="rehearsed one", is_rehearsal=True)
    batches.pause(batch=paused, by=alice)
    batches.close(batch=closed, by=alice)

    page = work_of(bob)

    assert names(page.context["ready"]) == [batch.name]
    assert names(page.context["finished"]) == ["empty one"]
    assert names(page.context["paused"]) == ["paused one"]
    assert sorted(names(page.context["over"])) == ["closed one", "late one"]
    assert "draft one" not in text_of(page)
    assert "rehearsed one" not in text_of(page)


def test_what_is_held_in_a_closed_batch_can_still_be_finished(batch, items, alice, bob):
    claims.claim(batch=batch, by=bob)
    batches.close(batch=Batch.objects.get(pk=batch.pk), by=alice)

    assert names(work_of(bob).context["ready"]) == [batch.name]


def test_a_withdrawn_batch_is_over_and_says_that_its_work_is_payable_as_before(
    batch, items, alice, bob
):
    judge(batch, bob)
    client = client_of(bob)
    client.post(address("desk_guidelines", batch))
    claims.claim(batch=batch, by=bob)
    withdrawn_batches.withdraw(batch=batch, reason="opened twice", by=alice)

    work = work_of(bob)
    desk = text_of(open_desk(client, batch))

    assert (names(work.context["ready"]), names(work.context["over"])) == ([], [batch.name])
    assert "withdrawn · 1 judged, payable as before" in " ".join(text_of(work).split())
    assert "Continue" not in text_of(work)
    shown = desk.split('data-when="withdrawn"')[1].split("</p>")[0]
    assert not shown.startswith(" hidden")
    assert "The organisers withdrew this batch: it counts in no result." in " ".join(shown.split())
    assert "payable" in shown
    assert 'data-state="withdrawn"' in desk
    assert "opened twice" not in desk + text_of(work)


def test_the_end_of_a_withdrawn_batch_says_so(batch, items, alice, bob):
    judge(batch, bob)
    withdrawn_batches.withdraw(batch=batch, reason="opened twice", by=alice)

    page = text_of(client_of(bob).get(address("desk", batch), follow=True))

    assert "The organisers withdrew it" in page
    assert "payable" in page


def test_work_of_several_studies_stands_on_one_page(batch, items, bob):
    elsewhere = StudyFactory(title="Bridges")
    members.add(study=elsewhere, user=bob, roles=[Role.ANNOTATOR], by=elsewhere.created_by)
    other = BatchFactory(pool__dataset__study=elsewhere)
    ItemFactory(batch=other)

    assert names(work_of(bob).context["ready"]) == [other.name, batch.name]


def test_nobody_sees_work_of_a_study_they_are_not_in(batch, items, mallory):
    page = work_of(mallory)

    assert page.context["ready"] == []
    assert "You are in no study yet" in text_of(page)
    assert batch.name not in text_of(page)


def test_who_has_a_desk_and_no_batch_is_told_that_one_will_come(bob):
    assert "appears here as soon as it is opened" in text_of(work_of(bob))


@pytest.mark.parametrize("role", [Role.REQUESTER, Role.ADJUDICATOR])
def test_who_organises_a_study_is_told_that_there_is_no_desk_there(
    batch, items, study, alice, bob, role
):
    members.add(study=study, user=bob, roles=[role], by=alice)

    page = work_of(bob)

    assert page.context["ready"] == []
    assert "you do not annotate there" in text_of(page)


def test_a_text_to_agree_to_waits_until_it_is_agreed_to(batch, items, study, bob):
    study.consent = "Taking part is voluntary."
    study.save()
    assert "Read and agree" in text_of(work_of(bob))

    consent.agree(study=study, text_sha256=consent.sha256(study.consent), by=bob)
    assert "Read and agree" not in text_of(work_of(bob))

    study.consent = "Taking part is voluntary and paid."
    study.save()
    assert consent.is_needed(bob, study)
    assert "Read and agree" in text_of(work_of(bob))


def test_an_answer_to_a_flag_is_news_until_the_next_judgement(batch, items, alice, bob, dora):
    (held,) = claims.claim(batch=batch, by=bob)
    flag = judgements.flag(assignment=held, message="cut off?", by=bob)
    assert "No answer yet." in text_of(work_of(bob))

    flags.answer(flag=flag, text="Judge what is there.", by=alice)
    assert "new answer" in text_of(work_of(bob))
    assert "Judge what is there." in text_of(work_of(bob))
    assert "Judge what is there." not in text_of(work_of(dora))

    judge(batch, bob, now=timezone.now())
    assert "new answer" not in text_of(work_of(bob))
    assert "Judge what is there." in text_of(work_of(bob))


def test_work_asks_as_often_for_many_batches_and_flags_as_for_one(
    batch, items, alice, bob, django_assert_max_num_queries
):
    def asked():
        client = client_of(bob)
        with django_assert_max_num_queries(15) as queries:
            client.get(reverse("work"))
        return len(queries)

    def flagged(one):
        (held,) = claims.claim(batch=one, by=bob)
        flag = judgements.flag(assignment=held, message="?", by=bob)
        flags.answer(flag=flag, text="!", by=alice)
        judge(one, bob)

    flagged(batch)
    few = asked()
    for _ in range(6):
        more = BatchFactory(pool=batch.pool)
        ItemFactory(batch=more, position=1)
        ItemFactory(batch=more, position=2)
        flagged(more)

    assert asked() == few


def test_what_one_has_begun_comes_first(study, bob):
    older, begun = (
        BatchFactory(pool__dataset__study=study, name=name, judgements_per_item=1)
        for name in ("older", "begun")
    )
    for batch in (older, begun):
        for position in (1, 2):
            ItemFactory(batch=batch, position=position, n_wanted=1, n_open=1)
    judge(begun, bob)

    ready = client_of(bob).get(reverse("work")).context["ready"]

    assert [line.batch for line in ready] == [begun, older]


def test_work_names_all_studies_that_ask_about_background_with_one_query(
    alice, bob, django_assert_max_num_queries
):
    def asking(title: str) -> None:
        study = StudyFactory(title=title, background="Do you sail?\n( ) yes\n( ) no")
        members.add(study=study, user=bob, roles=[Role.ANNOTATOR], by=study.created_by)
        background.ask_as_written(study)

    def asked() -> int:
        client = client_of(bob)
        with django_assert_max_num_queries(15) as queries:
            shown = text_of(client.get(reverse("work")))
        titles = [
            title for title in ("Reefs", "Tides", "Winds") if f"<strong>{title}</strong>" in shown
        ]
        assert len(titles) == BackgroundQuestion.objects.count()
        return len(queries)

    asking("Reefs")
    few = asked()
    asking("Tides")
    asking("Winds")

    assert asked() == few
