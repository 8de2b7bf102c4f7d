"""Made questions: what a line becomes, and what is wrong with a file."""

import pytest

from corpus.readers.questions import read, read_dataset
from tests.cases import all_cases
from tests.corpus.made_questions import TEXT, lines, passage, question
from tests.corpus.reader_files import problem_lines, write_file


def test_a_line_is_a_turn_with_its_truth_its_passage_and_how_it_was_made(tmp_path):
    found = read(write_file(tmp_path, lines(question()), "made.jsonl"))

    (turn,), (offered,) = found.turns, found.passages
    assert (turn.turn_id, turn.question, turn.reference) == (
        "q1_1",
        "Where do fish pass?",
        "By the weir.",
    )
    assert turn.source["Truth_passages"] == ["p1"]
    assert (offered.docid, offered.text, offered.title, offered.turn_id) == (
        *("p1", TEXT, "Fish"),
        "q1_1",
    )
    assert turn.meta == {
        "type": "closed",
        "section": "Results",
        "kind": "text",
        "document": "fish.pdf",
        "proof": "Fish pass by the weir.",
        "proof_status": "found after folding white space",
        "maker": {"model": "gpt-4", "prompt": "closed-1", "prompt_sha256": "", "seed": 1},
    }


def test_what_a_line_does_not_say_is_empty_and_the_passage_its_own_document(tmp_path):
    bare = {"id": "1", "question": "Why?", "answer": " ", "passage": {"id": "p", "text": "So."}}

    (turn,) = read(write_file(tmp_path, lines(bare))).turns

    assert (turn.reference, turn.truth_passages) == ("", ())  # the passage does not answer it
    assert turn.meta["document"] == "p"
    assert {turn.meta[name] for name in ("type", "section", "kind", "proof_status")} == {""}


def test_proofs_that_are_not_in_their_passage_are_kept_and_named(tmp_path):
    found = read_dataset(write_file(tmp_path, lines(question(), question("q2", proof="Never."))))

    assert found.records.turns[1].meta["proof"] == "Never."
    assert found.warnings == ("1 proof is not in its passage and kept as it came: q2",)


@all_cases(
    ("second", "problem"),
    [
        (question("q1"), 'line 2: id: "q1" is already in line 1'),
        (
            question("q2", passage=passage(text="Other. " * 9)),
            'line 2: passage.text: "Other. Other. Other. Other. Other. Other. Other. Other. Othe…"'
            ' is not that of the passage "p1" in line 1',
        ),
        (
            question("q2", passage=passage(document="b.pdf")),
            'line 2: passage.document: "b.pdf" is not that of the passage "p1" in line 1',
        ),
        (
            question("q2", document="b.pdf"),
            'line 2: document: "b.pdf" is not that of the passage',
        ),
        (
            question("q2", proof="long " * 9, passage=passage("p2", text="short")),
            'line 2: proof: "long long long long long long long long long "'
            " is longer than its passage: 44 characters, the passage 5",
        ),
        (question("q2", question=" "), "line 2: question: says nothing"),
        (
            question("q2", type="a\nb"),
            'line 2: type: "a\\nb" holds U+000A, which cannot be seen or',
        ),
        (question("q2", passage=passage("p\x07")), 'line 2: passage.id: "p\\u0007" holds U+0007'),
        (question("q2", passage=passage("p2", text=" ")), "line 2: passage.text: says nothing"),
        (question("q2", passage=None), "line 2: passage: null is not an object"),
        (
            question("q2", maker={"prompt_sha256": "abc"}),
            'line 2: maker.prompt_sha256: "abc" is not 64 digits from 0 to f',
        ),
    ],
)
def test_each_problem_names_line_and_field(tmp_path, second, problem):
    (found,) = problem_lines(read, write_file(tmp_path, lines(question(), second)))

    assert found.startswith(problem)


@pytest.mark.parametrize(
    ("note", "problem"),
    [
        ('"\\ud800"', "character 1 is U+D800, which a database cannot hold"),
        ("1e999", "Infinity is not a finite number"),
    ],
)
def test_what_cannot_be_kept_is_a_problem_also_in_a_field_that_is_not_read(tmp_path, note, problem):
    line = lines(question(note=[{"a": 7}])).replace("7}", f"{note}}}")

    assert problem_lines(read, write_file(tmp_path, line)) == [f"line 1: note: {problem}"]


def test_large_and_negative_seeds_and_sums_in_capitals_are_read(tmp_path):
    maker = {"seed": -1, "prompt_sha256": "AB" * 32}
    other = question("q2", maker={"seed": 4294967295})

    first, second = read(write_file(tmp_path, lines(question(maker=maker), other))).turns

    assert (first.meta["maker"]["seed"], second.meta["maker"]["seed"]) == (-1, 4294967295)
    assert first.meta["maker"]["prompt_sha256"] == "ab" * 32


def test_an_empty_file_is_a_problem(tmp_path):
    assert problem_lines(read, write_file(tmp_path, "\n")) == ["there is no line with a question"]
