"""Planned half-widths beside the intervals of simulated studies.

    python -m bench.planned_precision           # 300 studies a cell
    python -m bench.planned_precision --full    # 3,000

A study has the values of differences of two runs: normal effects of questions (deviation .7), of
people (0, .15 or .3) and a rest (1), with each of the designs of DESIGNS assigned evenly. Its interval
is that of `stats.two_way_clustering`. A cell has the planned half-width (`stats.precision_plan`), the mean of
the studies' half-widths, their ratio, and the variance of the studies' means over the planned one.
"""

import argparse
from fractions import Fraction

import numpy as np

from stats.distributions import student_t_quantile
from stats.precision_plan import Design, precision, variance
from stats.two_way_clustering import two_way
from stats.variance_components import Components

DESIGNS = tuple(
    Design(*each)
    for each in ((40, 3, 3), (100, 3, 3), (100, 6, 3), (100, 6, 6), (100, 12, 3), (300, 6, 2))
)
SPREADS = (0.0, 0.15, 0.3)
OF_QUESTIONS, OF_REST = 0.7, 1.0


def assignment(design: Design, rng: np.random.Generator) -> tuple[list[int], list[int]]:
    """Questions and people of the judgements: each question goes to those who had the fewest."""
    had, people = np.zeros(design.n_people), []
    for _ in range(design.n_questions):
        order = np.lexsort((rng.random(design.n_people), had))[: design.per_question]
        had[order] += 1
        people.extend(order.tolist())
    questions = np.repeat(np.arange(design.n_questions), design.per_question)
    return questions.tolist(), people


def cell(design: Design, of_people: float, n_studies: int, seed: int) -> list[str]:
    rng = np.random.default_rng(seed)
    questions, people = assignment(design, rng)
    means, widths = [], []
    for _ in range(n_studies):
        values = (
            rng.normal(0, OF_QUESTIONS, design.n_questions)[questions]
            + rng.normal(0, of_people, design.n_people)[people]
            + rng.normal(0, OF_REST, len(people))
        )
        found = two_way(
            [*map(Fraction, ((values - values.mean()) / len(values)).tolist())], questions, people
        )
        means.append(values.mean())
        if found.variance is not None and found.df is not None:
            widths.append(student_t_quantile(0.975, found.df) * found.variance**0.5)
    of = Components(OF_QUESTIONS**2, of_people**2, OF_REST**2)
    planned = precision(of, design).half_width or 0.0
    mean = float(np.mean(widths))
    ratio = float(np.var(means)) / variance(of, design).total
    return [
        *(str(design.n_questions), str(design.n_people), str(design.per_question)),
        *(
            f"{of_people:g}",
            f"{planned:.3f}",
            f"{mean:.3f}",
            f"{mean / planned:.2f}",
            f"{ratio:.2f}",
        ),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(prog="bench.planned_precision")
    parser.add_argument("--full", action="store_true")
    n_studies = 3_000 if parser.parse_args().full else 300
    head = ("questions", "people", "each", "s_a", "planned", "mean", "ratio", "variance")
    print("| " + " | ".join(head) + " |")
    print("|" + " --- |" * len(head))
    cells = ((design, spread) for design in DESIGNS for spread in SPREADS)
    for seed, (design, spread) in enumerate(cells):
        print("| " + " | ".join(cell(design, spread, n_studies, seed)) + " |", flush=True)


if __name__ == "__main__":
    main()
