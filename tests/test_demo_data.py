"""The demonstration data keep the shared task's form and exercise what a first user should see."""

import csv
import json
import re
import unicodedata
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.cases import all_cases

DEMO = Path(__file__).resolve().parents[1] / "demo"
RUNS = ["alder", "birch", "cedar", "dogwood", "echo"]
LISTS = ["truth", "questions-original", "questions-rewritten", *(f"runs/{run}" for run in RUNS)]
RUN_KEYS = [
    "Conversation_no",
    "Turn_no",
    "Model_rewrite",
    "Model_passages",
    "Model_answer",
    "Model_evidence",
]
GUIDELINES = {
    "plausibility": ["plausible", "implausible", "malformed"],
    "faithfulness": ["faithful", "unfaithful", "irrelevant"],
}

Entry = dict[str, Any]


def entries(name: str) -> list[Entry]:
    rows: list[Entry] = json.loads((DEMO / f"{name}.json").read_text(encoding="utf-8"))
    return rows


def turn_id(entry: Entry) -> str:
    return f"{entry['Conversation_no']}_{entry['Turn_no']}"


def by_turn(name: str, field: str) -> dict[str, Any]:
    return {turn_id(entry): entry[field] for entry in entries(name) if field in entry}


def passage_rows() -> list[list[str]]:
    with (DEMO / "passages.tsv").open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file, delimiter="\t", strict=True))


def offered() -> dict[str, dict[str, str]]:
    """The passages of each turn, by id."""
    turns: dict[str, dict[str, str]] = {}
    for turn, passage_id, text in passage_rows()[1:]:
        turns.setdefault(turn, {})[passage_id] = text
    return turns


def texts() -> dict[str, str]:
    return {passage_id: text for _, passage_id, text in passage_rows()[1:]}


def words(text: str) -> Counter[str]:
    return Counter(re.findall(r"[^\W_]+", text.lower()))


# Form


@all_cases("name", LISTS)
def test_json_is_indented_by_one_and_not_escaped(name: str) -> None:
    written = json.dumps(entries(name), ensure_ascii=False, indent=1) + "\n"
    assert (DEMO / f"{name}.json").read_bytes() == written.encode("utf-8")


@all_cases("name", LISTS)
def test_every_list_has_every_turn_once_in_the_order_of_the_truth(name: str) -> None:
    assert [turn_id(entry) for entry in entries(name)] == list(by_turn("truth", "Turn_no"))
    assert len(entries(name)) == len(entries("truth"))


def test_truth_has_the_keys_of_the_shared_task_in_its_order() -> None:
    keys = ["Conversation_no", "Turn_no", "Truth_rewrite", "Truth_passages", "Truth_answer"]
    assert all(list(entry) == keys for entry in entries("truth"))


@pytest.mark.parametrize("name", ["questions-original", "questions-rewritten"])
def test_questions_have_the_keys_of_the_shared_task_in_its_order(name: str) -> None:
    keys = ["Conversation_no", "Turn_no", "Question"]
    assert all(list(entry) == keys and entry["Question"] for entry in entries(name))


@pytest.mark.parametrize("run", RUNS)
def test_runs_have_the_keys_of_the_shared_task_in_its_order(run: str) -> None:
    for entry in entries(f"runs/{run}"):
        assert list(entry) == [key for key in RUN_KEYS if key in entry]
        assert {"Conversation_no", "Turn_no", "Model_answer"} <= set(entry)


def test_only_the_five_runs_are_there() -> None:
    assert sorted(path.stem for path in (DEMO / "runs").iterdir()) == RUNS


def test_passages_are_quoted_as_in_rfc_4180() -> None:
    raw = (DEMO / "passages.tsv").read_bytes()
    rows = passage_rows()
    assert raw.startswith(b"turn_id\tpassage_id\tpassage\r\n")
    assert all(len(row) == 3 and all(row) for row in rows)
    assert raw.count(b"\r\n") == len(rows)


