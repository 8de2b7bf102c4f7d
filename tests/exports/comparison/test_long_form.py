"""The long tables have each counted judgement once for each run that gave its answer."""

from collections import Counter, defaultdict
from fractions import Fraction
from math import isclose

import pytest

from exports.comparison import actions as comparison_actions
from exports.comparison import queries as comparison_queries
from exports.comparison.long_form import preference_rows, rating_rows
from exports.jobs import BOOTSTRAP
from tests.exports.judged_batches import reject
from tests.recomputed_tables import table


@pytest.fixture
def written_folder(study, tmp_path, rated, preferred, retrieved):
    reject(rated.items.first().assignments.first().judgements.get())
    comparison_actions.write(
        study=study, batches=(), out=tmp_path / "out", bootstrap=BOOTSTRAP, by=study.created_by
    )
    return tmp_path / "out"


def figures_of(folder, measure):
    """The figures of systems.csv that are defined, by pool and run."""
    return {
        (row["pool"], row["run"]): float(row["value"])
        for row in table(folder, "systems")
        if row["measure"] == measure and row["value"]
    }


@pytest.mark.parametrize("measure", ["faithful", "appropriate"])
def test_the_mean_rating_of_a_run_is_that_of_its_rows(written_folder, measure):
    values = defaultdict(list)
    for row in table(written_folder, "ratings_long"):
        if row["measure"] == measure and row["is_answerable"] == "true":
            values[row["pool"], row["run"]].append(int(row["value"]))

    means = {key: sum(of) / len(of) for key, of in values.items()}

    assert means.keys() == figures_of(written_folder, measure).keys()
    for key, value in figures_of(written_folder, measure).items():
        assert isclose(means[key], value)


def test_the_difference_of_two_runs_by_preference_is_that_of_their_rows(written_folder):
    values = defaultdict(lambda: defaultdict(list))
    for row in table(written_folder, "preferences_long"):
        values[row["one"], row["other"]][row["turn_id"]].append(int(row["value"]))
    means = {
        pair: sum(Fraction(sum(of), len(of)) for of in turns.values()) / len(turns)
        for pair, turns in values.items()
    }

    pairs = [
        row
        for row in table(written_folder, "pairs")
        if row["measure"] == "preference" and row["difference"]
    ]

    assert len(pairs) == 3
    for row in pairs:
        assert isclose(means[row["one"], row["other"]], float(row["difference"]))


def test_an_answer_of_several_runs_has_a_row_for_each_with_the_same_submission(rated):
    rows = list(rating_rows(comparison_queries.rows([rated])))

    shared = [row for row in rows if row.turn_id == "3_1" and row.run in ("alder", "cedar")]
    per_submission = Counter((row.submission, row.answer_id, row.measure) for row in shared)
    assert set(per_submission.values()) == {2}
    assert len(per_submission) == 3 * 2


def test_a_row_has_its_conversation_and_whether_the_question_is_answerable(rated):
    rows = list(rating_rows(comparison_queries.rows([rated])))

    found = {(row.turn_id, row.conversation, row.is_answerable) for row in rows}
    assert found == {("1_1", "1", True), ("2_1", "2", True), ("3_1", "3", False)}


def test_the_side_of_the_first_run_is_that_on_the_screen(preferred):
    source = comparison_queries.rows([preferred])
    position = {
        (f"{row.assignment_id} {row.submitted_at}", row.answer_id): row.position
        for row in source.judgements
    }

    rows = list(preference_rows(source))

    assert len({row.one_is_left for row in rows}) == 2
    for row in rows:
        assert (position[row.submission, row.answer_id_of_one] == 1) == row.one_is_left


def test_the_order_of_the_judgements_is_of_no_matter(rated, preferred):
    source = comparison_queries.rows([rated, preferred])
    before = list(rating_rows(source)), list(preference_rows(source))

    source.judgements.reverse()

    assert (list(rating_rows(source)), list(preference_rows(source))) == before
    assert all(before)
