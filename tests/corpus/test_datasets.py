"""What becomes of a data set's files in the database."""

import hashlib
import json

import pytest
from django.core.exceptions import ValidationError

from audit.models import Event
from corpus.actions.datasets import ChangedError
from corpus.models import Answer, Dataset, Offer, Passage, RunKind, Turn
from corpus.problems import ImportProblems
from corpus.readers import scai
from tests.corpus.imports import (
    DEMO,
    create_dataset,
    create_demo_dataset,
    passage_table,
    save_dataset,
    turn,
)
from tests.corpus.reader_files import QUESTION, problem_lines, write_file
from tests.corpus.row_counts import n_rows
from tests.factories import StudyFactory

TURNS = [turn(1, "A stone."), turn(2, "It is dark.", rewrite="What colour is it?"), turn(3)]


def test_the_demonstration_data_are_written_whole(study):
    imported = create_demo_dataset(study)

    assert n_rows() == {
        "Dataset": 1,
        "Conversation": 12,
        "Turn": 32,
        "Passage": 36,
        "Offer": 79,
        "Run": 1,
        "Answer": 30,
        "Citation": 0,
    }
    assert str(imported) == "everyday@1"


def test_an_import_counts_what_it_wrote_and_leaves_an_event(study, tmp_path):
    imported = save_dataset(study, tmp_path, TURNS, passages=passage_table(("1_1", "p1", "Slate.")))

    assert imported.created
    assert imported.counts == {
        "n_conversations": 1,
        "n_turns": 3,
        "n_references": 2,
        "n_passages": 1,
    }
    event = Event.objects.get(verb="imported")
    assert (event.actor, event.target) == ("alice", "dataset touch@1")
    assert event.details["n_turns"] == 3


def test_references_are_a_run_and_a_turn_without_truth_has_none(study, tmp_path):
    imported = create_dataset(study, tmp_path, [*TURNS, turn(4, " \n ")])

    run = imported.runs.get()
    assert (run.name, run.kind) == ("reference", RunKind.REFERENCE)
    assert [(each.turn.number, each.text) for each in run.answers.select_related("turn")] == [
        (1, "A stone."),
        (2, "It is dark."),
    ]


def test_turns_keep_their_order_and_their_record_as_it_was_read(study, tmp_path):
    odd = turn("2", "Yes.", conversation="7") | {"Truth_extra": 1}
    imported = create_dataset(study, tmp_path, [odd, turn(1, "A stone.")])

    turns = list(Turn.objects.of(imported))
    assert [each.key for each in turns] == ["7_2", "1_1"]
    assert turns[0].source == turn("2", "Yes.", conversation="7")


def test_a_question_without_truth_becomes_a_turn_that_runs_may_answer(study, tmp_path):
    asked = [QUESTION | {"Turn_no": 1}, QUESTION | {"Turn_no": 2, "Question": "And its colour?"}]
    imported = create_dataset(study, tmp_path, [turn(1, "A stone.")], questions=asked)

    first, second = Turn.objects.of(imported)
    assert (first.question, first.rewrite) == ("What is it?", "What is it?")
    assert (second.question, second.rewrite, second.source) == ("And its colour?", "", {})
    assert second.standalone == "And its colour?"


def test_a_passage_offered_for_two_turns_is_stored_once_in_the_order_of_the_file(study, tmp_path):
    passages = passage_table(
        ("1_2", "b", "Slate."), ("1_1", "a", "Basalt."), ("1_2", "a", "Basalt.")
    )
    create_dataset(study, tmp_path, TURNS, passages=passages)

    offers = Offer.objects.order_by("turn__number", "position").select_related("turn", "passage")
    assert [(each.turn.number, each.passage.docid) for each in offers] == [
        (1, "a"),
        (2, "b"),
        (2, "a"),
    ]
    assert Passage.objects.count() == 2


def test_passages_of_json_lines_are_held_and_offered_to_nobody(study, tmp_path):
    line = json.dumps({"id": "p1", "contents": "Slate.", "url": "https://stones.example"})
    create_dataset(study, tmp_path, TURNS, passages=line)

    passage = Passage.objects.get()
    assert (passage.docid, passage.text, passage.url) == ("p1", "Slate.", "https://stones.example")
    assert not passage.offers.exists()


def test_the_files_are_described_for_the_manifest(study):
    imported = create_demo_dataset(study)

    names = ["truth.json", "questions-original.json", "passages.tsv"]
    assert [file["name"] for file in imported.files] == names
    content = (DEMO / "truth.json").read_bytes()
    assert imported.files[0]["sha256"] == hashlib.sha256(content).hexdigest()
    assert imported.files[0]["n_bytes"] == len(content)


