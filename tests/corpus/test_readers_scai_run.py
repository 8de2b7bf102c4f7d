import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.problems import ImportProblems
from corpus.readers import scai_run
from corpus.records import AnswerRecord, CitationRecord
from tests.cases import all_cases
from tests.corpus.reader_files import ANSWER, problem_lines, write_file


def citations(folder, **fields):
    (answer,) = scai_run.read(write_file(folder, [ANSWER | fields]))
    return answer.citations


def test_an_answer_keeps_its_raw_text_and_its_place_in_the_file(tmp_path):
    path = write_file(
        tmp_path, [ANSWER | {"Turn_no": 1}, ANSWER | {"Model_rewrite": "What is gold?"}]
    )

    assert scai_run.read(path)[1] == AnswerRecord("1_2", " A dark stone.", "What is gold?", (), 2)


@pytest.mark.parametrize(
    "silent",
    [
        {"Model_rewrite": ""},
        dict.fromkeys(["Model_answer", "Model_rewrite", "Model_passages", "Model_evidence"]),
    ],
)
def test_whatever_a_model_does_not_say_is_empty(tmp_path, silent):
    path = write_file(tmp_path, [{"Conversation_no": 1, "Turn_no": 1} | silent])

    assert scai_run.read(path) == (AnswerRecord("1_1", "", "", (), 1),)


def test_a_file_without_any_field_of_a_run_is_not_taken_for_one(tmp_path):
    misspelt = [{"Conversation_no": 1, "Turn_no": 1, "model_answer": "A dark stone."}]

    with pytest.raises(ImportProblems, match="no record has a field of a run"):
        scai_run.read(write_file(tmp_path, misspelt))


def test_passages_rank_by_score_and_ties_by_id_descending(tmp_path):
    scores = {"b": 1, "a": 2.5, "c": 1.0, "B": 1, "d": -3}

    assert citations(tmp_path, Model_passages=scores) == (
        CitationRecord("a", 1, 2.5, ""),
        CitationRecord("c", 2, 1.0, ""),
        CitationRecord("b", 3, 1.0, ""),
        CitationRecord("B", 4, 1.0, ""),
        CitationRecord("d", 5, -3.0, ""),
    )


def test_a_quote_stands_at_the_citation_of_its_passage(tmp_path):
    evidence = {"passage_id": "b", "text": " gold "}

    assert citations(tmp_path, Model_passages={"a": 2, "b": 1}, Model_evidence=evidence) == (
        CitationRecord("a", 1, 2.0, ""),
        CitationRecord("b", 2, 1.0, " gold "),
    )


def test_a_quote_from_a_passage_that_was_not_retrieved_adds_a_citation_without_rank(tmp_path):
    evidence = {"passage_id": "c", "text": "gold"}

    assert citations(tmp_path, Model_passages={"a": 2}, Model_evidence=evidence) == (
        CitationRecord("a", 1, 2.0, ""),
        CitationRecord("c", None, None, "gold"),
    )


@all_cases(
    ("fields", "expected"),
    [
        ({"Model_answer": 3}, "Model_answer: 3 is not text"),
        ({"Model_rewrite": False}, "Model_rewrite: false is not text"),
        ({"Model_passages": ["a"]}, "Model_passages: a list is not an object"),
        ({"Model_passages": ""}, 'Model_passages: "" is not an object'),
        ({"Model_passages": {"": 1}}, 'Model_passages: "" is an empty id'),
        ({"Model_passages": {"a": "1"}}, 'Model_passages["a"]: "1" is not a finite number'),
        ({"Model_passages": {"a": None}}, 'Model_passages["a"]: null is not a finite number'),
        ({"Model_passages": {"a": True}}, 'Model_passages["a"]: true is not a finite number'),
        (
            {"Model_passages": {"a\0": 1}},
            "Model_passages: character 2 is U+0000, which a database cannot hold",
        ),
        ({"Model_evidence": "gold"}, 'Model_evidence: "gold" is not an object'),
        ({"Model_evidence": {"text": "x"}}, "Model_evidence.passage_id: is missing"),
        ({"Model_evidence": {"passage_id": "a"}}, "Model_evidence.text: is missing"),
        (
            {"Model_evidence": {"passage_id": "", "text": ""}},
            'Model_evidence.passage_id: "" is an empty id',
        ),
        (
            {"Model_evidence": {"passage_id": "a", "text": 3}},
            "Model_evidence.text: 3 is not text",
        ),
    ],
)
def test_a_wrong_value_is_named_with_its_record_and_field(tmp_path, fields, expected):
    path = write_file(tmp_path, [ANSWER | {"Turn_no": 9}, ANSWER | fields])

    assert problem_lines(scai_run.read, path) == [f"record 2: {expected}"]


def test_a_score_beyond_every_float_is_not_finite(tmp_path):
    path = write_file(
        tmp_path, '[{"Conversation_no": 1, "Turn_no": 1, "Model_passages": {"a": 1e999}}]'
    )

    assert problem_lines(scai_run.read, path) == [
        'record 1: Model_passages["a"]: Infinity is not a finite number'
    ]


def test_a_turn_answered_twice_is_refused_with_both_places(tmp_path):
    path = write_file(tmp_path, [ANSWER, ANSWER | {"Model_answer": "Gold."}])

    assert problem_lines(scai_run.read, path) == ['record 2: turn: "1_2" is already in record 1']


scores = st.dictionaries(
    st.text("ab/é", min_size=1, max_size=3),
    st.floats(allow_nan=False, allow_infinity=False) | st.integers(-5, 5),
    max_size=6,
)


@given(scores)
def test_citations_written_back_as_scores_give_the_same_citations(tmp_path_factory, given_scores):
    folder = tmp_path_factory.mktemp("run")
    cited = citations(folder, Model_passages=given_scores)

    again = dict(sorted((citation.docid, citation.score) for citation in cited))

    assert again == given_scores
    assert citations(folder, Model_passages=again) == cited
    assert [citation.rank for citation in cited] == list(range(1, len(cited) + 1))


answers = st.lists(
    st.fixed_dictionaries(
        {
            "Conversation_no": st.integers(0, 9),
            "Turn_no": st.integers(1, 9),
            "Model_answer": st.text('a é\n"\\\U0001f600'),
        },
        optional={"Model_rewrite": st.text("b ")},
    ),
    min_size=1,
    max_size=5,
    unique_by=lambda record: (record["Conversation_no"], record["Turn_no"]),
)


@given(answers)
def test_answers_written_back_are_read_the_same(tmp_path_factory, raw):
    folder = tmp_path_factory.mktemp("run")
    read = scai_run.read(write_file(folder, json.dumps(raw)))

    back = [
        {
            "Turn_no": answer.turn_id.split("_")[1],
            "Conversation_no": answer.turn_id.split("_")[0],
            "Model_answer": answer.text,
            "Model_rewrite": answer.rewrite,
        }
        for answer in read
    ]
    assert scai_run.read(write_file(folder, json.dumps(back, ensure_ascii=False))) == read
    assert [answer.text for answer in read] == [each.get("Model_answer", "") for each in raw]
