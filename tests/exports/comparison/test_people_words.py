"""Sentences about the people that figures and tests of a comparison are for."""

from exports.comparison import people_words


def judged(share, n_annotators=3, value=1.0):
    interval = {"low": None if share is None else 0, "high": None, "reason": None}
    return {
        "value": value,
        "people_interval": interval,
        "share_of_people": share,
        "n_annotators": n_annotators,
    }


def significance(share, p_of="like them", n_annotators=3):
    interval = {"reason": "all questions have the same mean"}
    return {
        "p": 0.5,
        "p_of": p_of,
        "n_annotators": n_annotators,
        "people_interval": interval,
        "share_of_people": share,
    }


def test_the_variance_that_people_make_is_said_from_the_least_to_the_most():
    figures = {"F+A": [judged(0.52), judged(0.08), judged(1.0)], "the win rate": [judged(0.2)]}

    assert people_words.of_figures(figures) == (
        "Of the variance of these figures people make 8 to 100 % of F+A, 20 % of the win rate."
    )
    assert people_words.of_pairs([significance(0.3), significance(0.41)]) == (
        "People make 30 to 41 % of the variance of these differences."
    )


def test_below_three_people_figures_and_tests_are_said_to_be_for_these_people():
    words = "fewer than three judged, so nothing is known of other people."

    assert people_words.of_figures({"F+A": [judged(None, 2)]}).endswith(
        f"for these people: {words}"
    )
    assert people_words.of_pairs([significance(None, "these", n_annotators=2)]) == (
        f"For these people: {words}"
    )


def test_of_figures_that_are_undefined_nothing_is_said_of_people():
    assert people_words.of_figures({"F+A": [judged(None, 0, value=None)]}) == ""


def test_of_three_people_who_all_found_the_same_difference_the_reason_is_said():
    assert people_words.of_pairs([significance(None, "these")]) == (
        "For these people: of other people nothing can be said (all questions have the same mean)."
    )


def test_where_some_pair_is_about_other_people_too_nothing_is_said_of_few():
    found = people_words.of_pairs([significance(None, "these", n_annotators=2), significance(0.25)])

    assert found == "People make 25 % of the variance of these differences."
