"""The page of a question: everything that is known of it, for who may see it, at a fixed number of queries."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation.actions import reviews
from corpus.actions import withdrawn_runs
from corpus.models import Answer, Turn
from exports.questions import queries
from exports.questions.answers import GROUPS
from tests.annotation.pools import launched
from tests.corpus.read_back import read_foreign_release
from tests.corpus.release_folders import accepted
from tests.exports.judged_batches import (
    close_batch,
    find_evidence,
    judge_and_settle,
    judge_batch,
    settle_batch,
)
from tests.factories import AnswerFactory, DatasetFactory, RunFactory
from tests.jobs.clients import client_of
from tests.sampling.curation_dataset import MODEL, PROMPT, create_made_questions, proof
from tests.sampling.scored_dataset import create_scored_dataset, draw_pool


def address(turn) -> str:
    return reverse("question", args=[turn.conversation.dataset.study.slug, turn.pk])


def asked_turn(batch) -> Turn:
    return Turn.objects.filter(items__batch=batch).order_by("pk").first()


def page(user, turn):
    return client_of(user).get(address(turn))


def groups(response) -> dict[str, int]:
    """The numbers of answers by the headings of their groups."""
    return {heading: len(answers) for heading, _, answers in response.context["groups"]}


def heading(group: str) -> str:
    return GROUPS[group][0]


def test_it_has_references_answers_scores_runs_and_how_each_answer_ended(plausibility, alice):
    turn = asked_turn(plausibility)

    response = page(alice, turn)

    text = response.text
    for answer in Answer.objects.filter(turn=turn).select_related("run"):
        assert answer.run.name in text
    assert response.context["references"]
    assert groups(response)[heading("accepted")] == plausibility.items.filter(turn=turn).count()
    assert "plausibility: plausible in" in text
    assert response.context["scorers"]
    assert response.context["scored"]
    for item in plausibility.items.filter(turn=turn):
        assert reverse("item", args=[plausibility.study.slug, item.public_id]) in text


def test_an_answer_in_dispute_and_one_that_was_rejected_stand_apart(pool, bob, dora, carol, alice):
    batch = launched(pool)
    judge_batch(batch, bob, label="plausible")
    judge_batch(batch, dora, label="implausible")
    settle_batch(close_batch(batch))
    turn = asked_turn(batch)
    n = batch.items.filter(turn=turn).count()

    assert groups(page(alice, turn))[heading("disputed")] == n

    for item in batch.items.filter(turn=turn):
        reviews.adjudicate(item=item, label="implausible", reason="It is not so.", by=carol)

    after = page(alice, turn)
    assert groups(after)[heading("rejected")] == n
    assert "(adjudicated)" in after.text


def test_an_unfaithful_answer_is_rejected_and_its_evidence_is_shown(faithfulness, alice):
    turn = asked_turn(faithfulness)

    response = page(alice, turn)

    assert heading("rejected") in groups(response)
    assert heading("accepted") not in groups(response)
    assert "faithfulness: unfaithful in" in response.text
    (paragraph,) = response.context["paragraphs"]
    assert all(text for _, text in paragraph.spans)


def test_a_faithful_answer_is_gold(plausibility, bob, dora, alice):
    batch = launched(find_evidence(plausibility), scheme="faithfulness")
    judge_and_settle(batch, bob, dora, label="faithful")

    response = page(alice, asked_turn(batch))

    accepted = next(
        answers for name, _, answers in response.context["groups"] if name == "Accepted"
    )
    assert "gold" in {each.tier for each in accepted}


def test_answers_of_an_open_batch_have_no_verdict_yet(pool, alice):
    batch = launched(pool)

    response = page(alice, asked_turn(batch))

    assert heading("open") in groups(response)
    assert "no verdict" in response.text


def test_an_answer_that_no_pool_drew_and_an_empty_one_are_named(pool, alice):
    turn = asked_turn(launched(pool))
    run = RunFactory(dataset=pool.dataset, name="latecomer")
    AnswerFactory(run=run, turn=turn, text="Nobody was asked.")
    silent = RunFactory(dataset=pool.dataset, name="silent")
    AnswerFactory(run=silent, turn=turn, text=" ")

    response = page(alice, turn)

    assert heading("not asked") in groups(response)
    assert heading("empty") in groups(response)
    assert "Nobody was asked." in response.text


def test_a_withdrawn_run_is_shown_as_such(plausibility, alice):
    turn = asked_turn(plausibility)
    run = Answer.objects.of_systems(plausibility.pool.dataset).filter(turn=turn).first().run
    withdrawn_runs.withdraw(run=run, reason="Sent twice.", by=alice)

    assert f"{run.name} (withdrawn)" in page(alice, turn).text


def test_only_requesters_of_the_study_reach_it(plausibility, alice, bob, carol, mallory):
    turn = asked_turn(plausibility)

    assert page(alice, turn).status_code == 200
    for person in (bob, carol, mallory):
        assert page(person, turn).status_code in (403, 404)


def test_a_turn_of_another_study_is_not_found(plausibility, alice, study):
    other = Turn.objects.exclude(conversation__dataset__study=study).first()
    if other is None:
        AnswerFactory(run=RunFactory(dataset=DatasetFactory()))
        other = Turn.objects.exclude(conversation__dataset__study=study).first()

    assert client_of(alice).get(reverse("question", args=[study.slug, other.pk])).status_code == 404


def test_neither_answers_nor_scorers_cost_queries(plausibility, alice):
    turn, client = asked_turn(plausibility), client_of(alice)

    def n_queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            client.get(address(turn))
        return len(captured)

    n_queries()  # what is asked once a process
    before = n_queries()
    for number in range(20):
        run = RunFactory(dataset=plausibility.pool.dataset)
        AnswerFactory(run=run, turn=turn, text=f"Answer {number}.")

    assert n_queries() == before
    assert before <= 45


def test_the_same_answer_of_two_runs_is_one(plausibility, alice):
    turn = asked_turn(plausibility)
    answer = Answer.objects.of_systems(plausibility.pool.dataset).filter(turn=turn).first()
    twin = RunFactory(dataset=plausibility.pool.dataset, name="twin")
    AnswerFactory(run=twin, turn=turn, text=f"  {answer.text}\n")

    given = queries.given_answers(plausibility.pool.dataset, turn)
    known = queries.known_answers(plausibility.pool.dataset, turn, given, [turn.pk])

    (found,) = [each for each in known if each.text == answer.text.strip()]
    assert "twin" in {each.run.name for each in found.given}


@pytest.mark.parametrize("link", ["dataset", "run", "search"])
def test_lists_lead_to_it(plausibility, alice, link):
    turn, dataset = asked_turn(plausibility), plausibility.pool.dataset
    slug = dataset.study.slug
    run = Answer.objects.of_systems(dataset).filter(turn=turn).first().run
    where = {
        "dataset": reverse("dataset", args=[slug, dataset.name, dataset.version]),
        "run": reverse("run", args=[slug, run.pk]),
        "search": f"{reverse('search', args=[slug])}?q={turn.standalone.split()[0]}",
    }[link]

    assert address(turn) in client_of(alice).get(where).text


@pytest.mark.parametrize("is_rehearsal", [False, True])
def test_what_a_release_that_was_read_back_accepted_is_shown_with_its_tier_and_the_release(
    study, tmp_path, alice, is_rehearsal
):
    """ "Slate." is cedar's, and nobody here gave "A coal."; a rehearsed release says nothing."""
    earlier = {2: [accepted("A coal.", "gold"), accepted("Slate.", "silver")]}
    dataset = read_foreign_release(
        create_scored_dataset(study, tmp_path), tmp_path, earlier, is_rehearsal=is_rehearsal
    )

    response = page(alice, Turn.objects.of(dataset).get(number=2))

    found = {
        each.text: each.tier
        for name, _, answers in response.context["groups"]
        if name == heading("accepted")
        for each in answers
    }
    assert found == ({} if is_rehearsal else {"A coal.": "gold", "Slate.": "silver"})
    said = "Accepted as gold in <bdi>release 3 of the study elsewhere</bdi>"
    assert (said in response.text) is not is_rehearsal


def test_what_people_rejected_here_is_rejected_and_still_says_what_the_release_accepted(
    study, tmp_path, alice, bob, dora
):
    before = create_scored_dataset(study, tmp_path)
    judge_and_settle(launched(draw_pool(before)), bob, dora, label="implausible")
    dataset = read_foreign_release(before, tmp_path, {2: [accepted("Black.", "gold")]})

    response = page(alice, Turn.objects.of(dataset).get(number=2))

    rejected = next(
        answers for name, _, answers in response.context["groups"] if name == heading("rejected")
    )
    assert "Black." in {each.text for each in rejected}
    assert "Accepted as gold in" in response.text


def test_it_says_how_a_made_question_was_made(study, alice):
    turn = Turn.objects.get(conversation__dataset=create_made_questions(study, 1))

    shown = page(alice, turn).content.decode()

    for said in ("closed", "Results", "lamps.pdf", MODEL, PROMPT, proof(0), "found"):
        assert said in shown
