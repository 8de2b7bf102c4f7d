"""What is promised of batches and their screens: annotation/actions/batches.py and screens.py."""

import json
from datetime import UTC, datetime
from itertools import pairwise

import pytest
from django.core.exceptions import ValidationError

from accounts.models import Role
from annotation.actions import (
    batches,
    claims,
    reviews,
    settlement,
    verdicts,
    withdrawn_batches,
)
from annotation.actions.batches import BatchError
from annotation.design import screens
from annotation.models import (
    Batch,
    BatchState,
    Guideline,
    Item,
    SetAside,
    Source,
    Verdict,
    VerdictState,
)
from annotation.schemes import UnknownSchemeError, payloads
from audit.models import Event
from sampling.models import Pool, Purpose
from tests.annotation.desk import NOW, after, claim_one, judge, places, submit
from tests.annotation.pools import (
    QUESTIONS,
    candidates_of,
    evidence_pool_of,
    launched,
    pool_of,
    reversed_pool,
    shown_texts,
)
from tests.cases import all_cases
from tests.conftest import member
from tests.factories import AnswerFactory, RunFactory

SOON, LATER = datetime(2998, 1, 1, tzinfo=UTC), datetime(2999, 1, 1, tzinfo=UTC)


@pytest.fixture
def pool(study) -> Pool:
    return pool_of(study)


def create(pool: Pool, **settings: object) -> Batch:
    wanted = {"name": "first", "scheme": "plausibility", **settings}
    return batches.create(study=pool.study, pool=pool, by=pool.created_by, **wanted)


# Making a draft


def test_a_new_batch_is_a_draft_without_items(pool, study):
    batch = create(pool, judgements_per_item=3, seed=5)

    batch.refresh_from_db()
    assert (batch.state, batch.judgements_per_item, batch.seed) == (BatchState.DRAFT, 3, 5)
    assert not batch.items.exists()
    event = Event.objects.get(verb="created", target="batch first")
    assert (event.study, event.details) == (
        study.slug,
        {"pool": pool.name, "scheme": "plausibility"},
    )


@pytest.mark.parametrize("name", ["two\nlines", "bell\a", " padded ", ".."])
def test_a_batchs_name_is_one_line_with_nothing_in_it_unseen(pool, name):
    with pytest.raises(ValidationError, match="name"):
        create(pool, name=name)


def test_a_batchs_name_is_taken_once_in_its_study(pool):
    create(pool)

    with pytest.raises(BatchError, match="there is a batch first already"):
        create(pool)


def test_the_name_of_a_withdrawn_batch_is_refused_with_one_that_is_free(pool, alice):
    withdrawn = batches.launch(batch=create(pool), by=alice)
    withdrawn_batches.withdraw(batch=withdrawn, reason="opened twice", by=alice)

    with pytest.raises(
        BatchError, match="the withdrawn batch first has this name: first-2 is free"
    ):
        create(pool)

    create(pool, name="first-2")
    with pytest.raises(BatchError, match="first-3 is free"):
        create(pool)


def test_a_batch_on_a_pool_that_is_still_being_built_is_refused(study):
    with pytest.raises(BatchError, match="still being built"):
        create(pool_of(study, built_at=None))


@pytest.mark.parametrize(
    ("scheme", "purpose"), [("plausibility", Purpose.EVIDENCE), ("faithfulness", Purpose.ANSWERS)]
)
def test_a_scheme_needs_a_pool_of_its_kind(study, scheme, purpose):
    with pytest.raises(BatchError, match=f"the scheme {scheme} needs a pool of"):
        create(pool_of(study, purpose=purpose), scheme=scheme)


def test_a_batch_on_a_pool_without_candidates_is_refused(study):
    with pytest.raises(BatchError, match="no candidates"):
        create(pool_of(study, n_each=0))


def test_a_scheme_that_does_not_exist_is_refused(pool):
    with pytest.raises(UnknownSchemeError, match="there are curation, faithfulness, plausibility"):
        create(pool, scheme="beauty")


@all_cases(
    "settings",
    [
        {"judgements_per_item": 0},
        {"judgements_per_item": 101},
        {"judgements_per_item": 40_000},
        {"largest_share": 0.0},
        {"largest_share": -0.5},
        {"largest_share": 1.5},
        {"largest_share": float("nan")},
        {"grouping": "colour"},
        {"claim_seconds": -1},
        {"claim_seconds": 0},
        {"claim_seconds": 365 * 24 * 60 * 60 + 1},
    ],
)
def test_settings_that_make_no_sense_are_refused_in_words(pool, settings):
    with pytest.raises(ValidationError):
        create(pool, **settings)

    assert not Batch.objects.exists()


