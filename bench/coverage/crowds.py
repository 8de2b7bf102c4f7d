"""What consensus rules and trainings make of simulated crowds whose truth is known.

Consensus: 600 items, four to a question, labels as rare as in the published data, twelve annotators. Skilled ones
are right that often in the mean; those in haste press the commonest label without looking in two of five
judgements; of spammers every other one always does. Where a question misleads, all who look believe the same.

Trainings: twenty people, fourteen who are right with the given accuracy whatever the label, four who give any label,
two who always give the commonest. They judge keyed items, of each of three labels as many, and a qualification's
rule decides by the lower Jeffreys bound; then those let in, or all twenty, judge 200 items. `rehearse --people`
simulates the same by the same functions.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from annotation import schemes
from annotation.rehearsal import annotators, people_file
from annotation.rehearsal.claims import ClaimsInOrder, ClaimsOfAll
from annotation.rehearsal.crowds import Crowd, expected_labels
from annotation.rehearsal.outcomes import Scores, scores
from annotation.rehearsal.people import Habits, of_accuracy
from bench.coverage.engine import Observation
from stats.aggregation.consensus import RULES
from stats.aggregation.simulated_crowd import mixed_crowd, random_design, simulate
from stats.qualification import Decision, Rule, outcome

# Consensus

LABELS, SHARES = ("plausible", "implausible", "malformed"), (0.9, 0.05, 0.05)
N_ITEMS, N_EACH_QUESTION, N_WORKERS = 600, 4, 12


@dataclass(frozen=True)
class Setting:
    n_hasty: int = 0
    n_spammers: int = 0
    accuracy: float = 0.9
    misleading: float = 0.0


SETTINGS = {
    "all skilled (.9)": Setting(),
    "all skilled (.8)": Setting(accuracy=0.8),
    "3 in haste": Setting(n_hasty=3),
    "3 spammers": Setting(n_spammers=3),
    "2 in haste, 2 spammers": Setting(n_hasty=2, n_spammers=2),
    "1 question in 20 misleads": Setting(misleading=0.05),
}


def consensus(per_item: int, n_sets: int) -> Iterator[Observation]:
    """Yield by rule the share of items that it settles, and of those the share settled wrongly."""
    for name, setting in SETTINGS.items():
        for seed in range(n_sets):
            truth, votes = _judged_crowd(np.random.default_rng(seed), setting, per_item)
            for rule, settle in RULES.items():
                settled = {
                    item: each.label
                    for item, each in settle(votes, labels=LABELS).items()
                    if each.label
                }
                n, figure = len(settled), f"{name}, {rule}"
                yield Observation("settled", figure, n / N_ITEMS)
                n_wrong = sum(label != truth[item] for item, label in settled.items())
                yield Observation("wrong of those", figure, n_wrong / n if n else None, n or 1)


def _judged_crowd(
    rng: np.random.Generator, setting: Setting, per_item: int
) -> tuple[list[str], dict[int, dict[str, str]]]:
    crowd = mixed_crowd(
        rng,
        shares=SHARES,
        n_skilled=N_WORKERS - setting.n_hasty - setting.n_spammers,
        n_hasty=setting.n_hasty,
        n_spammers=setting.n_spammers,
        accuracy=setting.accuracy,
    )
    design = random_design(
        rng, n_items=N_ITEMS, each=per_item, n_workers=N_WORKERS, n_each_question=N_EACH_QUESTION
    )
    drawn = simulate(rng, crowd, design, hard=setting.misleading)
    votes: dict[int, dict[str, str]] = {item: {} for item in range(N_ITEMS)}
    for task, worker, label in zip(design.task, design.worker, drawn.label, strict=True):
        votes[int(task)][f"w{worker}"] = LABELS[label]
    return [LABELS[label] for label in drawn.truth], votes


# Trainings

SCHEME = schemes.verdict_scheme("plausibility")
EQUAL = {label: 1 / len(SCHEME.labels) for label in SCHEME.labels}
N_PEOPLE, KINDS = 20, (0.7, 0.2, 0.1)
GOOD, RANDOM, ONE_KEY = "good", "random", "one key"
ACCURACIES = (0.9, 0.85, 0.8)
# Keyed items with their bar. The first is what `rehearse --campaign` takes.
BARS = ((30, 0.6), (30, 0.55), (30, 0.7), (20, 0.6), (10, 0.6), (60, 0.7))
N_JUDGED = 200


def crowd_of(accuracy: float, seed: int) -> Crowd:
    good = Habits(GOOD, SCHEME.labels, SCHEME.accepted, of_accuracy(SCHEME.labels, accuracy))
    kinds = (
        good,
        replace(good, name=RANDOM, random=1.0, is_bad=True),
        replace(good, name=ONE_KEY, one_key_after=0, is_bad=True),
    )
    counts = people_file.shared_out(N_PEOPLE, KINDS)
    return Crowd([kind for kind, n in zip(kinds, counts, strict=True) for _ in range(n)], seed)


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
    let_in = frozenset(
        number
        for number, own in answers.items()
        if outcome(rule, own, may_answer_more=False).decision is Decision.GRANTED
    )
    return let_in, crowd.after(works)


def judged(
    crowd: Crowd,
    items: Sequence[object],
    truths: Sequence[str],
    *,
    per_item: int,
    rule: str,
    who: Collection[int] | None = None,
) -> Scores:
    """Return the scores of the verdicts of a batch that those of the crowd who may (None: all) judge."""
    works = crowd.works(items=items, claims=ClaimsInOrder([per_item] * len(items)), who=who)
    votes: dict[int, dict[str, str]] = {index: {} for index in range(len(items))}
    for work in works:
        label = crowd.label(work, items[work.index], truths[work.index])
        votes[work.index][str(work.annotator)] = label
    settled = {index: each.label for index, each in RULES[rule](votes, SCHEME.labels).items()}
    return scores(settled, dict(enumerate(truths)), SCHEME.accepted)


def training(
    n_keyed: int, bar: float, accuracy: float, seed: int
) -> tuple[Crowd, frozenset[int], Crowd]:
    """Return a crowd, whom a training lets in, and the crowd after it."""
    crowd, keys = crowd_of(accuracy, seed), expected_labels(SCHEME.labels, n_keyed)
    rule = Rule(min_answers=n_keyed, accuracy=bar)
    let_in, after = trained(crowd, [f"keyed {number}" for number in range(n_keyed)], keys, rule)
    return crowd, let_in, after


def trainings(accuracy: int, n_sets: int) -> Iterator[Observation]:
    """Yield who is let in by each bar, where good people are right in so many per cent."""
    for n_keyed, bar in BARS:
        name = f"{n_keyed} keyed items, bar {bar:g}"
        for seed in range(1, n_sets + 1):
            crowd, let_in, _ = training(n_keyed, bar, accuracy / 100, seed)
            for number in crowd.numbers:
                kind = "bad" if crowd.habits(number).is_bad else "good"
                yield Observation("let in", f"{name}, {kind} people", float(number in let_in))


def trusted(accuracy: int, n_sets: int) -> Iterator[Observation]:
    """Yield the shares of right verdicts of those let in by the first bar, and of everyone."""
    items = [f"item {number}" for number in range(N_JUDGED)]
    for labels, prevalence in (("as in rehearsals", dict(SCHEME.prevalence)), ("equal", EQUAL)):
        for seed in range(1, n_sets + 1):
            crowd, let_in, after = training(*BARS[0], accuracy / 100, seed)
            truths = [
                annotators.hidden_label(
                    scheme=SCHEME.name, seed=seed, text_sha256=item, prevalence=prevalence
                )
                for item in items
            ]
            for who, of, may in (("trusted", after, let_in), ("everyone", crowd, None)):
                result = judged(of, items, truths, per_item=3, rule="majority", who=may)
                figure = f"shares of labels {labels}, {who}"
                yield Observation("right", figure, result.accuracy)
                yield Observation("right of the rare", figure, result.accuracy_of_rare)
