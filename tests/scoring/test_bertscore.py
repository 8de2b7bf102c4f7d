"""BERTScore by hand, against a plain implementation, and as a job."""

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from jobs.actions import execution
from scoring import score_queries
from scoring.actions import score_jobs
from scoring.models import Metric, Score, Scorer
from scoring.registry import MEASURES
from tests.commands.command_calls import run_command
from tests.corpus.imports import answer, create_dataset, create_run, turn
from tests.late_imports import ImportedLate
from tests.parts import part
from tests.scoring.score_jobs import score

bertscore = ImportedLate("scoring.bertscore")
sas = ImportedLate("scoring.sas")
torch = ImportedLate("torch")
WORDS = [
    "the",
    "cat",
    "sat",
    "on",
    "a",
    "mat",
    "in",
    "Berlin",
    "for",
    "30",
    "years",
    "and",
    "then",
    "it",
    "was",
    "1999",
    "naïve",
]
directions = arrays(float, st.tuples(st.integers(1, 5), st.just(3)), elements=st.floats(-1, 1)).map(
    lambda rows: (rows + 2) / np.linalg.norm(rows + 2, axis=1, keepdims=True)
)


@pytest.fixture(scope="module")
def model():
    return sas.load(device="cpu")


def sentence(dice):
    return " ".join(dice.choices(WORDS, k=dice.randint(1, 12)))


def plainly(model, answer, reference):
    """One pair at a time, past sentence-transformers: the formulas as the paper writes them."""
    x, y = embedded(model, answer), embedded(model, reference)
    precision = np.mean([max(cosine(one, other) for other in y) for one in x])
    recall = np.mean([max(cosine(one, other) for other in x) for one in y])
    return precision, recall, 2 * precision * recall / (precision + recall)


def embedded(model, text):
    inputs = model.model.tokenizer(text, return_tensors="pt", return_special_tokens_mask=True)
    marks = inputs.pop("special_tokens_mask")[0].tolist()
    with torch.no_grad():
        states = model.model[0].auto_model(**inputs).last_hidden_state[0]
    return [state.numpy() for state, is_mark in zip(states, marks, strict=True) if not is_mark]


def cosine(one, other):
    return float(one @ other / np.sqrt(one @ one) / np.sqrt(other @ other))


def test_a_case_done_by_hand():
    # Two tokens of the answer, three of the reference, in the plane. The nearest of (1, 0) is (.8, .6),
    # .8; of (0, 1) it is (0, 1) itself. Of the three: .8, 1 and, of (-1, 0), 0.
    answer = np.array([[1.0, 0.0], [0.0, 1.0]])
    reference = np.array([[0.8, 0.6], [0.0, 1.0], [-1.0, 0.0]])

    found = bertscore.greedy_match(answer, reference)

    assert found.precision == pytest.approx((0.8 + 1) / 2)
    assert found.recall == pytest.approx((0.8 + 1 + 0) / 3)
    assert found.f1 == pytest.approx(2 * 0.9 * 0.6 / 1.5)


def test_what_points_away_has_an_f1_of_0():
    found = bertscore.greedy_match(np.array([[1.0, 0.0]]), np.array([[-1.0, 0.0]]))

    assert found == bertscore.BertScore(-1.0, -1.0, 0.0)


@given(directions, directions)
def test_the_other_way_round_precision_is_recall(one, other):
    there, back = bertscore.greedy_match(one, other), bertscore.greedy_match(other, one)

    assert there.precision == pytest.approx(back.recall)
    assert there.f1 == pytest.approx(back.f1)
    least, most = sorted((there.precision, there.recall))
    assert least - 1e-9 <= there.f1 <= most + 1e-9


def test_values_are_those_of_a_plain_implementation(model):
    dice = random.Random(3)
    pairs = [(sentence(dice), sentence(dice)) for _ in range(40)]

    found = bertscore.compute(model, pairs)

    given_values = np.array([(each.precision, each.recall, each.f1) for each in found])
    assert given_values == pytest.approx(
        np.array([plainly(model, *pair) for pair in pairs]), abs=1e-5
    )
    assert np.ptp(given_values[:, 2]) > 0.2


def test_a_text_is_its_own_best_match(model):
    (found,) = bertscore.compute(model, [("the cat sat", "the cat sat")])

    assert (found.precision, found.recall, found.f1) == pytest.approx((1, 1, 1), abs=1e-6)


def test_a_text_without_a_token_has_no_score(model):
    assert bertscore.compute(model, [("", "cat"), ("cat", ""), ("\u200b", "cat")]) == [None] * 3