# The same again, and something else


def test_the_same_file_again_changes_nothing_and_says_so(study, tmp_path):
    save_dataset(study, tmp_path, TURNS)
    before = n_rows()

    again = save_dataset(study, tmp_path, TURNS)

    assert (again.created, again.name) == (False, "touch@1")
    assert again.counts["n_turns"] == 3
    assert n_rows() == before
    assert Event.objects.filter(verb="imported").count() == 1


def test_the_same_content_in_another_form_is_the_same_data_set(study, tmp_path):
    passages = [("1_1", "a", "Basalt."), ("1_2", "b", "Slate.")]
    save_dataset(study, tmp_path, TURNS, passages=passage_table(*passages))

    indented = json.dumps(list(reversed(TURNS)), indent=4, ensure_ascii=False)
    again = save_dataset(study, tmp_path, indented, passages=passage_table(*reversed(passages)))

    assert not again.created


def test_a_changed_file_is_refused_with_the_difference(study, tmp_path):
    save_dataset(study, tmp_path, TURNS)
    before = n_rows()
    changed = [turn(1, "A pebble."), turn(2, "It is dark.", rewrite="Why?"), turn(9, "Nine.")]

    with pytest.raises(ChangedError) as caught:
        save_dataset(study, tmp_path, changed)

    assert str(caught.value) == (
        "the study lighthouses has another dataset touch@1: 1 added (turn 1_9); 1 removed (turn 1_3);"
        " 2 changed (turn 1_1, turn 1_2: reference in 1, rewrite in 1)."
        " Import it under another name, or as the next version:"
        " 0 turns are the same; 2 changed (1_1: reference; 1_2: question); 1 new (1_9); 1 gone (1_3)"
    )
    assert n_rows() == before


def test_other_passages_are_another_data_set(study, tmp_path):
    save_dataset(study, tmp_path, TURNS, passages=passage_table(("1_1", "a", "Basalt.")))

    with pytest.raises(ChangedError, match=r"1 changed \(passage 1_1 a: text in 1\)"):
        save_dataset(study, tmp_path, TURNS, passages=passage_table(("1_1", "a", "Slate.")))
    with pytest.raises(ChangedError, match=r"1 removed \(passage 1_1 a\)"):
        save_dataset(study, tmp_path, TURNS)


def test_a_new_version_stands_beside_the_old_one(study, tmp_path):
    first = create_dataset(study, tmp_path, TURNS)
    second = create_dataset(study, tmp_path, [turn(1, "A pebble.")], as_new_version=True)

    assert (str(first), str(second)) == ("touch@1", "touch@2")
    assert study.datasets.by_name("touch") == second
    assert study.datasets.by_name("touch@1") == first
    assert Turn.objects.of(first).count() == 3
    assert (
        str(create_dataset(study, tmp_path, [turn(1, "A rock.")], as_new_version=True)) == "touch@3"
    )


def test_a_new_version_of_the_same_content_is_none(study, tmp_path):
    save_dataset(study, tmp_path, TURNS)

    again = save_dataset(study, tmp_path, TURNS, as_new_version=True)

    assert (again.created, again.name) == (False, "touch@1")


def test_an_older_version_again_is_a_change_of_the_newest(study, tmp_path):
    save_dataset(study, tmp_path, TURNS)
    save_dataset(study, tmp_path, [turn(1, "A pebble.")], as_new_version=True)

    with pytest.raises(ChangedError, match="touch@2"):
        save_dataset(study, tmp_path, TURNS)


@pytest.mark.parametrize("name", ["touch@3", "touch@0", "touch@one", "touched"])
def test_a_version_that_is_not_there_is_not_found(study, tmp_path, name):
    create_dataset(study, tmp_path, TURNS)

    with pytest.raises(Dataset.DoesNotExist):
        study.datasets.by_name(name)


def test_licence_and_citation_may_be_said_later_and_leave_an_event(study, tmp_path):
    save_dataset(study, tmp_path, TURNS, licence="CC-BY-3.0")

    again = save_dataset(study, tmp_path, TURNS, licence="CC-BY-4.0", citation="Stones, 2021")

    imported = study.datasets.get()
    assert (imported.licence, imported.citation) == ("CC-BY-4.0", "Stones, 2021")
    assert again.warnings == (
        "its licence is now CC-BY-4.0, and was CC-BY-3.0",
        "its citation is now Stones, 2021, and was not specified",
    )
    event = Event.objects.get(verb="changed the description of")
    assert event.details["before"] == {"licence": "CC-BY-3.0", "citation": ""}


