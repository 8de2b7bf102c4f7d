"""The others' labels for the same tasks: agreement with them, and expected labels."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from stats.annotators.entries import Entry

Task = tuple[str, str, str]
# What is known of an item before anybody else judged it weighs as much as one judgement.
PRIOR = 1.0


@dataclass(frozen=True, slots=True)
class Pairs:
    """The number of others who judged a person's task, and of those who agree."""

    entry: Entry
    n_same: int
    n_others: int


class Crowd:
    """The labels of everybody that agreement includes, by task."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        self.labels: dict[Task, dict[str, str]] = defaultdict(dict)
        self.overall: dict[str, dict[str, Counter[str]]] = defaultdict(lambda: defaultdict(Counter))
        for each in entries:
            if each.is_compared:
                self.labels[each.task][each.worker] = each.label
                self.overall[each.asked][each.worker][each.label] += 1

    def others(self, entry: Entry) -> list[str]:
        said = self.labels.get(entry.task, {})
        return [label for worker, label in said.items() if worker != entry.worker]

    def pairs(self, entries: Iterable[Entry]) -> list[Pairs]:
        """Return the person's compared entries on tasks that somebody else judged too."""
        found = []
        for each in entries:
            others = self.others(each) if each.is_compared else []
            if others:
                found.append(Pairs(each, others.count(each.label), len(others)))
        return found

    def prevalence(self, asked: str, without: str) -> Mapping[str, float]:
        """Return the share of each label among the others' labels.

        Half a judgement is added to each label that anybody gave, including this person. Empty
        without others.
        """
        by_worker = self.overall[asked]
        labels = sorted({label for counts in by_worker.values() for label in counts})
        total: Counter[str] = Counter()
        for worker, counts in by_worker.items():
            if worker != without:
                total += counts
        n = total.total()
        if not n:
            return {}
        return {label: (total[label] + 0.5) / (n + 0.5 * len(labels)) for label in labels}

    def chances(self, entries: Sequence[Entry], label: str) -> list[float] | None:
        """Return the probability of a label of the screen for each entry, by others' labels.

        The entries are one person's on one `asked`. (c + PRIOR * P) / (n + PRIOR), with c of the n
        others who gave the label to this task and P its prevalence among the others. Of a pair the
        label is that of the answer on this side of the person's own screen. None without others.
        """
        if not entries:
            return None
        prevalence = self.prevalence(entries[0].asked, entries[0].worker)
        if not prevalence:
            return None
        rare = 0.5 / (1 + sum(map(len, self.labels.values())))
        chances = []
        for each in entries:
            others, own = self.others(each), each.label_of(label)
            prior = PRIOR * prevalence.get(own, rare)
            chances.append((others.count(own) + prior) / (len(others) + PRIOR))
        return chances

    def plurality(self, entry: Entry) -> str | None:
        """Return the most frequent label of at least two others; None for fewer or for a tie."""
        others = Counter(self.others(entry)).most_common(2)
        if sum(n for _, n in others) < 2 or (len(others) == 2 and others[0][1] == others[1][1]):
            return None
        return others[0][0]
