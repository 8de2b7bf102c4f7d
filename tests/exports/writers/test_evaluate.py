import ast
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from exports.releases.merge import ALTERNATIVE
from exports.writers import evaluate
from text import overlap

SCRIPT = Path(evaluate.__file__)
PIECES = [
    "the",
    "The",
    "a",
    "cat",
    "cats",
    "—",
    "-",
    ".",
    "'s",
    "$5",
    " ",
    "\n",
    "\u00a0",
    "إ",
    "İ",
    "ß",
]
texts = st.lists(st.sampled_from(PIECES) | st.text(max_size=3), max_size=8).map("".join)


def truth(number, reference, *accepted, **changes):
    return {
        "Conversation_no": 1,
        "Turn_no": number,
        "Truth_rewrite": "What is a lion?",
        "Truth_passages": [],
        "Truth_answer": reference,
        ALTERNATIVE: [{"answer": text, "tier": "gold"} for text in accepted],
        **changes,
    }


def given_answer(number, text, **changes):
    return {"Conversation_no": 1, "Turn_no": number, "Model_answer": text, **changes}


@pytest.fixture
def evaluated(tmp_path, capsys):
    """Runs the script on a truth and a run and gives (exit code, what it printed, what it complained)."""

    def go(truth_records, run_records, *options):
        paths = [tmp_path / "gold.json", tmp_path / "run.json"]
        for path, records in zip(paths, (truth_records, run_records), strict=True):
            if isinstance(records, bytes):
                path.write_bytes(records)
            elif records is not None:
                path.write_text(json.dumps(records), encoding="utf-8")
        code = evaluate.main([*map(str, paths), *options])
        said = capsys.readouterr()
        return code, said.out, said.err

    return go


TRUTH = [
    truth(1, "A lion is a cat.", "Large cats", "Lions are cats"),
    truth(2, "Two", "The number two"),
    truth(3, "Red"),
    truth(4, "Blue"),
    truth(5, ""),
]
RUN = [
    given_answer(1, " Lions are cats\n"),
    given_answer(2, "number 2"),
    given_answer(3, "red!"),
    given_answer(5, "not scored"),
    given_answer(9, "no such turn"),
]


def test_a_run_worked_by_hand(evaluated):
    """Four turns are scored; 5 has no truth, 9 is not in it, the answer to 4 is missing.

    1: "lions are cats" has no token of "lion is cat": F1 0; it is an accepted answer: 1.
    2: "number 2" against "two" 0; against "number two" 2·1/(2+2) = .5, not exact.
    3: exact. 4: empty against "blue" 0. So EM 1/4 → 2/4, F1 1/4 → 2.5/4.
    """
    code, out, err = evaluated(TRUTH, RUN, "--json")

    assert (code, err) == (0, "")
    assert json.loads(out) == {
        "n_turns": 5,
        "n_without_truth": 1,
        "n_scored": 4,
        "n_missing": 1,
        "n_empty": 0,
        "n_not_in_truth": 1,
        "n_turns_with_accepted": 2,
        "n_accepted": 3,
        "n_equal_to_accepted": 1,
        "reference": {"em": 0.25, "f1": 0.25},
        "extended": {"em": 0.5, "f1": 0.625},
        "reason": None,
    }


def test_the_same_in_words(evaluated):
    _, out, _ = evaluated(TRUTH, RUN)

    assert out == (
        "4 of 5 turns scored, 1 have no truth\n"
        "1 answers missing and 0 empty: both count as empty\n"
        "1 answers to other turns: not scored\n"
        "3 accepted answers in 2 of the scored turns\n"
        "1 answers equal to an accepted answer\n"
        "\n"
        "against                             EM      F1\n"
        "the reference alone             0.2500  0.2500\n"
        "reference or accepted answers   0.5000  0.6250\n"
    )


# An example costs next to nothing, and the ways to cut and mark a text are many.
@settings(max_examples=3 * settings.default.max_examples)
@given(texts, texts)
@example("cat—the—dog", "cat— —dog")
@example("", "the")
def test_the_measures_are_those_of_the_scoring(prediction, reference):
    assert evaluate.exact_match(prediction, reference) == overlap.exact_match(prediction, reference)
    assert evaluate.token_f1(prediction, reference) == overlap.token_f1(prediction, reference)


@given(texts, texts, st.lists(texts, max_size=3))
def test_accepted_answers_never_lower_a_score(prediction, reference, accepted):
    found = evaluate.score({"1_1": (reference, accepted)}, {"1_1": prediction})

    if reference.strip():
        assert found["extended"]["em"] >= found["reference"]["em"]
        assert found["extended"]["f1"] >= found["reference"]["f1"]
        assert (found["n_equal_to_accepted"] == 1) == (
            prediction.strip() in [text.strip() for text in accepted]
        )


def test_the_reference_still_counts_where_there_are_accepted_answers():
    found = evaluate.score({"1_1": ("A lion", ["Large cats"])}, {"1_1": "lion"})

    assert found["extended"] == found["reference"] == {"em": 1.0, "f1": 1.0}