def test_what_is_not_said_again_stays_as_it_was_said(study, tmp_path):
    save_dataset(study, tmp_path, TURNS, licence="CC-BY-4.0", citation="Stones, 2021")

    again = save_dataset(study, tmp_path, TURNS)

    assert (again.created, again.warnings) == (False, ())
    assert study.datasets.get().licence == "CC-BY-4.0"
    assert not Event.objects.filter(verb="changed the description of").exists()


@pytest.mark.parametrize(
    ("given", "expected"),
    [({}, ("CC-BY-4.0", "Stones, 2021")), ({"licence": "CC0"}, ("CC0", "Stones, 2021"))],
)
def test_the_next_version_keeps_the_licence_and_citation_that_are_not_given(
    study, tmp_path, given, expected
):
    save_dataset(study, tmp_path, TURNS, licence="CC-BY-4.0", citation="Stones, 2021")

    save_dataset(study, tmp_path, TURNS[:1], as_new_version=True, **given)

    newest = study.datasets.get(version=2)
    assert (newest.licence, newest.citation) == expected


def test_two_studies_hold_the_same_data_set_each_for_itself(study, tmp_path):
    other = StudyFactory()

    assert save_dataset(study, tmp_path, TURNS).created
    assert save_dataset(other, tmp_path, TURNS).created
    assert Answer.objects.count() == 4


@pytest.mark.parametrize("name", ["touch@1", "to\nuch", " touch", " "])
def test_a_name_with_a_version_in_it_or_that_cannot_be_told_is_refused(study, tmp_path, name):
    with pytest.raises(ValidationError):
        save_dataset(study, tmp_path, TURNS, name=name)

    assert not Dataset.objects.exists()


# What is only said


def test_of_questions_that_are_all_one_conversation_it_is_said_what_that_means(study, tmp_path):
    numbers = range(1, 31)

    one = save_dataset(study, tmp_path, [turn(number, "Yes.") for number in numbers])
    each = save_dataset(
        study, tmp_path, [turn(1, "Yes.") | {"Conversation_no": n} for n in numbers], name="each"
    )

    assert [text.partition(":")[0] for text in one.warnings] == [
        f"all 30 turns are one conversation, {turn(1, '')['Conversation_no']}"
    ]
    assert each.warnings == ()


def test_turns_that_the_questions_file_lacks_are_counted_and_named(study, tmp_path):
    turns = [turn(number, "Yes.") for number in range(1, 9)]
    asked = [QUESTION | {"Turn_no": 1}, QUESTION | {"Turn_no": 2, "Question": " "}]

    imported = save_dataset(study, tmp_path, turns, questions=asked)

    lacking = (
        "7 turns of the truth have no question in the questions file:"
        " 1_2, 1_3, 1_4, 1_5, 1_6 and 2 more"
    )
    assert imported.warnings == (lacking,)
    assert save_dataset(study, tmp_path, turns, questions=asked).warnings == (lacking,)


def test_a_questions_file_with_all_the_turns_is_passed_over_in_silence(study, tmp_path):
    asked = [QUESTION | {"Turn_no": 1}, QUESTION | {"Turn_no": 2}]

    assert save_dataset(study, tmp_path, [turn(1, "A.")], questions=asked).warnings == ()
    assert save_dataset(study, tmp_path, [turn(1, "A.")], name="none").warnings == ()


# What is refused


def test_every_turn_that_asks_nothing_is_refused_with_its_record(study, tmp_path):
    path = write_file(tmp_path, [turn(1, rewrite=" "), turn(2, "No."), turn(3, rewrite="")])

    assert problem_lines(lambda path: scai.read(truth=path), path) == [
        "record 1: Truth_rewrite: 1_1 has neither rewrite nor question",
        "record 3: Truth_rewrite: 1_3 has neither rewrite nor question",
    ]


def test_what_is_wrong_in_the_files_is_told_of_all_of_them_at_once(study, tmp_path):
    files = {
        "truth": write_file(tmp_path, [turn(1), turn(1)], "truth.json"),
        "questions": write_file(tmp_path, [QUESTION | {"Question": 3}], "questions.json"),
        "passages_file": write_file(tmp_path, passage_table(("1_9", "", "A.")), "p.tsv"),
    }

    with pytest.raises(ImportProblems) as caught:
        scai.read(**files)

    assert str(caught.value).splitlines() == [
        'truth.json: record 2: turn: "1_1" is already in record 1',
        "questions.json: record 1: Question: 3 is not text",
        'p.tsv: row 2: passage_id: "" is an empty id',
    ]


