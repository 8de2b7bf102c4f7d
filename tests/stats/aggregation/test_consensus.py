import pytest
from hypothesis import given
from hypothesis import strategies as st

from stats.aggregation.consensus import (
    DISAGREEMENT,
    LEVEL,
    RULES,
    TOO_FEW,
    UNCERTAIN,
    Outcome,
    majority,
    posterior,
    unanimous,
)
from stats.aggregation.posteriors import CONFUSIONS, ONE_COIN, posteriors
from tests.cases import all_cases

labels = st.lists(st.sampled_from(["plausible", "implausible", "malformed"]), max_size=7)


@all_cases(
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


@all_cases(
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


# By posterior

SCHEME = ("implausible", "malformed", "plausible")
PEOPLE = ("ann", "bob", "cat", "dan", "eve")


@st.composite
def batches(draw):
    """Items by number, each judged by up to four of five people."""
    sizes = draw(st.lists(st.integers(0, 4), min_size=1, max_size=12))
    return {
        item: {
            person: draw(st.sampled_from(SCHEME)) for person in draw(st.permutations(PEOPLE))[:size]
        }
        for item, size in enumerate(sizes)
    }


def likely(outcome):
    return dict(outcome.posterior)[outcome.label]


@given(batches())
def test_by_posterior_two_that_differ_are_never_settled(votes):
    outcomes = posterior(votes, labels=SCHEME)

    for item, said in votes.items():
        if len(said) == 2 and len(set(said.values())) == 2:
            assert (outcomes[item].label, outcomes[item].reason) == (None, DISAGREEMENT)


def test_by_posterior_two_that_differ_are_not_settled_though_the_prevalence_would():
    """Nine in ten are plausible and both are nearly always right: it is .95 likely, and yet in dispute."""
    votes = {n: {"ann": "plausible", "bob": "plausible"} for n in range(300)}
    votes |= {n: {"ann": "implausible", "bob": "implausible"} for n in range(300, 304)}
    votes[304] = {"ann": "plausible", "bob": "implausible"}

    outcome = posterior(votes, labels=SCHEME)[304]

    assert max(probability for _, probability in outcome.posterior) > LEVEL
    assert (outcome.label, outcome.reason) == (None, DISAGREEMENT)


@given(batches())
def test_by_posterior_what_is_settled_was_said_and_is_likely_enough(votes):
    for item, outcome in posterior(votes, labels=SCHEME).items():
        n = len(votes[item])
        assert outcome.votes == majority(votes[item].values()).votes
        assert bool(outcome.posterior) == (n >= 2)
        assert (outcome.reason == TOO_FEW) == (n < 2)
        if outcome.label is not None:
            assert outcome.label in votes[item].values()
            assert likely(outcome) == max(p for _, p in outcome.posterior) >= LEVEL


def test_by_posterior_probabilities_are_of_all_labels_of_the_scheme_and_add_up():
    outcome = posterior({1: dict.fromkeys(PEOPLE[:3], "plausible")}, labels=SCHEME)[1]

    assert [label for label, _ in outcome.posterior] == list(SCHEME)
    assert sum(p for _, p in outcome.posterior) == pytest.approx(1, abs=3e-6)


def sloppy_cat():
    """Ann, bob and dan are right; cat says malformed of every other plausible item."""
    votes = {n: {"ann": "plausible", "bob": "plausible", "dan": "plausible"} for n in range(60)}
    for n in range(0, 60, 2):
        votes[n]["cat"] = "malformed" if n % 4 else "plausible"
    votes |= {n: dict.fromkeys(PEOPLE[:4], "malformed") for n in range(60, 70)}
    return votes


def test_by_posterior_who_errs_often_has_little_say():
    votes = sloppy_cat() | {
        "against bob": {"ann": "plausible", "bob": "malformed", "dan": "plausible"},
        "against cat": {"ann": "plausible", "cat": "malformed", "dan": "plausible"},
    }

    outcomes = posterior(votes, labels=SCHEME)

    assert outcomes["against cat"].label == "plausible"
    assert dict(outcomes["against cat"].posterior)["plausible"] > 0.999
    assert (
        dict(outcomes["against bob"].posterior)["plausible"]
        < dict(outcomes["against cat"].posterior)["plausible"]
    )


def test_by_posterior_two_who_agree_are_in_dispute_where_they_err_too_often():
    """The two say plausible whatever the others say."""
    votes = {n: {"ann": label, "bob": label} for n, label in enumerate(SCHEME * 20)}
    votes |= {
        n: {"ann": SCHEME[n % 3], "cat": "plausible", "dan": "plausible", "bob": SCHEME[n % 3]}
        for n in range(100, 160)
    }
    votes["both"] = {"cat": "plausible", "dan": "plausible"}

    outcome = posterior(votes, labels=SCHEME)["both"]

    assert (outcome.label, outcome.reason) == (None, UNCERTAIN)


def test_by_posterior_how_many_judged_an_item_chooses_the_model():
    votes = {1: {"ann": "a", "bob": "a"}, 2: {"ann": "a", "bob": "a", "cat": "a"}, 3: {"ann": "a"}}

    found = posteriors(votes)

    assert {item: each.model for item, each in found.items()} == {1: ONE_COIN, 2: CONFUSIONS}


@given(batches(), st.randoms(use_true_random=False))
def test_by_posterior_the_order_changes_not_even_the_last_digit(votes, random):
    turned = {
        item: dict(random.sample(sorted(votes[item].items()), len(votes[item])))
        for item in random.sample(sorted(votes), len(votes))
    }

    assert posterior(turned, labels=SCHEME[::-1]) == posterior(votes, labels=SCHEME)


def test_by_posterior_of_nothing_nothing_is_settled():
    assert posterior({}) == {}
    assert posterior({1: {}})[1] == Outcome(label=None, votes=(), reason=TOO_FEW)
