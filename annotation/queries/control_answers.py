"""The control items of a batch, and how people answered them, for requesters."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from annotation import schemes
from annotation.models import Batch, Item, Judgement, Key
from stats.jeffreys import lower_bound, upper_bound

# On each side of a two-sided interval of 95 %.
TAIL = 0.975


@dataclass(frozen=True)
class ControlLine:
    """A control item: how many answered it, how many with the known label, and the other labels given with how many."""

    key: Key
    n: int
    n_right: int
    others: dict[str, int]

    @property
    def question(self) -> str:
        return str(self.key.item.payload["question"])

    @property
    def answer(self) -> str:
        return str(self.key.item.payload["answers"][0]["text"])

    @property
    def interval(self) -> dict[str, float]:
        """The ends, `low` and `high`, of the 95 % Jeffreys interval of the share that was right."""
        return {
            "low": lower_bound(self.n_right, self.n, TAIL),
            "high": upper_bound(self.n_right, self.n, TAIL),
        }


def control_lines(batch: Batch) -> list[ControlLine]:
    """The control items in the order in which they were added, with the judgements that are not withdrawn."""
    keys = Key.objects.filter(item__batch=batch).select_related("item", "from_verdict__item__batch")
    scheme = schemes.verdict_scheme(batch.scheme)
    labels: dict[int, Counter[str]] = defaultdict(Counter)
    answers = Judgement.objects.not_withdrawn().filter(assignment__item__key__in=keys).order_by()
    for item, response in answers.values_list("assignment__item", "response"):
        labels[item][scheme.label(response)] += 1
    return [_line(key, labels[key.item_id]) for key in keys.order_by("item__position")]


def _line(key: Key, given: Counter[str]) -> ControlLine:
    others = {label: n for label, n in sorted(given.items()) if label != key.label}
    return ControlLine(key, given.total(), given[key.label], others)


def n_by_label(batch: Batch, lines: Iterable[ControlLine]) -> dict[str, int]:
    """How many control items that are not taken out there are of each label of the scheme."""
    counts = Counter(each.key.label for each in lines if not each.key.item.is_excluded)
    return {label: counts[label] for label in schemes.get(batch.scheme).labels}


def share_of_single_items(batch: Batch) -> float | None:
    """The share of the batch's questions with one item only; None without items. Where items of one question come in
    a row, a control item, which is alone of its question, is like these.
    """
    counts = Counter(Item.objects.real().filter(batch=batch).values_list("turn", flat=True))
    return sum(n == 1 for n in counts.values()) / len(counts) if counts else None
