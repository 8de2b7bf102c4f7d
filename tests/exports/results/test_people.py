"""Rates of runs and their differences for people like those who judged."""

from dataclasses import asdict, replace

import pytest

from exports.results.people import PeopleOfRuns, run_votes
from exports.results.rates import rate_pairs, rates
from exports.templatetags.estimates import pair_interval_lines, rate_interval_lines
from stats.bootstrap_settings import Bootstrap
from stats.variance_components import FEW_PEOPLE
from tests.exports.rows_for_tests import answer, item, judged, judgement, study

BOOTSTRAP = Bootstrap(1000, 0)
N = 40


def of_study(measure, answers, judgements):
    people = PeopleOfRuns.of(answers, measure, run_votes(answers, judgements))
    found = people.rates(rates(answers, measure, BOOTSTRAP))
    return (
        {rate.run: rate for rate in found},
        people.pairs(rate_pairs(answers, measure, BOOTSTRAP)),
    )


def votes_of(run, answers, judgements):
    """How many votes on plausibility accept the run's answers, and how many there are."""
    found = run_votes(answers, judgements)
    key = (run, "plausibility")
    return int(found.accepted[key].sum()), int(found.counts[key].sum())


def large_study(*, n_known=N):
    """Two runs on `N` questions and three people, of whom c finds most of r2 implausible; all but r2's
    last are settled. Of the plausible answers the faithfulness of the first `n_known` questions is known.
    """
    answers, judgements = [], []
    for run, text in (("r1", "Lions."), ("r2", "Cats.")):
        for number in range(N):
            turn = f"{number}_1"
            asked = item(text, turn=turn)
            grounded = item(text, turn=turn, scheme="faithfulness")
            severe = "implausible" if run == "r2" and number % 4 else "plausible"
            judgements += judged(asked, "plausible", "plausible", severe)
            is_known = number < n_known
            judgements += judged(grounded, *["faithful"] * 3) if is_known else []
            outcome = {"faithfulness": "faithful", "tier": "gold"} if is_known else {}
            unknown = {"faithfulness": "not_asked", "tier": "silver"}
            accepted = {"plausibility": "plausible", **(outcome or unknown)}
            rejected = {"plausibility": "implausible"}
            is_rejected = run == "r2" and number % 4 == 1
            answers.append(
                answer(text, turn=turn, run=run, **(rejected if is_rejected else accepted))
            )
    return answers, judgements


def test_a_text_of_several_runs_has_its_votes_in_each():
    rows = study()

    assert votes_of("r2", rows["answers"], rows["judgements"]) == (3, 4)  # LION, EMU
    assert votes_of("r1", rows["answers"], rows["judgements"]) == (4, 6)  # LION, DEER, GNU


def test_votes_on_excluded_items_and_those_that_do_not_count_are_left_out():
    rows = study()

    assert votes_of("r3", rows["answers"], rows["judgements"]) == (1, 2)  # CAT, not FISH


def test_an_answer_that_was_not_drawn_has_no_votes():
    lion = item()
    represented = answer(sampled="represented", answer_id=lion.answer_id)

    assert not run_votes([represented], judged(lion, "plausible")).counts


def test_control_items_have_no_votes():
    control = item(is_control=True)

    assert not run_votes([answer()], [judgement(control, "w1", "plausible")]).counts


@pytest.mark.parametrize("measure", ["plausible", "faithful", "gold"])
def test_two_people_are_too_few_to_speak_of_others(measure):
    rows = study()

    found, pairs = of_study(measure, rows["answers"], rows["judgements"])

    known = [rate for rate in found.values() if rate.interval.low is not None]
    assert {rate.people_interval.reason for rate in known} == {FEW_PEOPLE}
    assert {pair.p_of for pair in pairs} == {"these"}


def test_a_run_on_which_people_differ_has_the_wider_interval():
    found, _ = of_study("plausible", *large_study())

    r1, r2 = found["r1"], found["r2"]
    assert (r1.n_annotators, r1.share_of_people) == (3, 0)
    assert r2.share_of_people > 0.5
    assert r2.people_interval.low < r2.interval.low
    assert r2.people_interval.high > r2.interval.high


def test_a_difference_that_one_person_sees_is_not_significant_for_others():
    _, (pair,) = of_study("plausible", *large_study())

    assert pair.p_these_people < 0.05 < pair.p == pair.p_people
    assert not pair.is_told_apart


def test_gold_counts_the_votes_of_both_steps():
    found, (pair,) = of_study("gold", *large_study())

    assert found["r2"].share_of_people > 0.5
    assert pair.p_of == "like them"


def test_gold_whose_faithfulness_is_open_has_an_interval_and_no_test():
    found, (pair,) = of_study("gold", *large_study(n_known=20))

    for figure, value in ((found["r2"], found["r2"].value), (pair, pair.difference)):
        assert figure.people_interval.low < value < figure.people_interval.high
        assert figure.people_interval.low < figure.interval.low
    assert pair.p is None


def test_a_rate_without_an_interval_says_why_there_is_none_for_others_either():
    answers = [replace(row, turn_id="1_" + row.turn_id[:-2]) for row in large_study()[0]]

    found, pairs = of_study("plausible", answers, [])

    assert found["r1"].people_interval == found["r1"].interval
    assert pairs[0].people_interval.reason == pairs[0].interval.reason


def test_beside_the_interval_for_other_people_stands_what_people_make_of_its_variance():
    found, (pair,) = of_study("plausible", *large_study())

    share = f"{100 * found['r2'].share_of_people:.0f} %"
    lines = rate_interval_lines(found["r2"].to_dict())
    assert lines[1] == f"due to people: {share}"
    assert lines[2].startswith("these people: ")
    assert rate_interval_lines(found["r1"].to_dict())[1] == "due to people: 0 %"
    of_pair = f"{100 * pair.share_of_people:.0f} %"
    assert pair_interval_lines(asdict(pair))[1] == f"due to people: {of_pair}"


def test_without_an_interval_for_other_people_nothing_is_said_of_what_they_make():
    rows = study()

    found, pairs = of_study("plausible", rows["answers"], rows["judgements"])

    lines = [line for rate in found.values() for line in rate_interval_lines(rate.to_dict())]
    lines += [line for pair in pairs for line in pair_interval_lines(asdict(pair))]
    assert not any("due to" in line for line in lines)
