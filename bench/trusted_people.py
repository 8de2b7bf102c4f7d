"""How many good and bad people a training lets in, and what the verdicts of those let in are worth.

    python -m bench.trusted_people             # 200 crowds a row: in `make bench`
    python -m bench.trusted_people --crowds 20

Twenty people: fourteen are right with the given accuracy, whatever the label; four give any label, and two always the
commonest one (`rehearse --people` simulates the same, and the functions are the same:
tests/annotation/actions/test_rehearsed_campaigns.py holds the rehearsal in a database against those here). They
judge keyed items, of each of three labels as many, and the rule of a qualification decides: the lower Jeffreys bound
of 95 % of their share of right answers reaches the bar. Then those let in, or all twenty, judge 200 items.

First table: per cent of the people let in, with Wilson's 95 % interval over all crowds, and how many right answers
the bar asks for. Second table: per cent of the settled verdicts with the true label, for those let in (trusted) and
for everyone, with the 95 % interval of the mean over crowds; the difference crowd by crowd; the same of items whose
true label is rare; and per cent of items that are settled.
"""

import argparse
import time
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from math import comb, sqrt
from statistics import fmean, stdev

from annotation import schemes
from annotation.rehearsal import annotators, people_file
from annotation.rehearsal.claims import ClaimsInOrder, ClaimsOfAll
from annotation.rehearsal.crowds import Crowd, expected_labels
from annotation.rehearsal.outcomes import Scores, scores
from annotation.rehearsal.people import Habits, of_accuracy
from stats.aggregation import consensus
from stats.jeffreys import lower_bound
from stats.proportion_intervals import wilson
from stats.qualification import Decision, Rule, outcome

SCHEME = schemes.verdict_scheme("plausibility")
LABELS, ACCEPTED = SCHEME.labels, SCHEME.accepted
PREVALENCES = {
    "as in rehearsals": dict(SCHEME.prevalence),
    "equally common": {label: 1 / len(LABELS) for label in LABELS},
}
N_PEOPLE, SHARES = 20, (0.7, 0.2, 0.1)
GOOD, RANDOM, ONE_KEY = "good", "random", "one key"
ACCURACIES = (0.9, 0.85, 0.8)
# Keyed items with their bar: the usual bar, and lower ones. The first is what `rehearse --campaign` takes.
RULES = ((30, 0.6), (30, 0.55), (30, 0.65), (30, 0.7), (30, 0.8), (20, 0.6), (10, 0.6), (60, 0.7))
N_ITEMS = 200
# Judgements of an item, with the rule that settles them.
SETTLED_BY = ((3, "majority"), (2, "unanimous"))
N_CROWDS = 200


@dataclass(frozen=True)
class Found:
    """What came of one crowd: who was let in, by their numbers, and the verdicts of either."""

    let_in: frozenset[int]
    trusted: Scores
    everyone: Scores


def crowd_of(accuracy: float, seed: int, *, one_key_after: int = 0) -> Crowd:
    """Return a crowd of twenty with such good people; `one_key_after`: when the two begin to press one key."""
    good = Habits(GOOD, LABELS, ACCEPTED, of_accuracy(LABELS, accuracy))
    kinds = (
        good,
        replace(good, name=RANDOM, random=1.0, is_bad=True),
        replace(good, name=ONE_KEY, one_key_after=one_key_after, is_bad=True),
    )
    counts = people_file.shared_out(N_PEOPLE, SHARES)
    people = [kind for kind, n in zip(kinds, counts, strict=True) for _ in range(n)]
    return Crowd(people, seed)


def trained(
    crowd: Crowd, items: Sequence[object], keys: Sequence[str], rule: Rule
) -> tuple[frozenset[int], Crowd]:
    """Return whom the rule lets in by their answers to the keyed items, and the crowd after them."""
    works = crowd.works(items=items, claims=ClaimsOfAll(len(items)))
    answers: dict[int, list[tuple[str, str]]] = {}
    for work in works:
        key = keys[work.index]
        label = crowd.label(work, items[work.index], key)
        answers.setdefault(work.annotator, []).append((key, label))
    let_in = frozenset(number for number, own in answers.items() if is_let_in(rule, own))
    return let_in, crowd.after(works)


