"""What is promised of adding control items: annotation/actions/controls.py."""

from collections import Counter

import pytest

from accounts.models import Role
from accounts.permissions import NotAllowedError
from annotation.actions import batches, controls, drafts, returned_drafts, reviews
from annotation.actions.batches import BatchError
from annotation.actions.controls import ControlError
from annotation.control_keys_csv import KeyRow, read
from annotation.models import Batch, Item, Key, Source
from annotation.review_decisions import ReviewError
from audit.models import Event
from corpus.problems import ImportProblems, Report
from tests.annotation.batches_with_controls import draft, full_pool, open_batch, settled_batch, work
from tests.cases import all_cases
from tests.conftest import member
from tests.factories import BatchFactory, TurnFactory
from tests.parts import part


@part
def source(study, alice, bob, dora) -> Batch:
    return settled_batch(study, [bob, dora], alice)


@part
def full(study, alice) -> Batch:
    return open_batch(full_pool(study), alice, None)


SEEN = "2 of the 2 people who can work on the batch have seen all of these questions, and get no control item"


def add(batch, source, by, n=20, seed=1):
    return controls.add_from_batch(batch=batch, source=source, n=n, seed=seed, by=by)


def test_control_items_are_balanced_over_the_labels(full, source, alice):
    """Their questions are those of the settled batch, which both of its annotators have seen."""
    added = add(full, source, alice)

    # Of 30 settled ones 18 are plausible and 6 each of the others; 20 are wanted.
    assert added.n_by_label == {"plausible": 8, "implausible": 6, "malformed": 6}
    assert added.warnings == [SEEN]
    assert Key.objects.filter(item__batch=full).count() == added.n_added == 20


def test_labels_with_fewer_than_five_are_warned_of(full, source, alice):
    added = add(full, source, alice, n=9)

    assert added.n_by_label == {"plausible": 3, "implausible": 3, "malformed": 3}
    assert added.warnings == [
        f"3 control items are {label}: a recall of this label needs 5"
        for label in ("plausible", "implausible", "malformed")
    ] + [SEEN]


def test_nobody_is_said_to_get_none_who_has_not_seen_the_questions(study, full, source, alice):
    member(study, "fay", Role.ANNOTATOR, by=alice)

    assert add(full, source, alice).warnings == [SEEN.replace("the 2", "the 3")]


def test_the_same_seed_draws_the_same_and_another_seed_others(study, alice, source):
    def drawn(name, seed):
        other = open_batch(full_pool(study, n=1), alice, None, name=name)
        add(other, source, alice, n=9, seed=seed)
        return set(Item.objects.filter(batch=other, n_wanted=None).values_list("turn", flat=True))

    assert drawn("first", 1) == drawn("again", 1)
    assert drawn("first of 2", 1) != drawn("second", 2)


def test_a_control_item_shows_what_an_item_of_the_batch_would_show(full, source, alice):
    add(full, source, alice)

    original = {item.turn_id: item for item in source.items.all()}
    for key in Key.objects.select_related("item", "from_verdict"):
        assert set(key.item.payload) == set(full.items.real().first().payload)
        assert key.item.payload["question"] == key.item.turn.standalone
        assert key.label == key.from_verdict.label
        assert key.from_verdict.item == original[key.item.turn_id]


def test_only_what_is_unanimous_or_adjudicated_is_taken(study, full, source, alice, carol):
    verdicts = {each.item_id: each for each in source.items.first().verdicts.model.objects.all()}
    alone, split, decided, *_ = sorted(verdicts)
    current = source.items.first().verdicts.model.objects
    current.filter(item=alone).update(votes={"plausible": 1})
    current.filter(item=split).update(votes={"plausible": 2, "malformed": 1})
    reviews.adjudicate(item=Item.objects.get(pk=decided), label="malformed", reason="!", by=carol)

    add(full, source, alice, n=30)

    taken = {key.from_verdict.item_id: key for key in Key.objects.select_related("from_verdict")}
    assert alone not in taken
    assert split not in taken
    assert (taken[decided].label, taken[decided].from_verdict.source) == (
        "malformed",
        Source.ADJUDICATION,
    )
    assert len(taken) == 28


def test_a_question_that_the_batch_asks_about_is_left_out(study, alice, bob, dora):
    source = settled_batch(study, [bob, dora], alice)
    same = open_batch(source.pool, alice, None)

    with pytest.raises(ControlError, match="no item of the batch pilot can be used"):
        add(same, source, alice)


