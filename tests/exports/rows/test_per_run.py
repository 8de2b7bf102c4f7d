from dataclasses import fields

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exports.rows.columns import RunRow
from exports.rows.per_run import (
    FAITHFULNESS_COLUMNS,
    FATES_NOT_DRAWN,
    OWN_EVIDENCE_COLUMNS,
    PLAUSIBILITY_OUTCOMES,
    run_rows,
)
from sampling.pools.selection import State
from tests.exports.rows_for_tests import answer, study

RATES = [f"{name}_rate{end}" for name in ("plausible", "faithful") for end in ("", "_low", "_high")]


def drawn_answer(plausibility, faithfulness="", **changes):
    return answer(plausibility=plausibility, faithfulness=faithfulness, **changes)


def rates(row):
    return [getattr(row, name) for name in RATES]


@st.composite
def answers(draw):
    kind = draw(st.sampled_from(["drawn", *FATES_NOT_DRAWN]))
    run = draw(st.sampled_from(["r1", "r2"]))
    if kind != "drawn":
        return answer(run=run, sampled=kind)
    plausibility = draw(st.sampled_from(PLAUSIBILITY_OUTCOMES))
    faithfulness = draw(st.sampled_from(sorted(FAITHFULNESS_COLUMNS)))
    own = draw(st.sampled_from(sorted(OWN_EVIDENCE_COLUMNS)))
    return drawn_answer(
        plausibility,
        faithfulness if plausibility == "plausible" else "",
        run=run,
        first_credit=draw(st.booleans()),
        own_evidence=own if faithfulness == "faithful" else "",
    )


def test_the_study_worked_by_hand():
    """Runs as in rows_for_tests.study; b and r1 gave GNU, and b, first by name, is credited."""
    rows = {row.run: row for row in run_rows(study()["answers"])}

    assert list(rows) == ["r1", "r2", "r3", "b"]
    r1 = rows["r1"]
    assert (r1.n_answers, r1.below_threshold, r1.drawn) == (4, 1, 3)
    assert (r1.plausible, r1.implausible, r1.faithful, r1.unfaithful) == (2, 1, 1, 1)
    assert (r1.gold, r1.first_gold, r1.first_plausible, r1.first_unfaithful) == (1, 1, 1, 0)
    assert rates(r1) == [2 / 3, 2 / 3, 2 / 3, 1 / 2, 1 / 2, 1 / 2]
    r2 = rows["r2"]
    assert (r2.disputed, r2.represented, r2.gold, r2.first_gold, r2.first_drawn) == (1, 1, 1, 0, 1)
    assert rates(r2) == [1.0, 1 / 2, 1.0, 1.0, 1.0, 1.0]
    r3 = rows["r3"]
    assert (r3.excluded, r3.empty, r3.no_evidence, r3.silver, r3.first_silver) == (1, 1, 1, 1, 1)
    assert rates(r3) == [1.0, 1 / 2, 1.0, None, 0.0, 1.0]
    b = rows["b"]
    assert (b.same_as_question, b.not_asked, b.silver, b.first_unfaithful) == (1, 1, 1, 1)


def test_an_unjudged_answer_widens_the_bounds_and_leaves_the_rate():
    given_answers = [drawn_answer("plausible", "not_asked")] * 3 + [drawn_answer("implausible")]

    [judged] = run_rows(given_answers)
    [with_unjudged] = run_rows([*given_answers, *[drawn_answer("unjudged")] * 2])

    assert rates(judged)[:3] == [3 / 4, 3 / 4, 3 / 4]
    assert rates(with_unjudged)[:3] == [3 / 4, 3 / 6, 5 / 6]


def test_each_count_stands_in_the_column_of_its_name():
    for state in FATES_NOT_DRAWN:
        assert getattr(run_rows([answer(sampled=state)])[0], state) == 1
    for ending in PLAUSIBILITY_OUTCOMES:
        assert getattr(run_rows([drawn_answer(ending, "not_asked")])[0], ending) == 1
    for ending, column in FAITHFULNESS_COLUMNS.items():
        assert getattr(run_rows([drawn_answer("plausible", ending)])[0], column) == 1
    for own, column in OWN_EVIDENCE_COLUMNS.items():
        row = drawn_answer("plausible", "faithful", own_evidence=own)
        assert getattr(run_rows([row])[0], column) == 1


