"""Every measure of the registry keeps what its line says."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.models import Metric
from scoring.registry import DEFAULTS, KINDS, MEASURES, Inputs
from scoring.retrieval import text_of_ranking
from tests.cases import all_cases

TEXTS = [name for name, each in MEASURES.items() if each.inputs in ("references", "rewrite")]
SYMMETRIC = ("em", "f1", "rouge_1", "rouge_l")
SHARES = [name for name in MEASURES if name != "length"]

measures = pytest.mark.parametrize("measure", MEASURES.values(), ids=MEASURES)


def subjects(inputs):
    if inputs is Inputs.RETRIEVAL:
        return st.lists(st.text(max_size=3), unique=True).map(text_of_ranking)
    return st.text()


def test_no_measure_bears_the_name_of_what_needs_a_model():
    assert Metric.SAS not in MEASURES


def test_exact_match_and_f1_are_what_is_computed_unasked():
    assert DEFAULTS == ("em", "f1")


def test_every_kind_of_measure_has_its_words():
    assert list(KINDS) == list(Inputs)


@measures
def test_a_measure_says_what_it_is_and_whose_definition_it_follows(measure):
    assert measure.label
    assert measure.about
    assert measure.scorer
    assert measure.version
    assert "#" not in measure.scorer  # which parts name and version


@pytest.mark.parametrize("name", SHARES)
@given(st.data())
def test_every_measure_but_length_is_between_0_and_1(name, data):
    measure = MEASURES[name]
    subject = data.draw(subjects(measure.inputs))
    against = data.draw(st.lists(st.text(max_size=3), min_size=1))

    assert 0 <= measure.value(subject, against) <= 1


@pytest.mark.parametrize("name", SYMMETRIC)
@given(st.text(), st.text())
def test_the_measures_that_weigh_both_texts_alike_see_no_order(name, one, other):
    measure = MEASURES[name]

    assert measure.value(one, [other]) == measure.value(other, [one])


@pytest.mark.parametrize("name", TEXTS)
@given(st.text())
def test_a_text_with_a_word_is_as_like_itself_as_can_be(name, text):
    assert MEASURES[name].value(f"{text} x", [f"{text} x"]) == 1


@pytest.mark.parametrize("name", [*TEXTS, "rouge_lp"])
@given(st.text(), st.lists(st.text(), min_size=1))
def test_of_several_references_or_passages_the_best_counts(name, text, others):
    measure = MEASURES[name]

    assert measure.value(text, others) == max(measure.value(text, [each]) for each in others)
    assert measure.value(text, others) == measure.value(text, others[::-1])


@measures
def test_without_anything_to_compare_with_a_measure_is_undefined_unless_it_is_of_the_answer(
    measure,
):
    subject = text_of_ranking(["p"]) if measure.inputs is Inputs.RETRIEVAL else "black"

    assert (measure.value(subject, []) is None) == (measure.inputs is not Inputs.ALONE)


@all_cases(
    ("name", "expected"),
    [
        ("em", 0),
        ("f1", 2 / 4),
        ("recall", 1 / 2),
        ("rouge_1", 2 * 2 / 7),
        ("rouge_1_precision", 2 / 3),
        ("rouge_1_recall", 2 / 4),
        ("rouge_l", 2 / 7),
        ("rouge_lp", 1 / 3),
        ("qr", 2 / 4),
        ("length", 16),
        ("unanswerable", 0),
    ],
)
def test_the_names_mean_what_they_say(name, expected):
    assert MEASURES[name].value("The black stone.", ["a stone, the pebble"]) == pytest.approx(
        expected
    )


@all_cases(
    ("name", "expected"),
    [
        ("mrr", 1 / 2),
        ("ndcg_at_1", 0),
        ("ndcg_at_3", 0.6309298),
        ("ndcg_at_5", 0.6309298),
        ("ndcg_at_10", 0.6309298),
        ("recall_at_10", 1),
    ],
)
def test_the_names_of_retrieval_mean_what_they_say(name, expected):
    assert MEASURES[name].value(text_of_ranking(["x", "r", "y"]), ["r"]) == pytest.approx(expected)
