"""Questions of known truth, and how often an interval holds it."""

import numpy as np
import pytest

from bench import coverage, exact_coverage, questions
from bench.coverage import Coverage
from bench.exact_coverage import Exact
from bench.questions import Design, Questions, make_population
from stats.agreement.cohen_kappa import cohen_kappa
from stats.agreement.judgement_table import Judgements
from stats.agreement.krippendorff_alpha import krippendorff_alpha
from stats.agreement.nominal import gwet_ac1, prevalence, raw_agreement

SHARES = (0.9, 0.05, 0.05)


def rng(seed=0):
    return np.random.default_rng(seed)


def population(n=20_000, **of):
    ordinary = {"name": "", "shares": SHARES, "accuracies": (0.95, 0.9)}
    return make_population(rng(), Design(**(ordinary | of)), n)


def as_judgements(said: Questions) -> Judgements:
    cells = [(q, a, p, int(label)) for (q, a, p), label in np.ndenumerate(said.said)]
    return Judgements.from_columns(
        task=[f"{q:03} {a}" for q, a, _, _ in cells],
        worker=[f"p{p}" for _, _, p, _ in cells],
        label=[str(label) for *_, label in cells],
        question=[f"{q:03}" for q, _, _, _ in cells],
    )


def test_people_are_right_as_often_as_said_where_no_question_is_hard():
    said = population(hard=0.0, shares=(1.0, 1e-9, 1e-9)).said

    np.testing.assert_allclose((said == 0).mean(axis=(0, 1)), [0.95, 0.9], atol=0.01)


def test_labels_occur_as_often_as_said_where_nobody_errs():
    said = population(accuracies=(1 - 1e-12,), shares=(0.5, 0.3, 0.2)).said

    np.testing.assert_allclose(np.bincount(said.ravel()) / said.size, [0.5, 0.3, 0.2], atol=0.02)


def test_answers_of_one_question_are_more_alike_than_those_of_two():
    said = population(accuracies=(1 - 1e-12,), shares=(0.5, 0.3, 0.2)).said[:, :, 0]

    within = (said[:, 0] == said[:, 1]).mean()
    between = (said[1:, 0] == said[:-1, 1]).mean()
    # shares of weight a are alike by 1 / (a + 1) of what is left: .38 + .62 / 5
    assert within == pytest.approx(0.504, abs=0.02)
    assert between == pytest.approx(0.38, abs=0.02)


def test_on_a_scale_people_err_by_one_step_at_most():
    said = population(
        n=2_000, shares=(0.2,) * 5, accuracies=(1 - 1e-12, 0.6), is_scale=True
    ).said.astype(int)

    apart = np.abs(said[:, :, 0] - said[:, :, 1])
    assert set(np.unique(apart)) == {0, 1}
    assert said.min() == 0
    assert said.max() == 4


def test_the_same_seed_makes_the_same_questions():
    assert np.array_equal(population(n=50).said, population(n=50).said)


def test_a_data_set_is_of_questions_of_the_population():
    all_ = population(n=40)

    drawn = all_.draw(rng(1), 100)

    assert drawn.said.shape == (100, 4, 2)
    assert {each.tobytes() for each in drawn.said} <= {each.tobytes() for each in all_.said}


def test_the_cells_of_a_question_count_its_answers_by_what_was_said():
    said = Questions(np.array([[[0, 2], [0, 2], [1, 0]]]), 3)

    assert said.cells().reshape(3, 3).tolist() == [[0, 0, 2], [1, 0, 0], [0, 0, 0]]
    assert said.as_items().cells().sum(axis=1).tolist() == [1, 1, 1]


