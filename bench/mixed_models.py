"""How often the script of mixed models that is in a comparison's folder contains the true differences.

    python -m bench.mixed_models            # 60 data sets a cell, two minutes
    python -m bench.mixed_models --sets 400

Two runs of three are equal and one is .5 better on ratings from 1 to 4. 30 questions, each rated by three people. The
effects of questions, annotators, annotators on runs, and answers are normal; ratings are rounded only in the second
column. A cell has per cent of the intervals that contain the true difference, which for rounded ratings is that of a
population of 200,000 ratings; then the share of data sets in which the fit did not converge.
"""

import argparse
import runpy
import warnings
from typing import Any

import numpy as np
import pandas as pd

from exports.comparison.files import FOLDER_OF_RECIPES

RUNS = {"alder": 0.0, "birch": 0.5, "cedar": 0.0}
QUESTIONS, PER_QUESTION = 30, 3
QUESTION, ANNOTATOR, LEANING, ANSWER, REST = 0.4, 0.4, 0.3, 0.3, 0.6


def ratings(
    random: np.random.Generator, n_people: int, n_questions: int = QUESTIONS
) -> pd.DataFrame:
    """The rows of ratings_long.csv that the model reads, with values that are not rounded."""
    own, leaning = random.normal(0, ANNOTATOR, n_people), random.normal(0, LEANING, (n_people, 3))
    rows = []
    for question in range(n_questions):
        answers = 2.4 + random.normal(0, QUESTION) + random.normal(0, ANSWER, 3)
        for who in random.choice(n_people, PER_QUESTION, replace=False):
            values = answers + [*RUNS.values()] + own[who] + leaning[who]
            values = values + random.normal(0, REST, 3)
            rows += [(f"{question}_1", f"p{who}", *each) for each in zip(RUNS, values, strict=True)]
    return pd.DataFrame(rows, columns=["turn_id", "annotator", "run", "value"])


def rounded(rows: pd.DataFrame) -> pd.DataFrame:
    return rows.assign(value=rows.value.round().clip(1, 4))


def true_differences() -> list[float]:
    """The differences from the first run of rounded ratings."""
    spread = np.sqrt(QUESTION**2 + ANNOTATOR**2 + LEANING**2 + ANSWER**2 + REST**2)
    noise = np.random.default_rng(0).normal(0, spread, 200_000)
    means = [np.clip(np.round(2.4 + run + noise), 1, 4).mean() for run in RUNS.values()]
    return [float(each - means[0]) for each in means[1:]]


def cell(model: Any, effects: Any, n_people: int, n_sets: int, is_rounded: bool) -> str:
    truth = true_differences() if is_rounded else [*RUNS.values()][1:]
    covered = failed = 0
    for seed in range(n_sets):
        rows = ratings(np.random.default_rng([n_people, seed]), n_people)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            result = model(rounded(rows) if is_rounded else rows)
        found = effects(result)
        failed += not result.converged
        covered += sum(
            low <= true <= high
            for low, high, true in zip(found.low, found.high, truth, strict=True)
        )
    return f"{50 * covered / n_sets:.0f} % ({100 * failed / n_sets:.0f} %)"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sets", type=int, default=60)
    n_sets = parser.parse_args().sets
    recipe = runpy.run_path(str(FOLDER_OF_RECIPES / "mixed_model.py"))
    print("| annotators | not rounded | from 1 to 4 |\n| --- | --- | --- |")
    for n_people in (3, 6, 12, 24):
        cells = [
            cell(recipe["rating_model"], recipe["effects"], n_people, n_sets, is_rounded)
            for is_rounded in (False, True)
        ]
        print(f"| {n_people} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