@pytest.mark.parametrize(
    "settings",
    [
        {"judgements_per_item": 1},
        {"judgements_per_item": 100},
        {"largest_share": 1.0},
        {"claim_seconds": 1},
        {"claim_seconds": 365 * 24 * 60 * 60},
    ],
)
def test_settings_at_their_limits_are_taken(pool, settings):
    create(pool, **settings)

    assert Batch.objects.filter(**settings).count() == 1


def test_a_deadline_that_has_passed_is_refused(pool, time_machine):
    time_machine.move_to(NOW, tick=False)

    for passed in (NOW, after(-1)):
        with pytest.raises(BatchError, match="has passed: nobody could claim"):
            create(pool, deadline_at=passed)

    assert create(pool, deadline_at=after(1)).deadline_at == after(1)


def test_a_draft_whose_deadline_has_passed_is_not_launched(pool, alice, time_machine):
    time_machine.move_to(NOW, tick=False)
    draft = create(pool, deadline_at=after(60))
    time_machine.move_to(after(60), tick=False)

    with pytest.raises(BatchError, match="has passed"):
        batches.launch(batch=draft, by=alice)

    assert not draft.items.exists()


def test_a_guideline_that_no_database_can_keep_is_refused(pool):
    with pytest.raises(BatchError, match="NUL"):
        create(pool, guideline="Judge\0")


def test_a_batch_is_created_and_launched_or_neither(pool, alice, monkeypatch):
    wanted = {"study": pool.study, "name": "first", "scheme": "plausibility", "pool": pool}

    def refuse(*_: object) -> None:
        raise BatchError("there are no screens")

    with monkeypatch.context() as broken:
        broken.setattr(screens, "batch_screens", refuse)
        with pytest.raises(BatchError, match="no screens"):
            batches.create_and_launch(**wanted, by=alice)
    assert not Batch.objects.exists()
    assert not Event.objects.filter(target="batch first").exists()

    batch = batches.create_and_launch(**wanted, by=alice, judgements_per_item=3)
    assert (batch.state, batch.items.first().n_open) == (BatchState.OPEN, 3)


def test_a_guidelines_text_is_kept_once_and_another_text_is_another_row(study):
    first = create(pool_of(study), guideline="Judge what is there.")
    same = create(pool_of(study), guideline="Judge what is there.", name="second")
    other = create(pool_of(study), guideline="Judge as a reader would.", name="third")

    assert first.guideline == same.guideline != other.guideline
    assert other.guideline.sha256 == payloads.text_sha256("Judge as a reader would.")
    assert Guideline.objects.count() == 2


def test_a_batch_on_a_pool_drawn_from_a_rehearsal_is_a_rehearsal(study):
    assert create(pool_of(study, is_rehearsal=True)).is_rehearsal
    assert not create(pool_of(study, is_rehearsal=False), name="second").is_rehearsal


# The items that opening makes


def test_every_candidate_becomes_one_item_that_shows_it(pool):
    batch = launched(pool)

    assert batch.state == BatchState.OPEN
    assert sorted(shown_texts(batch)) == sorted(each.text for each in pool.candidates.all())
    for item in batch.items.all():
        (answer,) = item.answers.all()
        assert answer.candidate.text == item.payload["answers"][0]["text"]
        assert answer.candidate.turn == item.turn


def test_every_item_wants_as_many_judgements_as_the_batch_asks_for(pool):
    batch = launched(pool, judgements_per_item=3)

    assert {places(item) for item in batch.items.all()} == {(3, 3, 0, 0)}


def test_items_stand_in_an_order_that_follows_from_the_seed(study):
    orders = []
    for seed in (1, 2, 3, 1):
        batch = launched(pool_of(study), seed=seed)
        orders.append(shown_texts(batch))
        Batch.objects.filter(pk=batch.pk).update(name=f"batch {batch.pk}")

    assert orders[3] == orders[0]
    assert len({tuple(order) for order in orders}) == 3


def test_the_order_in_which_candidates_were_stored_changes_no_position(pool):
    first = launched(pool)
    Batch.objects.update(name="the other")

    assert shown_texts(launched(reversed_pool(pool))) == shown_texts(first)


def turns_in_order(batch: Batch) -> list[int]:
    return [item.turn.number for item in batch.items.order_by("position")]


