"""What is promised of a second round of written answers: annotation/actions/second_rounds.py."""

import pytest

from accounts.actions.withdrawals import WithdrawalError
from accounts.models import Role
from accounts.permissions import NotAllowedError
from annotation.actions import (
    batches,
    claims,
    drafts,
    judgements,
    open_batches,
    reassignments,
    rehearsals,
    reservations,
    reviews,
    second_rounds,
    withdrawn_batches,
)
from annotation.actions.batches import BatchError
from annotation.actions.reserved_places import ReservationError
from annotation.models import Assignment, Batch, BatchState, Exclusion, Item
from annotation.queries import annotator_progress, completion, item_takers
from annotation.reserved_items_csv import of_values
from annotation.schemes.routing import Counts, Routes
from corpus.problems import ImportProblems, Report
from exports.rows.items import rows_of_items
from tests.annotation.desk import NOW, after
from tests.annotation.pools import launched, pool_of
from tests.annotation.rounds import (
    CONSECUTIVE,
    GAPS,
    ONE,
    SKIPPED,
    UNANSWERABLE,
    answered,
    draw,
    first_round,
    second_round,
    submit,
    write,
)
from tests.conftest import member

SAID = (GAPS, ONE, CONSECUTIVE, UNANSWERABLE, SKIPPED)


@pytest.fixture
def first(study, tmp_path) -> Batch:
    return first_round(study, tmp_path)


@pytest.fixture
def written(first, bob) -> Batch:
    """A first round in which bob gave one answer of each kind."""
    for response in SAID:
        write(first, bob, response)
    return first


def judgement_of(batch, outcome):
    return next(
        each
        for assignment in Assignment.objects.filter(item__batch=batch)
        for each in assignment.judgements.all()
        if each.response == outcome
    )


def reserve(batch, person, item):
    report = Report("list", "row")
    rows = of_values([str(item.public_id)], [], report)
    by = batch.study.created_by
    return reservations.reserve_named(batch=batch, person=person, rows=rows, report=report, by=by)


@pytest.mark.parametrize(
    ("routes", "expected", "shown"),
    [
        (Routes.GAPS, Counts(5, 1, 1, 1, 1, 1), [GAPS]),
        (Routes.UNANSWERABLE, Counts(5, 2, 1, 1, 0, 1), [GAPS, UNANSWERABLE]),
        (Routes.ALL, Counts(5, 3, 0, 0, 1, 1), [GAPS, ONE, CONSECUTIVE]),
    ],
)
def test_a_draft_shows_what_is_routed_once_it_is_opened(written, alice, routes, expected, shown):
    batches.close(batch=written, by=alice)

    drawn = draw(written, routes)
    opened = batches.launch(batch=drawn.batch, by=alice)

    assert drawn.counts == expected
    assert (drawn.is_new, drawn.batch.state) == (True, BatchState.DRAFT)
    items = list(opened.items.select_related("rewrites", "came_from"))
    assert [item.rewrites.response for item in items] == [
        each for each in (item.rewrites.response for item in items) if each in shown
    ]
    assert len(items) == len(shown)
    for item in items:
        assert item.came_from == item.rewrites.assignment.item
        assert item.payload == item.came_from.payload | {"written": item.payload["written"]}
        assert item.payload["written"]["outcome"] == item.rewrites.response["outcome"]
        assert "bob" not in str(item.payload)
    assert {row.came_from for row in rows_of_items(opened, [each.pk for each in items])} == {
        str(item.came_from) for item in items
    }


def test_what_is_written_is_handed_on_as_it_was(first, bob, alice):
    write(first, bob, answered(0, 5, 2, text="Oil,\nthen oil."))

    (item,) = second_round(first).items.all()

    assert item.payload["written"] == {
        "outcome": "answered",
        "answer": "Oil,\nthen oil.",
        "ticked": [0, 2, 5],
    }


def test_nobody_is_handed_what_was_theirs_in_the_first_round(first, bob, dora, eve_too, alice):
    write(first, bob, GAPS)
    write(first, dora, GAPS)
    claims.claim(batch=first, by=eve_too, now=NOW)  # she writes nothing, and saw the question

    second = second_round(first)

    for person, n in ((bob, 1), (dora, 1), (eve_too, 2)):
        now = after(700)
        progress = annotator_progress.desk_progress(second, person, now)
        by_batch = annotator_progress.progress_by_batch([second], person, now)
        handed = claims.claim(batch=second, by=person, n=5, now=now)
        assert (progress.n_left, by_batch[second.pk].n_left, len(handed)) == (n, n, n)
        assert not {each.item.rewrites.assignment.annotator for each in handed} & {person}
        claims.give_back(batch=second, annotator=person)