def is_let_in(rule: Rule, answers: Sequence[tuple[str, str]]) -> bool:
    """Return whether the rule, which has no bars for single labels, grants by these answers of a finished training."""
    n_right = sum(key == label for key, label in answers)
    return _decision(rule.min_answers, rule.accuracy, n_right, len(answers)) is Decision.GRANTED


@cache
def _decision(min_answers: int, bar: float, n_right: int, n: int) -> Decision:
    answers = [("a", "a")] * n_right + [("a", "b")] * (n - n_right)
    rule = Rule(min_answers=min_answers, accuracy=bar)
    return outcome(rule, answers, may_answer_more=False).decision


def judged(
    crowd: Crowd,
    items: Sequence[object],
    truths: Sequence[str],
    *,
    each: int,
    rule: str,
    who: Collection[int] | None = None,
) -> Scores:
    """Return what the verdicts of a batch are worth that those of the crowd who may (None: all) have judged."""
    works = crowd.works(items=items, claims=ClaimsInOrder([each] * len(items)), who=who)
    votes: dict[int, dict[str, str]] = {index: {} for index in range(len(items))}
    for work in works:
        label = crowd.label(work, items[work.index], truths[work.index])
        votes[work.index][str(work.annotator)] = label
    settled = {index: each.label for index, each in consensus.RULES[rule](votes, LABELS).items()}
    return scores(settled, dict(enumerate(truths)), ACCEPTED)


def found(
    crowd: Crowd,
    rule: Rule,
    *,
    prevalence: Mapping[str, float],
    each: int,
    settled_by: str,
    n_items: int = N_ITEMS,
) -> Found:
    """Play the training and the full batch of one crowd."""
    keyed = [f"keyed {number}" for number in range(rule.min_answers)]
    keys = expected_labels(LABELS, rule.min_answers)
    let_in, after = trained(crowd, keyed, keys, rule)
    items = [f"item {number}" for number in range(n_items)]
    truths = [
        annotators.hidden_label(
            scheme=SCHEME.name, seed=crowd.seed, text_sha256=item, prevalence=prevalence
        )
        for item in items
    ]
    return Found(
        let_in,
        trusted=judged(after, items, truths, each=each, rule=settled_by, who=let_in),
        everyone=judged(crowd, items, truths, each=each, rule=settled_by),
    )


def numbers_of(crowd: Crowd, kind: str) -> frozenset[int]:
    return frozenset(each for each in crowd.numbers if crowd.habits(each).name == kind)


def let_in_of(crowds: Iterable[tuple[Crowd, frozenset[int]]], *kinds: str) -> tuple[int, int]:
    """Return how many people of these kinds were let in, and how many there are."""
    n_in, n = 0, 0
    for crowd, let_in in crowds:
        own = frozenset().union(*(numbers_of(crowd, kind) for kind in kinds))
        n_in, n = n_in + len(own & let_in), n + len(own)
    return n_in, n


def only_let_in(accuracy: float, rule: Rule, n_crowds: int) -> list[tuple[Crowd, frozenset[int]]]:
    keyed = [f"keyed {number}" for number in range(rule.min_answers)]
    keys = expected_labels(LABELS, rule.min_answers)
    crowds = [crowd_of(accuracy, seed) for seed in range(1, n_crowds + 1)]
    return [(crowd, trained(crowd, keyed, keys, rule)[0]) for crowd in crowds]


def n_needed(n_keyed: int, bar: float) -> int | None:
    """Return how many right answers of so many reach the bar; None if not even all do."""
    numbers = range(n_keyed + 1)
    return next((k for k in numbers if lower_bound(k, n_keyed) >= bar), None)


def shown_share(n: int, of: int) -> str:
    interval = wilson(n, of)
    low, high = (100 * (end or 0.0) for end in (interval.low, interval.high))
    return f"{100 * n / of:.1f} ({low:.1f} to {high:.1f})"


def shown_mean(values: Sequence[float]) -> str:
    """The mean with its 95 % interval over crowds, in per cent; no share is above all."""
    mean = fmean(values)
    half = 1.96 * stdev(values) / sqrt(len(values)) if len(values) > 1 else 0.0
    return f"{100 * mean:.1f} ({100 * (mean - half):.1f} to {100 * min(mean + half, 1):.1f})"


