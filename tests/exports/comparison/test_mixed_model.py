"""The script of mixed models that is in a comparison's folder recovers known differences of simulated judgements."""

import runpy
from dataclasses import asdict

import numpy as np
import pandas as pd
import pytest

from exports.comparison.columns import LongPreferenceRow, LongRatingRow
from exports.comparison.files import FOLDER_OF_RECIPES
from exports.writers import csv_table

# The variances are small: that one is estimated as 0 is no failure, nor that a second optimiser was needed.
pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")

RUNS = ("alder", "birch", "cedar")
QUESTIONS, ANNOTATORS, PER_QUESTION = 25, 12, 3
# Of the standard normal effects, in points of the scale.
QUESTION, ANNOTATOR, LEANING, ANSWER, REST = 0.4, 0.4, 0.3, 0.3, 0.6
BETTER = {"alder": 0.0, "birch": 0.9, "cedar": 0.0}


def simulated(seed):
    """Latent values: question, annotator, and the value of each run by name."""
    random = np.random.default_rng(seed)
    own = random.normal(0, ANNOTATOR, ANNOTATORS)
    leaning = random.normal(0, LEANING, (ANNOTATORS, len(RUNS)))
    for question in range(QUESTIONS):
        base = 2.2 + random.normal(0, QUESTION)
        answers = base + random.normal(0, ANSWER, len(RUNS))
        for who in random.choice(ANNOTATORS, PER_QUESTION, replace=False):
            rest = random.normal(0, REST, len(RUNS))
            values = answers + [*BETTER.values()] + own[who] + leaning[who] + rest
            yield f"{question}_1", f"person-{who}", dict(zip(RUNS, values, strict=True))


def rating_rows(seed):
    return [
        LongRatingRow(
            "gold", "gold", measure, run, turn, turn[:-2], True, f"item {turn}", f"{turn} {run}",
            who, f"{turn} {who}", int(np.clip(round(value), 1, 4)),
        )
        for measure in ("faithful", "appropriate")
        for turn, who, values in simulated(seed)
        for run, value in values.items()
    ]  # fmt: skip


def preference_rows(seed):
    return [
        LongPreferenceRow(
            "gold", "gold", one, other, turn, turn[:-2], f"item {turn}", f"{turn} {one}",
            f"{turn} {other}", who, f"{turn} {who} {one} {other}", hash_of(turn, who) % 2 == 0,
            preferred(values[one] - values[other]),
        )
        for turn, who, values in simulated(seed)
        for one, other in (("alder", "birch"), ("alder", "cedar"), ("birch", "cedar"))
    ]  # fmt: skip


def hash_of(turn, who):
    return int(turn[:-2]) + int(who.rpartition("-")[2])


def preferred(difference):
    return 0 if abs(difference) < 0.3 else 1 if difference > 0 else -1


@pytest.fixture(scope="module")
def recipe():
    return runpy.run_path(str(FOLDER_OF_RECIPES / "mixed_model.py"))


def frame(rows):
    return pd.DataFrame([asdict(row) for row in rows]).astype(str).replace({"True": "true"})


def test_a_known_difference_of_ratings_is_within_its_interval(recipe):
    rows = frame(rating_rows(seed=1))

    model = recipe["rating_model"](rows[rows.measure == "faithful"])
    found = recipe["effects"](model)

    assert model.converged
    assert list(found.effect) == ["run[T.birch]", "run[T.cedar]"]
    birch, cedar = found.itertuples()
    assert 0 < birch.low < BETTER["birch"] < birch.high
    assert cedar.low < 0 < cedar.high


def test_a_run_that_is_better_is_preferred_and_an_equal_one_is_not_told_apart(recipe):
    found = recipe["effects"](recipe["preference_model"](frame(preference_rows(seed=1))))

    assert list(found.effect) == ["run[T.birch]", "run[T.cedar]", "left"]
    birch, cedar, left = found.itertuples()
    assert birch.low > 0
    assert cedar.low < 0 < cedar.high
    assert left.low < 0 < left.high


def test_the_script_reads_the_tables_of_a_folder(recipe, tmp_path, monkeypatch, capsys):
    tables = {"ratings_long": (LongRatingRow, rating_rows(2))}
    tables["preferences_long"] = LongPreferenceRow, preference_rows(2)
    for name, (row_type, rows) in tables.items():
        csv_table.write(tmp_path / f"{name}.csv", row_type, rows)
    monkeypatch.chdir(tmp_path)

    recipe["main"]()

    said = capsys.readouterr().out
    for measure in ("faithful", "appropriate", "preference"):
        assert f"gold: {measure}, differences from alder" in said
