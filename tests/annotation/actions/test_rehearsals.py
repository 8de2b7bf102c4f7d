"""What is promised of rehearsals: annotation/actions/rehearsals.py and clock.py."""

import uuid
from dataclasses import replace

import pytest
from django.db.models import F

from accounts.actions import studies
from accounts.models import Membership, Role, Study, User
from annotation import schemes
from annotation.actions import (
    batches,
    claims,
    open_batches,
    rehearsals,
    reviews,
    settlement,
)
from annotation.actions import (
    judgements as judgement_actions,
)
from annotation.actions.rehearsals import RehearsalError
from annotation.models import Assignment, Batch, BatchState, Cursor, Item, Judgement, Verdict
from annotation.queries import batch_clock
from annotation.rehearsal import annotators
from annotation.rehearsal.people import Habits, of_accuracy
from audit.models import Event
from tests.annotation.desk import NOW, assert_counts_match, claim_one, places
from tests.annotation.pools import evidence_pool_of, launched, pool_of, reversed_pool
from tests.annotation.sheets import batch_of_sheets, content
from tests.factories import UserFactory


@pytest.fixture
def fresh_batch(study) -> Batch:
    return launched(pool_of(study))


def rehearse(batch: Batch, **how: object) -> rehearsals.RehearsalCounts:
    settings = {"n_annotators": 3, "accuracy": 0.9, "seed": 1, "by": batch.created_by, **how}
    return rehearsals.rehearse(batch=batch, **settings)


def what_was_said(batch: Batch) -> list[tuple]:
    judgements = Judgement.objects.filter(assignment__item__batch=batch)
    return sorted(
        (
            str(each.assignment.item.public_id),
            str(each.assignment.public_id),
            each.client_id,
            each.response["plausibility"],
            each.shown_at,
            each.submitted_at,
            each.active_seconds,
        )
        for each in judgements.select_related("assignment__item")
    )


def test_a_rehearsal_fills_every_place_by_the_same_actions_as_people(fresh_batch):
    rehearsed = rehearse(fresh_batch)

    assert (rehearsed.n_items, rehearsed.n_judgements, rehearsed.n_annotators) == (6, 12, 3)
    assert {places(item) for item in fresh_batch.items.all()} == {(2, 0, 0, 2)}
    assert_counts_match(fresh_batch)


def test_the_batch_is_a_rehearsal_from_then_on(fresh_batch):
    rehearse(fresh_batch)

    fresh_batch.refresh_from_db()
    assert fresh_batch.is_rehearsal
    assert fresh_batch.state == BatchState.OPEN


def test_a_rehearsal_leaves_an_event_with_what_it_follows_from(fresh_batch, study):
    rehearse(fresh_batch, seed=4)

    event = Event.objects.get(verb="rehearsed")
    assert (event.actor, event.study, event.target) == (
        "alice",
        study.slug,
        f"batch {fresh_batch.name}",
    )
    assert event.details == {"seed": 4, "accuracy": 0.9, "n_annotators": 3, "n_judgements": 12}


def test_fewer_people_than_an_item_wants_judgements_are_refused(study):
    batch = launched(pool_of(study), judgements_per_item=3)

    with pytest.raises(RehearsalError, match="3 judgements of an item need as many annotators"):
        rehearse(batch, n_annotators=2)

    batch.refresh_from_db()
    assert not batch.is_rehearsal
    assert not User.objects.filter(is_simulated=True).exists()


def test_a_thousand_items_and_more_are_rehearsed(study):
    batch = launched(pool_of(study, n_each=400))

    assert rehearse(batch).n_judgements == 2400
    assert batch.items.filter(n_open=0, n_counted=2).count() == 1200


def test_what_a_rehearsed_rating_says_before_the_passages_is_kept_as_the_desk_keeps_it(study):
    batch = batch_of_sheets(study, payload=content(2, 2), n=3)

    rehearse(batch, n_annotators=3)

    said = Judgement.objects.filter(assignment__item__batch=batch).select_related(
        "assignment__item"
    )
    assert said
    for each in said:
        assert "confidence" in each.assignment.first_part
        assert (
            judgement_actions.cleaned_response(
                each.response, each.assignment, schemes.get("rating")
            )
            == each.response
        )


