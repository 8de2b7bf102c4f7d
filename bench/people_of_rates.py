"""Coverage of rates of settled answers for people like those who judged.

    python -m bench.people_of_rates            # 300 data sets a cell
    python -m bench.people_of_rates --full     # 3,000

Each answer is accepted by an annotator with the probability logit⁻¹(a + b): a is the answer's own, from
a normal distribution with the mean 1.5 and the deviation 2, b the annotator's leniency, with the mean 0
and the given deviation. Some of 3, 6 or 12 annotators, by lot, judge each of 100 or 300 answers of as
many questions, and a rule settles it. The true value is the rate of settled answers over all answers
and annotators. Per cent of the intervals that hold it: Wilson's, which is about these annotators, and
that for people like them (`stats.people_of_rates`).

The second table has five runs that are equal, each annotator with a leniency of the deviation .5, common to all
runs, and a leaning to each run with the given deviation. Per cent of the sets in which some pair differs
significantly: for these annotators, and for people like them (`stats.pairs_over_people`).
"""

import argparse
from collections.abc import Iterator
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from stats.bootstrap import Floats, Ints
from stats.paired_proportions import pairs
from stats.pairs_over_people import over_people
from stats.people_of_rates import Vote, Votes, rate_interval, rate_variance
from stats.proportion_intervals import wilson

MEAN, DEVIATION = 1.5, 2.0
RULES = ((2, "unanimous"), (3, "majority"), (3, "unanimous"))
LENIENCY = (0.5, 1.0)
LEANING = (0.0, 0.25, 0.5)
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


def table_of(said: Ints, who: Ints, run: str = "a") -> Iterator[Vote]:
    for question, (names, each) in enumerate(zip(who.tolist(), said.tolist(), strict=True)):
        for name, vote in zip(names, each, strict=True):
            yield Vote(run, "plausible", str(question), str(name), bool(vote))


def rate_holds(said: Ints, who: Ints, rule: str, true: float) -> list[bool]:
    """Whether the interval for these annotators, and that for people like them, holds the true rate."""
    accepted, known = settled(said, rule)
    n_accepted, n = int(accepted[known].sum()), int(known.sum())
    votes_of = Votes.of(table_of(said, who))
    scores = votes_of.scores("a", {"plausible": 1.0}, votes_of.on(set(votes_of.questions)))
    of = votes_of.variance(scores, rate_variance(n_accepted, n, 1.0), n)
    both = wilson(n_accepted, n), rate_interval(n_accepted, n, 1.0, of)
    return [(each.low or 0.0) <= true <= (1.0 if each.high is None else each.high) for each in both]


def rates(n_sets: int) -> Iterator[str]:
    yield "| judgements, rule | deviation of leniency | annotators | questions | these | people like them |"
    yield "| --- | --- | --- | --- | --- | --- |"
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
                        found.append(rate_holds(said, who, rule, true))
                    cells = " | ".join(f"{100 * each:.1f}" for each in np.mean(found, axis=0))
                    yield f"| {k}, {rule} | {deviation} | {n_annotators} | {n} | {cells} |"


def told_apart(of_runs: dict[str, Ints], who: Ints, rule: str) -> tuple[bool, bool]:
    """Whether some pair of runs differs significantly: for these annotators, and for people like them."""
    votes_of = Votes.of(vote for run, said in of_runs.items() for vote in table_of(said, who, run))
    ended = {}
    for run, said in of_runs.items():
        accepted, known = settled(said, rule)
        ended[run] = {str(each): bool(accepted[each]) for each in np.flatnonzero(known)}
    tested = pairs(ended)
    everywhere = votes_of.on(set(votes_of.questions))
    with_people = over_people(
        tested,
        votes_of,
        {run: {"plausible": 1.0} for run in ended},
        dict.fromkeys(ended, everywhere),
    )
    return any(each.is_told_apart for each in tested), any(
        each.is_told_apart for each in with_people
    )


def equal_runs(n_sets: int) -> Iterator[str]:
    yield "| judgements, rule | leaning to a run | annotators | questions | these | people like them |"
    yield "| --- | --- | --- | --- | --- | --- |"
    rng = np.random.default_rng(4)
    for k, rule in RULES:
        for leaning in LEANING:
            for n_annotators in ANNOTATORS:
                for n in SIZES:
                    found = []
                    for _ in range(n_sets):
                        who = rng.random((n, n_annotators)).argsort(axis=1)[:, :k]
                        lenient = rng.normal(0, 0.5, n_annotators)
                        runs = {
                            run: votes(rng, who, lenient + rng.normal(0, leaning, n_annotators))
                            for run in "abcde"
                        }
                        found.append(told_apart(runs, who, rule))
                    cells = " | ".join(f"{100 * each:.1f}" for each in np.mean(found, axis=0))
                    yield f"| {k}, {rule} | {leaning} | {n_annotators} | {n} | {cells} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--full", action="store_true", help="3,000 data sets a cell")
    n_sets = 3_000 if parser.parse_args().full else 300
    for line in chain(rates(n_sets), [""], equal_runs(n_sets // 3)):
        print(line, flush=True)


if __name__ == "__main__":
    main()
