"""What figures were computed from, and in words what changed since."""

import pytest

from jobs.basis import Basis, Decisions, together

UNKNOWN = "Since then something was decided, excluded, taken back or renamed."


def test_a_basis_says_in_words_what_it_is():
    assert str(Basis({"stone": 1})) == "1 stone"
    assert (
        str(Basis({"job": 0, "stone": 1200}, ["a", "b"])) == "0 jobs and 1,200 stones in 2 batches"
    )


@pytest.mark.parametrize(
    ("now", "words"),
    [
        (Basis({"stone": 3}, ["a"]), ""),
        (Basis({"stone": 3}, ("a",)), ""),
        (Basis({"stone": 4}, ["a"]), "Since then 1 stone came in."),
        (Basis({"stone": 2}, ["a"]), "Since then only 2 of 3 stones count now."),
        (Basis({"stone": 3}, ["b"]), "Since then batches were opened or closed."),
        (
            Basis({"stone": 5}, ["a", "b"]),
            "Since then batches were opened or closed and 2 stones came in.",
        ),
    ],
)
def test_a_basis_says_in_words_what_came_since(now, words):
    assert now.since(Basis({"stone": 3}, ["a"])) == words


def basis(n=3, **kinds):
    """A basis with decisions on one batch."""
    return Basis.of({"stone": n}, decisions=Decisions(sum(kinds.values()), {"batch 1": kinds}))


@pytest.mark.parametrize(
    ("now", "words"),
    [
        (basis(review=2), ""),
        (basis(review=3), "Since then 1 review was recorded."),
        (basis(review=5, exclusion=1), "Since then 1 exclusion and 3 reviews were recorded."),
        (
            basis(adjudication=2, exclusion=1, review=3),
            "Since then 2 adjudications, 1 exclusion and 1 review were recorded.",
        ),
        (
            basis(n=6, adjudication=1, review=2),
            "Since then 3 stones came in, and 1 adjudication was recorded.",
        ),
    ],
)
def test_a_basis_names_the_decisions_since_and_counts_them(now, words):
    assert now.since(basis(review=2)) == words


def test_decisions_of_a_kind_that_is_counted_are_not_named_twice():
    assert basis(n=4, stone=9).since(basis(n=3, stone=8)) == "Since then 1 stone came in."


def test_decisions_on_a_batch_that_was_not_there_are_part_of_the_batch():
    one, other = (Decisions(n, {f"batch {n}": {"review": n}}) for n in (1, 2))
    then = Basis.of({"stone": 3}, ["a"], one)
    now = Basis.of({"stone": 3}, ["a", "b"], together([one, other]))

    assert now.since(then) == "Since then batches were opened or closed."
    assert then.since(now) == "Since then batches were opened or closed."


def test_decisions_on_several_batches_are_added_up():
    then, now = (
        Basis.of({}, decisions=together(Decisions(n, {f"batch {i}": {"review": n}}) for i in "ab"))
        for n in (1, 3)
    )

    assert now.since(then) == "Since then 4 reviews were recorded."


def test_where_the_kinds_of_decisions_are_not_known_a_basis_says_that_there_were_some():
    of_an_earlier_version = Basis(counts={"stone": 3}, batches=[], n_decisions=2)

    assert basis(review=2).since(of_an_earlier_version) == ""
    assert basis(review=3).since(of_an_earlier_version) == UNKNOWN


def test_decisions_without_a_kind_of_their_own_are_noticed():
    now = Basis.of({"stone": 3}, decisions=Decisions(3, {"batch 1": {"review": 2}}))

    assert now.since(basis(review=2)) == UNKNOWN
