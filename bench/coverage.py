"""Coverage of 95 % intervals: the bootstrap over questions, and the alternatives.

    python -m bench.coverage            # 200 data sets of 30 and of 100 questions: in `make bench`
    python -m bench.coverage --full     # 1,000, of 500 questions too, which takes minutes

Data sets of 30, 100 and 500 questions with four answers each, whose answers are alike
(`bench/questions.py`), drawn from a population whose figures are known. For each data set the
figures and their percentile intervals are computed as on the panel (`stats.agreement`, 1,000
replicates): over questions, over items as if they were independent, and Wilson's for shares. A cell
has the share of intervals that contain the true value with its 95 % interval (over data sets), then
the share of data sets without an interval, then the share of replicates without a value, if there
are any.

The coverage of the rates of runs is exact (`python -m bench.exact_coverage`).
"""

import argparse
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from bench.exact_coverage import QUESTIONS, REPLICATES, WILSON
from bench.questions import Design, Questions, make_population
from stats.agreement.cohen_kappa import kappa_values
from stats.agreement.judgement_table import Floats, Ints, Sums, label_pairs
from stats.agreement.krippendorff_alpha import Level, alpha_values
from stats.agreement.nominal import corrected_values, gwet_chance, raw_values
from stats.bootstrap import percentile_interval, replicate_totals
from stats.proportion_intervals import wilson

SIZES = (30, 100, 500)
EVERY = 4
SKEWED, MIXED, SCALE = (0.9, 0.05, 0.05), (0.5, 0.3, 0.2), (0.1, 0.1, 0.2, 0.3, 0.3)
TWO, THREE = (0.95, 0.93), (0.95, 0.94, 0.92)
DESIGNS = (
    Design("90/5/5, two people", SKEWED, TWO),
    Design("50/30/20, three people", MIXED, THREE),
    Design("90/5/5, three people", SKEWED, THREE),
    Design("50/30/20, two people", MIXED, TWO),
    Design("90/5/5, two people who are right in .99", SKEWED, (0.99, 0.99)),
    Design("90/5/5, two people, questions very unlike", SKEWED, TWO, alike=1.0, hard=2.0),
    Design("90/5/5, two people, one answer a question", SKEWED, TWO, n_answers=1),
    Design("a scale of five, three people", SCALE, (0.8, 0.75, 0.7), is_scale=True),
)
# What `make bench` has time for.
SHORT = DESIGNS[:2]
ITEMS = "over items"

Statistic = Callable[[Floats], Floats]


@dataclass
class Coverage:
    """The coverage of one kind of interval: how many contain the true value or are undefined."""

    n: int = 0
    n_without: int = 0
    n_hold: int = 0
    undefined: list[float] = field(default_factory=list)

    def add(self, low: float | None, high: float | None, true: float) -> None:
        self.n += 1
        if low is None or high is None:
            self.n_without += 1
        else:
            self.n_hold += low <= true <= high

    def __str__(self) -> str:
        n = self.n - self.n_without
        if not n:
            return "none"
        around = wilson(self.n_hold, n)
        said = f"{100 * self.n_hold / n:.1f} ({100 * (around.low or 0):.1f} to {100 * (around.high or 0):.1f})"
        if self.n_without:
            said += f"; {100 * self.n_without / self.n:.1f} % without"
        replicates = sum(self.undefined) / len(self.undefined) if self.undefined else 0
        return said + (f"; {100 * replicates:.2f} % of replicates" if replicates else "")


def rows(questions: Questions) -> Ints:
    """Return the rows to resample, one a question.

    They are the two people's table, or for more people the columns of `Sums`.
    """
    cells, n_people = questions.cells(), questions.said.shape[2]
    return cells if n_people == 2 else cells @ summing(questions.n_labels, n_people)


def statistics(questions: Questions, design: Design, totals: Ints) -> dict[str, Statistic]:
    """Return the figures as functions of totals of `rows`, as the panel defines them.

    `totals` are those of the data set: AC1 counts the labels that occur in it.
    """
    n_labels, n_people = questions.n_labels, questions.said.shape[2]
    to_sums = summing(n_labels, 2).astype(float) if n_people == 2 else np.eye(len(totals))
    every = Sums(np.array([n_people]), n_labels, np.empty((0, to_sums.shape[1]), np.int64))
    level: Level = "ordinal" if design.is_scale else "nominal"
    numbers, said = np.arange(n_labels, dtype=np.float64), totals @ to_sums
    present = np.flatnonzero(said[:n_labels])
    kept, some = columns_of(n_labels, present), replace(every, n_labels=len(present))
    commonest, n_said = int(np.argmax(design.shares)), said[:n_labels].sum()
    found: dict[str, Statistic] = {
        "raw agreement": lambda drawn: raw_values(every, drawn @ to_sums),
        f"alpha ({level})": lambda drawn: alpha_values(every, level, numbers, drawn @ to_sums),
        "prevalence": lambda drawn: (drawn @ to_sums)[:, commonest] / n_said,
    }
    if len(present) > 1:
        found["AC1"] = lambda drawn: corrected_values(some, gwet_chance, (drawn @ to_sums)[:, kept])
    if n_people == 2:
        found["Cohen's κ"] = kappa_values
    return found


