"""What came of the batches that simulated people judged, held against the labels that are true in the rehearsal."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from statistics import median
from typing import Any

from annotation import schemes
from annotation.models import Batch, Item, Judgement, Key, Verdict, VerdictState
from annotation.rehearsal.outcomes import Scores, scores
from annotation.rehearsal.people import Habits
from sampling import pay

NO_SCORES = Scores(0, 0, 0, 0, 0, 0, 0)


@dataclass(frozen=True)
class Stage:
    """One batch of a campaign.

    n_people        who judged in it
    n_missing       judgements that nobody was left to give
    n_right         judgements whose label is the true one
    scores          of the verdicts; None of a training, whose items have none
    median_seconds  None without a judgement
    cost            None of an unpaid batch
    """

    name: str
    n_people: int
    n_items: int
    n_judgements: int
    n_missing: int
    n_right: int
    scores: Scores | None
    median_seconds: float | None
    seconds: float
    cost: pay.Money | None

    def to_dict(self) -> dict[str, Any]:
        """Return the figures as the command prints them; without those of verdicts where there are none."""
        found: dict[str, Any] = {
            "stage": self.name,
            "n_people": self.n_people,
            "n_items": self.n_items,
            "n_judgements": self.n_judgements,
            "n_missing": self.n_missing,
            "share_right": _share(self.n_right, self.n_judgements),
            "median_seconds": self.median_seconds,
            "cost": _amount(self.cost),
        }
        if self.scores is None:
            return found
        return found | {
            "n_decided": self.scores.n_decided,
            "accuracy": self.scores.accuracy,
            "accuracy_of_rare": self.scores.accuracy_of_rare,
        }


@dataclass(frozen=True)
class GroupOutcome:
    """What became of one group: how many finished the training, and how many were let in."""

    habits: Habits
    n: int
    n_trained: int
    n_let_in: int

    def to_dict(self) -> dict[str, Any]:
        return {
            "group": self.habits.name,
            "is_bad": self.habits.is_bad,
            "n": self.n,
            "n_trained": self.n_trained,
            "n_let_in": self.n_let_in,
        }


@dataclass(frozen=True)
class Campaign:
    """What came of it. `everyone` is the full batch, judged by the same crowd right after the pilot."""

    groups: list[GroupOutcome]
    pilot: Stage
    training: Stage
    full: Stage
    everyone: Stage

    def to_dict(self) -> dict[str, Any]:
        """Return the figures as the command prints them. Shares of nothing are None."""
        good = [each for each in self.groups if not each.habits.is_bad]
        bad = [each for each in self.groups if each.habits.is_bad]
        n_good, n_bad = (sum(each.n for each in groups) for groups in (good, bad))
        n_good_in, n_bad_in = (sum(each.n_let_in for each in groups) for groups in (good, bad))
        stages = (self.pilot, self.training, self.full, self.everyone)
        return {
            "n_good": n_good,
            "n_good_let_in": n_good_in,
            "share_of_good_let_in": _share(n_good_in, n_good),
            "n_bad": n_bad,
            "n_bad_let_in": n_bad_in,
            "share_of_bad_caught": _share(n_bad - n_bad_in, n_bad),
            "groups": [each.to_dict() for each in self.groups],
            "stages": [each.to_dict() for each in stages],
            "trusted": _way([self.pilot, self.training], self.full),
            "everyone": _way([self.pilot], self.everyone),
        }


def _way(before: Iterable[Stage], full: Stage) -> dict[str, Any]:
    """What a way to the full batch's verdicts costs in all, and what they are worth."""
    stages = [*before, full]
    scores = full.scores or NO_SCORES
    cost = sum((each.cost.amount for each in stages if each.cost), start=Decimal(0))
    return {
        "n_judgements": sum(each.n_judgements for each in stages),
        "hours": round(sum(each.seconds for each in stages) / pay.SECONDS_PER_HOUR, 2),
        "cost": _amount(full.cost and pay.Money(cost, full.cost.currency)),
        "accuracy": scores.accuracy,
        "accuracy_of_rare": scores.accuracy_of_rare,
        "n_decided": scores.n_decided,
        "n_accepted": scores.n_accepted,
        "n_rightly_accepted": scores.n_rightly_accepted,
        "yield": _share(scores.n_accepted, full.n_judgements),
        "cost_of_accepted": _amount(
            pay.Money(cost / scores.n_accepted, full.cost.currency)
            if full.cost and scores.n_accepted
            else None
        ),
    }


def _share(n: int, of: int) -> float | None:
    return n / of if of else None


def _amount(money: pay.Money | None) -> str | None:
    return None if money is None else str(money)


def stage(name: str, batch: Batch, seed: int) -> Stage:
    """Return the figures of a batch that was rehearsed with this seed and, unless it is a training, settled."""
    scheme = schemes.verdict_scheme(batch.scheme)
    truths = known_labels(batch) if batch.is_training else true_labels(batch, seed)
    judged = Judgement.objects.filter(assignment__item__batch=batch).order_by()
    rows = list(
        judged.values_list(
            "assignment__item", "assignment__annotator", "response", "active_seconds"
        )
    )
    times = [row[3] for row in rows]
    n_open = Item.objects.real().filter(batch=batch).values_list("n_open", flat=True)
    return Stage(
        name=name,
        n_people=len({row[1] for row in rows}),
        n_items=len(truths),
        n_judgements=len(rows),
        n_missing=sum(n_open),
        n_right=sum(truths[row[0]] == scheme.label(row[2]) for row in rows),
        scores=None if batch.is_training else scores(_settled(batch), truths, scheme.accepted),
        median_seconds=median(times) if times else None,
        seconds=sum(times),
        cost=batch.price and batch.price.times(len(rows)),
    )


def true_labels(batch: Batch, seed: int) -> dict[int, str]:
    """Return the label that is true in the rehearsal of each item, by its key."""
    scheme = schemes.verdict_scheme(batch.scheme)
    items = Item.objects.real().filter(batch=batch)
    return {item.pk: scheme.true_label(item.payload, [1], seed=seed) for item in items}


def known_labels(batch: Batch) -> dict[int, str]:
    """Return the label of each keyed item, by the key of the item."""
    return dict(Key.objects.filter(item__batch=batch).values_list("item_id", "label"))


def _settled(batch: Batch) -> Mapping[int, str | None]:
    """The label of each item that has a verdict; None where it is in dispute or set aside."""
    current = Verdict.objects.current().filter(item__batch=batch)
    rows = current.values_list("item_id", "state", "label")
    return {item: label if state == VerdictState.DECIDED else None for item, state, label in rows}
