"""Preference for the answer on the left.

Each of two systems is on the left in half of its pairs, and each annotator sees all pairs of a batch
swapped with the probability 1/2 (`annotation.design`), so half of the decided judgements should prefer
the left, however unlike the answers are. As the sides alternate, p is a little too high. The share is over decided judgements, each once however many pairs
of runs it is about:

    share   judgements that prefer the left / judgements that prefer either

Its interval takes questions with all their judgements. p is two-sided, over questions
(`sign_flip`): a question's number is how many more preferred the left than the right.

Undefined if nothing is decided. Right: left, left, right, tie → 2/3. Wrong: 2/4; the tie prefers
neither.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from stats.clustered_means import Figure, mean, values_by_question
from stats.clusters import Cluster, itself
from stats.interval_cautions import caution
from stats.interval_coverage import LEFT
from stats.pairwise.records import Preference
from stats.sign_flip import SignFlip, sign_flip

NOTHING_DECIDED = "nobody preferred either"


@dataclass(frozen=True, slots=True)
class LeftBias:
    """The bias. `share.n_values` are the decided judgements, of `n_judgements`.

    `caution` is that of its interval, or None.
    """

    share: Figure
    test: SignFlip
    n_judgements: int
    n_left: int
    caution: str | None


def left_bias(
    preferences: Sequence[Preference], *, seed: int, cluster: Cluster = itself
) -> LeftBias:
    """Return the bias; `cluster` returns what a question is drawn with, such as its conversation."""
    judgements = one_row_per_judgement(preferences)
    decided = values_by_question(
        (each.question, int(each.preferred == "left"))
        for each in judgements
        if each.preferred != "tie"
    )
    n_left = sum(int(sum(each)) for each in decided.values())
    share = mean(decided, without=NOTHING_DECIDED, within=(0, 1), cluster=cluster)
    together = values_by_question(
        (cluster(question), value) for question, each in decided.items() for value in each
    )
    return LeftBias(
        share=share,
        test=sign_flip([int(2 * sum(each) - len(each)) for each in together.values()], seed=seed),
        n_judgements=len(judgements),
        n_left=n_left,
        caution=caution([share.interval], LEFT, "share"),
    )


def one_row_per_judgement(preferences: Iterable[Preference]) -> list[Preference]:
    """Return the first row of each judgement, by the runs' names."""
    found: dict[tuple[str, str], Preference] = {}
    for each in preferences:
        key = each.question, each.judgement
        if key not in found or (each.left, each.right) < (found[key].left, found[key].right):
            found[key] = each
    return list(found.values())