def test_every_state_of_the_sampling_has_a_column():
    # What stands was drawn in an earlier version, and is counted so.
    states = {str(state) for state in State if state is not State.STANDS}
    assert states | {"not_in_pool"} == {"drawn", *FATES_NOT_DRAWN}


@given(st.lists(answers(), max_size=12))
def test_the_columns_of_each_partition_add_up(rows):
    for row in run_rows(rows):
        assert row.n_answers == sum(
            getattr(row, column) for column in (*FATES_NOT_DRAWN, *PLAUSIBILITY_OUTCOMES)
        )
        assert row.drawn == sum(getattr(row, column) for column in PLAUSIBILITY_OUTCOMES)
        assert row.plausible == sum(getattr(row, c) for c in FAITHFULNESS_COLUMNS.values())
        assert row.faithful == sum(getattr(row, column) for column in OWN_EVIDENCE_COLUMNS.values())
        assert row.first_drawn <= row.drawn
        assert row.first_plausible <= row.plausible


@given(st.lists(answers(), max_size=12))
def test_rates_lie_within_their_bounds_and_are_none_exactly_without_a_denominator(rows):
    for row in run_rows(rows):
        assert (row.plausible_rate is None) == (
            row.plausible + row.implausible + row.malformed == 0
        )
        assert (row.faithful_rate is None) == (row.faithful + row.unfaithful + row.irrelevant == 0)
        assert (row.plausible_rate_low is None) == (row.drawn == 0)
        assert (row.faithful_rate_high is None) == (row.plausible == 0)
        for value, low, high in (rates(row)[:3], rates(row)[3:]):
            if low is not None:
                assert 0 <= low <= high <= 1
            if value is not None:
                assert low <= value <= high


def test_systems_come_before_baselines_and_names_go_by_code_point():
    names = [
        ("b", "system"),
        ("Z", "system"),
        ("é", "system"),
        ("a", "baseline"),
        ("0", "baseline"),
    ]

    rows = run_rows([answer(run=run, kind=kind) for run, kind in names])

    assert [row.run for row in rows] == ["Z", "b", "é", "0", "a"]


def test_the_order_of_answers_changes_nothing():
    rows = study()["answers"]

    assert run_rows(rows[::-1]) == run_rows(rows)


def test_without_answers_there_is_no_run():
    assert run_rows([]) == []


def test_a_run_that_nothing_was_drawn_from_has_no_rate():
    [row] = run_rows([answer(sampled="empty"), answer(turn="1_2", sampled="not_in_pool")])

    assert (row.n_answers, row.empty, row.not_in_pool, row.drawn) == (2, 1, 1, 0)
    assert rates(row) == [None] * 6


def test_an_answer_that_was_not_drawn_gets_no_verdict():
    [row] = run_rows([answer(sampled="represented", plausibility="plausible", tier="gold")])

    assert (row.represented, row.plausible, row.gold) == (1, 0, 0)


@pytest.mark.parametrize(
    "row",
    [
        answer(run="x", sampled="lost"),
        answer(run="x", plausibility=""),
        answer(run="x", plausibility="no_evidence"),
        answer(run="x", plausibility="plausible", faithfulness=""),
        answer(run="x", plausibility="plausible", faithfulness="faithful", own_evidence=""),
    ],
)
def test_an_answer_that_falls_into_no_column_is_refused(row):
    with pytest.raises(ValueError, match=r"run 'x', turn '1_1': .* is no known ending"):
        run_rows([row])


def test_columns_are_the_fields_in_the_documented_order():
    names = [field.name for field in fields(RunRow)]

    assert names[:6] == ["run", "kind", "team", "system", "setup", "n_answers"]
    assert names[6:25] == [*FATES_NOT_DRAWN, *PLAUSIBILITY_OUTCOMES]
    assert names[26:36] == list(FAITHFULNESS_COLUMNS.values())
    assert names[-6:] == RATES
