"""Whether people can give all the judgements that items still ask for.

Each item wants judgements of different people, each person may take certain items, each at most once, and no more
items than their limit allows. The largest number of judgements is a maximum flow from people to items. Items that
want as many judgements of the same people are one node: a person may take each of its n items, and any totals of
the people that are at most n each and add up to what the items want can be laid onto them, one person after the
other in a circle. The size of the flow therefore depends on the number of different groups, not of items.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from heapq import heapify, heappop, heappush

Person = int
ROUNDING = 1e-6  # as a share of a limit: sums of fractions are exact to less
MOST_ASKED = 40  # people who are asked to take of a group before others give up something for it


@dataclass(frozen=True)
class Group:
    """`n_items` items alike: each wants `n_wanted` judgements, and each of `people` may give one of them."""

    n_items: int
    n_wanted: int
    people: frozenset[Person]


def n_missing(groups: Iterable[Group], limits: Mapping[Person, int]) -> int:
    """The number of wanted judgements that nobody can give, however the items are handed out.

    `limits` is how many items each person may take at most; who is not in it has no limit.
    """
    n_without = 0
    left: list[Group] = []
    able = frozenset(person for person, limit in limits.items() if limit > 0)
    limited = frozenset(limits)
    for group in groups:
        n_unlimited = len(group.people - limited)
        n_wanted = group.n_wanted - n_unlimited  # who has no limit takes every item
        if n_wanted > 0:
            people = group.people & able
            most = min(n_wanted, len(people))
            n_without += group.n_items * (n_wanted - most)
            if most:
                left.append(Group(group.n_items, most, people))
    merged = _merged(left)
    if _is_room_for_even_shares(merged, limits, able):
        return n_without
    flow = _Flow(merged, limits)
    return n_without + flow.n_wanted - flow.largest()


def _is_room_for_even_shares(
    groups: Iterable[Group], limits: Mapping[Person, int], able: frozenset[Person]
) -> bool:
    """Whether nobody exceeds their limit if each item is shared evenly among those who may judge it.

    Then nothing is missing: where a flow of fractions gives all that is wanted, one of whole judgements does. It is
    computed from who may not judge, who are few.
    """
    of_everybody = 0.0
    less: dict[Person, float] = defaultdict(float)
    for group in groups:
        share = group.n_items * group.n_wanted / len(group.people)
        of_everybody += share
        for person in able - group.people:
            less[person] += share
    room = 1 - ROUNDING
    return all(of_everybody - less[person] <= limits[person] * room for person in able)


def _merged(groups: Iterable[Group]) -> list[Group]:
    """The groups in which no two want as many judgements of the same people."""
    n_items: dict[tuple[int, frozenset[Person]], int] = defaultdict(int)
    for group in groups:
        n_items[group.n_wanted, group.people] += group.n_items
    return [Group(n, n_wanted, people) for (n_wanted, people), n in n_items.items()]


@dataclass(frozen=True)
class _Layer:
    """Groups at one distance from those that want more, and the people next to them, but for dead ends."""

    groups: set[int]
    people: set[Person]


class _Flow:
    """How many items of each group each person takes.

    Dinic's algorithm: each phase finds the layers of a shortest way by which more can be taken, and takes all that
    such ways allow. A way goes from a group to a person who can take more of it, and from a person who has reached
    their limit to a group of which they take less then. Nearly everybody may take nearly everything, so who may is
    kept as the sets given, and what is taken, which is little, as numbers.
    """

    def __init__(self, groups: list[Group], limits: Mapping[Person, int]) -> None:
        self.groups = groups
        people = frozenset().union(*(group.people for group in groups))
        self.left = {person: limits[person] for person in people}
        self.free = set(people)  # who has not reached their limit
        self.wanted = [group.n_items * group.n_wanted for group in groups]
        self.n_wanted = sum(self.wanted)
        self.taken: list[dict[Person, int]] = [{} for _ in groups]  # more than 0
        self.full: list[set[Person]] = [set() for _ in groups]  # who takes every item of the group
        self.groups_of: dict[Person, set[int]] = {person: set() for person in people}

    def largest(self) -> int:
        """The largest number of judgements."""
        self._take_evenly()
        while layers := self._layers():
            for start in list(layers[0].groups):
                while self.wanted[start] and self._take_more(start, layers):
                    pass
        return self.n_wanted - sum(self.wanted)

    def _take_evenly(self) -> None:
        """Let those who may take the most still take of each group what it wants; groups of few people first."""
        by_room = [(-n, person) for person, n in self.left.items()]
        heapify(by_room)
        for number in sorted(range(len(self.groups)), key=lambda n: len(self.groups[n].people)):
            people = self.groups[number].people
            if len(people) > MOST_ASKED:
                asked = self._ask_by_room(number, by_room)
            else:
                asked = sorted(people & self.free, key=lambda each: (-self.left[each], each))
                for person in asked:
                    self._take(number, person)
            for person in asked:
                if self.left[person]:
                    heappush(by_room, (-self.left[person], person))

    def _ask_by_room(self, number: int, by_room: list[tuple[int, Person]]) -> list[Person]:
        """Let people take of the group in the order of `by_room`, and return who was asked, taken from there."""
        people = self.groups[number].people
        asked: list[Person] = []
        while self.wanted[number] and by_room and len(asked) < MOST_ASKED:
            n, person = heappop(by_room)
            if -n == self.left[person]:  # else the person has a later entry
                asked.append(person)
                if person in people:
                    self._take(number, person)
        return asked

    def _take(self, number: int, person: Person) -> None:
        """Let the person take of what the group wants as much as they can."""
        n = min(self.left[person], self.groups[number].n_items, self.wanted[number])
        if n:
            self.wanted[number] -= n
            self._add(number, person, n)
            self._use_room(person, n)

    def _use_room(self, person: Person, n: int) -> None:
        self.left[person] -= n
        if not self.left[person]:
            self.free.discard(person)

    def _add(self, number: int, person: Person, n: int) -> None:
        taken = self.taken[number]
        taken[person] = taken.get(person, 0) + n
        if taken[person] == self.groups[number].n_items:
            self.full[number].add(person)
        self.groups_of[person].add(number)

    def _remove(self, number: int, person: Person, n: int) -> None:
        taken = self.taken[number]
        taken[person] -= n
        self.full[number].discard(person)
        if not taken[person]:
            del taken[person]
            self.groups_of[person].discard(number)

    def _layers(self) -> list[_Layer]:
        """Return the layers from the groups that want more to people who can take more; [] if there is no way."""
        groups = {number for number, n in enumerate(self.wanted) if n}
        people_left, seen = set(self.left), set(groups)
        layers: list[_Layer] = []
        while groups and people_left:
            people: set[Person] = set()
            for number in groups:
                found = (people_left & self.groups[number].people) - self.full[number]
                people |= found
                people_left -= found
                if not people_left:
                    break
            layers.append(_Layer(groups, people))
            if people & self.free:
                return layers
            groups = set().union(*(self.groups_of[person] for person in people)) - seen
            seen |= groups
        return []

    def _take_more(self, start: int, layers: list[_Layer]) -> bool:
        """Take as much more of the group as one way through the layers allows; False if there is none left.

        What no way leads on from is removed from its layer.
        """
        numbers, people = [start], list[Person]()
        while numbers:
            layer = layers[len(numbers) - 1]
            is_last = len(numbers) == len(layers)
            number = numbers[-1]
            able = self.free & layer.people if is_last else layer.people
            person = next(iter((able & self.groups[number].people) - self.full[number]), None)
            if person is None:
                layer.groups.discard(numbers.pop())
                if people:
                    people.pop()
                continue
            if is_last:
                self._move(numbers, [*people, person])
                return True
            following = self.groups_of[person] & layers[len(numbers)].groups
            if following:
                people.append(person)
                numbers.append(next(iter(following)))
            else:
                layer.people.discard(person)
        return False

    def _move(self, numbers: list[int], people: list[Person]) -> None:
        """Move as many judgements along the way as it allows: each person takes of the group before them, and all
        but the last less of the group after them.
        """
        start, last = numbers[0], people[-1]
        takes = list(zip(numbers, people, strict=True))
        gives = list(zip(numbers[1:], people, strict=False))
        n = min(
            self.left[last],
            self.wanted[start],
            *(self.groups[a].n_items - self.taken[a].get(person, 0) for a, person in takes),
            *(self.taken[b][person] for b, person in gives),
        )
        for number, person in gives:
            self._remove(number, person, n)
        for number, person in takes[:-1]:
            self._add(number, person, n)
        self.wanted[start] -= n
        self._add(takes[-1][0], last, n)
        self._use_room(last, n)
