"""What the pages of agreement say of stored figures."""

import pytest

from exports.agreement import presenter

FIGURES = {
    "quote": {"figure": "cohen", "sentence": "Quote Cohen's κ = -1.000, without an interval."},
    "cohen": {"value": -1.0, "n_questions": 1, "interval": {"n_questions": 1}},
    "raw": {"value": 0.0, "n_questions": 1, "interval": {"n_questions": 1}},
}


def test_figures_of_a_single_question_are_too_little_to_quote():
    assert presenter.quoted_key(FIGURES) is None
    assert (
        presenter.quote_sentence(FIGURES)
        == "No figure can be reported: all items are of a single question."
    )
    assert [each.is_quoted for each in presenter.main(FIGURES)] == [False, False]


def test_figures_of_a_single_conversation_are_too_little_to_quote():
    cohen = {"value": 0.5, "n_questions": 6, "interval": {"n_questions": 1}}
    figures = {"quote": FIGURES["quote"], "cohen": cohen}

    assert (
        presenter.quote_sentence(figures)
        == "No figure can be reported: all items are of a single conversation."
    )


@pytest.mark.parametrize(("figure", "n"), [("cohen", 2), (None, 0)])
def test_other_figures_are_quoted_as_they_were_stored(figure, n):
    cohen = {"n_questions": n, "interval": {"n_questions": n}}
    figures = {"quote": {"figure": figure, "sentence": "As it is."}, "cohen": cohen}

    assert presenter.quote_sentence(figures) == "As it is."
    assert presenter.quoted_key(figures) == figure