@pytest.mark.parametrize("grouping", ["question", "fewest"])
@pytest.mark.parametrize("seed", range(5))
def test_grouped_by_question_the_items_of_a_question_stand_in_a_row(study, seed, grouping):
    batch = launched(pool_of(study, n_each=5), seed=seed, grouping=grouping)

    numbers = turns_in_order(batch)

    assert len(numbers) == 15
    changes = sum(one != next_one for one, next_one in pairwise(numbers))
    assert changes == 2


def test_without_grouping_the_questions_are_mixed(study):
    batch = launched(pool_of(study, n_each=5), grouping="none")

    numbers = turns_in_order(batch)

    assert sorted(numbers) == sorted([1, 2, 3] * 5)
    assert numbers != sorted(numbers, key=numbers.index)


def test_item_ids_are_random(study):
    ids = {item.public_id for item in launched(pool_of(study)).items.all()}
    others = {item.public_id for item in launched(pool_of(study), name="again").items.all()}

    assert len(ids | others) == 12
    assert {each.version for each in ids | others} == {4}


@pytest.mark.parametrize(
    ("share", "most"), [(None, None), (0.5, 3), (0.4, 3), (0.01, 1), (1.0, 6), (0.5000001, 4)]
)
def test_the_largest_share_becomes_a_number_of_items(pool, share, most):
    assert launched(pool, largest_share=share).most_per_person == most


def test_the_largest_share_is_taken_of_the_number_as_it_is_written(study):
    """.07 of 100 is 7, although 0.07 * 100 is 7.000000000000001."""
    batch = launched(pool_of(study, n_turns=1, n_each=100), largest_share=0.07)

    assert batch.most_per_person == 7


def test_a_batch_is_opened_once(pool):
    batch = launched(pool)

    with pytest.raises(BatchError, match="is open, not draft"):
        batches.launch(batch=batch, by=batch.created_by)

    assert batch.items.count() == 6


# What a screen shows


def test_a_screen_shows_the_question_that_stands_alone_and_the_questions_before_it(pool):
    batch = launched(pool)

    payload = batch.items.filter(turn__number=3).first().payload

    assert payload["question"] == "Is it still lit? (rewritten)"
    assert payload["context"] == [QUESTIONS[1], QUESTIONS[2]]
    assert [answer["number"] for answer in payload["answers"]] == [1]


def test_the_first_question_has_no_context_and_a_batch_can_hide_it(study):
    batch = launched(pool_of(study))
    hiding = launched(pool_of(study), shows_context=False, name="hiding")

    assert batch.items.filter(turn__number=1).first().payload["context"] == []
    assert {tuple(item.payload["context"]) for item in hiding.items.all()} == {()}


def test_a_question_that_was_never_rewritten_is_shown_as_it_was_asked(study):
    pool = pool_of(study, n_turns=1)
    pool.dataset.conversations.get().turns.update(rewrite="")

    assert launched(pool).items.first().payload["question"] == QUESTIONS[1]


def test_a_screen_holds_nothing_but_question_context_answers_and_evidence(study):
    pool = pool_of(study)
    evidence = launched(evidence_pool_of(pool), scheme="faithfulness")
    plain = launched(pool)

    assert {frozenset(item.payload) for item in plain.items.all()} == {
        frozenset({"question", "context", "answers"})
    }
    assert {frozenset(item.payload) for item in evidence.items.all()} == {
        frozenset({"question", "context", "answers", "evidence"})
    }
    assert all(set(each) == {"number", "text"} for each in plain.items.first().payload["answers"])


def test_no_run_score_or_reference_is_on_a_screen(study):
    pool = pool_of(study)
    run = RunFactory(dataset=pool.dataset, name="SENTINEL-RUN", team="SENTINEL-TEAM")
    reference = RunFactory(dataset=pool.dataset, kind="reference", name="SENTINEL-REFERENCE")
    for candidate in candidates_of(pool):
        candidate.score = 0.987654321
        candidate.save()
    for turn in pool.dataset.conversations.get().turns.all():
        AnswerFactory(run=run, turn=turn, text=f"Answer 1 to {turn.question}")
        AnswerFactory(run=reference, turn=turn, text="SENTINEL-TRUTH")

    shown = json.dumps([item.payload for item in launched(pool).items.all()])

    assert "SENTINEL" not in shown
    assert "98765" not in shown


def test_the_payloads_hash_stands_with_the_item_and_with_each_judgement(pool, bob):
    batch = launched(pool)

    judgement = judge(batch, bob)

    item = judgement.assignment.item
    assert judgement.payload_sha256 == item.payload_sha256 == payloads.sha256(item.payload)


