import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.consensus import DISAGREEMENT, RULES, TOO_FEW, Outcome, majority, unanimous

labels = st.lists(st.sampled_from(["plausible", "implausible", "malformed"]), max_size=7)


@pytest.mark.parametrize(
    ("judged", "label", "reason"),
    [
        ("", None, TOO_FEW),
        ("a", None, TOO_FEW),
        ("aa", "a", None),
        ("aaa", "a", None),
        ("ab", None, DISAGREEMENT),
        ("aaaaab", None, DISAGREEMENT),
    ],
)
def test_unanimous_needs_two_judgements_that_all_say_the_same(judged, label, reason):
    outcome = unanimous(judged)

    assert (outcome.label, outcome.reason) == (label, reason)


@pytest.mark.parametrize(
    ("judged", "label", "reason"),
    [
        ("", None, TOO_FEW),
        ("a", None, TOO_FEW),
        ("aa", "a", None),
        ("aab", "a", None),
        ("ab", None, DISAGREEMENT),
        ("aabb", None, DISAGREEMENT),
        ("aabc", None, DISAGREEMENT),
        ("abc", None, DISAGREEMENT),
        ("aaabc", "a", None),
    ],
)
def test_majority_needs_more_than_half_of_at_least_two(judged, label, reason):
    outcome = majority(judged)

    assert (outcome.label, outcome.reason) == (label, reason)


def test_votes_are_sorted_by_code_point_and_kept_without_a_label():
    assert majority(["é", "b", "a", "b"]).votes == (("a", 1), ("b", 2), ("é", 1))
    assert unanimous(["b"]) == Outcome(label=None, votes=(("b", 1),), reason=TOO_FEW)


@pytest.mark.parametrize("decide", [unanimous, majority])
@given(judged=labels, random=st.randoms(use_true_random=False))
def test_the_order_of_judgements_changes_nothing(decide, judged, random):
    shuffled = random.sample(judged, len(judged))

    assert decide(shuffled) == decide(judged)


@given(labels)
def test_what_is_unanimous_is_the_majority_too(judged):
    if unanimous(judged).label is not None:
        assert majority(judged) == unanimous(judged)


@pytest.mark.parametrize("decide", [unanimous, majority])
@given(judged=labels)
def test_an_outcome_has_a_label_or_a_reason_and_all_votes(decide, judged):
    outcome = decide(judged)

    assert (outcome.label is None) == (outcome.reason is not None)
    assert sum(n for _, n in outcome.votes) == len(judged)
    assert outcome.label is None or outcome.label in judged


@given(labels, st.sampled_from(["plausible", "implausible", "malformed"]))
def test_one_more_vote_for_the_majority_keeps_it(judged, label):
    if majority(judged).label == label:
        assert majority([*judged, label]).label == label


@pytest.mark.parametrize("name", RULES)
def test_every_rule_gives_every_item_an_outcome(name):
    votes = {
        1: {"bob": "plausible", "dan": "plausible"},
        2: {"bob": "plausible", "dan": "malformed"},
        3: {"dan": "plausible"},
        4: {},
    }

    outcomes = RULES[name](votes)

    assert {item: (o.label, o.reason) for item, o in outcomes.items()} == {
        1: ("plausible", None),
        2: (None, DISAGREEMENT),
        3: (None, TOO_FEW),
        4: (None, TOO_FEW),
    }


@pytest.mark.parametrize("name", RULES)
def test_the_order_of_items_and_annotators_changes_nothing(name):
    votes = {
        1: {"bob": "a", "dan": "b", "eve": "a"},
        2: {"bob": "b", "dan": "b", "eve": "b"},
    }
    turned = {item: dict(reversed(by.items())) for item, by in reversed(votes.items())}

    assert RULES[name](turned) == RULES[name](votes)
