"""What is promised of clusters of answers that are the same: exports/rows/relation_clusters.py.

The golden cases were worked by hand.
"""

from itertools import pairwise
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from annotation.schemes.relation import CANNOT_SAY, SAME, SCHEME, converse
from exports.rows import relation_clusters
from exports.rows.relation_clusters import Related, breaks_transitivity, clusters
from tests.cases import all_cases

GOLDEN = {
    "two that are the same": ("ab same", "ab"),
    "two that are not": ("ab shorter", "a b"),
    "through a third": ("ab same, bc same", "abc"),
    "through a third, in another order": ("bc same, ab same", "abc"),
    "what contradicts inside stays inside": ("ab same, bc same, ac contradicts", "abc"),
    "two chains that meet": ("ab same, cd same, bd same", "abcd"),
    "two clusters and one alone": ("ab same, cd same, de other_aspect", "ab cd e"),
    "only same connects": (
        "ab shorter, bc more_detailed, cd cannot_say, de contradicts",
        "a b c d e",
    ),
    "not settled": ("ab , bc same", "a bc"),
    "nothing": ("", ""),
}


def related(text):
    """`ab same, bc same` as pairs."""
    return [
        Related(*(each.split()[0]), " ".join(each.split()[1:])) for each in text.split(",") if each
    ]


@all_cases(("pairs", "expected"), GOLDEN.values(), ids=GOLDEN)
def test_clusters_are_those_worked_by_hand(pairs, expected):
    found = clusters(related(pairs))

    assert found == {answer: cluster[0] for cluster in expected.split() for answer in cluster}


def test_a_contradiction_inside_a_cluster_is_listed_and_cannot_say_is_none():
    pairs = related(
        "ab same, bc same, ac contradicts, ad cannot_say, bd same, cd shorter, de shorter"
    )
    found = clusters(pairs)

    assert [pair for pair in pairs if breaks_transitivity(pair, found)] == related(
        "ac contradicts, cd shorter"
    )


names = st.sampled_from("abcdefgh")
every_pair = st.lists(
    st.builds(Related, names, names, st.sampled_from(["", *SCHEME.labels])).filter(
        lambda pair: pair.first != pair.second
    ),
    max_size=15,
)


@given(every_pair)
def test_clusters_are_the_finest_equivalence_relation_in_which_same_answers_are_together(pairs):
    found = clusters(pairs)
    answers = {answer for pair in pairs for answer in (pair.first, pair.second)}
    same = {(a, b) for a in answers for b in answers if a == b}
    same |= {
        two
        for pair in pairs
        if pair.label == SAME
        for two in ((pair.first, pair.second), (pair.second, pair.first))
    }
    while more := {(a, d) for a, b in same for c, d in same if b == c} - same:  # transitive closure
        same |= more

    assert found.keys() == answers
    assert {(a, b) for a in answers for b in answers if found[a] == found[b]} == same
    assert all(found[found[answer]] == found[answer] <= answer for answer in answers)


@given(every_pair, st.randoms(use_true_random=False))
def test_neither_the_order_of_pairs_nor_that_of_their_answers_changes_a_cluster(
    pairs, random: Random
):
    turned = [
        Related(pair.second, pair.first, converse(pair.label)) if random.random() < 0.5 else pair
        for pair in pairs
    ]
    random.shuffle(turned)
    found = clusters(pairs)

    assert clusters(turned) == found
    assert sum(breaks_transitivity(pair, found) for pair in turned) == sum(
        breaks_transitivity(pair, found) for pair in pairs
    )


@given(every_pair)
def test_labels_other_than_same_move_no_answer(pairs):
    without = [
        pair if pair.label == SAME else Related(pair.first, pair.second, "") for pair in pairs
    ]

    assert clusters(without) == clusters(pairs)


def test_a_long_chain_is_one_cluster():
    chain = [f"{number:04}" for number in range(3000)]
    pairs = [Related(one, other, SAME) for one, other in pairwise(chain)]

    assert set(clusters(reversed(pairs)).values()) == {"0000"}


def test_the_labels_are_those_of_the_scheme():
    assert (relation_clusters.SAME, relation_clusters.CANNOT_SAY) == (SAME, CANNOT_SAY)