def test_the_guideline_that_was_judged_by_stands_with_each_judgement(pool, bob):
    batch = launched(pool, guideline="Judge what is there.")

    assert judge(batch, bob).guideline_sha256 == payloads.text_sha256("Judge what is there.")


# What becomes of answers without evidence


def test_evidence_is_the_turns_spans_in_their_order(study):
    batch = launched(evidence_pool_of(pool_of(study)), scheme="faithfulness")

    assert {tuple(item.payload["evidence"]) for item in batch.items.all()} == {
        ("It burns.", "The guild of keepers built it in 1702.")
    }


def test_an_item_without_evidence_is_set_aside_when_the_batch_opens_and_asked_of_nobody(
    study, alice
):
    batch = launched(evidence_pool_of(pool_of(study), without=1), scheme="faithfulness")

    without = [item for item in batch.items.all() if not item.payload["evidence"]]

    assert {item.turn.number for item in without} == {3}
    assert {places(item) for item in without} == {(2, 0, 0, 0)}
    for verdict in Verdict.objects.all():
        assert verdict.item in without
        assert verdict.state == VerdictState.SET_ASIDE
        assert verdict.set_aside_reason == SetAside.NO_EVIDENCE
        assert (verdict.source, verdict.decided_by) == (Source.DECISION, alice)
    assert Verdict.objects.count() == len(without) == 2


def test_an_item_without_evidence_is_asked_where_the_requester_wants_it(study):
    pool = evidence_pool_of(pool_of(study), without=1)

    batch = launched(pool, scheme="faithfulness", ask_without_evidence=True)

    assert {places(item) for item in batch.items.all()} == {(2, 2, 0, 0)}
    assert not Verdict.objects.exists()


@pytest.fixture
def item_without_evidence(study) -> Item:
    """An item without evidence in an open batch."""
    pool = evidence_pool_of(pool_of(study, n_turns=1, n_each=1), without=1)
    return launched(pool, scheme="faithfulness").items.get()


@pytest.mark.parametrize("is_readmitted", [False, True])
def test_no_evidence_stays_the_reason_however_often_and_after_whatever_it_is_settled(
    item_without_evidence, alice, is_readmitted
):
    if is_readmitted:
        reviews.exclude(item=item_without_evidence, reason="confusing", by=alice)
        reviews.readmit(item=item_without_evidence, reason="it is not", by=alice)
    batch = batches.close(batch=item_without_evidence.batch, by=alice)

    for rule in ("unanimous", "majority"):
        settlement.settle(batch=batch, rule=rule, by=alice)

        assert (
            verdicts.current_verdict(item_without_evidence).set_aside_reason == SetAside.NO_EVIDENCE
        )


def test_an_item_without_evidence_that_was_asked_after_all_is_settled_by_its_votes(
    item_without_evidence, alice, bob, dora
):
    for person in (bob, dora):
        reviews.ask_again(item=item_without_evidence, by=alice)
        submit(claim_one(item_without_evidence.batch, person), "irrelevant")
    batch = batches.close(batch=item_without_evidence.batch, by=alice)

    settlement.settle(batch=batch, rule="unanimous", by=alice)

    assert places(item_without_evidence) == (2, 0, 0, 2)
    assert verdicts.current_verdict(item_without_evidence).label == "irrelevant"


def test_a_faithfulness_item_names_the_plausibility_item_it_came_from(study):
    pool = pool_of(study)
    source = launched(pool, name="plausible?")

    batch = launched(evidence_pool_of(pool, rule={"batch": "plausible?"}), scheme="faithfulness")

    for item in batch.items.all():
        assert item.came_from.batch == source
        assert item.came_from.payload["answers"] == item.payload["answers"]


def test_an_item_of_a_pool_drawn_from_no_batch_came_from_none(pool):
    assert {item.came_from for item in launched(pool).items.all()} == {None}


# Pausing, closing, going on


@pytest.mark.parametrize(
    ("act", "came_from", "leads_to"),
    [
        (batches.pause, BatchState.OPEN, BatchState.PAUSED),
        (batches.resume, BatchState.PAUSED, BatchState.OPEN),
        (batches.close, BatchState.OPEN, BatchState.CLOSED),
        (batches.close, BatchState.PAUSED, BatchState.CLOSED),
    ],
)
def test_a_batch_goes_from_state_to_state_with_an_event(batch, alice, act, came_from, leads_to):
    batch.state = came_from
    batch.save()

    changed = act(batch=batch, by=alice)

    batch.refresh_from_db()
    assert changed.state == batch.state == leads_to
    assert Event.objects.filter(target=f"batch {batch.name}").count() == 1


