"""Coverage of rates of settled answers for people like those who judged.

    python -m bench.people_of_rates            # 300 data sets a cell
    python -m bench.people_of_rates --full     # 3,000

Each answer is accepted by an annotator with the probability logit⁻¹(a + b): a is the answer's own, from
a normal distribution with the mean 1.5 and the deviation 2, b the annotator's leniency, with the mean 0
and the given deviation. Some of 3, 6 or 12 annotators, by lot, judge each of 100 or 300 answers of as
many questions, and a rule settles it. The true value is the rate of settled answers over all answers
and annotators. Per cent of the intervals that hold it:

    these      Wilson's, which is about the annotators who judged
    settled    with the variance V_a - V_c that annotators make (stats.two_way_clustering) in the mean of the
               votes on the settled answers added to that of the rate; t with Satterthwaite's degrees
    all        the same with the votes on all answers, settled or not
"""

import argparse
from collections.abc import Iterator
from fractions import Fraction
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from stats.bootstrap import Floats, Ints
from stats.distributions import student_t_quantile
from stats.proportion_intervals import Z, wilson
from stats.two_way_clustering import two_way

MEAN, DEVIATION = 1.5, 2.0
RULES = ((2, "unanimous"), (3, "majority"), (3, "unanimous"))
LENIENCY = (0.5, 1.0)
ANNOTATORS, SIZES = (3, 6, 12), (100, 300)
MANY = 400_000

Bools = NDArray[np.bool_]


def votes(rng: np.random.Generator, who: Ints, leniency: Floats) -> Ints:
    """Whether each annotator accepts each answer, (answers, judgements)."""
    own = rng.normal(MEAN, DEVIATION, (len(who), 1))
    return (rng.random(who.shape) < 1 / (1 + np.exp(-(own + leniency[who])))).astype(np.int64)


def settled(said: Ints, rule: str) -> tuple[Bools, Bools]:
    """Whether each answer is accepted, and whether it is settled."""
    n, k = said.sum(axis=1), said.shape[1]
    if rule == "majority":
        return n > k / 2, np.ones(len(said), dtype=bool)
    return n == k, (n == k) | (n == 0)


def true_rate(rng: np.random.Generator, k: int, rule: str, deviation: float) -> float:
    who = np.arange(MANY * k).reshape(MANY, k)
    accepted, known = settled(votes(rng, who, rng.normal(0, deviation, MANY * k)), rule)
    return float(accepted[known].mean())


def of_annotators(said: Ints, who: Ints) -> float:
    """The variance of the mean vote that annotators make."""
    questions = np.repeat(np.arange(len(said)), said.shape[1]).tolist()
    found = two_way(
        [*map(Fraction, ((said - said.mean()).ravel() / said.size).tolist())],
        questions,
        who.ravel().tolist(),
    )
    # a cell has one vote
    return max(0.0, found.of_annotators - float((((said - said.mean()) / said.size) ** 2).sum()))


def holds(accepted: Bools, n_annotators: int, more: float, true: float) -> bool:
    n, rate = len(accepted), float(accepted.mean())
    own = rate * (1 - rate) / (n - 1)
    z = Z
    if more and own:
        both = own + more
        df = both**2 / (own**2 / (n - 1) + more**2 / (n_annotators - 1))
        within = min(max(df, n_annotators - 1), n + n_annotators - 2)
        z = student_t_quantile(0.975, within) * sqrt(both / own)
    interval = wilson(int(accepted.sum()), n, z)
    return bool((interval.low or 0.0) <= true <= (1.0 if interval.high is None else interval.high))


def lines(n_sets: int) -> Iterator[str]:
    yield "| judgements, rule | deviation of leniency | annotators | questions | these | settled | all |"
    yield "| --- | --- | --- | --- | --- | --- | --- |"
    rng = np.random.default_rng(3)
    for k, rule in RULES:
        for deviation in LENIENCY:
            true = true_rate(rng, k, rule, deviation)
            for n_annotators in ANNOTATORS:
                for n in SIZES:
                    found = []
                    for _ in range(n_sets):
                        who = rng.random((n, n_annotators)).argsort(axis=1)[:, :k]
                        said = votes(rng, who, rng.normal(0, deviation, n_annotators))
                        accepted, known = settled(said, rule)
                        extra = (
                            0.0,
                            of_annotators(said[known], who[known]),
                            of_annotators(said, who),
                        )
                        found.append(
                            [holds(accepted[known], n_annotators, each, true) for each in extra]
                        )
                    cells = " | ".join(f"{100 * each:.1f}" for each in np.mean(found, axis=0))
                    yield f"| {k}, {rule} | {deviation} | {n_annotators} | {n} | {cells} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--full", action="store_true", help="3,000 data sets a cell")
    for line in lines(3_000 if parser.parse_args().full else 300):
        print(line, flush=True)


if __name__ == "__main__":
    main()
