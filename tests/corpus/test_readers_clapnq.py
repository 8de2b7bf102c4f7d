import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus import clapnq
from corpus.readers.clapnq import read
from tests.cases import all_cases
from tests.corpus.reader_files import problem_lines, write_file

META = {
    "annotator": [7],
    "has_minimal_answer": False,
    "non_consecutive": True,
    "round": 1,
    "skip": False,
}
PASSAGE = {"title": "Tide", "text": "It rises. It falls. ", "sentences": ["It rises.", "It falls."]}


def output(answer="Up and down.", *selected):
    return {"answer": answer, "selected_sentences": list(selected), "meta": META}


def question(key="7", **fields):
    record = {"id": key, "input": "what is a tide", "passages": [PASSAGE], "output": [output()]}
    return record | fields


def jsonl(*records):
    return "".join(f"{clapnq.line_of(record)}\n" for record in records)


def test_a_line_is_a_turn_with_its_passages_and_references(tmp_path):
    several = question(output=[output("One.", "It rises."), output("Two."), output("One.")])

    (turn,), (passage,) = vars_of(read(write_file(tmp_path, jsonl(several), "dev.jsonl")))

    assert (turn.turn_id, turn.question, turn.rewrite) == ("7_1", "what is a tide", "")
    assert (turn.reference, turn.other_references) == ("One.", ("Two.",))
    assert (turn.truth_passages, turn.part, turn.index) == (("7-1",), "dev.jsonl", 1)
    assert (passage.docid, passage.title, passage.turn_id) == ("7-1", "Tide", "7_1")
    assert (passage.text, passage.sentences) == (PASSAGE["text"], ("It rises.", "It falls."))


def vars_of(read):
    return read.turns, read.passages


def test_a_question_that_its_passage_does_not_answer_has_no_reference_and_no_relevant_passage(
    tmp_path,
):
    (turn,), (passage,) = vars_of(read(write_file(tmp_path, jsonl(question(output=[output("")])))))

    assert (turn.reference, turn.truth_passages) == ("", ())
    assert passage.turn_id == turn.turn_id  # it is offered all the same


def test_the_truth_of_a_turn_is_as_the_shared_task_writes_it(tmp_path):
    (turn,), _ = vars_of(read(write_file(tmp_path, jsonl(question()))))

    assert turn.source == {
        "Conversation_no": "7",
        "Turn_no": 1,
        "Truth_rewrite": "what is a tide",
        "Truth_passages": ["7-1"],
        "Truth_answer": "Up and down.",
    }


def test_the_order_of_keys_and_unknown_fields_come_out_as_they_came_in(tmp_path):
    line = '{"input":"caf\\u00e9 \\/ bar","more":{"z":1,"a":[2.50]},"output":[],"passages":[],"id":"9"}\n'

    (turn,), _ = vars_of(read(write_file(tmp_path, line.replace("2.50", "2.5"))))

    assert f"{turn.record}\n" == line.replace("2.50", "2.5")


def test_the_spellings_of_the_readme_become_those_of_the_files(tmp_path):
    marked = {**PASSAGE, "sentences": ["It rises. &", "It falls.&"]}
    null = {"answer": None, "selected_sentences": ["It rises. &"], "meta": META}

    found = read(write_file(tmp_path, json.dumps(question(7, passages=[marked], output=[null]))))

    plain = question("7", output=[output("", "It rises.")])
    assert found.turns[0].record == clapnq.line_of(plain)
    assert found.passages[0].sentences == ("It rises.", "It falls.")


def test_an_ampersand_that_ends_one_sentence_only_is_its_own(tmp_path):
    passage = {**PASSAGE, "sentences": ["Marks & Spencer &", "It falls."]}

    found = read(write_file(tmp_path, jsonl(question(passages=[passage]))))

    assert found.passages[0].sentences == ("Marks & Spencer &", "It falls.")


def test_a_sentence_that_is_there_twice_stays_twice(tmp_path):
    passage = {**PASSAGE, "sentences": ["It rises.", "It rises."]}

    found = read(write_file(tmp_path, jsonl(question(passages=[passage]))))

    assert found.passages[0].sentences == ("It rises.", "It rises.")


@all_cases(
    ("fields", "expected"),
    [
        ({"id": True}, "id: true is not text"),
        ({"id": ""}, 'id: "" is an empty id'),
        ({"input": " "}, "input: says nothing"),
        ({"input": 3}, "input: 3 is not text"),
        ({"passages": {}}, "passages: an object is not a list of objects"),
        ({"passages": ["a"]}, 'passages[1]: "a" is not an object'),
        ({"passages": [{"title": "Tide"}]}, "passages[1].text: is missing"),
        (
            {"passages": [{**PASSAGE, "sentences": "It"}]},
            'passages[1].sentences: "It" is not a list of texts',
        ),
        ({"passages": [{**PASSAGE, "sentences": [4]}]}, "passages[1].sentences: 4 is not text"),
        ({"output": None}, "output: null is not a list of objects"),
        ({"output": [{"meta": META}]}, "output[1].answer: is missing"),
        (
            {"output": [output("a\0")]},
            "output[1].answer: character 2 is U+0000, which a database cannot hold",
        ),
        (
            {"output": [{"answer": "a", "selected_sentences": 1}]},
            "output[1].selected_sentences: 1 is not a list of texts",
        ),
    ],
)
def test_a_wrong_value_is_named_with_its_line_and_field(tmp_path, fields, expected):
    file = write_file(tmp_path, jsonl(question("1"), question("2", **fields)))

    assert problem_lines(read, file) == [f"line 2: {expected}"]


@pytest.mark.parametrize("field", ["id", "input", "passages", "output"])
def test_a_missing_field_is_named(tmp_path, field):
    record = {name: value for name, value in question().items() if name != field}

    assert f"line 1: {field}: is missing" in problem_lines(
        read, write_file(tmp_path, jsonl(record))
    )


def test_a_question_that_comes_twice_is_a_problem(tmp_path):
    file = write_file(tmp_path, jsonl(question(), question("8"), question()))

    assert problem_lines(read, file) == ['line 3: id: "7" is already in line 1']


@pytest.mark.parametrize("content", ["", "\n \n"])
def test_a_file_without_a_question_is_refused(tmp_path, content):
    assert problem_lines(read, write_file(tmp_path, content)) == [
        "there is no line with a question"
    ]


def test_a_file_of_the_shared_task_is_refused_line_by_line(tmp_path):
    assert (
        problem_lines(read, write_file(tmp_path, '[{"Conversation_no": 1}]'))[0]
        == "line 1: a list is not an object"
    )


TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"))


@given(TEXTS.filter(str.strip), TEXTS, st.lists(TEXTS.map(lambda text: f"{text}.")))
def test_whatever_the_texts_the_line_comes_out_as_it_came_in(
    tmp_path_factory, asked, answer, sentences
):
    passage = {"title": asked, "text": answer, "sentences": sentences}
    line = clapnq.line_of(question(input=asked, passages=[passage], output=[output(answer)]))

    (turn,), _ = vars_of(read(write_file(tmp_path_factory.mktemp("lines"), f"{line}\n")))

    assert turn.record == line
    assert clapnq.record_of(line)["passages"] == [passage]