@pytest.mark.parametrize(
    ("act", "state"),
    [
        (batches.launch, BatchState.OPEN),
        (batches.launch, BatchState.PAUSED),
        (batches.pause, BatchState.DRAFT),
        (batches.pause, BatchState.PAUSED),
        (batches.resume, BatchState.DRAFT),
        (batches.resume, BatchState.OPEN),
        (batches.close, BatchState.DRAFT),
        (batches.reopen, BatchState.DRAFT),
        (batches.reopen, BatchState.OPEN),
        (batches.reopen, BatchState.PAUSED),
    ],
)
def test_other_ways_between_states_are_refused_and_change_nothing(batch, alice, act, state):
    batch.state = state
    batch.save()

    with pytest.raises(BatchError, match=f"is {state.value}, not"):
        act(batch=batch, by=alice)

    batch.refresh_from_db()
    assert batch.state == state
    assert not Event.objects.filter(target=f"batch {batch.name}").exists()


@pytest.mark.parametrize("act", [batches.launch, batches.pause, batches.resume, batches.close])
def test_a_closed_batch_can_only_be_reopened(batch, alice, act):
    batches.close(batch=batch, by=alice)

    with pytest.raises(BatchError, match="is closed, not"):
        act(batch=batch, by=alice)

    assert batches.reopen(batch=batch, by=alice).state == BatchState.OPEN


# The deadline


def test_a_deadline_is_set_moved_and_lifted_each_with_an_event(batch, item, alice, bob):
    for deadline_at in (LATER, SOON, None):
        assert batches.set_deadline(batch=batch, deadline_at=deadline_at, by=alice)
        batch.refresh_from_db()
        assert batch.deadline_at == deadline_at

    told = Event.objects.filter(verb="set the deadline").order_by("pk")
    later, soon = LATER.isoformat(), SOON.isoformat()
    assert [each.details for each in told] == [
        {"before": "none", "after": later},
        {"before": later, "after": soon},
        {"before": soon, "after": "none"},
    ]


def test_the_same_deadline_again_changes_nothing(batch, alice):
    for _ in range(2):
        batches.set_deadline(batch=batch, deadline_at=LATER, by=alice)

    assert Event.objects.filter(verb="set the deadline").count() == 1


def test_a_deadline_in_the_past_is_refused(batch, alice):
    with pytest.raises(BatchError, match="has passed: nobody could claim"):
        batches.set_deadline(batch=batch, deadline_at=NOW, by=alice)

    batch.refresh_from_db()
    assert batch.deadline_at is None


@pytest.mark.parametrize("state", list(BatchState))
def test_the_deadline_is_of_batches_that_are_open_or_paused(batch, alice, state):
    Batch.objects.update(
        state=state,
        closed_at=NOW if state == BatchState.CLOSED else None,
        closed_by=alice if state == BatchState.CLOSED else None,
    )

    if state in (BatchState.OPEN, BatchState.PAUSED):
        assert batches.set_deadline(batch=batch, deadline_at=LATER, by=alice).deadline_at == LATER
        return
    with pytest.raises(BatchError, match=f"is {state.value}, not open or paused"):
        batches.set_deadline(batch=batch, deadline_at=LATER, by=alice)


def test_what_is_asked_again_after_the_deadline_is_claimed_once_there_is_a_later_one(
    batch, item, alice, bob, dora
):
    for person in (bob, dora):
        judge(batch, person)
    Batch.objects.update(deadline_at=NOW)
    eve = member(batch.study, "eve", Role.ANNOTATOR, by=alice)
    reviews.ask_again(item=item, by=alice)
    with pytest.raises(claims.NothingToClaimError, match="deadline"):
        claims.claim(batch=batch, by=eve)

    batches.set_deadline(batch=batch, deadline_at=LATER, by=alice)

    (claimed,) = claims.claim(batch=batch, by=eve)
    assert claimed.item == item


def test_a_closed_batch_says_who_closed_it_and_an_open_one_does_not(batch, alice):
    closed = batches.close(batch=batch, by=alice)
    assert closed.closed_by == alice
    assert closed.closed_at is not None

    reopened = batches.reopen(batch=batch, by=alice)
    assert (reopened.closed_at, reopened.closed_by) == (None, None)


def test_reopened_the_places_that_are_open_can_be_claimed_again(batch, item, alice, bob):
    batches.close(batch=batch, by=alice)
    batches.reopen(batch=batch, by=alice)

    assert claim_one(batch, bob).item == item
