"""Which two answers of a question are put side by side, and which of them is number 1. Plain Python.

In a complete design every two answers of a question are a pair. In an incomplete one each answer is compared
with so many others of its question: of the rounds of a tournament among them (annotation.design.round_robin) as many are
held as that takes, those whose systems met least so far. The systems stand in a circle that the seed shuffles,
the questions come in the order of their lots. So
    in every question all answers have equally many opponents: the number asked for, one more where it and the
    number of answers are odd, all others where there are no more;
    over questions that the same systems answered, each with a text of its own, any two systems meet as often as
    any other two, give or take one.
Where answers are missing, or systems gave one text, rounds are chosen in the same way and no bound is known:
balance() counts what came of it.

Who is number 1 alternates for each two systems over their questions, from a lot that the seed draws: each of
them is number 1 of as many of their pairs as the other, give or take one. (An answer that several systems gave
stands in the circle, and is numbered, by the first of their names; it meets for all of them.)
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations, product

from annotation.design import round_robin
from stats.lots import lot


@dataclass(frozen=True, slots=True)
class Given:
    """An answer to a question: its key, and the names of the systems that gave it, in their order."""

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
    """What a design comes to.

    n_alone         questions with fewer than two answers that differ: nothing to compare
    n_one_text      how often two systems are not compared because both gave the same text
    least, most     how often two systems meet, over all two that there are; None where there are no two
    apart           the systems in groups that no comparison joins, the largest first; one group is connected
    """

    n_pairs: int
    n_alone: int
    n_one_text: int
    least: int | None
    most: int | None
    apart: tuple[tuple[str, ...], ...]

    @property
    def is_connected(self) -> bool:
        return len(self.apart) < 2


def pairs(given: Iterable[Given], *, seed: int, opponents: int | None = None) -> list[Pair]:
    """The pairs question by question in the order of their lots; of a complete design for None."""
    n_met: Counter[tuple[str, str]] = Counter()
    n_before: Counter[tuple[str, str]] = Counter()
    found: list[Pair] = []
    answers = _by_question(given)
    for question in sorted(answers, key=lambda name: lot(seed, name)):
        circle = sorted(answers[question], key=lambda each: (lot(seed, each.system), each.key))
        chosen = [
            sorted((circle[one], circle[other]), key=lambda each: (each.system, each.key))
            for held in _rounds(circle, n_met, opponents)
            for one, other in held
        ]
        for pair in sorted(chosen, key=lambda pair: [each.system for each in pair]):
            n_met.update(_meetings(*pair))
            found.append(_numbered(pair, n_before, seed))
    return found


def _by_question(given: Iterable[Given]) -> dict[str, list[Given]]:
    answers: dict[str, list[Given]] = defaultdict(list)
    for each in given:
        answers[each.question].append(each)
    return answers


def _rounds(
    circle: Sequence[Given], n_met: Counter[tuple[str, str]], opponents: int | None
) -> list[round_robin.Round]:
    """Those to hold: whose systems met least so far; of equal ones the first."""
    there = round_robin.of(len(circle))
    wanted = round_robin.needed(len(circle), opponents)
    if wanted == len(there):
        return there

    def met_so_far(held: round_robin.Round) -> int:
        return sum(
            n_met[two] for one, other in held for two in _meetings(circle[one], circle[other])
        )

    return sorted(there, key=met_so_far)[:wanted]


def _meetings(one: Given, other: Given) -> list[tuple[str, str]]:
    """The systems that meet where these two answers do, each two by name."""
    return [(min(two), max(two)) for two in product(one.systems, other.systems)]


def _numbered(pair: Sequence[Given], n_before: Counter[tuple[str, str]], seed: int) -> Pair:
    """Number 1 is who was number 2 the last time; the first time it is drawn."""
    one, other = pair
    systems = (one.system, other.system)
    is_turned = (n_before[systems] + lot(seed, *systems)) % 2
    n_before[systems] += 1
    first, second = (other, one) if is_turned else (one, other)
    return Pair(one.question, first.key, second.key)


def balance(given: Iterable[Given], paired: Iterable[Pair]) -> Balance:
    """What these pairs of the answers come to."""
    there = list(given)
    by_key = {each.key: each for each in there}
    systems = sorted({name for each in there for name in each.systems})
    n_met: Counter[tuple[str, str]] = Counter()
    n_pairs = 0
    for pair in paired:
        n_pairs += 1
        n_met.update(_meetings(by_key[pair.first], by_key[pair.second]))
    counts = [n_met[two] for two in combinations(systems, 2)]
    return Balance(
        n_pairs=n_pairs,
        n_alone=sum(len(answers) < 2 for answers in _by_question(there).values()),
        n_one_text=sum(len(each.systems) * (len(each.systems) - 1) // 2 for each in there),
        least=min(counts, default=None),
        most=max(counts, default=None),
        apart=_groups(systems, n_met),
    )


def _groups(
    systems: Iterable[str], joined: Iterable[tuple[str, str]]
) -> tuple[tuple[str, ...], ...]:
    group = {name: {name} for name in systems}
    for one, other in joined:
        if group[one] is not group[other]:
            group[one] |= group[other]
            for name in group[other]:
                group[name] = group[one]
    distinct = {id(each): tuple(sorted(each)) for each in group.values()}
    return tuple(sorted(distinct.values(), key=lambda names: (-len(names), names)))
