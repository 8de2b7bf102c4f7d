"""Agreement is over the first judgements of each item; further ones of disputed items stand apart."""

from random import Random

import pytest

from exports.agreement import download
from exports.agreement.figures import panel
from tests.exports.rows_for_tests import item, judgement

DRAWN = {"replicates": 1_000, "seed": 0}


def at(number):
    return f"2026-01-01T{number // 60:02}:{number % 60:02}:00.000000Z"


def judged(n_items=60, n_disputed=20, *, is_extra=True):
    """Two judgements of each item, of which some are unlike; later a third of each of these."""
    rows = []
    for number in range(n_items):
        of = item(turn=f"{number}_1")
        is_disputed = number % (n_items // n_disputed) == 0
        labels = ["plausible", "malformed" if is_disputed else "plausible"]
        rows += [
            judgement(of, f"p{who}", label, submitted_at=at(number))
            for who, label in enumerate(labels)
        ]
        if is_disputed and is_extra:
            third = {"submitted_at": at(n_items + number), "round": 2}
            rows.append(judgement(of, "p2", "plausible", **third))
    return rows


def test_a_third_judgement_of_disputed_items_changes_no_agreement():
    with_third, without = panel(judged(), **DRAWN), panel(judged(is_extra=False), **DRAWN)

    assert with_third["raw"]["value"] == pytest.approx(40 / 60)
    assert without["extra"]["n_items"] == without["extra"]["n_judgements"] == 0
    assert without["extra"]["raw"]["value"] is None
    assert {**with_third, "extra": 0} == {**without, "extra": 0}


def test_further_judgements_stand_apart():
    extra = panel(judged(), **DRAWN)["extra"]

    assert (extra["n_items"], extra["n_judgements"]) == (20, 20)
    assert extra["raw"]["value"] == pytest.approx(1 / 3)  # of three, two are alike


def test_no_window_of_time_holds_the_disputed_items_alone():
    windows = panel(judged(), **DRAWN)["over_time"]

    assert [each["raw"]["value"] for each in windows] == pytest.approx([13 / 20, 13 / 20, 14 / 20])
    assert windows[-1]["last"] == at(59)


def test_the_agreement_of_a_simulated_crowd_is_that_of_its_first_judgements():
    """Right in .9 of 90/5/5: a third of the disputed items alone would make .82 of .88."""
    draw, rows = Random(3), []
    for number in range(2_000):
        of = item(turn=f"{number}_1")
        truth = draw.choices(["plausible", "implausible", "malformed"], [90, 5, 5])[0]
        labels = [
            truth
            if draw.random() < 0.9
            else draw.choice(
                [each for each in ("plausible", "implausible", "malformed") if each != truth]
            )
            for _ in range(3)
        ]
        n = 2 if labels[0] == labels[1] else 3
        rows += [
            judgement(of, f"p{who}", label, submitted_at=at(who), round=max(1, who))
            for who, label in enumerate(labels[:n])
        ]

    figures = panel(rows, **DRAWN)

    assert figures["raw"]["value"] == pytest.approx(0.815, abs=0.02)
    assert figures["fleiss"]["value"] is not None


def test_the_table_of_figures_has_the_further_judgements_too():
    rows = list(download.rows({"plausibility": panel(judged(), **DRAWN)}))

    (extra,) = [row for row in rows if row.part == "further judgements"]
    assert (extra.items, extra.judgements) == (20, 60)