# The rows are those of people who do the same at the desk


def replay(rehearsed: Batch, twin: Batch, *, who_leaves: bool = False) -> None:
    """Do the work of a rehearsed batch once more in its twin, step by step, by the desk's actions. At the end nobody
    is handed anything more, unless somebody left before.
    """
    Batch.objects.filter(pk=twin.pk).update(is_rehearsal=True)
    twin.refresh_from_db()
    done = Judgement.objects.filter(assignment__item__batch=rehearsed)
    for judgement in done.order_by("shown_at", "assignment__annotator__username"):
        person = judgement.assignment.annotator
        judgement_actions.submit(
            assignment=claim_one(twin, person, judgement.shown_at),
            submission=judgement_actions.Submission(
                client_id=judgement.client_id,
                response=judgement.response,
                shown_at=judgement.shown_at,
                active_seconds=judgement.active_seconds,
            ),
            by=person,
            now=judgement.submitted_at,
        )
    for person in () if who_leaves else User.objects.filter(is_simulated=True):
        assert claims.claim(batch=twin, by=person, now=batch_clock.now(twin)) == []


def rows_of(batch: Batch) -> dict[str, list[tuple]]:
    """Every row that work leaves, in all columns but the ids of rows."""
    of_items, of_assignments = {"item__batch": batch}, {"assignment__item__batch": batch}
    own_ids = {"id", "public_id", "batch", "item", "assignment", "annotator", "turn"}
    rows = {
        Item: (batch.items.all(), ["position"]),
        Assignment: (
            Assignment.objects.filter(**of_items),
            ["item__position", "annotator__username"],
        ),
        Judgement: (
            Judgement.objects.filter(**of_assignments),
            ["assignment__item__position", "assignment__annotator__username"],
        ),
        Cursor: (batch.cursors.all(), ["annotator__username"]),
    }
    return {
        model.__name__: list(
            found.order_by(*order).values_list(
                *order, *(each.name for each in model._meta.fields if each.name not in own_ids)
            )
        )
        for model, (found, order) in rows.items()
    }


@pytest.mark.parametrize(
    ("settings", "n_annotators"),
    [
        ({"judgements_per_item": 1, "claim_seconds": 1}, 5),
        ({"largest_share": 0.6, "grouping": "fewest"}, 3),
        *(
            pytest.param(*case, marks=pytest.mark.slow)
            for case in (
                ({}, 3),
                ({"judgements_per_item": 3, "grouping": "none"}, 3),
                ({"largest_share": 0.3}, 4),
                ({"judgements_per_item": 2}, 20),
                ({"judgements_per_item": 3, "grouping": "fewest"}, 4),
            )
        ),
    ],
)
def test_a_rehearsal_leaves_the_rows_that_the_same_work_at_the_desk_leaves(
    study, settings, n_annotators
):
    pool = pool_of(study, n_each=4)
    rehearsed, twin = (launched(pool, name=name, **settings) for name in ("one", "two"))
    Item.objects.filter(batch=twin).update(position=F("position") + 1000)
    for item in rehearsed.items.all():
        twins = Item.objects.filter(batch=twin, answers__candidate__items__item=item)
        Item.objects.filter(pk=twins.get().pk).update(position=item.position)

    rehearse(rehearsed, n_annotators=n_annotators)
    replay(rehearsed, twin)

    assert rows_of(rehearsed) == rows_of(twin)
    assert_counts_match(rehearsed)


def test_the_people_of_a_file_leave_the_same_rows_as_at_the_desk(study):
    pool = pool_of(study, n_each=4)
    rehearsed, twin = (launched(pool, name=name, judgements_per_item=3) for name in ("one", "two"))
    Item.objects.filter(batch=twin).update(position=F("position") + 1000)
    for item in rehearsed.items.all():
        twins = Item.objects.filter(batch=twin, answers__candidate__items__item=item)
        Item.objects.filter(pk=twins.get().pk).update(position=item.position)

    rehearse_with(rehearsed, [*CROWD, replace(CAREFUL, leaves_after=4)])
    replay(rehearsed, twin, who_leaves=True)

    assert rows_of(rehearsed) == rows_of(twin)
    assert_counts_match(rehearsed)


