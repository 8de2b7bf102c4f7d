"""The runs as a table for a paper."""

import pytest

from exports.results.figures import draw_kind, run_figures
from exports.results.latex import table
from exports.results.wording import UNEQUAL_DRAW_NOTE, unequal_draw_note
from stats.bootstrap_settings import Bootstrap
from tests.exports.rows_for_tests import answer, item, study


def text_of(answers):
    figures = run_figures(answers=answers, items=[], judgements=[], bootstrap=Bootstrap(1000, 0))
    return table("animals_v1", figures["measures"], 1000)


def test_every_run_is_a_row_with_its_rates_intervals_and_counts():
    text = text_of(study()["answers"])

    assert "r1 & \\shortstack[r]{0.667 \\\\ {\\scriptsize [0.000, 1.000]} \\\\" in text
    assert "{\\scriptsize 2 of 3}" in text
    assert "undefined \\\\ {\\scriptsize nothing of it is settled}" in text
    assert "no interval: a single question" in text
    assert text.count("{") == text.count("}")
    assert text.endswith("\\end{table}\n")


def test_whatever_a_name_holds_it_is_escaped():
    text = text_of([answer(run="50%_[a]&", plausibility="plausible")])

    assert "50\\%\\_{[}a{]}\\& &" in text
    assert "animals\\_v1" in text


@pytest.mark.parametrize(
    ("chances", "how"),
    [([], "all"), ([1.0, 1.0], "all"), ([0.5, 0.5], "equally"), ([0.5, 1.0], "unequally")],
)
def test_unequal_chances_of_being_drawn_are_said_in_the_caption(chances, how):
    items = [item(f"{n}", inclusion_probability=chance) for n, chance in enumerate(chances)]
    items.append(item("control", inclusion_probability=0.25, is_control=True))
    figures = run_figures(answers=[], items=items, judgements=[], bootstrap=Bootstrap(1000, 0))

    text = table("animals_v1", figures["measures"], 1000, note=unequal_draw_note(figures))

    assert figures["drawn"] == draw_kind(items) == how
    assert (UNEQUAL_DRAW_NOTE in text) == (how == "unequally")
    assert text.count("{") == text.count("}")