def let_in_rows(n_crowds: int) -> Iterable[str]:
    for n_keyed, bar in RULES:
        for accuracy in ACCURACIES:
            rule = Rule(min_answers=n_keyed, accuracy=bar)
            crowds = only_let_in(accuracy, rule, n_crowds)
            shares = [
                shown_share(*let_in_of(crowds, *kinds))
                for kinds in ((GOOD,), (RANDOM,), (ONE_KEY,), (RANDOM, ONE_KEY))
            ]
            needed = n_needed(n_keyed, bar)
            yield f"| {n_keyed} | {bar:g} | {needed} | {accuracy:g} | {' | '.join(shares)} |"


def verdict_row(
    name: str, accuracy: float, each: int, settled_by: str, many: Sequence[Found]
) -> str:
    """One row of the second table. Crowds in which too few were let in to settle an item are left out."""
    both = [one for one in many if one.trusted.n_decided and one.everyone.n_decided]
    pairs = [(one.trusted, one.everyone) for one in both]
    columns = [
        shown_mean([trusted.accuracy or 0 for trusted, _ in pairs]),
        shown_mean([everyone.accuracy or 0 for _, everyone in pairs]),
        shown_mean([(one.accuracy or 0) - (other.accuracy or 0) for one, other in pairs]),
        shown_mean([one.accuracy_of_rare or 0 for one, _ in pairs if one.n_rare]),
        shown_mean([other.accuracy_of_rare or 0 for _, other in pairs if other.n_rare]),
        *(
            f"{100 * fmean([one[side].n_decided / one[side].n_items for one in pairs]):.0f}"
            for side in (0, 1)
        ),
    ]
    return f"| {name} | {accuracy:g} | {each}, {settled_by} | {' | '.join(columns)} |"


def verdict_rows(n_crowds: int) -> Iterable[str]:
    n_keyed, bar = RULES[0]
    rule = Rule(min_answers=n_keyed, accuracy=bar)
    for name, prevalence in PREVALENCES.items():
        for accuracy in ACCURACIES:
            for each, settled_by in SETTLED_BY:
                many = [
                    found(
                        crowd_of(accuracy, seed),
                        rule,
                        prevalence=prevalence,
                        each=each,
                        settled_by=settled_by,
                    )
                    for seed in range(1, n_crowds + 1)
                ]
                yield verdict_row(name, accuracy, each, settled_by, many)


def late_row(n_crowds: int) -> str:
    """The share let in of those who press one key only after the training."""
    n_keyed, bar = RULES[0]
    rule = Rule(min_answers=n_keyed, accuracy=bar)
    keyed, keys = [f"keyed {n}" for n in range(n_keyed)], expected_labels(LABELS, n_keyed)
    crowds = [crowd_of(0.9, seed, one_key_after=n_keyed) for seed in range(1, n_crowds + 1)]
    played = [(crowd, trained(crowd, keyed, keys, rule)[0]) for crowd in crowds]
    return f"one key from the end of the training on: {shown_share(*let_in_of(played, ONE_KEY))}"


def coin_row() -> str:
    """The share let in of those who toss a coin between two labels, exactly."""
    n, bar = RULES[0]
    needed = n_needed(n, bar) or n + 1
    share = sum(comb(n, k) for k in range(needed, n + 1)) / 2**n
    return f"a coin between two labels: {100 * share:.2f}"


def main() -> None:
    parser = argparse.ArgumentParser(prog="bench.trusted_people")
    parser.add_argument("--crowds", type=int, default=N_CROWDS)
    n_crowds, began = parser.parse_args().crowds, time.process_time()
    print(f"{n_crowds} crowds a row\n")
    print("| keyed | bar | right | accuracy | good | random | one key | all bad |")
    print("| --- " * 8 + "|")
    for row in let_in_rows(n_crowds):
        print(row, flush=True)
    print(f"\n{late_row(n_crowds)}\n{coin_row()}\n")
    print(
        "| labels | accuracy | judgements | trusted | everyone | difference | trusted, rare", end=""
    )
    print(" | everyone, rare | trusted, settled | everyone, settled |")
    print("| --- " * 10 + "|")
    for row in verdict_rows(n_crowds):
        print(row, flush=True)
    print(f"\n{time.process_time() - began:.0f} s of CPU")


if __name__ == "__main__":
    main()
