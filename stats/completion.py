"""Whether people can give all the judgements that items still ask for.

Each item wants judgements of different people, each person may take certain items, each at most once, and no more
items than their limit allows. The largest number of judgements is a maximum flow from people to items. Items that
want as many judgements of the same people are one node: a person may take each of its n items, and any totals of
the people that are at most n each and add up to what the items want can be laid onto them, one person after the
other in a circle. The size of the flow therefore depends on the number of different groups, not of items.
"""

from collections import defaultdict, deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

Person = int
ROUNDING = 1e-6  # as a share of a limit: sums of fractions are exact to less


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
    for group in groups:
        n_unlimited = len(group.people - limits.keys())
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


class _Flow:
    """How many items of each group each person takes."""

    def __init__(self, groups: list[Group], limits: Mapping[Person, int]) -> None:
        self.groups = groups
        self.left = {person: limits[person] for group in groups for person in group.people}
        self.wanted = [group.n_items * group.n_wanted for group in groups]
        self.n_wanted = sum(self.wanted)
        self.taken: list[dict[Person, int]] = [dict.fromkeys(g.people, 0) for g in groups]
        self.groups_of: dict[Person, list[int]] = defaultdict(list)
        for number, group in enumerate(groups):
            for person in group.people:
                self.groups_of[person].append(number)

    def largest(self) -> int:
        """The largest number of judgements."""
        for number in sorted(range(len(self.groups)), key=lambda n: len(self.groups[n].people)):
            self._take_evenly(number)
        for number in range(len(self.groups)):
            while self.wanted[number] and self._augment(number):
                pass
        return self.n_wanted - sum(self.wanted)

    def _take_evenly(self, number: int) -> None:
        """Let those who may take the most still take of the group what it wants."""
        taken, n_items = self.taken[number], self.groups[number].n_items
        for person in sorted(taken, key=lambda each: -self.left[each]):
            n = min(self.left[person], n_items, self.wanted[number])
            taken[person] += n
            self.left[person] -= n
            self.wanted[number] -= n

    def _augment(self, start: int) -> bool:
        """Find one more judgement of the group by a shortest path; False if there is none.

        A path goes from a group to a person who could take more of it, and from them, if they have reached their
        limit, to a group of which they take less then.
        """
        came_from: dict[Person, int] = {}
        gave_up: dict[int, Person] = {}
        queue, seen = deque([start]), {start}
        while queue:
            number = queue.popleft()
            n_items = self.groups[number].n_items
            for person, n in self.taken[number].items():
                if n == n_items or person in came_from:
                    continue
                came_from[person] = number
                if self.left[person]:
                    self._move(start, person, came_from, gave_up)
                    return True
                for other in self.groups_of[person]:
                    if other not in seen and self.taken[other][person]:
                        seen.add(other)
                        gave_up[other] = person
                        queue.append(other)
        return False

    def _move(
        self,
        start: int,
        last: Person,
        came_from: Mapping[Person, int],
        gave_up: Mapping[int, Person],
    ) -> None:
        """Move as many judgements along the path as it allows."""
        path = [(came_from[last], last)]
        while path[-1][0] != start:
            person = gave_up[path[-1][0]]
            path.append((came_from[person], person))
        n = min(
            self.left[last],
            self.wanted[start],
            *(self.groups[number].n_items - self.taken[number][person] for number, person in path),
            *(self.taken[number][gave_up[number]] for number, _ in path[:-1]),
        )
        for number, person in path:
            self.taken[number][person] += n
        for number, _ in path[:-1]:
            self.taken[number][gave_up[number]] -= n
        self.left[last] -= n
        self.wanted[start] -= n
