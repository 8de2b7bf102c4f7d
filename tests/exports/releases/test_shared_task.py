"""scai_qrecc.json and negatives.json, byte for byte as the shared task's notebook writes its own."""

import json
from dataclasses import replace

import pytest

from exports.releases import merge, shared_task
from exports.rows.columns import EXTRACTED
from exports.rows.derived_columns import ReferenceEvidenceRow
from exports.rows.earlier_answers import NONE_EARLIER
from tests.corpus.release_folders import accepted
from tests.exports.judged_batches import release
from tests.exports.rows_for_tests import SPAN, answer, item

TRUTH = {
    "Conversation_no": 1,
    "Turn_no": 1,
    "Truth_rewrite": "What are lions?",
    "Truth_passages": [],
    "Truth_answer": "Felines — big “cats”.",
}
# What json.dump(…, ensure_ascii=False, indent=4) of the notebook writes: no newline at the end.
WRITTEN = """\
[
    {
        "ID": "1_1",
        "Question": "What are lions?",
        "Answers": [
            "Felines — big “cats”.",
            "Lions are cats.",
            "Lions roar."
        ],
        "Evidence": {
            "p9": [
                "A lion is a big cat."
            ],
            "p1": [
                "Lions are cats. “”"
            ],
            "p7": [
                "Lions roar."
            ]
        }
    }
]"""
EVIDENCE = ReferenceEvidenceRow("1_1", 1, "p9", 0, 20, "A lion is a big cat.", 0.5, None)
PLAUSIBLE = {"plausibility": "plausible", "faithfulness": "not_asked", "tier": "silver"}
FAITHFUL = {"plausibility": "plausible", "faithfulness": "faithful", "tier": "gold"}
WRONG = {"plausibility": "plausible", "faithfulness": "unfaithful"}
ROARS = answer("Lions roar.", run="extracted", kind=EXTRACTED, passage_id="p7", **PLAUSIBLE)


def asked(text, **changes):
    spans = json.dumps([SPAN])
    return item(text, scheme="faithfulness", evidence=spans, **changes)


def files(answers, items, evidence=(), truth=(TRUTH,), earlier=NONE_EARLIER):
    turns = [(f"{each['Conversation_no']}_{each['Turn_no']}", each) for each in truth]
    tiers = ("gold", "silver")
    silver = merge.extended_truth(turns, items, answers, tiers=tiers, earlier=earlier)
    found = shared_task.files(silver, answers, items, list(evidence))
    return {name: "".join(parts) for name, parts in found}


def correct(*given, **options):
    return json.loads(files(*given, **options)["scai_qrecc.json"])


def test_it_is_written_as_the_notebook_writes_it():
    """Faithful answers first, then plausible sentences; evidence of the reference first."""
    answers = [answer(**FAITHFUL), ROARS]
    items = [item(), asked("Lions are cats."), item("Lions roar.", runs="extracted")]

    written = files(answers, items, [EVIDENCE])

    assert written == {"scai_qrecc.json": WRITTEN, "negatives.json": "[]"}


def test_the_notebooks_own_writer_writes_the_same_bytes():
    assert json.dumps(json.loads(WRITTEN), ensure_ascii=False, indent=4) == WRITTEN


def test_a_plausible_answer_of_a_system_is_not_correct_before_its_faithfulness_is_asked():
    assert correct([answer(**PLAUSIBLE)], [item()]) == []


def test_a_plausible_sentence_that_a_system_gave_word_for_word_stays_correct():
    """It stands in its passage whoever else gave it."""
    answers = [ROARS, answer("Lions roar.", **PLAUSIBLE)]

    (found,) = correct(answers, [item("Lions roar.", runs="extracted|r1")])

    assert found["Answers"] == [TRUTH["Truth_answer"], "Lions roar."]
    assert found["Evidence"] == {"p7": ["Lions roar."]}


def test_a_sentence_that_was_extracted_from_two_passages_is_named_for_both():
    second = replace(ROARS, run="extracted of another pool", passage_id="p3")

    (found,) = correct([ROARS, second], [item("Lions roar.", runs=f"{ROARS.run}|{second.run}")])

    assert found["Evidence"] == {"p3": ["Lions roar."], "p7": ["Lions roar."]}


def test_what_an_earlier_release_extracted_is_correct_whatever_runs_are_called_here():
    """Its run has another name there than here."""
    sentence = accepted("Lions roar.", "silver", runs=["spans"], extracted_from=["p7"])

    (found,) = correct([], [], earlier={"1_1": [sentence]})

    assert found["Answers"] == [TRUTH["Truth_answer"], "Lions roar."]
    assert found["Evidence"] == {"p7": ["Lions roar."]}


def test_what_a_system_of_an_earlier_release_gave_is_no_sentence_whatever_runs_are_called_here():
    """That system has the name of the run of sentences here, and its answer has the text of one."""
    answers = [answer("Lions roar.", run="extracted", kind=EXTRACTED, passage_id="p7")]
    earlier = {"1_1": [accepted("Lions roar.", "silver", runs=["extracted"])]}

    assert correct(answers, [], earlier=earlier) == []


def test_a_question_with_evidence_alone_has_the_reference_as_its_only_answer():
    (found,) = correct([answer()], [], [EVIDENCE])

    assert found["Answers"] == [TRUTH["Truth_answer"]]


def test_a_sentence_of_a_passage_is_named_once():
    again = ReferenceEvidenceRow("1_1", 1, "p1", 4, 21, SPAN["text"], 0.5, None)

    (found,) = correct([answer(**FAITHFUL)], [item(), asked("Lions are cats.")], [again])

    assert found["Evidence"] == {"p1": [SPAN["text"]]}


def test_questions_without_either_are_left_out():
    other = {**TRUTH, "Turn_no": 2}

    found = correct([answer()], [], [EVIDENCE], truth=[other, TRUTH])

    assert [each["ID"] for each in found] == ["1_1"]


def test_unfaithful_answers_are_the_negatives_with_what_they_were_judged_by():
    answers = [answer(**WRONG), answer("Dogs.", run="r2", **WRONG), answer("X.", run="r3")]
    items = [
        *(item(), item("Dogs."), item("X.")),
        *(asked(text, verdict="unfaithful") for text in ("Lions are cats.", "Dogs.")),
    ]

    (found,) = json.loads(files(answers, items)["negatives.json"])

    assert found == {
        "ID": "1_1",
        "Question": "What are lions?",
        "Answers": ["Dogs.", "Lions are cats."],
        "Evidence": {"p1": [SPAN["text"]]},
    }


@pytest.mark.parametrize("faithfulness", ["irrelevant", "disputed", "no_evidence", "not_asked"])
def test_only_unfaithful_answers_are_negatives(faithfulness):
    rows = [answer(plausibility="plausible", faithfulness=faithfulness)]

    assert files(rows, [item(), asked("Lions are cats.")])["negatives.json"] == "[]"


def test_a_release_has_the_negatives_of_its_batches(faithfulness, tmp_path):
    release(faithfulness, tmp_path / "release")

    found = json.loads((tmp_path / "release" / "negatives.json").read_text(encoding="utf-8"))

    assert [(each["ID"], each["Answers"]) for each in found] == [
        ("1_1", ["A tablet to test gold."]),
        ("1_2", ["Black.", "Green."]),
    ]
    assert (tmp_path / "release" / "scai_qrecc.json").read_text() == "[]"
