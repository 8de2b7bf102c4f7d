"""The demonstration's questions for a comparison of systems keep CLAP-NQ's form, and its systems differ."""

import re
from pathlib import Path
from typing import Any

import pytest

from corpus import clapnq
from demo import compared
from scoring.reference_free import n_characters, says_unanswerable

DEMO = Path(__file__).resolve().parents[1] / "demo"
DATA = DEMO / "how-and-why"
PARTS = ["dev", "test"]
RUNS = ["hazel", "ivy", "juniper", "larch"]

Line = dict[str, Any]


def lines(name: str) -> list[Line]:
    return [clapnq.record_of(line) for line in _text(name).splitlines()]


def _text(name: str) -> str:
    return (DATA / f"{name}.jsonl").read_text(encoding="utf-8")


def questions() -> list[Line]:
    return [line for part in PARTS for line in lines(part)]


def reference(question: Line) -> str:
    (output,) = question["output"]
    return str(output["answer"])


def answers(run: str) -> dict[str, str]:
    return {line["id"]: line["answer"] for line in lines(f"runs/{run}")}


def answerable() -> set[str]:
    return {question["id"] for question in questions() if reference(question)}


def words(text: str) -> set[str]:
    return set(re.findall(r"[a-z]+", text.lower()))


# Form


@pytest.mark.parametrize("part", PARTS)
def test_a_part_comes_out_as_it_went_in(part: str) -> None:
    assert _text(part) == "".join(f"{clapnq.line_of(line)}\n" for line in lines(part))


@pytest.mark.parametrize("part", PARTS)
def test_a_part_has_four_answerable_questions_and_two_others(part: str) -> None:
    assert [bool(reference(line)) for line in lines(part)] == [True] * 4 + [False] * 2


def test_a_passage_is_its_sentences_and_what_an_answer_rests_on_is_among_them() -> None:
    for question in questions():
        (passage,), (output,) = question["passages"], question["output"]
        assert passage["text"] == " ".join(passage["sentences"])
        assert set(output["selected_sentences"]) <= set(passage["sentences"])
        assert bool(output["selected_sentences"]) == bool(output["answer"])


@pytest.mark.parametrize("run", RUNS)
def test_a_run_answers_every_question_in_the_order_of_the_parts(run: str) -> None:
    assert list(answers(run)) == [question["id"] for question in questions()]


def test_only_the_four_runs_are_there() -> None:
    assert sorted(path.stem for path in (DATA / "runs").iterdir()) == RUNS


def test_runs_cite_passages_of_the_questions_and_others_with_their_text() -> None:
    offered = {f"{question['id']}-1" for question in questions()}
    cited = [each for run in RUNS for line in lines(f"runs/{run}") for each in line["passages"]]
    given = [each for each in cited if isinstance(each, dict)]
    assert {each for each in cited if isinstance(each, str)} <= offered
    assert all(set(each) == {"id", "title", "text"} for each in given)
    assert len({each["id"] for each in given}) == len({each["text"] for each in given}) == 3


# How the systems differ


def test_one_system_is_verbose_and_never_at_a_loss() -> None:
    mean = {run: sum(map(n_characters, answers(run).values())) / 12 for run in RUNS}
    assert mean["ivy"] > 2 * max(mean[run] for run in RUNS if run != "ivy")
    assert not any(says_unanswerable(text) for text in answers("ivy").values())


def test_one_system_mostly_says_that_it_does_not_know_and_once_nothing() -> None:
    said = answers("larch")
    assert sum(says_unanswerable(text) for text in said.values()) == 9
    assert [key for key, text in said.items() if not text] == ["204"]


def test_one_system_says_that_it_does_not_know_only_where_no_passage_says_it() -> None:
    unknown = {key for key, text in answers("hazel").items() if says_unanswerable(text)}
    assert unknown < {question["id"] for question in questions()} - answerable()


def test_one_system_shares_fewest_words_with_the_passages() -> None:
    passages = {each["id"]: words(each["passages"][0]["text"]) for each in questions()}

    def shared(run: str) -> float:
        said = {key: words(text) for key, text in answers(run).items() if key in answerable()}
        return sum(len(said[key] & passages[key]) for key in said) / sum(map(len, said.values()))

    assert shared("juniper") < min(shared(run) for run in ("hazel", "ivy"))


def test_two_systems_give_the_very_same_text() -> None:
    assert answers("hazel")["202"] == answers("larch")["202"]


# Guidelines


@pytest.mark.parametrize("scheme", compared.SCHEMES)
def test_a_guideline_has_examples_that_are_not_of_the_data(scheme: str) -> None:
    text = (DEMO / f"guideline-{scheme}.md").read_text(encoding="utf-8")
    asked = re.findall(r"Question: \*(.+?)\*", text)
    assert asked
    assert not {question["input"] for question in questions()} & set(asked)
    assert len(re.findall(r"^\d\. .*→ \*\*", text, flags=re.MULTILINE)) == 4


def test_the_guideline_of_ratings_says_both_scales() -> None:
    text = (DEMO / "guideline-rating.md").read_text(encoding="utf-8")
    for end in ("4 · yes", "3 · rather yes", "2 · rather no", "1 · no"):
        assert text.count(f"- **{end}**:") == 2


def test_other_guidelines_say_their_keys() -> None:
    for scheme, keys in (("preference", "←→0"), ("relevance", "yn")):
        text = (DEMO / f"guideline-{scheme}.md").read_text(encoding="utf-8")
        assert all(f"**{key} · " in text for key in keys)