def test_a_text_is_cut_at_the_longest_the_model_can_read(model):
    long = "cat " * 300

    one, other = bertscore.compute(model, [(long, "mat"), (long + "mat", "mat")])

    assert one.recall == pytest.approx(other.recall, abs=1e-5)


def test_equal_texts_of_a_part_are_embedded_once(model, monkeypatch):
    seen = []
    inner = model.model.encode
    monkeypatch.setattr(
        model.model, "encode", lambda texts, **rest: seen.extend(texts) or inner(texts, **rest)
    )

    found = bertscore.compute(model, [("cat", "mat"), ("dog", "mat"), ("cat", "mat")])

    assert sorted(seen) == ["cat", "dog", "mat"]
    assert found[0] == found[2]


def test_how_many_are_held_at_once_changes_no_value(model, monkeypatch):
    dice = random.Random(5)
    pairs = [(sentence(dice), sentence(dice)) for _ in range(9)]
    together = bertscore.compute(model, pairs)
    monkeypatch.setattr(bertscore, "PAIRS_AT_ONCE", 2)

    apart = bertscore.compute(model, pairs)

    assert [each.f1 for each in apart] == pytest.approx([each.f1 for each in together], abs=1e-5)


# As a job


@part
def dataset(study, folder):
    turns = [turn(1, "a dark stone"), turn(2, "it is black"), turn(3, "x")]
    dataset = create_dataset(study, folder, turns)
    answers = [answer(1, "a dark stone"), answer(2, "it is green"), answer(3, "")]
    create_run(dataset, folder, answers, name="alder")
    return dataset


def test_each_of_the_three_is_a_metric_of_its_own_and_says_that_it_is_not_comparable(
    dataset, model
):
    jobs = {
        name: score(dataset, name)
        for name in ("bertscore", "bertscore_precision", "bertscore_recall")
    }

    expected = plainly(model, "it is green", "it is black")
    for name, value in zip(
        ("bertscore_precision", "bertscore_recall", "bertscore"), expected, strict=True
    ):
        scorer = Scorer.objects.get(metric=name)
        values = sorted(score_queries.values(dataset, scorer).values())
        assert jobs[name].result["n_scored"] == 2  # an empty answer has none
        assert values == pytest.approx([value, 1.0], abs=1e-5)
        assert scorer.name == "all-MiniLM-L6-v2"
        assert scorer.version.endswith(", not comparable with published BERTScores")


def test_it_is_not_computed_twice(dataset):
    score(dataset, "bertscore")

    assert score(dataset, "bertscore").result["n_scored"] == 0
    assert Score.objects.count() == 2


ALL_THREE = ("bertscore", "bertscore_precision", "bertscore_recall")


def noted(monkeypatch):
    """Every text that is embedded from here on, as often as it is."""
    real, texts = bertscore.token_directions, []

    def noting(model, some):
        texts.extend(some)
        return real(model, some)

    monkeypatch.setattr(bertscore, "token_directions", noting)
    return texts


def test_all_three_together_embed_each_text_once(dataset, alice, monkeypatch):
    started = score_jobs.score(dataset=dataset, metrics=ALL_THREE, model="", by=alice)
    texts = noted(monkeypatch)

    results = [execution.run(job).result["n_scored"] for job in started]

    assert sorted(texts) == ["a dark stone", "it is black", "it is green"]
    assert results == [2, 0, 0]
    assert [Score.objects.filter(scorer__metric=metric).count() for metric in ALL_THREE] == [2] * 3


def test_planned_before_another_had_computed_them_they_are_not_computed_again(
    dataset, alice, monkeypatch
):
    started = score_jobs.score(dataset=dataset, metrics=ALL_THREE, model="", by=alice)
    for job in started:
        execution.plan(job, execution.handler_of(job))
    texts = noted(monkeypatch)

    results = [execution.run(job).result["n_scored"] for job in started]

    assert len(texts) == 3
    assert results == [2, 0, 0]
    assert Score.objects.count() == 6


def test_what_nobody_asked_for_is_not_kept(dataset):
    score(dataset, "bertscore")

    assert not Score.objects.exclude(scorer__metric="bertscore").exists()


def test_the_command_starts_them_together_and_says_them_in_the_order_asked_for(
    dataset, study, monkeypatch
):
    texts = noted(monkeypatch)

    said = run_command(
        *("score", "--study", study.slug, "--dataset", "touch"),
        *("--metric", "bertscore_recall", "em", "bertscore"),
    )

    assert [each["metric"] for each in said["metrics"]] == ["bertscore_recall", "em", "bertscore"]
    assert len(texts) == 3


def test_of_several_texts_that_a_model_is_needed_for_none_is_a_plain_measure():
    assert not set(Metric.values) & MEASURES.keys()
