"""A pilot's components are those of its judgements, and a batch gives the defaults of its plan."""

import pytest

from annotation.models import Batch
from exports.planning import queries
from exports.planning.measures import MEASURES
from exports.planning.pilot_values import MOST_PAIRS, tables
from exports.planning.queries import defaults_of, pilot, pilots
from exports.rows.judgements import judgement_rows
from stats.variance_components import FEW_PEOPLE, Components
from tests.annotation.pools import launched
from tests.exports import compared_runs

pytestmark = pytest.mark.django_db


def test_the_components_of_ratings_are_those_of_paper(rated):
    """F+A of alder is 4, 8/3, 8/5 and 8/3, 4, 3 (stats.ratings), of the others constant: so two of
    three differences have alder's components, and the third 0. Of alder the mean square is
    .327 between questions, .712 between people and 1.2156 of the rest, so all but the rest
    are estimated below 0: (.327 - 1.216) / 3, (.712 - 1.216) / 2.
    """
    found = pilot(rated, MEASURES["both"])

    rest = 2 / 3 * 1.21556
    assert found.difference.components is not None
    assert found.difference.components.rest == pytest.approx(rest, abs=1e-4)
    assert found.difference.components.people == 0
    assert (found.difference.n_questions, found.difference.n_people) == (2, 3)
    assert (found.difference.n_tables, found.n_judgements, found.n_counted) == (3, 9, 9)


def test_of_many_judgements_those_of_whole_questions_are_taken(rated, monkeypatch):
    monkeypatch.setattr(queries, "MOST_JUDGEMENTS", 4)

    found = pilot(rated, MEASURES["both"])

    # Each question has three.
    assert (found.n_judgements, found.n_counted) == (6, 9)


def test_judgements_asked_for_because_of_a_dispute_are_not_counted(rated):
    Batch.objects.filter(pk=rated.pk).update(judgements_per_item=2)

    found = pilot(Batch.objects.get(pk=rated.pk), MEASURES["both"])

    assert (found.n_judgements, found.n_counted) == (6, 6)


def test_unanswerable_questions_do_not_count_for_ratings(rated):
    of_pairs, of_runs = tables(MEASURES["faithful"], judgement_rows([rated]), {"3_1"})

    questions = {value.question for table in (*of_pairs, *of_runs) for value in table}
    assert len(questions) == 2


def test_a_preference_is_worth_1_against_the_other_and_1_for_the_win(preferred):
    """Of the worked example, A against B on the questions 1 and 2: A, A, tie and A, B, B."""
    of_pairs, of_runs = tables(MEASURES["preference"], judgement_rows([preferred]), set())

    by_question = [
        sorted(value.value for value in of_pairs[0] if value.question == question)
        for question in sorted({value.question for value in of_pairs[0]})
    ]
    assert by_question == [[0, 1, 1], [-1, -1, 1]]
    assert (len(of_pairs), len(of_runs)) == (3, 3)
    # 3 people, 2 questions, 2 comparisons of each run.
    assert {len(table) for table in of_runs} == {12}
    assert sum(value.value for value in of_runs[0]) == 8  # of alder


def test_too_few_people_have_no_components(plausibility):
    found = pilot(plausibility, MEASURES["plausible"])

    assert (found.difference.components, found.difference.reason) == (None, FEW_PEOPLE)
    assert (found.one_run.components, found.one_run.reason) == (None, FEW_PEOPLE)


def test_votes_that_never_differ_have_no_variance(pool, annotators):
    batch = compared_runs.judge_batch(
        launched(pool, judgements_per_item=3, prefetch_depth=20),
        annotators,
        lambda assignment, number: {"plausibility": "plausible"},
    )

    found = pilot(batch, MEASURES["plausible"])

    assert found.difference.components in (None, Components(0, 0, 0))
    assert found.n_judgements == 9


def test_of_many_runs_some_pairs_are_taken(rated):
    rows = judgement_rows([rated])
    many = [
        type(row)(**{name: getattr(row, name) for name in row.__slots__} | {"runs": runs})
        for row in rows
        if row.counted
        for runs in ["|".join(f"run {n:02}" for n in range(30))]
    ]

    of_pairs, of_runs = tables(MEASURES["both"], many, set())

    assert len(of_runs) == 30
    assert 50 < len(of_pairs) <= MOST_PAIRS


def test_only_batches_with_counted_judgements_of_a_planned_scheme_are_pilots(study, rated, gold):
    compared_runs.open_batch(gold, "preference")

    assert list(pilots(study)) == [rated]


def test_a_batch_gives_its_numbers(rated):
    assert defaults_of(rated) == {
        "measure": "both",
        "questions": 3,
        "people": 3,
        "per_question": 3,
        "runs": 3,
        "items": 1,
    }


def test_a_batch_of_another_scheme_gives_none(faithfulness):
    assert defaults_of(faithfulness) == {}
