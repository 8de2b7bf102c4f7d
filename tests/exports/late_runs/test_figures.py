"""The figures of a late run: coverage, bounds of its accepted share, and the estimate after a top-up."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from exports.late_runs.figures import NO_TOP_UP, NOTHING_ASKED, JudgedAnswer, run_figures
from sampling.pools.late_answers import TOPPED_UP, Standing

ROUNDING = 1e-12


def answer(number, standing, is_accepted=None, **changes):
    is_asked = standing != Standing.TURN_NOT_ASKED
    return JudgedAnswer(
        f"{number}_1", standing, **{"is_asked": is_asked, "is_accepted": is_accepted} | changes
    )


ANSWERS = [
    answer(1, Standing.EXACT, True),
    answer(2, Standing.EXACT, False),
    answer(3, Standing.EXACT),
    answer(4, Standing.REFERENCE, True),
    answer(5, Standing.SAME_BAG),
    answer(6, Standing.NEW),
    answer(7, Standing.NEAR),
    answer(8, Standing.EMPTY),
    answer(9, Standing.TURN_NOT_ASKED),
    answer(10, Standing.REFERENCE, True, is_asked=False),
]


def test_coverage_and_bounds_are_over_answers_with_text_on_asked_turns():
    found = run_figures(ANSWERS)

    assert found["n_asked"] == 7
    assert found["coverage"] == 3 / 7
    assert (found["lower"], found["upper"]) == (2 / 7, 6 / 7)
    assert (found["n_accepted"], found["n_rejected"], found["n_open"]) == (2, 1, 4)
    assert found["standings"]["reference"] == 2


def test_before_a_top_up_there_are_bounds_and_no_estimate():
    found = run_figures(ANSWERS)

    assert (found["estimate"]["value"], found["estimate"]["reason"]) == (None, NO_TOP_UP)


def test_until_a_top_up_is_settled_there_is_no_estimate_and_how_many_answers_are_is_said():
    asked = [
        replace(ANSWERS[4], topped_up_by="pool + late"),
        replace(ANSWERS[5], is_accepted=True, topped_up_by="pool + late", is_settled=True),
    ]

    found = run_figures([*ANSWERS[:4], *asked, *ANSWERS[6:]])

    assert found["estimate"]["value"] is None
    assert found["estimate"]["reason"] == "the top-up is not settled yet: 1 of 2 answers are"
    assert (found["n_topped_up"], found["n_topped_up_settled"]) == (2, 1)


def test_an_answer_of_a_top_up_that_was_set_aside_is_settled_and_stays_open():
    asked = [
        replace(ANSWERS[4], topped_up_by="pool + late", is_settled=True),
        replace(ANSWERS[5], is_accepted=True, topped_up_by="pool + late", is_settled=True),
    ]

    found = run_figures([*ANSWERS[:4], *asked, *ANSWERS[6:]])

    assert found["estimate"]["value"] == 3 / 4
    assert found["n_open"] == 3


def test_after_a_top_up_the_settled_answers_give_the_estimate():
    judged = replace(ANSWERS[5], is_accepted=True, topped_up_by="pool + late", is_settled=True)

    found = run_figures([*ANSWERS[:5], judged, *ANSWERS[6:]])

    assert found["estimate"]["value"] == 3 / 4
    assert found["estimate"]["interval"]["low"] < 3 / 4 < found["estimate"]["interval"]["high"]
    assert (found["lower"], found["upper"]) == (3 / 7, 6 / 7)
    assert (found["top_ups"], found["n_topped_up"]) == (["pool + late"], 1)


def test_a_run_with_nothing_on_asked_turns_has_no_share():
    found = run_figures(ANSWERS[7:])

    assert (found["coverage"], found["lower"], found["upper"]) == (None, None, None)
    assert found["reason"] == NOTHING_ASKED


VERDICTS = st.sampled_from([True, False, None])


@st.composite
def late_runs(draw):
    """Answers with the verdicts that they have before a top-up, and those of a top-up by number."""
    before, of_top_up = [], {}
    for number, standing in enumerate(draw(st.lists(st.sampled_from(list(Standing)), max_size=12))):
        if standing == Standing.REFERENCE:
            before.append(answer(number, standing, True))
        elif standing == Standing.EXACT:
            before.append(answer(number, standing, draw(VERDICTS)))
        else:
            before.append(answer(number, standing))
            if standing in TOPPED_UP and draw(st.booleans()):
                of_top_up[number] = draw(VERDICTS)
    return before, of_top_up


@given(late_runs())
def test_the_estimate_after_a_top_up_lies_between_the_bounds_before_it(late):
    before, of_top_up = late
    after = [
        replace(each, is_accepted=of_top_up[number], topped_up_by="top-up", is_settled=True)
        if number in of_top_up
        else each
        for number, each in enumerate(before)
    ]

    first, second = run_figures(before), run_figures(after)

    if second["estimate"]["value"] is not None:
        assert first["lower"] - ROUNDING <= second["estimate"]["value"] <= first["upper"] + ROUNDING
    if second["n_asked"]:
        assert first["lower"] <= second["lower"] <= second["upper"] <= first["upper"]
