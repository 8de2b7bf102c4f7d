"""Clusters of questions: turns of one conversation are alike, so they are drawn, and counted, together."""

from collections.abc import Callable

# A question's cluster.
Cluster = Callable[[str], str]
SINGLE_CLUSTER = "a single conversation"


def itself(question: str) -> str:
    """Return the question: it is like no other, a cluster of its own."""
    return question
