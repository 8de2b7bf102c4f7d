#!/usr/bin/env python3
"""Linear mixed models of ratings_long.csv and preferences_long.csv, with statsmodels.

    python mixed_model.py

Needs pandas and statsmodels (tried with 0.15). Runs are fixed effects. Questions, annotators, an annotator's
leaning towards a run, and answers are random effects: the differences are of these runs for other questions and
other annotators. They are in points of the scale, or of preference from -1 to 1: ratings are taken as numbers here,
not as ordered classes as in mixed_model.R. Answers to unanswerable questions are left out, as in systems.csv.

Intervals are estimate ± 1.96 standard errors. In simulation, with 30 questions and 3 to 24 annotators, these 95 %
intervals contained the true difference in about 90 % of samples. "The MLE may be on the boundary" says that a variance
is about 0. Time and memory grow fast with the number of ratings: 900 take some seconds.
"""

import sys
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import statsmodels.formula.api as smf

COLUMNS = ["effect", "estimate", "low", "high", "p"]


def read(name: str) -> pd.DataFrame:
    """Return a table of the folder, all its values as text."""
    return pd.read_csv(name, dtype=str, keep_default_na=False, na_filter=False)


def rating_model(rows: pd.DataFrame) -> Any:
    """The fitted model of one pool and measure; its effects are differences from the first run."""
    rows = rows.assign(
        value=rows.value.astype(float),
        run=pd.Categorical(rows.run, categories=list(dict.fromkeys(rows.run))),
        leaning=rows.annotator + "\t" + rows.run,
        answer=rows.turn_id + "\t" + rows.run,
    )
    return _fitted("value ~ run", rows, ["turn_id", "annotator", "leaning", "answer"])


def preference_model(rows: pd.DataFrame) -> Any:
    """The fitted model of one pool: what a run wins from the first run, and what the left side wins."""
    _, *others = dict.fromkeys([*rows.one, *rows.other])
    effects = {
        f"run{number}": (rows.one == run).astype(float) - (rows.other == run)
        for number, run in enumerate(others)
    }
    pair = rows.one + "\t" + rows.other
    rows = rows.assign(
        **effects,
        value=rows.value.astype(float),
        left=np.where(rows.one_is_left == "true", 1.0, -1.0),
        leaning=rows.annotator + "\t" + pair,
        answers=rows.turn_id + "\t" + pair,
    )
    result = _fitted(f"value ~ 0 + {' + '.join(effects)} + left", rows, ["leaning", "answers"])
    result.model.data.xnames = [*(f"run[T.{run}]" for run in others), "left"]
    return result


def _fitted(formula: str, rows: pd.DataFrame, random: list[str]) -> Any:
    """Crossed random effects: all rows are one group, and each factor is a variance component."""
    return smf.mixedlm(
        formula,
        rows,
        groups=np.ones(len(rows)),
        re_formula="0",
        vc_formula={name: f"0 + C({name})" for name in random},
    ).fit(method=["lbfgs", "powell"])


def effects(result: Any) -> pd.DataFrame:
    """The differences from the first run, with their intervals."""
    limits = result.conf_int().to_numpy()
    names = [name for name in result.model.exog_names if name != "Intercept"]
    places = [result.model.exog_names.index(name) for name in names]
    rows = [
        (names[i], result.fe_params.iloc[at], *limits[at], result.pvalues.iloc[at])
        for i, at in enumerate(places)
    ]
    return pd.DataFrame(rows, columns=COLUMNS)


def main() -> None:
    ratings = read("ratings_long.csv")
    ratings = ratings[ratings.is_answerable == "true"]
    for pool, measure in product(dict.fromkeys(ratings.pool), ("faithful", "appropriate")):
        rows = ratings[(ratings.pool == pool) & (ratings.measure == measure)]
        if rows.run.nunique() > 1:
            _show(f"{pool}: {measure}, differences from {rows.run.iloc[0]}", rating_model(rows))
    preferences = read("preferences_long.csv")
    for pool in dict.fromkeys(preferences.pool):
        rows = preferences[preferences.pool == pool]
        _show(f"{pool}: preference, differences from {rows.one.iloc[0]}", preference_model(rows))


def _show(title: str, result: Any) -> None:
    sys.stdout.write(f"{title}\n{effects(result).round(3).to_string(index=False)}\n\n")


if __name__ == "__main__":
    main()
