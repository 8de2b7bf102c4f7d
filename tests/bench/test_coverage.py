"""The simulations of bench.coverage: known coverage, the product's own figures, and crowds as described."""

from collections import Counter, defaultdict
from fractions import Fraction
from statistics import median

import numpy as np
import pytest

from bench.coverage import __main__ as program
from bench.coverage import agreement, annotators, comparisons, crowds, engine, other_people, rates
from bench.coverage.cases import CASES
from bench.coverage.engine import CONTAINED, REJECTED, Case, Observation, Sizes
from stats import ratings
from stats.metric_correlation import answer_correlations
from stats.pairwise import length_bias, pairwise_tests
from stats.pairwise.position_bias import left_bias
from stats.pairwise.win_rate import win_rates
from stats.proportion_intervals import Interval
from stats.qualification import Rule
from stats.two_way_clustering import two_way

DESIGN = comparisons.Design(strengths=(0.6, 0.1, -0.7))


def rng(seed=0):
    return np.random.default_rng(seed)


# The engine


def cells(observations, n_sets):
    case = Case("a", "b.", lambda size, n: observations, Sizes((30,), n_sets), Sizes((30,), 1))
    rows = [line.strip("| ").split(" | ") for line in engine.table(case, case.full)]
    return {row[0]: row[-1] for row in rows[3:]}


def test_a_cell_is_the_share_of_the_intervals_that_there_are():
    intervals = [Interval(0.1, 0.5), Interval(0.4, 0.5), Interval(None, None), Interval(0.3, 0.3)]

    assert cells([engine.contained("x", each, 0.3) for each in intervals], 4) == {
        "x": "66.7 (25.0 none)"
    }


def test_outcomes_count_by_their_probability():
    outcomes = [(0.25, None), (0.5, 1.0), (0.25, 0.0)]

    seen = [Observation(CONTAINED, "x", share, weight) for weight, share in outcomes]
    assert cells(seen, 0) == {"x": "66.7* (25.0 none)"}


@pytest.mark.parametrize(
    ("what", "shares", "n_sets", "cell"),
    [
        (CONTAINED, [1.0] * 80 + [0.0] * 20, 100, "80.0*"),
        (CONTAINED, [1.0] * 9 + [0.0], 10, "90.0"),
        (REJECTED, [1.0] * 20 + [0.0] * 80, 100, "20.0*"),
        (REJECTED, [1.0] * 5 + [0.0] * 95, 100, "5.0"),
        ("power", [0.0] * 100, 100, "0.0"),
    ],
)
def test_an_asterisk_marks_what_is_missed_by_more_than_the_error(what, shares, n_sets, cell):
    assert cells([Observation(what, "x", share) for share in shares], n_sets) == {"x": cell}


FIRST_OF_EACH_KIND = {case.name.split(",")[0]: case for case in reversed(CASES)}.values()


@pytest.mark.parametrize("case", FIRST_OF_EACH_KIND, ids=lambda case: case.name)
def test_a_case_has_its_figures_in_the_smallest_size(case, monkeypatch):
    monkeypatch.setattr(comparisons, "N_OF_COEFFICIENTS", 100)
    monkeypatch.setattr(other_people, "MANY", 1_000)
    size = min(case.quick.sizes)

    figures = engine.tallies(case, size, 1)

    assert figures
    assert any(tally.share is not None for tally in figures.values())


def test_names_of_cases_are_unique_and_quick_sizes_smaller():
    assert len({case.name for case in CASES}) == len(CASES)
    assert all(case.quick.n_sets <= case.full.n_sets for case in CASES)


def test_the_program_lists_and_chooses_cases(capsys):
    program.main(["--only", "rates in an audit", "--quick", "--sets", "2"])

    table = capsys.readouterr().out
    assert "2 data sets each" in table
    assert "rate of a run over all its answers" in table
    with pytest.raises(SystemExit, match="--list"):
        program.main(["--only", "no such case"])


# Rates


