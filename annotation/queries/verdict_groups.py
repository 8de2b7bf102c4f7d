"""The current verdicts of a batch, counted once for all that its page says of them."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Count, Max

from annotation import schemes
from annotation.models import Batch, Source, Verdict, VerdictState


@dataclass(frozen=True)
class Group:
    """Current verdicts that are alike: how many there are, and the key of the newest."""

    state: str
    label: str
    set_aside_reason: str
    source: str
    rule: str
    n: int
    newest: int


def verdict_groups(batch: Batch) -> list[Group]:
    """Return the groups of the batch's current verdicts, in no order."""
    current = Verdict.objects.current().filter(item__batch=batch).order_by()
    columns = ("state", "label", "set_aside_reason", "source", "rule")
    rows = current.values_list(*columns).annotate(n=Count("pk"), newest=Max("pk"))
    return [Group(*row) for row in rows]


def last_rule(groups: Iterable[Group]) -> str:
    """Return what `verdict_freshness.last_rule` does of the verdicts."""
    ordered = sorted(groups, key=lambda each: (each.source != Source.CONSENSUS, -each.newest))
    return next((each.rule for each in ordered if each.rule), "")


def n_accepted(groups: Iterable[Group], batch: Batch) -> int:
    """Return the number of `candidates_and_flags.accepted_candidates`: an item of a scheme with verdicts shows one."""
    accepted = schemes.settled_scheme(batch.scheme).accepted
    decided = [each for each in groups if each.state == VerdictState.DECIDED]
    return sum(each.n for each in decided if each.label == accepted)
