"""The cases of `bench.coverage`: what is simulated, at which sizes, and in how many data sets."""

from functools import partial

from bench.coverage import agreement, annotators, comparisons, crowds, other_people, rates
from bench.coverage.engine import Case, Sizes

QUICK_DESIGNS = 2  # of agreement and of comparisons, the first ones


def _quick(place: int, sizes: tuple[int, ...], n_sets: int) -> Sizes:
    """Return the quick sizes of a design; those after the first ones have the smallest only."""
    return Sizes(sizes if place < QUICK_DESIGNS else sizes[:1], n_sets)


CASES = (
    *(
        Case(
            f"agreement, {name}",
            "coefficients with bootstraps over questions.",
            partial(agreement.simulated, design),
            Sizes((30, 100, 500), 1_000),
            _quick(place, (100, 30), 60),
        )
        for place, (name, design) in enumerate(agreement.DESIGNS.items())
    ),
    Case(
        "rates",
        "all outcomes of rates and of differences of two runs, one answer a question; exact.",
        rates.exact,
        Sizes((10, 30, 100, 300), 0),
        Sizes((10, 30, 100), 0),
    ),
    Case(
        "rates in conversations",
        "turns of a conversation are alike; two runs have equal rates.",
        rates.in_conversations,
        Sizes((20, 50, 200), 2_000),
        Sizes((20, 50), 200),
        unit="conversations",
    ),
    Case(
        "gold in two steps",
        "faithfulness is asked of three tenths of the plausible answers.",
        rates.two_steps,
        Sizes((30, 100, 300), 1_000),
        Sizes((30, 100), 100),
        unit="answers asked",
    ),
    Case(
        "rates in an audit",
        "eight runs, 600 answers drawn, 2,800 left out for two reasons.",
        rates.audit,
        Sizes((30, 50, 100, 200), 1_000),
        Sizes((30, 100), 200),
        unit="audited of each reason",
    ),
    *(
        Case(
            f"means, {name}",
            "t intervals of means over questions.",
            partial(comparisons.simulated_means, design),
            Sizes((10, 30, 100, 300), 2_000),
            _quick(place, (30, 100), 200),
        )
        for place, (name, design) in enumerate(comparisons.DESIGNS.items())
    ),
    *(
        Case(
            f"strengths and correlations, {name}",
            "bootstraps over questions.",
            partial(comparisons.simulated_coefficients, design),
            Sizes((30, 50, 100, 500), 400),
            _quick(place, (30,), 60 if place < QUICK_DESIGNS else 20),
        )
        for place, (name, design) in enumerate(comparisons.DESIGNS.items())
    ),
    *(
        Case(
            f"comparisons for other people, {name}",
            "five equal runs, and one that is better by .6 for the power.",
            partial(other_people.comparisons, name),
            Sizes((40, 100, 300), 500),
            Sizes((40, 100), 60),
        )
        for name in other_people.SPREADS
    ),
    Case(
        "rates for other people",
        "judgements and rule, deviation of leniency, number of annotators.",
        other_people.rates,
        Sizes((100, 300), 1_000),
        Sizes((100,), 60),
    ),
    Case(
        "equal runs for other people",
        "judgements and rule, deviation of leaning to a run, number of annotators.",
        other_people.equal_runs,
        Sizes((100, 300), 300),
        Sizes((100,), 20),
    ),
    Case(
        "reasons for a look",
        "20 annotators of 100 items, none or four of whom do not look.",
        annotators.spammers,
        Sizes((2, 3), 100),
        Sizes((2, 3), 8),
        unit="judgements an item",
    ),
    Case(
        "honest tables",
        "whether a table of honest annotators has a reason.",
        annotators.honest_tables,
        Sizes((1,), 60),
        Sizes((1,), 8),
        unit="kind each",
    ),
    Case(
        "consensus",
        "600 items, 12 annotators, labels of 90/5/5.",
        crowds.consensus,
        Sizes((2, 3, 5), 20),
        Sizes((2, 3, 5), 3),
        unit="judgements",
    ),
    Case(
        "trainings",
        "20 people, of whom 6 are bad, by the accuracy of the good.",
        crowds.trainings,
        Sizes((90, 85, 80), 200),
        Sizes((90, 80), 10),
        unit="% right",
    ),
    Case(
        "verdicts of the trusted",
        "three judgements and a majority, by those let in by 30 keyed items and a bar of .6.",
        crowds.trusted,
        Sizes((90, 85, 80), 200),
        Sizes((90, 80), 10),
        unit="% right",
    ),
)