def test_items_that_ask_nobody_are_left_alone(study):
    source = pool_of(study)
    batch = launched(evidence_pool_of(source, without=1), scheme="faithfulness")

    assert rehearse(batch).n_judgements == 8
    assert sorted({places(item) for item in batch.items.all()}) == [(2, 0, 0, 0), (2, 0, 0, 2)]


# People of a file


LABELS = ("plausible", "implausible", "malformed")
CAREFUL = Habits("careful", LABELS, "plausible", of_accuracy(LABELS, 1.0))
WRONG = replace(CAREFUL, name="wrong", confusion=of_accuracy(LABELS, 0.0), spread=2.0)
CROWD = [CAREFUL, CAREFUL, WRONG]


def rehearse_with(batch: Batch, people: list[Habits], seed: int = 1) -> rehearsals.RehearsalCounts:
    return rehearsals.rehearse_with(batch=batch, people=people, seed=seed, by=batch.created_by)


def test_each_person_judges_by_their_own_habits(study):
    batch = launched(pool_of(study, n_each=4), judgements_per_item=3)

    rehearsed = rehearse_with(batch, CROWD)

    assert (rehearsed.n_judgements, rehearsed.n_missing) == (36, 0)
    for judgement in Judgement.objects.select_related("assignment__annotator", "assignment__item"):
        truth = schemes.get("plausibility").true_label(
            judgement.assignment.item.payload, [1], seed=1
        )
        is_right = judgement.response["plausibility"] == truth
        assert is_right == (judgement.assignment.annotator.username[-2:] in ("01", "02"))


def test_it_leaves_an_event_with_the_groups_in_full(fresh_batch):
    rehearse_with(fresh_batch, CROWD, seed=4)

    details = Event.objects.get(verb="rehearsed").details
    assert (details["seed"], details["n_annotators"], details["n_judgements"]) == (4, 3, 12)
    assert details["people"] == [{"n": 2} | CAREFUL.to_dict(), {"n": 1} | WRONG.to_dict()]


def test_where_people_leave_places_stay_open_for_nobody_real(study, bob):
    batch = launched(pool_of(study))

    rehearsed = rehearse_with(batch, [replace(CAREFUL, leaves_after=2), CAREFUL])

    assert (rehearsed.n_judgements, rehearsed.n_missing) == (8, 4)
    batch.refresh_from_db()
    with pytest.raises(claims.NothingToClaimError, match="only simulated people"):
        claims.claim(batch=batch, by=bob)


def test_a_scheme_that_asks_for_more_than_one_label_is_refused(study):
    batch = batch_of_sheets(study, payload=content(2, 2), n=3)

    with pytest.raises(RehearsalError, match="the scheme rating asks for more than one label"):
        rehearse_with(batch, CROWD)


# Rehearsed and real work never mix


def test_rehearse_refuses_a_batch_with_any_assignment(fresh_batch, bob):
    held = claim_one(fresh_batch, bob)

    with pytest.raises(RehearsalError, match="has been worked on"):
        rehearse(fresh_batch)

    fresh_batch.refresh_from_db()
    assert not fresh_batch.is_rehearsal
    assert Assignment.objects.get() == held


def test_rehearse_refuses_what_was_rehearsed_already(fresh_batch):
    rehearse(fresh_batch)

    with pytest.raises(RehearsalError):
        rehearse(fresh_batch, seed=2)

    assert Judgement.objects.count() == 12


@pytest.mark.parametrize("state", [BatchState.DRAFT, BatchState.PAUSED, BatchState.CLOSED])
def test_rehearse_refuses_a_batch_that_is_not_open(fresh_batch, alice, state):
    fresh_batch.state = state
    if state == BatchState.CLOSED:
        fresh_batch.state = BatchState.OPEN
        batches.close(batch=fresh_batch, by=alice)
    else:
        fresh_batch.save()

    with pytest.raises(RehearsalError, match=f"is {state.value}, not open"):
        rehearse(fresh_batch)

    assert not Assignment.objects.exists()