def test_the_organisers_truth_without_accepted_answers_is_scored(evaluated):
    plain = truth(1, "Red")
    del plain[ALTERNATIVE]

    _, out, _ = evaluated([plain], [given_answer(1, "red")], "--json")

    found = json.loads(out)
    assert found["reference"] == found["extended"] == {"em": 1.0, "f1": 1.0}
    assert found["n_accepted"] == 0


def test_a_null_answer_is_missing_and_a_blank_one_empty(evaluated):
    run = [given_answer(1, None), given_answer(2, " \n"), {"Conversation_no": 1, "Turn_no": 3}]

    _, out, _ = evaluated(TRUTH, run, "--json")

    found = json.loads(out)
    assert (found["n_missing"], found["n_empty"]) == (3, 1)
    assert found["extended"] == {"em": 0.0, "f1": 0.0}


def test_without_a_turn_that_has_a_truth_the_means_are_undefined(evaluated):
    code, out, _ = evaluated([truth(1, " ")], [given_answer(1, "x")], "--json")
    _, words, _ = evaluated([truth(1, "")], [given_answer(1, "x")])

    found = json.loads(out)
    assert (code, found["n_scored"], found["reason"]) == (0, 0, "no turn has a truth")
    assert found["reference"] == found["extended"] == {"em": None, "f1": None}
    assert words.endswith("EM and F1 are undefined: no turn has a truth\n")


def test_numbers_given_as_texts_byte_order_marks_and_line_ends_are_read(evaluated):
    run = '\ufeff[{"Turn_no": "1",\r\n "Conversation_no": "1", "Model_answer": "red"}]'

    code, out, _ = evaluated([truth(1, "Red")], run.encode(), "--json")

    assert (code, json.loads(out)["reference"]["em"]) == (0, 1.0)


@pytest.mark.parametrize(
    ("records", "complaint"),
    [
        (None, "run.json: cannot be read: No such file or directory"),
        (b"", "run.json: is not JSON in UTF-8: Expecting value"),
        (b"\xff\xfe", "run.json: is not JSON in UTF-8: "),
        (b"[" * 100_000, "run.json: is not JSON in UTF-8: "),
        (b"{}", "run.json: is not a list of records, or an empty one"),
        ([], "run.json: is not a list of records, or an empty one"),
        ([3], "run.json: record 1: is not an object"),
        ([{"Turn_no": 1}], "record 1: Conversation_no is missing or not a whole number"),
        ([given_answer("x", "a")], "record 1: Turn_no is missing or not a whole number"),
        ([given_answer(True, "a")], "record 1: Turn_no is missing or not a whole number"),
        ([given_answer(1.5, "a")], "record 1: Turn_no is missing or not a whole number"),
        ([given_answer(1, ["a"])], "record 1: Model_answer is not a text"),
        ([given_answer(1, "a"), given_answer("1", "b")], "record 2: turn 1_1 comes twice"),
    ],
)
def test_a_run_that_cannot_be_read_is_refused_with_file_and_reason(evaluated, records, complaint):
    code, out, err = evaluated(TRUTH, records)

    assert (code, out) == (1, "")
    assert complaint in err


@pytest.mark.parametrize(
    ("record", "complaint"),
    [
        (truth(1, None), "gold.json: record 1: Truth_answer is not a text"),
        (truth(1, "a", **{ALTERNATIVE: {}}), "record 1: Truth_answers_alternative is not a list"),
        (truth(1, "a", **{ALTERNATIVE: ["b"]}), "holds something without an answer"),
        (truth(1, "a", None), "holds something without an answer"),
    ],
)
def test_a_truth_that_cannot_be_read_is_refused(evaluated, record, complaint):
    code, out, err = evaluated([record], RUN)

    assert (code, out) == (1, "")
    assert complaint in err


def test_all_problems_of_a_file_are_told_up_to_twenty(evaluated):
    _, _, err = evaluated(TRUTH, [given_answer(n, 0) for n in range(1, 26)])

    lines = err.splitlines()
    assert len(lines) == 21
    assert "record 20: Model_answer" in lines[19]
    assert lines[20].endswith("run.json: and 5 more problems")


def test_it_runs_alone_from_any_folder(tmp_path):
    shutil.copy(SCRIPT, tmp_path / "evaluate.py")
    for name, records in (("gold.json", TRUTH), ("run.json", RUN)):
        (tmp_path / name).write_text(json.dumps(records), encoding="utf-8")

    def run(*arguments):
        command = [sys.executable, "-I", "-S", "evaluate.py", *arguments]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)

    done, failed = run("gold.json", "run.json"), run("gold.json", "none.json")

    assert (done.returncode, done.stderr) == (0, "")
    assert "reference or accepted answers   0.5000  0.6250" in done.stdout
    assert (failed.returncode, failed.stdout) == (1, "")
    assert failed.stderr == "none.json: cannot be read: No such file or directory\n"


def test_it_is_written_for_python_3_9_and_the_standard_library():
    tree = ast.parse(SCRIPT.read_text(encoding="utf-8"), feature_version=(3, 9))

    imported = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            imported |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            imported.add(node.module.partition(".")[0])
    assert imported <= sys.stdlib_module_names
