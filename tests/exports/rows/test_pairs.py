"""Agreement on preferences: each comparison once."""

import pytest

from exports.agreement.figures import panel
from exports.rows.pairs import rows_of_first_answer
from tests.exports.rows_for_tests import item as an_item
from tests.exports.rows_for_tests import judgement


def rows(table):
    """`table[item]` has for each annotator who is preferred, a or b, or = for a tie: two rows each."""
    words = {True: "preferred", False: "other"}
    return [
        judgement(
            an_item(),
            f"{number}",
            "tie" if said == "=" else words[said == answer],
            item_id=name,
            turn_id=name,
            answer_id=answer,
            question="preference",
        )
        for name, answers in table.items()
        for number, said in enumerate(answers)
        for answer in (("a", "b") if number % 2 == 0 else ("b", "a"))
    ]


def test_of_each_comparison_the_rows_of_first_answer_are_taken():
    found = rows_of_first_answer(rows({"1": "ab=", "2": "bb"}))

    assert [(row.item_id, row.answer_id, row.label) for row in found] == [
        ("1", "a", "preferred"),
        ("1", "a", "other"),
        ("1", "a", "tie"),
        ("2", "a", "other"),
        ("2", "a", "other"),
    ]


def test_agreement_counts_each_comparison_once():
    table = {f"{n}": said for n, said in enumerate(["aa", "ab", "bb", "b=", "aa", "=="])}

    once = panel(rows_of_first_answer(rows(table)), replicates=1000, seed=0)
    twice = panel(rows(table), replicates=1000, seed=0)

    assert once["raw"]["value"] == twice["raw"]["value"] == pytest.approx(4 / 6)
    assert (once["raw"]["n_items"], twice["raw"]["n_items"]) == (6, 12)
    assert once["alpha"]["value"] != pytest.approx(twice["alpha"]["value"], abs=1e-3)
    assert once["level"] == "nominal"
