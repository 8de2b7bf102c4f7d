"""What the database refuses, whoever asks: the constraints of annotation/models."""

import pytest
from django.db import IntegrityError, transaction

from annotation.actions import batches, reviews
from annotation.models import (
    Adjudication,
    Assignment,
    Batch,
    BatchState,
    Exclusion,
    Flag,
    FlagAnswer,
    Guideline,
    Item,
    ItemAnswer,
    Judgement,
    Review,
    ReviewAct,
    SetAside,
    Source,
    Verdict,
    VerdictState,
    Withdrawal,
)
from tests.annotation.desk import NOW, after, claim_one, judge
from tests.factories import BatchFactory, CandidateFactory, ItemFactory

pytestmark = pytest.mark.database


def raises_constraint_error(match: str | None = None):
    return pytest.raises(IntegrityError, match=match)


# The places of an item

TOO_MANY = "annotation_item_never_too_many"


@pytest.mark.parametrize(
    "places",
    [
        {"n_open": 3},
        {"n_open": 0, "n_claimed": 3},
        {"n_open": 0, "n_counted": 3},
        {"n_open": 1, "n_claimed": 1, "n_counted": 1},
    ],
)
def test_an_item_never_has_more_places_than_it_wants(item, places):
    with raises_constraint_error(TOO_MANY), transaction.atomic():
        Item.objects.update(**places)

    Item.objects.update(n_open=0, n_claimed=1, n_counted=1)


@pytest.mark.parametrize("kind", ["n_open", "n_claimed", "n_counted"])
def test_no_place_is_negative(item, kind):
    with raises_constraint_error(kind), transaction.atomic():
        Item.objects.update(**{kind: -1})


@pytest.mark.parametrize("kind", ["n_open", "n_claimed", "n_counted"])
def test_a_control_item_has_no_places(batch, kind):
    control = ItemFactory(batch=batch, n_wanted=None, n_open=0)

    with raises_constraint_error(TOO_MANY), transaction.atomic():
        Item.objects.filter(pk=control.pk).update(**{kind: 1})


def test_two_items_of_a_batch_never_stand_in_one_place(batch, item):
    with raises_constraint_error(), transaction.atomic():
        ItemFactory(batch=batch, position=item.position)


def test_an_item_shows_a_candidate_once_and_each_number_once(batch, item):
    shown = item.answers.get()
    other = CandidateFactory(pool=batch.pool)

    with raises_constraint_error(), transaction.atomic():
        ItemAnswer.objects.create(item=item, candidate=shown.candidate, number=2)
    with raises_constraint_error(), transaction.atomic():
        ItemAnswer.objects.create(item=item, candidate=other, number=shown.number)

    ItemAnswer.objects.create(item=item, candidate=other, number=2)


# Claims and judgements


def test_nobody_has_two_assignments_of_an_item(batch, item, bob):
    claim_one(batch, bob)

    with raises_constraint_error(), transaction.atomic():
        Assignment.objects.create(item=item, annotator=bob, claimed_at=NOW, expires_at=after(1))


def test_an_assignment_is_in_one_of_the_known_states(batch, item, bob):
    claim_one(batch, bob)

    with raises_constraint_error("annotation_assignment_state_is_known"), transaction.atomic():
        Assignment.objects.update(state="lost")


def test_only_a_skipped_assignment_has_a_reason_for_it(batch, item, bob):
    claim_one(batch, bob)

    with raises_constraint_error("annotation_assignment_skip_reason"), transaction.atomic():
        Assignment.objects.update(skip_reason="unclear")


@pytest.fixture
def judged(batch, item, bob) -> Judgement:
    return judge(batch, bob)


def copy_of(judgement: Judgement, **changes: object) -> Judgement:
    fields = {
        field.attname: getattr(judgement, field.attname)
        for field in Judgement._meta.concrete_fields
        if not field.primary_key
    }
    return Judgement(**{**fields, **changes})


@pytest.mark.parametrize(
    "changes",
    [
        {"client_id": "another"},
        {"number": 2},
        {"client_id": "", "number": 2},
        {"client_id": "another", "number": 2, "active_seconds": -0.1},
    ],
    ids=["the same number", "the same client id", "no client id", "less than no time"],
)
def test_a_judgement_has_its_own_number_and_client_id_and_a_time(judged, changes):
    with raises_constraint_error(), transaction.atomic():
        copy_of(judged, **changes).save()

    copy_of(judged, client_id="another", number=2).save()


def test_a_judgement_is_withdrawn_once(judged, bob):
    Withdrawal.objects.create(judgement=judged, withdrawn_at=NOW, withdrawn_by=bob)

    with raises_constraint_error(), transaction.atomic():
        Withdrawal.objects.create(judgement=judged, withdrawn_at=NOW, withdrawn_by=bob)


def test_a_flag_is_answered_with_words_or_not_at_all(batch, item, alice, bob):
    flag = Flag.objects.create(assignment=claim_one(batch, bob), message="?", flagged_at=NOW)

    with raises_constraint_error("annotation_flaganswer_says_something"), transaction.atomic():
        FlagAnswer.objects.create(flag=flag, text="", answered_by=alice)


