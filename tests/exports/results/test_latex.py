"""The runs as a table for a paper."""

from dataclasses import replace

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
    text = text_of([replace(row, turn_id=row.turn_id[::-1]) for row in study()["answers"]])

    assert "r1 & \\shortstack[r]{0.667 \\\\ {\\scriptsize [0.208, 0.939]} \\\\" in text
    assert "{\\scriptsize 2 of 3}" in text
    assert "undefined \\\\ {\\scriptsize nothing of it is settled}" in text
    assert "Wilson's; of a product a bootstrap over questions, 1000 replicates" in text
    assert text.count("{") == text.count("}")
    assert text.endswith("\\end{table}\n")


def test_what_is_not_settled_and_its_bounds_stand_below_the_counts():
    settled = [answer(turn=f"{n}_1", plausibility="plausible") for n in range(3)]

    text = text_of([*settled, answer(turn="3_1"), answer(turn="4_1", plausibility="disputed")])

    assert "{\\scriptsize 3 of 3} \\\\ {\\scriptsize 2 not settled: 0.600 to 1.000}" in text
    assert "Rates of the settled answers of the runs" in text


def test_intervals_by_conversations_are_said_in_the_caption():
    text = text_of([answer(turn=f"{n // 2}_{n}", plausibility="plausible") for n in range(6)])

    assert "Wilson's by the design effect of conversations" in text


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