def test_wilsons_interval_of_ten_independent_answers_covers_as_is_known():
    # Brown, Cai and DasGupta 2001: exact, from the ten binomial probabilities
    outcomes = rates._outcomes_of_rate(10, 0.5, "x")

    weights = [each for each in outcomes if each.figure == "x, Wilson"]

    assert sum(each.weight for each in weights) == pytest.approx(1)
    assert sum(each.weight * each.share for each in weights) == pytest.approx(0.9785, abs=1e-3)


def test_probabilities_of_all_outcomes_add_up_to_one():
    assert rates.probability((1, 2), (0.5, 0.5)) == pytest.approx(0.375)
    all_counts = [(a, b, 6 - a - b) for a in range(7) for b in range(7 - a)]
    assert sum(rates.probability(each, (0.2, 0.3, 0.5)) for each in all_counts) == pytest.approx(1)


# Agreement


def test_people_are_right_as_often_as_described_and_answers_of_a_question_are_alike():
    sure = agreement.Design((1.0, 1e-9, 1e-9), (0.95, 0.9), hard=0.0)
    np.testing.assert_allclose(
        (agreement.population(rng(), sure) == 0).mean(axis=(0, 1)), [0.95, 0.9], atol=0.01
    )

    right = agreement.Design((0.5, 0.3, 0.2), (1 - 1e-12,))
    labels = agreement.population(rng(), right, 20_000)[:, :, 0]
    # shares of weight a are alike by 1 / (a + 1) of what is left: .38 + .62 / 5
    assert (labels[:, 0] == labels[:, 1]).mean() == pytest.approx(0.504, abs=0.02)
    assert (labels[1:, 0] == labels[:-1, 1]).mean() == pytest.approx(0.38, abs=0.02)


def test_on_a_scale_people_err_by_one_step_at_most():
    design = agreement.Design((0.2,) * 5, (1 - 1e-12, 0.6), is_scale=True)

    labels = agreement.population(rng(), design, 2_000)

    assert set(np.unique(np.abs(labels[:, :, 0] - labels[:, :, 1]))) == {0, 1}
    assert (labels.min(), labels.max()) == (0, 4)


# Comparisons


def test_means_are_those_of_the_results():
    sample = comparisons.population(rng(), DESIGN, 40)
    of, runs = comparisons.Records(sample, DESIGN), DESIGN.runs
    by_length = length_bias.preference_by_length(of.preferences, of.lengths, seed=5)
    pair = [each for each in of.preferences if {each.left, each.right} == set(runs[:2])]
    scales = ratings.rating_scales(of.ratings, runs=runs)[0]
    rated = pairwise_tests.rating_tests(of.ratings, ratings.both, runs=runs[:2], seed=5)
    preferred = pairwise_tests.preference_tests(pair, runs=runs[:2], seed=5)
    expected = {
        "win-rate, ties 0": (1, win_rates(of.preferences, runs=runs).rates[0].interval),
        "win-rate, ties half": (
            2,
            win_rates(of.preferences, runs=runs, policy="half").rates[0].interval,
        ),
        "faithful": (1, scales.faithful.interval),
        "F+A": (comparisons.PARTS, scales.both.interval),
        "difference, F+A": (comparisons.PARTS * DESIGN.n_people, rated.pairs[0].interval),
        "difference, preference": (DESIGN.n_people, preferred.pairs[0].interval),
        "share of the left": (1, left_bias(of.preferences, seed=5).share.interval),
        "prefer the longer": (1, by_length.longer.interval),
        "the preferred is longer by": (1, by_length.extra.interval),
    }

    for name, values, within in comparisons.values(sample, DESIGN):
        unit, interval = expected.pop(name)
        ends = comparisons.mean(values, without="", within=within).interval
        assert (ends.low, ends.high) == pytest.approx(
            (unit * interval.low, unit * interval.high)
        ), name
    assert not expected


def test_better_answers_win_are_longer_and_score_higher():
    sample = comparisons.population(rng(), DESIGN, 4_000)

    assert list(np.argsort(sample.rated.mean(axis=(0, 1, 3)))) == [2, 1, 0]
    assert [(sample.won[:, :, place] == 0).mean() > 0.4 for place in range(3)] == [True] * 3
    of = comparisons.Records(comparisons.population(rng(), DESIGN, 200), DESIGN)
    for values in (of.scores, of.lengths):
        for each in answer_correlations(of.ratings, ratings.both, values, replicates=1_000, seed=0):
            assert each.value > 0.1


