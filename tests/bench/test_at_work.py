"""People of known kinds at work, and what is counted of those who are found."""

from collections import Counter, defaultdict
from statistics import median

import numpy as np
import pytest

from bench import at_work, spammers
from bench.at_work import DRIFTS, HONEST, SAYS_ANY, SAYS_ONE, SAYS_USUAL, TOO_FAST
from bench.spammers import Person, Ratio


def entries(kinds, *, n_each=100, each=3, seed=0):
    return at_work.at_work(np.random.default_rng(seed), kinds, n_each=n_each, each=each)


def labels_of(kind, *, n_each=3_000):
    said = entries([kind, HONEST, HONEST], n_each=n_each)
    return [each.label for each in said if each.worker == "p0000"]


def test_every_item_goes_to_as_many_different_people_and_each_judges_as_many():
    said = entries([HONEST] * 12, each=2)

    judges = defaultdict(set)
    for each in said:
        judges[each.item].add(each.worker)
    assert {len(of) for of in judges.values()} == {2}
    assert set(Counter(each.worker for each in said).values()) == {100}
    assert len(judges) == 600
    assert len({each.turn for each in said}) == 150


def test_two_people_do_not_always_meet_each_other():
    said = entries([HONEST] * 12, each=2)

    judges = defaultdict(set)
    for each in said:
        judges[each.item].add(each.worker)
    partners = {who for of in judges.values() if "p0000" in of for who in of}
    assert len(partners) > 8


def test_too_few_people_for_an_item_are_refused():
    with pytest.raises(ValueError, match="2 people cannot give 3"):
        entries([HONEST, HONEST])


@pytest.mark.parametrize(
    ("kind", "plausible"),
    [(SAYS_ONE, 1.0), (SAYS_USUAL, 0.9), (SAYS_ANY, 1 / 3), (HONEST, 0.835), (TOO_FAST, 0.645)],
)
def test_each_kind_says_plausible_as_often_as_it_should(kind, plausible):
    # .9 a + .1 (1 - a) / 2, a how often somebody is right
    share = np.mean([label == "plausible" for label in labels_of(kind)])

    assert share == pytest.approx(plausible, abs=0.05)


def test_who_drifts_is_as_good_as_others_in_the_first_half_and_worse_in_the_second():
    labels = labels_of(DRIFTS)

    first, second = (
        np.mean([label == "plausible" for label in half])
        for half in (labels[:1_500], labels[1_500:])
    )
    assert first == pytest.approx(0.835, abs=0.05)
    assert second == pytest.approx(0.56, abs=0.05)


def test_who_is_too_fast_takes_a_fifth_of_the_time_a_word():
    said = entries([TOO_FAST] * 10 + [HONEST] * 10)

    per_word = {"fast": [], "honest": []}
    for each in said:
        kind = "fast" if each.worker < "p0010" else "honest"
        per_word[kind].append(each.active_seconds / each.n_words)
    ratio = median(per_word["fast"]) / median(per_word["honest"])
    assert ratio == pytest.approx(0.2, abs=0.06)


def test_the_same_seed_makes_the_same_work():
    assert entries([HONEST] * 5, n_each=9) == entries([HONEST] * 5, n_each=9)
    assert entries([HONEST] * 5, n_each=9) != entries([HONEST] * 5, n_each=9, seed=1)


def test_kinds_take_turns_over_crowds():
    crowds = [spammers.kinds_of(20, 0.1, turn) for turn in range(5)]

    assert all(kinds[:18] == [HONEST] * 18 for kinds in crowds)
    counts = Counter(kind for kinds in crowds for kind in kinds[18:])
    assert counts == dict.fromkeys(at_work.SPAMMERS, 2)


CROWD = [
    Person(SAYS_ONE, ("run of one label",), is_first=True),
    Person(DRIFTS, (), is_first=True),
    Person(HONEST, ("speed",), is_first=False),
    Person(HONEST, (), is_first=False),
    Person(DRIFTS, (), is_first=False),
]


def test_precision_is_of_those_with_a_reason_and_recall_of_the_spammers():
    assert spammers.precision(CROWD) == Ratio(1, 2)
    assert spammers.recall(CROWD) == Ratio(1, 3)
    assert spammers.at_the_top(CROWD) == Ratio(2, 3)
    assert spammers.of_kind(CROWD, HONEST) == Ratio(1, 2)
    assert spammers.of_kind(CROWD, DRIFTS) == Ratio(0, 2)
    assert spammers.why(CROWD, HONEST) == "speed 1"
    assert spammers.why(CROWD, DRIFTS) == "none"


def test_a_ratio_of_nothing_is_undefined_and_not_a_number():
    assert str(spammers.precision([])) == "undefined (nobody)"
    assert str(Ratio(1, 2)) == "1 of 2, 50.0 % (9.5 to 90.5)"


def test_who_always_presses_one_key_is_found_among_honest_people():
    kinds = [HONEST] * 11 + [SAYS_ONE]

    crowd = spammers.examined(kinds, each=2, seed=3)

    assert spammers.of_kind(crowd, SAYS_ONE) == Ratio(1, 1)
    assert spammers.at_the_top(crowd) == Ratio(1, 1)