# Turns and passages


def test_there_are_about_thirty_turns_in_twelve_conversations() -> None:
    turns: dict[int, list[int]] = {}
    for entry in entries("truth"):
        turns.setdefault(entry["Conversation_no"], []).append(entry["Turn_no"])
    assert list(turns) == list(range(1, 13))
    assert all(2 <= len(numbers) <= 4 for numbers in turns.values())
    assert all(numbers == list(range(1, len(numbers) + 1)) for numbers in turns.values())
    assert 28 <= len(entries("truth")) <= 34


def test_two_turns_have_no_truth() -> None:
    empty = [turn for turn, answer in by_turn("truth", "Truth_answer").items() if not answer]
    assert empty == ["3_3", "5_3"]


def test_rewritten_questions_are_those_of_the_truth() -> None:
    assert by_turn("questions-rewritten", "Question") == by_turn("truth", "Truth_rewrite")


def test_follow_up_questions_need_their_rewrite() -> None:
    original, rewritten = (
        by_turn(f"questions-{form}", "Question") for form in ("original", "rewritten")
    )
    assert all(original[t] != rewritten[t] for t in original if not t.endswith("_1"))


def test_every_turn_is_offered_two_or_three_passages() -> None:
    assert list(offered()) == list(by_turn("truth", "Turn_no"))
    assert all(len(passages) in (2, 3) for passages in offered().values())


def test_a_passage_is_the_same_text_wherever_it_is_offered() -> None:
    rows = passage_rows()[1:]
    assert len({(passage_id, text) for _, passage_id, text in rows}) == len(texts())
    assert len({(turn, passage_id) for turn, passage_id, _ in rows}) == len(rows)
    assert max(Counter(passage_id for _, passage_id, _ in rows).values()) > 1


def test_passages_have_60_to_180_words_and_made_up_addresses() -> None:
    assert all(60 <= len(text.split()) <= 180 for text in texts().values())
    assert all(re.match(r"https://[a-z-]+\.example/\S+$", passage_id) for passage_id in texts())


@pytest.mark.parametrize("mark", ["\t", "\n", '"'], ids=["tab", "line end", "quotation mark"])
def test_some_passage_needs_quoting_for(mark: str) -> None:
    assert any(mark in text for text in texts().values())


def test_truth_passages_are_offered_for_their_turn() -> None:
    for turn, passage_ids in by_turn("truth", "Truth_passages").items():
        assert set(passage_ids) <= set(offered()[turn])


def test_some_answerable_turns_name_no_truth_passage() -> None:
    truth = entries("truth")
    assert any(entry["Truth_answer"] and not entry["Truth_passages"] for entry in truth)


def test_text_is_composed_unicode_with_accents_and_a_right_to_left_name() -> None:
    files = [path for path in DEMO.rglob("*.*") if "__pycache__" not in path.parts]
    everything = "".join(path.read_text(encoding="utf-8") for path in files)
    assert unicodedata.is_normalized("NFC", everything)
    answers = "".join(by_turn("truth", "Truth_answer").values())
    assert {"ç", "ū", "ḥ"} <= set(answers)
    assert any(unicodedata.bidirectional(character) == "AL" for character in answers)


# Runs


def test_the_baseline_answers_with_the_question() -> None:
    assert by_turn("runs/echo", "Model_answer") == by_turn("truth", "Truth_rewrite")


@pytest.mark.parametrize("run", ["alder", "cedar"])
def test_two_runs_cite_known_passages_with_falling_scores(run: str) -> None:
    cited = by_turn(f"runs/{run}", "Model_passages")
    assert len(cited) == len(entries("truth"))
    for passages in cited.values():
        assert passages
        assert set(passages) <= set(texts())
        assert list(passages.values()) == sorted(passages.values(), reverse=True)