def test_a_question_has_one_control_item_however_often_some_are_added(full, source, alice):
    assert [add(full, source, alice, n=n).n_added for n in (20, 20)] == [20, 10]
    turns = Counter(Item.objects.filter(batch=full, n_wanted=None).values_list("turn", flat=True))
    assert set(turns.values()) == {1}
    with pytest.raises(ControlError, match="nor has a control item of it"):
        add(full, source, alice)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"state": "open", "closed_at": None, "closed_by": None}, "is open: close and settle it"),
        ({"scheme": "faithfulness"}, "is judged for faithfulness, not for plausibility"),
        ({"is_rehearsal": True}, "is a rehearsal"),
        ({"is_withdrawn": True}, "is withdrawn"),
    ],
)
def test_a_source_that_is_not_settled_or_not_alike_is_refused(full, source, alice, change, words):
    Batch.objects.filter(pk=source.pk).update(**change)

    with pytest.raises(ControlError, match=words):
        add(full, Batch.objects.get(pk=source.pk), alice)
    assert not Key.objects.exists()


def test_an_unsettled_source_is_refused(study, full, source, alice):
    source.items.first().verdicts.all().delete()

    with pytest.raises(ControlError, match="is not settled"):
        add(full, source, alice)
    with pytest.raises(ControlError, match="cannot be its own source"):
        add(full, full, alice)
    with pytest.raises(ControlError, match="is of another study"):
        add(full, BatchFactory(), alice)


def test_a_batch_without_control_items_takes_none_once_it_is_open(study, alice, source):
    plain = open_batch(full_pool(study), alice, None, control_every=None)

    with pytest.raises(ControlError, match="was opened without control items"):
        add(plain, source, alice)


def test_only_a_requester_adds_and_takes_out(full, source, alice, bob, carol):
    for person in (bob, carol):
        with pytest.raises(NotAllowedError):
            add(full, source, person)
    add(full, source, alice)
    with pytest.raises(NotAllowedError):
        controls.take_out(key=Key.objects.first(), reason="wrong", by=carol)


def test_what_is_done_is_on_record(full, source, alice):
    add(full, source, alice, n=9)

    event = Event.objects.get(verb="added controls")
    assert event.actor == "alice"
    assert event.details["n_items"] == 9
    assert event.details["source"] == "pilot"


# Drafts


@part
def drafted(study, alice, source) -> Batch:
    made = draft(full_pool(study), alice)
    add(made, source, alice)
    return made


def test_a_draft_keeps_its_control_items_when_it_opens(drafted, alice):
    opened = batches.launch(batch=drafted, by=alice)

    assert (opened.items.real().count(), opened.items.filter(n_wanted=None).count()) == (30, 20)


def test_a_draft_that_hands_out_none_is_warned_of(study, alice, source):
    added = add(draft(full_pool(study), alice, control_every=None), source, alice)

    assert any("no control item is handed out" in each for each in added.warnings)


def test_in_a_draft_a_control_item_is_removed_and_all_go_with_it(drafted, alice):
    key = Key.objects.first()

    controls.take_out(key=key, reason="wrong", by=alice)

    assert not Item.objects.filter(pk=key.item_id).exists()
    drafts.discard(batch=drafted, by=alice)
    assert not Batch.objects.filter(pk=drafted.pk).exists()
    assert not Key.objects.exists()


def settings_of(batch, **changed):
    return {
        "name": batch.name,
        "scheme": batch.scheme,
        "pool": batch.pool,
        "guideline": "",
        "shows_context": batch.shows_context,
    } | changed


def test_what_control_items_show_does_not_change_under_them(study, drafted, alice):
    other = full_pool(study)
    for changed in ({"shows_context": False}, {"pool": other}):
        with pytest.raises(BatchError, match="take them out before these change"):
            drafts.edit(batch=drafted, by=alice, **settings_of(drafted, **changed))
    drafts.edit(batch=drafted, by=alice, **settings_of(drafted, name="another"))
    for key in Key.objects.all():
        controls.take_out(key=key, reason="for another pool", by=alice)
    drafts.edit(batch=drafted, by=alice, **settings_of(drafted, pool=other))


def test_a_batch_that_returns_to_draft_keeps_them(drafted, alice):
    opened = batches.launch(batch=drafted, by=alice)

    returned_drafts.return_to_draft(batch=opened, by=alice)

    assert Key.objects.filter(item__batch=drafted).count() == 20
    assert batches.launch(batch=drafted, by=alice).items.real().count() == 30


# Taken out


