"""Answers that are the same by the judgements of pairs. Imports no Django.

A cluster has all answers that pairs labelled `same` connect, if need be through other answers (the connected
components of the graph whose edges are these pairs; single linkage). No other label connects or separates: people
who said "a same b" and "b same c" have said that a and c are the same, whatever they said of a and c. Such a pair
breaks transitivity, and is listed.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

SAME, CANNOT_SAY = "same", "cannot_say"


@dataclass(frozen=True, slots=True)
class Related:
    """Two answers and the label of their pair, "" if there is none."""

    first: str
    second: str
    label: str


def clusters(pairs: Iterable[Related]) -> dict[str, str]:
    """The cluster of each answer of the pairs: the first, by code point, of the answers in it."""
    parent: dict[str, str] = {}

    def root(answer: str) -> str:
        above = parent.setdefault(answer, answer)
        while above != parent[above]:
            above = parent[above]
        parent[answer] = above
        return above

    for pair in pairs:
        one, other = sorted((root(pair.first), root(pair.second)))
        if pair.label == SAME:
            parent[other] = one
    return {answer: root(answer) for answer in parent}


def breaks_transitivity(pair: Related, cluster_of: Mapping[str, str]) -> bool:
    """Whether the pair has a label that says something else of two answers of one cluster."""
    is_other = pair.label not in ("", SAME, CANNOT_SAY)
    return is_other and cluster_of[pair.first] == cluster_of[pair.second]