@pytest.mark.parametrize("run", ["birch", "dogwood", "echo"])
def test_the_other_runs_cite_nothing(run: str) -> None:
    assert not by_turn(f"runs/{run}", "Model_passages")
    assert not by_turn(f"runs/{run}", "Model_evidence")


def test_one_run_cites_a_passage_that_its_turn_was_not_offered() -> None:
    cited = by_turn("runs/cedar", "Model_passages")
    assert [turn for turn in cited if not set(cited[turn]) <= set(offered()[turn])] == [
        "1_2",
        "2_2",
    ]


def test_quotes_are_from_cited_passages_and_all_but_one_verbatim() -> None:
    quotes = by_turn("runs/alder", "Model_evidence")
    cited = by_turn("runs/alder", "Model_passages")
    assert all(list(quote) == ["passage_id", "text"] for quote in quotes.values())
    assert all(quote["passage_id"] in cited[turn] for turn, quote in quotes.items())
    loose = [t for t, quote in quotes.items() if quote["text"] not in texts()[quote["passage_id"]]]
    assert loose == ["6_3"]


def test_one_run_gives_rewrites_and_not_all_are_those_of_the_truth() -> None:
    given = {run: by_turn(f"runs/{run}", "Model_rewrite") for run in RUNS}
    assert [run for run in RUNS if given[run]] == ["birch"]
    same = [given["birch"][t] == r for t, r in by_turn("truth", "Truth_rewrite").items()]
    assert any(same)
    assert not all(same)


def test_some_answers_are_empty_and_some_begin_with_a_space() -> None:
    empty = [t for t, answer in by_turn("runs/dogwood", "Model_answer").items() if not answer]
    assert empty == ["2_2", "5_3"]
    assert all(answer.startswith(" ") for answer in by_turn("runs/cedar", "Model_answer").values())


def test_an_answer_equals_the_reference_but_for_case() -> None:
    reference = by_turn("truth", "Truth_answer")["6_3"]
    answer = by_turn("runs/birch", "Model_answer")["6_3"]
    assert answer != reference
    assert answer.lower() == reference.lower()


def test_two_systems_give_the_very_same_text() -> None:
    birch, cedar = (by_turn(f"runs/{run}", "Model_answer")["7_2"] for run in ("birch", "cedar"))
    assert birch.strip() == cedar.strip()


@pytest.mark.parametrize(
    ("turn", "other"),
    [("1_2", "alder"), ("3_1", "alder"), ("5_1", "birch"), ("8_2", "alder"), ("11_2", "birch")],
)
def test_dogwood_repeats_others_with_other_case_punctuation_or_order(turn: str, other: str) -> None:
    repeated = by_turn("runs/dogwood", "Model_answer")[turn]
    original = by_turn(f"runs/{other}", "Model_answer")[turn]
    assert repeated != original
    assert words(repeated) == words(original)


def test_dogwood_repeats_a_reference_with_other_case_and_punctuation() -> None:
    repeated = by_turn("runs/dogwood", "Model_answer")["12_1"]
    reference = by_turn("truth", "Truth_answer")["12_1"]
    assert repeated != reference
    assert words(repeated) == words(reference)


# Guidelines


@pytest.mark.parametrize("scheme", GUIDELINES)
def test_a_guideline_gives_each_label_its_key_and_two_examples(scheme: str) -> None:
    text = (DEMO / f"guideline-{scheme}.md").read_text(encoding="utf-8")
    for key, label in enumerate(GUIDELINES[scheme], start=1):
        assert f"- **{key} · {label}**:" in text
        assert len(re.findall(rf"^\d\. .*→ \*\*{label}\*\*", text, flags=re.MULTILINE)) == 2


def test_guideline_examples_are_not_items_of_the_data() -> None:
    asked = set(by_turn("truth", "Truth_rewrite").values())
    for scheme in GUIDELINES:
        text = (DEMO / f"guideline-{scheme}.md").read_text(encoding="utf-8")
        assert not [question for question in asked if question in text]