def test_simulated_people_are_annotators_of_the_study_and_cannot_sign_in(fresh_batch, study):
    rehearse(fresh_batch, n_annotators=2)

    robots = User.objects.filter(is_simulated=True).order_by("username")
    assert [each.username for each in robots] == [
        f"rehearsal-{study.slug}-01",
        f"rehearsal-{study.slug}-02",
    ]
    assert not any(each.has_usable_password() for each in robots)
    grants = Membership.objects.filter(study=study, user__in=robots)
    assert grants.with_role(Role.ANNOTATOR).count() == 2


def test_the_next_rehearsal_of_the_study_has_the_same_people(study, fresh_batch):
    rehearse(fresh_batch)
    rehearse(launched(pool_of(study), name="second"))

    assert User.objects.filter(is_simulated=True).count() == 3


def test_a_real_person_of_a_simulated_name_takes_no_part(study, fresh_batch):
    person = UserFactory(username=f"rehearsal-{study.slug}-01")

    with pytest.raises(RehearsalError, match="is a person"):
        rehearse(fresh_batch)

    assert not Membership.objects.filter(user=person).exists()
    assert not Assignment.objects.exists()


# What a rehearsal follows from


def retire(batch: Batch) -> None:
    """Let go of the names that the same rehearsal needs on another machine."""
    Study.objects.filter(pk=batch.study_id).update(slug="retired")
    for row in [*batch.items.all(), *Assignment.objects.filter(item__batch=batch)]:
        row.public_id = uuid.uuid4()
        row.save()


@pytest.fixture
def first_time(fresh_batch) -> list[tuple]:
    """What was said in a rehearsal that is gone as far as names go."""
    rehearse(fresh_batch)
    said = what_was_said(fresh_batch)
    retire(fresh_batch)
    return said


@pytest.fixture
def same_study_elsewhere(first_time, alice) -> Study:
    return studies.create_study(slug="lighthouses", title="Lighthouses", requester=alice)


def test_the_same_seed_gives_the_same_ids_times_and_judgements(first_time, same_study_elsewhere):
    """On another machine the rows have other numbers and may be stored in another order."""
    again = launched(reversed_pool(pool_of(same_study_elsewhere)))

    rehearse(again)

    assert what_was_said(again) == first_time


def test_another_seed_gives_others(first_time, same_study_elsewhere):
    again = launched(pool_of(same_study_elsewhere))

    rehearse(again, seed=2)

    assert not {said[0] for said in what_was_said(again)} & {said[0] for said in first_time}


def test_two_studies_of_one_database_can_rehearse_the_same_batch(study, alice):
    twin = studies.create_study(slug="twin", title="Twin", requester=alice)

    n_judgements = [rehearse(launched(pool_of(each))).n_judgements for each in (study, twin)]

    assert n_judgements == [12, 12]


def test_the_hidden_label_follows_from_the_seed_and_the_text(study):
    batch = launched(pool_of(study, n_each=20), judgements_per_item=1)

    rehearse(batch, accuracy=1.0, seed=3)

    for judgement in Judgement.objects.select_related("assignment__item"):
        (answer,) = judgement.assignment.item.answers.all()
        assert judgement.response["plausibility"] == annotators.hidden_label(
            scheme="plausibility",
            seed=3,
            text_sha256=answer.candidate.text_sha256,
            prevalence=schemes.get("plausibility").prevalence,
        )


def test_people_of_full_accuracy_agree_and_of_none_never_say_what_is_true(study):
    right = launched(pool_of(study), name="right")
    wrong = launched(pool_of(study), name="wrong")
    rehearse(right, accuracy=1.0)
    rehearse(wrong, accuracy=0.0)

    said = {
        batch: Judgement.objects.filter(assignment__item__batch=batch) for batch in (right, wrong)
    }
    truths = {
        judgement.assignment.item.payload_sha256: judgement.response for judgement in said[right]
    }

    assert len(said[right]) == len(said[wrong]) == 12
    for judgement in said[wrong]:
        assert judgement.response != truths[judgement.assignment.item.payload_sha256]


