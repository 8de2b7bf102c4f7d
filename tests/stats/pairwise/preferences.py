"""Rows for tests: comparisons and ratings written short, and made at random."""

import numpy as np
from hypothesis import strategies as st

from stats.pairwise.records import Preference, Rating

DRAWN = {"replicates": 1000, "seed": 0}
RUNS = ("A", "B", "C")

# Who was preferred by each of three annotators: the worked example of stats.pairwise.win_rate.
WORKED = {
    "1": {"AB": "AA=", "AC": "AAC", "BC": "B=C"},
    "2": {"AB": "ABB", "AC": "AAA", "BC": "BB="},
}


def compared(table):
    """`table[question]["AB"]` has a letter for each annotator; the first named stands on the left."""
    return [
        comparison(question, pair[0], pair[1], who, f"{number}")
        for question, pairs in table.items()
        for pair, said in pairs.items()
        for number, who in enumerate(said)
    ]


def comparison(question, left, right, who, annotator="0"):
    preferred = {left: "left", right: "right", "=": "tie"}[who]
    return Preference(
        question=question,
        judgement=f"{question} {min(left, right)} {max(left, right)} {annotator}",
        annotator=annotator,
        left=left,
        right=right,
        preferred=preferred,
    )


def rating(question, f, a, *, run="A", annotator="0", **rest):
    return Rating(question, run, f"{question} {run}", annotator, f, a, **rest)


def tournaments(runs=RUNS, questions=4, least=1, most=40):
    """Comparisons of these runs by hypothesis, unbalanced as they come."""
    one = st.tuples(
        st.integers(0, questions - 1),
        st.permutations(runs).map(lambda order: order[:2]),
        st.sampled_from(["left", "right", "tie"]),
    )
    return st.lists(one, min_size=least, max_size=most).map(_numbered)


def _numbered(drawn):
    return [
        Preference(f"q{question}", f"j{number}", "a", left, right, preferred)
        for number, (question, (left, right), preferred) in enumerate(drawn)
    ]


def at_random(seed, *, runs=RUNS, n_questions=6, n_annotators=3, ties=0.2):
    """A complete design: every pair of runs on every question by every annotator; left by lot."""
    rng = np.random.default_rng(seed)
    strength = dict(zip(runs, rng.normal(0, 0.7, len(runs)), strict=True))
    rows = []
    for question in range(n_questions):
        for i, one in enumerate(runs):
            for other in runs[i + 1 :]:
                for annotator in range(n_annotators):
                    left, right = (one, other) if rng.random() < 0.5 else (other, one)
                    wins = 1 / (1 + np.exp(strength[right] - strength[left]))
                    chances = [ties, (1 - ties) * wins, (1 - ties) * (1 - wins)]
                    who = rng.choice(["=", left, right], p=chances)
                    rows.append(comparison(f"q{question}", left, right, who, f"{annotator}"))
    return rows


def renamed(rows, names):
    return [
        Preference(
            each.question,
            each.judgement,
            each.annotator,
            names[each.left],
            names[each.right],
            each.preferred,
        )
        for each in rows
    ]


def mirrored(rows):
    other = {"left": "right", "right": "left", "tie": "tie"}
    return [
        Preference(
            each.question,
            each.judgement,
            each.annotator,
            each.right,
            each.left,
            other[each.preferred],
        )
        for each in rows
    ]


def tables(rows, runs=RUNS):
    """Wins and ties as (1, K, K) each, as the fit takes them."""
    wins, ties = np.zeros((1, len(runs), len(runs))), np.zeros((1, len(runs), len(runs)))
    for each in rows:
        i, j = runs.index(each.left), runs.index(each.right)
        if each.preferred == "tie":
            ties[0, i, j] += 1
            ties[0, j, i] += 1
        else:
            wins[(0, i, j) if each.preferred == "left" else (0, j, i)] += 1
    return wins, ties