def test_nobody_is_handed_in_the_first_round_what_they_read_in_the_second(first, bob, dora, alice):
    answer = write(first, bob, GAPS)
    second = second_round(first)
    write(second, dora, {**GAPS, "kept": "keep"})
    rejected = {"is_paid": True, "is_counted": False, "paid_reason": "odd", "counted_reason": "odd"}
    reviews.review(judgement=answer, by=alice, ask_again=True, **rejected)  # opens it again
    first.refresh_from_db()
    item = answer.assignment.item

    assert annotator_progress.desk_progress(first, dora, NOW).n_left == 4
    assert item.pk not in {each.item_id for each in claims.claim(batch=first, by=dora, n=9)}
    assert item_takers.without_taker(first, {item.pk}) == {item.pk}
    assert item_takers.n_handed(second, {bob.pk, dora.pk}) == {second.items.get().pk: 2}
    short = completion.shortfall(first)
    assert short is not None
    assert short.by_few == 1
    with pytest.raises(ImportProblems, match="was handed to dora in the other round"):
        reserve(first, dora, item)


def test_what_was_reserved_before_is_not_handed_out_once_it_was_read_in_the_other_round(
    study, tmp_path, bob, dora, alice
):
    first = first_round(study, tmp_path, n=1, judgements_per_item=2)
    reserve(first, dora, first.items.get())
    write(first, bob, GAPS)
    second = second_round(first)
    assert len(claims.claim(batch=second, by=dora)) == 1
    first = batches.reopen(batch=first, by=alice)

    assert claims.claim(batch=first, by=dora) == []
    assert annotator_progress.desk_progress(first, dora, NOW).n_left == 0


@pytest.fixture
def eve_too(study, alice):
    return member(study, "eve", Role.ANNOTATOR, by=alice)


def test_an_item_is_not_reserved_for_or_reassigned_to_who_wrote_its_answer(first, bob, dora, alice):
    write(first, bob, GAPS)
    second = second_round(first)
    item = second.items.get()

    with pytest.raises(ImportProblems, match="was handed to bob in the other round"):
        reserve(second, bob, item)
    with pytest.raises(ReservationError, match="1 items are asked for, and 0"):
        reservations.reserve_drawn(batch=second, person=bob, by=alice, n=1)
    reserve(second, dora, item)
    with pytest.raises(ReservationError, match="was handed to bob in the other round"):
        reassignments.reassign(batch=second, people=[dora], to=bob, reason="away", by=alice)


def test_people_who_wrote_an_answer_are_counted_as_nobody_for_its_second_round(first, bob, alice):
    write(first, bob, GAPS)  # nobody else is in the study

    second = second_round(first)

    short = completion.shortfall(second)
    assert short is not None
    assert (short.n_missing, short.by_few) == (1, 1)
    assert item_takers.without_taker(second, {second.items.get().pk}) == {second.items.get().pk}


def test_a_faithfulness_item_goes_to_who_judged_its_plausibility_as_before(study, bob):
    """Only items of a second round ask who had the item that they came from."""
    judged = launched(pool_of(study), judgements_per_item=1)
    (assignment,) = claims.claim(batch=judged, by=bob, now=NOW)
    Item.objects.filter(batch=judged, n_open=1).update(came_from=assignment.item)

    assert len(claims.claim(batch=judged, by=bob, n=3, now=NOW)) == 3


def test_run_again_it_adds_what_is_new_and_excludes_what_no_longer_counts(
    written, bob, dora, alice
):
    second = second_round(written, Routes.ALL)
    assert second.items.count() == 3
    batches.reopen(batch=written, by=alice)
    judgements.take_back(judgement=judgement_of(written, GAPS), by=bob, now=after(60))
    rewritten = Assignment.objects.get(item__batch=written, state="claimed")
    submit(rewritten, answered(1, 6), after(90))
    reviews.exclude(item=judgement_of(written, ONE).assignment.item, reason="odd", by=alice)
    batches.close(batch=written, by=alice)

    drawn = draw(written, Routes.ALL)
    again = draw(written, Routes.ALL)

    assert (drawn.is_new, drawn.n_added, drawn.n_excluded) == (False, 1, 2)
    assert (again.n_added, again.n_excluded) == (0, 0)
    assert drawn.counts == Counts(4, 2, 0, 0, 1, 1)
    assert set(Exclusion.objects.filter(item__batch=second).values_list("reason", flat=True)) == {
        "its answer was withdrawn by who wrote it in the first round",
        "its item was excluded in the first round",
    }
    ticked = {tuple(each.payload["written"]["ticked"]) for each in second.items.real()}
    assert (1, 6) in ticked
    assert second.items.order_by("-position").first().payload["written"]["ticked"] == [1, 6]
    assert len(claims.claim(batch=second, by=dora, n=9, now=after(100))) == 2


def test_what_changed_before_the_draft_opens_is_as_it_is_then(written, alice, bob):
    batches.close(batch=written, by=alice)
    draft = draw(written).batch
    assert (draw(written).n_added, draft.items.count()) == (0, 0)
    reviews.exclude(item=judgement_of(written, GAPS).assignment.item, reason="odd", by=alice)

    with pytest.raises(BatchError, match="no answer of R1 is routed to R2 any more"):
        batches.launch(batch=draft, by=alice)


