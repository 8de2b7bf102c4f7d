"""Runs that come after the pool of tests.sampling.scored_dataset is drawn."""

from pathlib import Path

from corpus.models import Dataset, Run
from tests.corpus.imports import answer, create_run
from tests.sampling.scored_dataset import import_scores

# By run: the answer to each turn and its score, None where it has none. The pool asks about turns 1 and 2.
ANSWERS = {
    "gale": [("gold: a tablet to TEST!", 0.9), ("Basalt.", 0.85), ("Nobody.", None)],
    "hazel": [("A tablet to test gold.", 0.95), ("as dark as coal", 0.99), ("", None)],
    "iris": [("A fish.", 0.3), ("Slate!", 0.7), ("Nobody.", None)],
    "juniper": [("A pebble.", 0.9), ("Basalt.", 0.85), ("Nobody.", None)],
    "kestrel": [("A tablet to test gold.", 0.95), ("Basalt.", 0.85), ("Nobody.", None)],
    "maple": [("A pebble.", 0.8), ("Basalt.", 0.85), ("Nobody.", None)],
    "larch": [("A pebble.", None), ("Basalt.", None), ("Nobody.", None)],
}


def create_late_run(dataset: Dataset, folder: Path, name: str) -> Run:
    answers = ANSWERS[name]
    given = [answer(number, text) for number, (text, _) in enumerate(answers, start=1)]
    run = create_run(dataset, folder, given, name=name)
    scores = [
        (f"1_{n}", score) for n, (_, score) in enumerate(answers, start=1) if score is not None
    ]
    if scores:
        import_scores(dataset, folder, {name: scores})
    return run
