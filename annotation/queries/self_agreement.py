"""How far people agree with themselves: their judgements of repeats beside those of the originals."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from annotation.models import Batch, Item, Judgement
from stats.jeffreys import lower_bound, upper_bound

# On each side of a two-sided interval of 95 %.
TAIL = 0.975


@dataclass(frozen=True)
class SelfAgreement:
    """Of `n` repeats, `n_same` got the label that the same person had given to the original."""

    n: int = 0
    n_same: int = 0

    @property
    def value(self) -> float | None:
        """The share that got the same label; None without repeats."""
        return self.n_same / self.n if self.n else None

    @property
    def low(self) -> float | None:
        """The lower end of Jeffreys' 95 % interval of the share; None without repeats."""
        return lower_bound(self.n_same, self.n, TAIL) if self.n else None

    @property
    def high(self) -> float | None:
        """The upper end of the interval; None without repeats."""
        return upper_bound(self.n_same, self.n, TAIL) if self.n else None

    @property
    def figure(self) -> dict[str, float | str | None]:
        """The share as a template shows it, with a `reason` where it is undefined."""
        reason = None if self.n else "no item was judged twice"
        return {"value": self.value, "low": self.low, "high": self.high, "reason": reason}


def by_person(batches: Collection[Batch]) -> dict[int, SelfAgreement]:
    """The agreement of each person (key) who judged repeats in these batches, in two queries.

    Both judgements are counted, and the item is not excluded: what the organisers refused says nothing here either.
    """
    counted = Judgement.objects.counted().filter(assignment__item__batch__in=batches).order_by()
    again = counted.filter(
        assignment__item__repeats__isnull=False, assignment__item__repeats__is_excluded=False
    ).values_list("assignment__annotator", "assignment__item__repeats", "response")
    originals = Item.objects.filter(batch__in=batches, repeat__isnull=False)
    first = counted.filter(assignment__item__in=originals.order_by()).values_list(
        "assignment__annotator", "assignment__item", "response"
    )
    before: dict[tuple[int, int | None], object] = {
        (person, item): response for person, item, response in first
    }
    found: dict[int, SelfAgreement] = {}
    for person, item, response in again:
        if (person, item) in before:
            is_same = response == before[person, item]
            found[person] = pooled([found.get(person, SelfAgreement()), SelfAgreement(1, is_same)])
    return found


def pooled(parts: Iterable[SelfAgreement]) -> SelfAgreement:
    """The agreement of all of these together."""
    each = list(parts)
    return SelfAgreement(sum(part.n for part in each), sum(part.n_same for part in each))