def test_one_that_is_taken_out_is_excluded_without_a_verdict_and_handed_to_nobody(
    study, alice, bob, source
):
    batch = open_batch(full_pool(study), alice, source)
    for key in Key.objects.all():
        controls.take_out(key=key, reason="wrong", by=alice)

    assert all(each.item.n_wanted is not None for each in work(batch, bob))
    assert set(Key.objects.values_list("item__is_excluded", flat=True)) == {True}
    assert not Key.objects.filter(item__verdicts__isnull=False).exists()
    with pytest.raises(ReviewError, match="excluded already"):
        controls.take_out(key=Key.objects.first(), reason="wrong", by=alice)


def test_a_control_item_is_not_adjudicated(study, alice, carol, source):
    batch = open_batch(full_pool(study), alice, source)
    batches.close(batch=batch, by=alice)

    with pytest.raises(ReviewError, match="is a control item"):
        reviews.adjudicate(item=Key.objects.first().item, label="plausible", reason="so", by=carol)


# Files of keys


def rows_of(tmp_path, text):
    path = tmp_path / "keys.csv"
    path.write_text(text, encoding="utf-8")
    report = Report("keys.csv", "row")
    return read(path, ("plausible", "implausible", "malformed"), report), report


def test_a_file_of_keys_is_read(tmp_path):
    rows, report = rows_of(
        tmp_path,
        'turn,answer,label,explanation\n7_1,"Moss, mostly.",malformed,\n7_2,A,plausible,so\n',
    )

    assert not report.problems
    assert rows == [
        KeyRow(2, "7_1", "Moss, mostly.", "malformed", ""),
        KeyRow(3, "7_2", "A", "plausible", "so"),
    ]


@all_cases(
    ("text", "words"),
    [
        (
            "turn,answer,label,explanation\n7_1,A,plausible,So, it is.\n",
            "row 2: has more cells than the header",
        ),
        (
            "turn,answer,label,explanation\n7_1,A,plausible,a\0b\n",
            "row 2: explanation: holds a NUL character",
        ),
        ("turn,answer\n", "keys.csv: row 1: the header lacks label, explanation"),
        ("turn,answer,label,explanation\n", "keys.csv: there is no row below the header"),
        ("turn,answer,label,explanation\n,A,plausible,\n", "keys.csv: row 2: turn: is empty"),
        ("turn,answer,label,explanation\n7_1,,plausible,\n", "row 2: answer: is empty"),
        (
            "turn,answer,label,explanation\n7_1,A,good,\n",
            'row 2: label: "good" is none of plausible, implausible, malformed',
        ),
        (
            f"turn,answer,label,explanation\n7_1,A,plausible,{'x' * 1001}\n",
            "row 2: explanation: has more than 1000 characters",
        ),
        (
            "turn,answer,label,explanation\n7_1,A,plausible,\n7_1,B,malformed,\n",
            'row 3: turn: "7_1" stands in row 2 already',
        ),
    ],
)
def test_an_error_in_a_file_names_file_row_and_field(tmp_path, text, words):
    _, report = rows_of(tmp_path, text)

    assert words in "; ".join(map(str, report.problems))


def test_control_items_of_a_file_are_added_all_or_none(full, source, alice):
    asked = full.items.real().first().turn
    report = Report("keys.csv", "row")
    rows = [KeyRow(2, "nowhere", "A", "plausible", ""), KeyRow(3, asked.key, "A", "plausible", "")]

    with pytest.raises(ImportProblems) as error:
        controls.add_from_rows(batch=full, rows=rows, report=report, by=alice)

    assert "row 2: turn: is no question of the data set" in str(error.value)
    assert "row 3: turn: the batch asks about this question" in str(error.value)
    assert not Key.objects.exists()


def test_a_file_can_ask_of_questions_that_the_batch_leaves_out(full, alice):
    conversation = full.items.real().first().turn.conversation
    TurnFactory(conversation=conversation, number=99, rewrite="Who painted it?")
    rows = [KeyRow(2, f"{conversation.key}_99", "Moss.", "malformed", "No sentence.")]

    added = controls.add_from_rows(batch=full, rows=rows, report=Report("f", "row"), by=alice)

    assert added.n_added == 1
    key = Key.objects.get()
    assert (key.label, key.explanation, key.from_verdict) == ("malformed", "No sentence.", None)
    assert key.item.payload["answers"] == [{"number": 1, "text": "Moss."}]


def test_schemes_without_one_label_hand_out_none():
    sheet = Batch(name="rated", scheme="rating", control_every=5)

    with pytest.raises(BatchError, match="the scheme rating has no control items"):
        batches.require_askable(sheet)