def test_what_is_wrong_between_the_files_is_told_of_all_of_them_at_once(study, tmp_path):
    asked = [QUESTION | {"Question": " "}, QUESTION | {"Turn_no": 4, "Question": ""}]
    files = {
        "truth": write_file(tmp_path, [turn(1, rewrite="")], "truth.json"),
        "questions": write_file(tmp_path, asked, "questions.json"),
        "passages_file": write_file(
            tmp_path, passage_table(("1_1", "a", "A."), ("1_9", "a", "A.")), "p.tsv"
        ),
    }

    with pytest.raises(ImportProblems) as caught:
        scai.read(**files)

    assert str(caught.value).splitlines() == [
        "truth.json: record 1: Truth_rewrite: 1_1 has neither rewrite nor question",
        "questions.json: record 1: Question: 1_2 has neither rewrite nor question",
        "questions.json: record 2: Question: 1_4 has neither rewrite nor question",
        "p.tsv: row 3: turn_id: 1_9 is not a turn of the data set",
    ]


def test_the_question_may_come_from_the_questions_file(study, tmp_path):
    asked = [QUESTION | {"Turn_no": 1}]
    imported = create_dataset(study, tmp_path, [turn(1, "A stone.", rewrite="")], questions=asked)

    assert Turn.objects.of(imported).get().standalone == "What is it?"


def test_a_blank_rewrite_is_none_but_the_record_keeps_it(study, tmp_path):
    asked = [QUESTION | {"Turn_no": 1}]
    imported = create_dataset(study, tmp_path, [turn(1, " \n ", rewrite="   ")], questions=asked)

    stored = Turn.objects.of(imported).get()
    assert (stored.rewrite, stored.standalone) == ("", "What is it?")
    assert stored.source == turn(1, " \n ", rewrite="   ")


def test_a_reference_that_was_blank_and_is_not_there_is_no_difference(study, tmp_path):
    save_dataset(study, tmp_path, [turn(1, " "), turn(2, "A.")])

    with pytest.raises(ChangedError, match=r"1 changed \(turn 1_2: reference in 1\)"):
        save_dataset(study, tmp_path, [turn(1), turn(2, "B.")])


def test_every_passage_for_a_turn_that_is_not_there_is_refused_with_its_row(study, tmp_path):
    truth = write_file(tmp_path, TURNS, "truth.json")
    path = write_file(
        tmp_path, passage_table(("1_9", "a", "A."), ("1_1", "a", "A."), ("1_9", "b", "B."))
    )

    assert problem_lines(lambda path: scai.read(truth=truth, passages_file=path), path) == [
        "row 2: turn_id: 1_9 is not a turn of the data set",
        "row 4: turn_id: 1_9 is not a turn of the data set",
    ]


# Texts

TEXTS = {
    "right to left": "\u202bמה זה? مرحبا\u202c",
    "emoji": "👩🏽‍🚀 🏳️‍🌈 ☕",
    "combining": "e\u0301 is not \u00e9",
    "one endless word": "x" * 10_000,
    "line ends and tabs": "\r\n a \t b \u2028 c \x0b",
    "like a formula": "=1+1; @SUM(A1)",
    "markup": "<script>alert(1)</script> &amp; %s %(a)s {0}",
    "outer white space": "  \u00a0 kept \n",
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_texts_come_back_byte_by_byte(study, tmp_path, text):
    asked = [QUESTION | {"Turn_no": 1, "Question": text}]
    line = json.dumps({"id": "p" + text[:50].strip(), "text": text})
    imported = create_dataset(
        study, tmp_path, [turn(1, text, rewrite=text)], questions=asked, passages=line
    )

    stored = Turn.objects.of(imported).get()
    assert stored.question == stored.rewrite == stored.source["Truth_answer"] == text
    assert Answer.objects.get().text == Passage.objects.get().text == text


@pytest.mark.parametrize("bad", ["\\u0000", "\\ud800", "\\udfff\\ud83d"])
@pytest.mark.parametrize("field", ["Truth_answer", "Truth_rewrite"])
def test_what_a_database_cannot_hold_is_refused_and_nothing_is_written(study, tmp_path, bad, field):
    text = json.dumps([turn(1, "A stone.") | {field: "here: "}]).replace("here: ", f"here: {bad}")

    with pytest.raises(ImportProblems, match="which a database cannot hold"):
        save_dataset(study, tmp_path, text)
    assert set(n_rows().values()) == {0}