def test_an_excluded_item_is_judged_by_nobody(fresh_batch, alice):
    excluded, *rest = fresh_batch.items.all()
    reviews.exclude(item=excluded, reason="confusing", by=alice)

    rehearsed = rehearse(fresh_batch)

    assert rehearsed.n_judgements == 2 * len(rest)
    assert not excluded.assignments.exists()
    assert_counts_match(fresh_batch)


# Its own time


def test_each_person_works_without_a_pause_from_the_fixed_date_on(fresh_batch):
    rehearse(fresh_batch)

    for robot in User.objects.filter(is_simulated=True):
        done = Judgement.objects.filter(assignment__annotator=robot).order_by("submitted_at")
        free_at = annotators.EPOCH
        for judgement in done:
            took = (judgement.submitted_at - judgement.shown_at).total_seconds()
            assert judgement.shown_at == judgement.assignment.claimed_at == free_at
            assert took == pytest.approx(judgement.active_seconds, abs=1e-9)
            free_at = judgement.submitted_at


def test_the_clock_of_a_rehearsed_batch_is_that_of_its_last_judgement(fresh_batch):
    rehearse(fresh_batch)
    fresh_batch.refresh_from_db()

    assert batch_clock.now(fresh_batch) == max(
        Judgement.objects.values_list("submitted_at", flat=True)
    )


def test_the_clock_of_a_rehearsed_batch_nobody_judged_stands_at_the_fixed_date(fresh_batch):
    fresh_batch.is_rehearsal = True

    assert batch_clock.now(fresh_batch) == annotators.EPOCH


@pytest.mark.parametrize(
    "crowd",
    [{"n_annotators": 0}, {"accuracy": 1.01}, {"accuracy": -0.1}, {"accuracy": float("nan")}],
)
def test_a_crowd_that_cannot_be_is_refused(fresh_batch, crowd):
    with pytest.raises(RehearsalError):
        rehearse(fresh_batch, **crowd)

    fresh_batch.refresh_from_db()
    assert not fresh_batch.is_rehearsal


def test_the_clock_of_a_real_batch_is_the_worlds(fresh_batch, time_machine):
    time_machine.move_to(NOW, tick=False)

    assert batch_clock.now(fresh_batch) == NOW


def test_what_is_decided_on_a_rehearsed_batch_is_decided_in_its_time(fresh_batch, alice, carol):
    rehearse(fresh_batch, accuracy=0.3, n_annotators=4)
    batch = batches.close(batch=fresh_batch, by=alice)
    at = batch_clock.now(batch)
    item, other = batch.items.all()[:2]
    judgement = Judgement.objects.filter(assignment__item=item).first()

    settlement.settle(batch=batch, rule="unanimous", by=alice)
    reviews.adjudicate(item=item, label="plausible", reason="because", by=carol)
    exclusion = reviews.exclude(item=other, reason="because", by=alice)
    review = reviews.review(
        judgement=judgement,
        is_paid=True,
        paid_reason="because",
        is_counted=False,
        counted_reason="because",
        by=alice,
    )

    assert set(Verdict.objects.values_list("decided_at", flat=True)) == {at}
    assert (exclusion.excluded_at, review.reviewed_at) == (at, at)


def test_a_batch_with_a_name_that_a_rehearsed_one_had_for_a_while_is_rehearsed_too(study):
    pool = pool_of(study)
    first = launched(pool, name="first")
    open_batches.rename(batch=first, name="for a while", by=study.created_by)
    rehearse(Batch.objects.get(pk=first.pk))
    open_batches.rename(batch=first, name="last", by=study.created_by)

    counts = rehearse(launched(pool, name="for a while"))

    assert counts.n_judgements == Judgement.objects.filter(assignment__item__batch=first).count()
