"""The pairs of answers that are compared, and which answer of a pair is number 1. Imports no Django.

In a complete design any two answers of a question are a pair. In an incomplete design each answer is compared
with a given number of other answers to its question. For that, only some of the rounds of a round-robin
tournament (annotation.design.round_robin) are used: those whose systems have met least so far. The seed
determines the order of the systems in the tournament and the order of the questions. As a result:

- All answers to a question have the same number of opponents: the number asked for; one more if this number
  and the number of answers are both odd; at most all other answers.
- Over questions that the same systems answered, each with its own text, any two systems meet equally often,
  up to a difference of one.

If answers are missing, or systems gave the same text, the rounds are chosen in the same way, but no bound is
known; balance() counts how often systems meet.

For any two systems, number 1 alternates over their questions, beginning with a random draw from the seed: each
is number 1 in half of their pairs, up to a difference of one. An answer that several systems gave has its place
and its number by the first of their names, and counts as a meeting for all of them.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations, product

from annotation.design import round_robin
from stats.lots import lot


@dataclass(frozen=True, slots=True)
class SystemAnswer:
    """An answer to a question with the sorted names of the systems that gave it."""

    question: str
    key: int
    systems: tuple[str, ...]

    @property
    def system(self) -> str:
        return self.systems[0]


@dataclass(frozen=True, slots=True)
class Pair:
    """`first` and `second` are the keys of the answers with the numbers 1 and 2."""

    question: str
    first: int
    second: int


@dataclass(frozen=True)
class Balance:
    """The counts of a design.

    n_without_pair       questions with fewer than two distinct answers
    n_same_text          how often two systems are not compared because both gave the same text
    fewest_meetings, most_meetings  over any two systems; None for fewer than two systems
    groups               the systems in groups that no comparison connects, the largest first
    """

    n_pairs: int
    n_without_pair: int
    n_same_text: int
    fewest_meetings: int | None
    most_meetings: int | None
    groups: tuple[tuple[str, ...], ...]

    @property
    def is_connected(self) -> bool:
        return len(self.groups) < 2


def pairs(
    answers: Iterable[SystemAnswer], *, seed: int, opponents: int | None = None
) -> list[Pair]:
    """The pairs of each question; `opponents=None` is a complete design."""
    n_met: Counter[tuple[str, str]] = Counter()
    n_before: Counter[tuple[str, str]] = Counter()
    numbered_pairs: list[Pair] = []
    by_question = _by_question(answers)
    for question in sorted(by_question, key=lambda name: lot(seed, name)):
        circle = sorted(by_question[question], key=lambda each: (lot(seed, each.system), each.key))
        chosen = [
            sorted((circle[one], circle[other]), key=lambda each: (each.system, each.key))
            for meetings in _chosen_rounds(circle, n_met, opponents)
            for one, other in meetings
        ]
        for pair in sorted(chosen, key=lambda pair: [each.system for each in pair]):
            n_met.update(_meetings(*pair))
            numbered_pairs.append(_numbered_pair(pair, n_before, seed))
    return numbered_pairs


def _by_question(answers: Iterable[SystemAnswer]) -> dict[str, list[SystemAnswer]]:
    by_question: dict[str, list[SystemAnswer]] = defaultdict(list)
    for each in answers:
        by_question[each.question].append(each)
    return by_question


def _chosen_rounds(
    circle: Sequence[SystemAnswer], n_met: Counter[tuple[str, str]], opponents: int | None
) -> list[round_robin.Round]:
    """The rounds whose systems have met least so far; with equal counts, the first ones."""
    rounds = round_robin.rounds(len(circle))
    n_needed = round_robin.n_rounds(len(circle), opponents)
    if n_needed == len(rounds):
        return rounds

    def n_met_before(meetings: round_robin.Round) -> int:
        return sum(
            n_met[two] for one, other in meetings for two in _meetings(circle[one], circle[other])
        )

    return sorted(rounds, key=n_met_before)[:n_needed]


def _meetings(one: SystemAnswer, other: SystemAnswer) -> list[tuple[str, str]]:
    """The pairs of systems, each sorted, that meet if these two answers are compared."""
    return [(min(two), max(two)) for two in product(one.systems, other.systems)]


def _numbered_pair(
    pair: Sequence[SystemAnswer], n_before: Counter[tuple[str, str]], seed: int
) -> Pair:
    """The pair in which number 1 is the system that was number 2 last time; at first a random draw."""
    one, other = pair
    systems = (one.system, other.system)
    is_swapped = (n_before[systems] + lot(seed, *systems)) % 2
    n_before[systems] += 1
    first, second = (other, one) if is_swapped else (one, other)
    return Pair(one.question, first.key, second.key)


def balance(answers: Iterable[SystemAnswer], pairs: Iterable[Pair]) -> Balance:
    all_answers = list(answers)
    by_key = {each.key: each for each in all_answers}
    systems = sorted({name for each in all_answers for name in each.systems})
    n_met: Counter[tuple[str, str]] = Counter()
    n_pairs = 0
    for pair in pairs:
        n_pairs += 1
        n_met.update(_meetings(by_key[pair.first], by_key[pair.second]))
    counts = [n_met[two] for two in combinations(systems, 2)]
    return Balance(
        n_pairs=n_pairs,
        n_without_pair=sum(len(each) < 2 for each in _by_question(all_answers).values()),
        n_same_text=sum(len(each.systems) * (len(each.systems) - 1) // 2 for each in all_answers),
        fewest_meetings=min(counts, default=None),
        most_meetings=max(counts, default=None),
        groups=_groups(systems, n_met),
    )


def _groups(systems: Iterable[str], met: Iterable[tuple[str, str]]) -> tuple[tuple[str, ...], ...]:
    group = {name: {name} for name in systems}
    for one, other in met:
        if group[one] is not group[other]:
            group[one] |= group[other]
            for name in group[other]:
                group[name] = group[one]
    distinct = {id(each): tuple(sorted(each)) for each in group.values()}
    return tuple(sorted(distinct.values(), key=lambda names: (-len(names), names)))