def test_what_cannot_be_a_second_round_is_refused_in_words(written, study, alice, bob):
    with pytest.raises(BatchError, match="the batch R1 is open, not closed"):
        draw(written)
    batches.close(batch=written, by=alice)
    with pytest.raises(NotAllowedError):
        second_rounds.draw(first=written, name="R2", routes=Routes.GAPS, by=bob)
    second = batches.launch(batch=draw(written).batch, by=alice)
    for name, routes, why in (
        ("R3", Routes.GAPS, "has a second round already, R2"),
        ("R1", Routes.GAPS, "is no second round of R1"),
        ("R2", Routes.ALL, "of the kind gaps, not all"),
    ):
        with pytest.raises(BatchError, match=why):
            draw(written, routes, name)
    with pytest.raises(BatchError, match="the batch R2 has the seed 1, not 2"):
        second_rounds.draw(first=written, name="R2", routes=Routes.GAPS, by=alice, seed=2)
    batches.close(batch=second, by=alice)
    with pytest.raises(BatchError, match="the batch R2 is a second round itself"):
        draw(second, name="R3")
    with pytest.raises(BatchError, match="R2 is closed, not draft or open or paused"):
        draw(written)


def test_of_other_schemes_and_without_answers_nothing_is_drawn(study, first, alice):
    other = launched(pool_of(study))
    for batch, why in (
        (first, "no answer of the batch R1"),
        (other, "only written answers"),
    ):
        batches.close(batch=batch, by=alice)
        with pytest.raises(BatchError, match=why):
            draw(batch)


def rehearse(batch, n_annotators):
    how = {"accuracy": 0.5, "seed": 1, "by": batch.created_by}
    return rehearsals.rehearse(batch=batch, n_annotators=n_annotators, **how)


@pytest.mark.parametrize("grouping", ["none", "fewest"])
def test_of_a_rehearsal_it_is_a_rehearsal_in_which_nobody_sees_their_own_answer(
    first, alice, bob, grouping
):
    Batch.objects.filter(pk=first.pk).update(grouping=grouping)
    rehearse(first, 2)
    batches.close(batch=first, by=alice)

    second = batches.launch(batch=draw(first, Routes.ALL).batch, by=alice)

    with pytest.raises(claims.NothingToClaimError, match="only simulated people"):
        claims.claim(batch=second, by=bob)
    assert rehearse(second, 2).n_missing == 0
    people = [
        (item.assignments.get().annotator, item.came_from.assignments.get().annotator)
        for item in second.items.all()
    ]
    assert people
    assert all(one != other for one, other in people)


def test_who_rehearses_a_second_round_alone_leaves_their_own_answers_to_nobody(first, alice):
    rehearse(first, 1)
    batches.close(batch=first, by=alice)
    second = batches.launch(batch=draw(first, Routes.ALL).batch, by=alice)

    rehearsed = rehearse(second, 1)

    assert (rehearsed.n_judgements, rehearsed.n_missing) == (0, second.items.count())


def test_a_draft_does_not_open_once_its_first_round_was_withdrawn(written, alice):
    batches.close(batch=written, by=alice)
    draft = draw(written).batch
    withdrawn_batches.withdraw(batch=written, reason="a mistake", by=alice)

    with pytest.raises(BatchError, match="the batch R1 is withdrawn"):
        batches.launch(batch=draft, by=alice)


def test_a_draft_does_not_open_while_its_first_round_is_open_again(written, alice):
    batches.close(batch=written, by=alice)
    draft = draw(written).batch
    batches.reopen(batch=written, by=alice)

    with pytest.raises(BatchError, match="the first round R1 is open: close it first"):
        batches.launch(batch=draft, by=alice)


def test_a_second_round_comes_back_only_if_there_is_no_other(written, alice):
    second = second_round(written)
    withdrawn_batches.withdraw(batch=second, reason="a mistake", by=alice)
    other = draw(written, name="R2b").batch

    with pytest.raises(WithdrawalError, match="the batch R1 has the second round R2b now"):
        withdrawn_batches.bring_back(batch=second, reason="none", by=alice)
    drafts.discard(batch=other, by=alice)
    withdrawn_batches.withdraw(batch=written, reason="a mistake", by=alice)
    with pytest.raises(WithdrawalError, match="the batch R1 is withdrawn: bring it back first"):
        withdrawn_batches.bring_back(batch=second, reason="none", by=alice)


def test_a_draft_of_a_second_round_keeps_its_scheme_and_pool(written, alice, study):
    batches.close(batch=written, by=alice)
    draft = draw(written).batch
    other = pool_of(study)

    with pytest.raises(BatchError, match="it keeps its scheme and its pool"):
        drafts.edit(
            batch=draft,
            name="R2",
            scheme="plausibility",
            pool=other,
            guideline="",
            by=alice,
        )


def test_a_second_round_begins_with_the_settings_of_the_first(written, alice):
    open_batches.change(batch=written, by=alice, guideline="Write well.")
    written.refresh_from_db()
    batches.close(batch=written, by=alice)

    draft = draw(written).batch

    assert (draft.guideline.text, draft.judgements_per_item, draft.pool) == (
        "Write well.",
        1,
        written.pool,
    )
    assert (draft.claim_seconds, draft.prefetch_depth) == (600, 50)