@pytest.mark.parametrize("accuracies", [(0.95, 0.9), (0.95, 0.9, 0.8)])
@pytest.mark.parametrize("is_scale", [False, True])
def test_the_figures_are_those_of_the_panel(accuracies, is_scale):
    design = Design("", (0.5, 0.3, 0.2), accuracies, is_scale=is_scale)
    said = make_population(rng(2), design, 60)
    totals = coverage.rows(said).sum(axis=0)
    level = "ordinal" if is_scale else "nominal"

    found = {
        name: float(of(totals[None].astype(float))[0])
        for name, of in coverage.statistics(said, design, totals).items()
    }

    judgements = as_judgements(said)
    numbers = {"0": 0.0, "1": 1.0, "2": 2.0}
    assert found.pop("raw agreement") == pytest.approx(raw_agreement(judgements).value)
    alpha = krippendorff_alpha(judgements, level=level, values=numbers).value
    assert found.pop(f"alpha ({level})") == pytest.approx(alpha)
    assert found.pop("AC1") == pytest.approx(gwet_ac1(judgements).value)
    assert found.pop("prevalence") == pytest.approx(prevalence(judgements)["0"])
    if len(accuracies) == 2:
        kappa = cohen_kappa(judgements, ("p0", "p1")).value
        assert found.pop("Cohen's κ") == pytest.approx(kappa)
    assert found == {}


def test_ac1_counts_the_labels_that_occur_in_the_data_set():
    design = Design("", SHARES, (0.9, 0.9))
    said = Questions(np.array([[[0, 0]], [[0, 2]], [[2, 2]], [[0, 0]]]), 3)
    totals = coverage.rows(said).sum(axis=0)

    found = coverage.statistics(said, design, totals)["AC1"](totals[None].astype(float))

    assert found[0] == pytest.approx(gwet_ac1(as_judgements(said)).value)


def test_of_one_label_there_is_no_ac1():
    said = Questions(np.zeros((4, 1, 2), np.int64), 3)

    found = coverage.statistics(
        said, Design("", SHARES, (0.9, 0.9)), coverage.rows(said).sum(axis=0)
    )

    assert "AC1" not in found


def test_intervals_that_hold_are_counted_and_those_that_are_not_there_stand_apart():
    covered = Coverage()

    for low, high in ((0.1, 0.5), (0.4, 0.5), (None, None), (0.3, 0.3)):
        covered.add(low, high, 0.3)

    assert (covered.n, covered.n_without, covered.n_hold) == (4, 1, 2)
    assert str(covered) == "66.7 (20.8 to 93.9); 25.0 % without"
    assert str(Coverage(n=2, n_without=2)) == "none"


def test_an_exact_coverage_weighs_outcomes_that_have_an_interval():
    outcomes = [(0.25, (None, None)), (0.5, (0.1, 0.6)), (0.25, (0.6, 0.9))]

    assert exact_coverage.exact_coverage(outcomes, 0.5) == Exact(2 / 3, 0.25)


def test_the_chances_of_all_outcomes_add_up_to_one():
    assert exact_coverage.chance((1, 2), (0.5, 0.5)) == pytest.approx(0.375)
    total = sum(
        exact_coverage.chance((a, b, 6 - a - b), (0.2, 0.3, 0.5))
        for a in range(7)
        for b in range(7 - a)
    )
    assert total == pytest.approx(1)


def test_wilsons_interval_of_ten_independent_answers_covers_as_is_known():
    # Brown, Cai and DasGupta 2001: exact, from the ten binomial probabilities
    assert exact_coverage.rate_coverage(10, 0.5, exact_coverage.WILSON).coverage == pytest.approx(
        0.9785, abs=1e-3
    )


def test_a_small_simulation_runs_and_has_every_kind_of_interval():
    found = coverage.simulated(Design("", SHARES, (0.95, 0.93)), 30, 4, seed=0)

    kinds = {kind: of.n for kind, of in found["raw agreement"].items()}
    assert kinds == {exact_coverage.QUESTIONS: 4, coverage.ITEMS: 1, exact_coverage.WILSON: 4}
    assert questions.N_QUESTIONS == 50_000