# Other people


def test_variances_are_those_of_two_way_clustering():
    of = other_people.study(rng(), 6, 10, other_people.SPREADS["as in SummEval"])
    places = [(q, a) for a in range(6) for q in range(10) if of.judged[a, q]]
    values = [Fraction(of.ratings[0, a, q]) for q, a in places]
    middle = sum(values) / len(values)

    mean, variance = other_people.parts(of.ratings[0], of.judged)

    expected = two_way(
        [(each - middle) / len(values) for each in values], *zip(*places, strict=True)
    )
    assert mean == pytest.approx(float(middle))
    for name in ("of_questions", "of_annotators", "of_cells"):
        assert getattr(variance, name) == pytest.approx(getattr(expected, name))


def test_true_means_and_rates_are_those_of_very_many_people():
    spread = other_people.SPREADS["one run .6, others .1"]
    of = other_people.study(rng(1), 2_000, 200, spread)

    assert of.ratings.mean(axis=(1, 2)) == pytest.approx(other_people.true_means(spread), abs=0.06)
    won = [
        np.mean(
            [
                (of.preferences[place] * (1 if pair[0] == run else -1) > 0).mean()
                for place, pair in enumerate(other_people.PAIRS)
                if run in pair
            ]
        )
        for run in range(other_people.N_RUNS)
    ]
    assert won == pytest.approx(other_people.true_rates(spread), abs=0.06)


# Annotators


def test_every_item_goes_to_as_many_different_people_and_they_change():
    entries = annotators.at_work(rng(), [annotators.HONEST] * 12, per_item=2)

    judges = defaultdict(set)
    for each in entries:
        judges[each.item].add(each.worker)
    assert {len(of) for of in judges.values()} == {2}
    assert set(Counter(each.worker for each in entries).values()) == {100}
    assert len({who for of in judges.values() if "p0000" in of for who in of}) > 8


@pytest.mark.parametrize(
    ("kind", "plausible"),
    [
        (annotators.ONE_LABEL, 1.0),
        (annotators.USUAL_SHARES, 0.9),
        (annotators.ANY_LABEL, 1 / 3),
        (annotators.HONEST, 0.835),  # .9 a + .1 (1 - a) / 2, a how often somebody is right
        (annotators.TOO_FAST, 0.645),
        (annotators.DRIFTING, 0.6975),
    ],
)
def test_each_kind_labels_as_described(kind, plausible):
    kinds = [kind, annotators.HONEST, annotators.HONEST]
    entries = annotators.at_work(rng(), kinds, per_item=3, n_each=1_500)

    own = [each.label == "plausible" for each in entries if each.worker == "p0000"]
    assert np.mean(own) == pytest.approx(plausible, abs=0.05)


def test_who_is_too_fast_takes_a_fifth_of_the_time_a_word():
    kinds = [annotators.TOO_FAST] * 10 + [annotators.HONEST] * 10

    per_word = defaultdict(list)
    for each in annotators.at_work(rng(), kinds, per_item=3):
        per_word[each.worker < "p0010"].append(each.active_seconds / each.n_words)
    assert median(per_word[True]) / median(per_word[False]) == pytest.approx(0.2, abs=0.06)


# Crowds


def test_the_bar_lets_in_good_people_and_no_bad_ones():
    counts = Counter()
    for seed in range(1, 11):
        crowd, let_in, _ = crowds.training(30, 0.6, 0.9, seed)
        counts.update((crowd.habits(number).is_bad, number in let_in) for number in crowd.numbers)

    assert counts[False, True] / (10 * 14) >= 0.9
    assert counts[True, True] / (10 * 6) <= 0.05


def test_verdicts_of_the_trusted_are_right_more_often_than_those_of_everyone():
    tallies = engine.tallies(next(case for case in CASES if "trusted" in case.name), 90, 2)

    name = "shares of labels equal"
    shares = [tallies["right", f"{name}, {who}"].share for who in ("trusted", "everyone")]
    assert shares[0] > shares[1] + 0.1
    assert Rule(min_answers=30, accuracy=0.6).min_answers == crowds.BARS[0][0]