def summing(n_labels: int, n_people: int) -> Ints:
    """Return the addends of each combination of labels to the columns of `judgement_table.Sums`.

    (labels^people, columns)
    """
    codes = np.indices((n_labels,) * n_people).reshape(n_people, -1).T
    counts = np.stack([(codes == label).sum(axis=1) for label in range(n_labels)], axis=1)
    first, second = label_pairs(n_labels)
    return np.hstack([counts, counts[:, first] * counts[:, second]]).astype(np.int64)


def columns_of(n_labels: int, present: Ints) -> Ints:
    """Return the columns of `judgement_table.Sums` that remain if only these labels occur."""
    first, second = label_pairs(n_labels)
    both = np.isin(first, present) & np.isin(second, present)
    return np.concatenate([present, n_labels + np.flatnonzero(both)])


def simulated(design: Design, n: int, n_sets: int, seed: int) -> dict[str, dict[str, Coverage]]:
    """Return the coverage of each kind of interval, by figure."""
    rng = np.random.default_rng(seed)
    population = make_population(rng, design)
    totals = rows(population).sum(axis=0)
    functions = statistics(population, design, totals)
    true = {name: float(of(totals[None].astype(float))[0]) for name, of in functions.items()}
    found = {name: {kind: Coverage() for kind in (QUESTIONS, ITEMS, WILSON)} for name in true}
    for number in range(n_sets):
        sample = population.draw(rng, n)
        one_set(sample, design, true, {name: found[name][QUESTIONS] for name in true}, number)
        if number % EVERY == 0:
            alone = {name: found[name][ITEMS] for name in true}
            one_set(sample.as_items(), design, true, alone, number)
        by_wilson(sample, design, true, found)
    return found


def one_set(
    sample: Questions,
    design: Design,
    true: Mapping[str, float],
    to: Mapping[str, Coverage],
    seed: int,
) -> None:
    table = rows(sample)
    functions = statistics(sample, design, table.sum(axis=0))
    replicates = replicate_totals(table, replicates=REPLICATES, seed=seed)
    for name, covered in to.items():
        if name not in functions:  # a coefficient of one label
            covered.add(None, None, true[name])
            continue
        values = functions[name](replicates)
        found = percentile_interval(values)
        covered.add(found.low, found.high, true[name])
        covered.undefined.append(float(np.isnan(values).mean()))


def by_wilson(
    sample: Questions,
    design: Design,
    true: Mapping[str, float],
    to: Mapping[str, dict[str, Coverage]],
) -> None:
    """Add Wilson's interval of raw agreement by two people, and of the prevalence.

    The latter treats all judgements as independent.
    """
    said = sample.said
    shares = {"prevalence": said == int(np.argmax(design.shares))}
    if said.shape[2] == 2:
        shares["raw agreement"] = said[:, :, 0] == said[:, :, 1]
    for name, hits in shares.items():
        interval = wilson(int(hits.sum()), hits.size)
        to[name][WILSON].add(interval.low, interval.high, true[name])


def show(design: Design, sizes: tuple[int, ...], n_sets: int) -> None:
    found = {n: simulated(design, n, n_sets, seed=n) for n in sizes}
    for name in found[sizes[0]]:
        for kind in (QUESTIONS, ITEMS, WILSON):
            cells = [str(found[n][name][kind]) for n in sizes]
            if cells[0] != "none" and not (kind == ITEMS and design.n_answers == 1):
                print(f"| {design.name} | {name} | {kind} | {' | '.join(cells)} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(prog="bench.coverage")
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--only", help="designs whose names contain this")
    asked, began = parser.parse_args(), time.process_time()
    sizes, n_sets = (SIZES, 1_000) if asked.full else (SIZES[:2], 200)
    print(f"| design | figure | interval | {' | '.join(f'{n} questions' for n in sizes)} |")
    print("| --- " * (len(sizes) + 3) + "|")
    for design in DESIGNS if asked.full else SHORT:
        if (asked.only or "") in design.name:
            show(design, sizes, n_sets)
    print(f"\n{time.process_time() - began:.0f} s of CPU")


if __name__ == "__main__":
    main()