# Lines of rows: one first row, each row replaced once


def disputed(item: Item, by, **changes: object) -> Verdict:
    said = {"state": VerdictState.DISPUTED, "source": Source.CONSENSUS, "decided_at": NOW}
    return Verdict(item=item, decided_by=by, **{**said, **changes})


def first_of_its_line(kind: str, batch: Batch, item: Item, bob, alice):
    """The first row of a line and a function that makes another row of the same thing."""
    if kind == "verdict":
        disputed(item, alice).save()
        return Verdict.objects.get(), lambda: disputed(item, alice)
    if kind == "exclusion":
        first = reviews.exclude(item=item, reason="because", by=alice)
        return first, lambda: Exclusion(item=item, is_excluded=False, excluded_by=alice)
    judgement = judge(batch, bob)
    act = ReviewAct.objects.create(batch=batch, reviewed_by=alice)
    both = {"act": act, "is_paid": True, "is_counted": True, "reviewed_by": alice}
    both |= {"paid_code": "in good faith", "counted_code": "good"}
    first = Review.objects.create(judgement=judgement, **both)
    return first, lambda: Review(judgement=judgement, **both)


@pytest.mark.parametrize("kind", ["verdict", "exclusion", "review"])
def test_a_line_of_rows_has_one_beginning_and_does_not_fork(kind, batch, item, bob, alice):
    first, another = first_of_its_line(kind, batch, item, bob, alice)

    second_beginning = another()
    with raises_constraint_error(), transaction.atomic():
        second_beginning.save()
    end = another()
    end.replaces = first
    end.save()
    fork = another()
    fork.replaces = first
    with raises_constraint_error(), transaction.atomic():
        fork.save()

    assert list(type(first).objects.filter(replaced_by=None)) == [end]


# The shape of a verdict


@pytest.mark.parametrize(
    "changes",
    [
        {"state": VerdictState.DECIDED, "label": ""},
        {"state": VerdictState.DECIDED, "label": "plausible", "set_aside_reason": "excluded"},
        {"state": VerdictState.DISPUTED, "label": "plausible"},
        {"state": VerdictState.DISPUTED, "set_aside_reason": SetAside.DISAGREEMENT},
        {"state": VerdictState.SET_ASIDE},
        {"state": VerdictState.SET_ASIDE, "set_aside_reason": "did not like it"},
        {
            "state": VerdictState.SET_ASIDE,
            "set_aside_reason": SetAside.EXCLUDED,
            "label": "plausible",
        },
        {"state": "pending"},
    ],
)
def test_a_verdict_has_a_label_or_a_reason_as_its_state_says(item, alice, changes):
    with raises_constraint_error("annotation_verdict_label_or_reason"), transaction.atomic():
        disputed(item, alice, **changes).save()


def test_a_verdict_names_its_adjudication_exactly_when_it_is_one(item, alice):
    made = Adjudication.objects.create(
        item=item, label="plausible", reason="", adjudicated_by=alice
    )
    decided = {"state": VerdictState.DECIDED, "label": "plausible"}

    for changes in (
        {"source": Source.ADJUDICATION},
        {"source": Source.CONSENSUS, "adjudication": made},
        {"source": "hearsay"},
    ):
        with raises_constraint_error("annotation_verdict_adjudication"), transaction.atomic():
            disputed(item, alice, **decided, **changes).save()

    disputed(item, alice, **decided, source=Source.ADJUDICATION, adjudication=made).save()


# Batches and guidelines


@pytest.mark.parametrize(
    ("changes", "constraint"),
    [
        ({"state": "ajar"}, "state_is_known"),
        ({"grouping": "colour"}, "grouping_is_known"),
        ({"judgements_per_item": 0}, "asks_at_least_once"),
        ({"largest_share": 0}, "largest_share"),
        ({"largest_share": 1.01}, "largest_share"),
        ({"state": BatchState.CLOSED}, "closed_at_and_by"),
        ({"closed_at": NOW}, "closed_at_and_by"),
    ],
)
def test_a_batch_makes_sense(batch, changes, constraint):
    with raises_constraint_error(constraint), transaction.atomic():
        Batch.objects.update(**changes)


def test_a_closed_batch_says_when_and_by_whom(batch, alice):
    batches.close(batch=batch, by=alice)

    for missing in ("closed_at", "closed_by"):
        with raises_constraint_error("closed_at_and_by"), transaction.atomic():
            Batch.objects.update(**{missing: None})


def test_a_batchs_name_is_its_own_within_the_study(batch):
    with raises_constraint_error(), transaction.atomic():
        BatchFactory(pool=batch.pool, name=batch.name)

    BatchFactory(name=batch.name)


def test_a_guidelines_text_is_one_row_in_its_study_and_scheme(batch, alice):
    text = {"study": batch.study, "scheme": batch.scheme, "sha256": batch.guideline.sha256}

    with raises_constraint_error(), transaction.atomic():
        Guideline.objects.create(**text, created_by=alice)


@pytest.mark.parametrize("kind", [Assignment, Item, Batch])
def test_what_people_said_does_not_go_with_what_it_was_said_of(judged, kind):
    with pytest.raises(IntegrityError):
        kind.objects.all().delete()
