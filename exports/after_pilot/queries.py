"""What a pilot's judgements, verdicts and people say, read for one page."""

from collections import defaultdict
from statistics import median

from django.db.models import QuerySet, Sum

from accounts.models import Study
from annotation import schemes
from annotation.actions.batches import purpose_of
from annotation.models import (
    Batch,
    Flag,
    Judgement,
    Qualification,
    SetAside,
    Source,
    Verdict,
    VerdictState,
)
from annotation.queries import few_rows, outcomes
from annotation.schemes import VerdictScheme
from exports.after_pilot.figures import LabelDisputes, Settled, Yield, disputes_by_label, yield_of
from exports.after_pilot.shown import Times
from sampling.models import Pool

# The reasons for which an item says nothing of how many answers are accepted.
NOT_ASKED = (SetAside.NO_EVIDENCE, SetAside.EXCLUDED)


def times(batch: Batch) -> Times:
    rows = Judgement.objects.not_withdrawn().filter(assignment__item__batch=batch).order_by()
    by_person: dict[int, list[float]] = defaultdict(list)
    for person, seconds in rows.values_list("assignment__annotator_id", "active_seconds"):
        by_person[person].append(seconds)
    every = [seconds for own in by_person.values() for seconds in own]
    return Times(
        median=median(every) if every else None,
        total=sum(every),
        n=len(every),
        n_by_person={person: len(own) for person, own in by_person.items()},
        median_by_person={person: median(own) for person, own in by_person.items()},
    )


def batch_yield(batch: Batch) -> Yield | None:
    """Return the yield of the items that have a verdict; None if none has, or the scheme has no verdicts.

    Items in dispute count as not accepted. Left out are excluded ones, and those that nobody was asked about.
    """
    scheme = schemes.get(batch.scheme)
    if not isinstance(scheme, VerdictScheme):
        return None
    verdicts = Verdict.objects.current().filter(
        item__batch=batch, item__n_wanted__isnull=False, item__is_excluded=False
    )
    rows = verdicts.exclude(set_aside_reason__in=NOT_ASKED).order_by()
    found = list(rows.values_list("item", "item__turn__conversation", "state", "label"))
    if not found:
        return None
    n_judgements = rows.aggregate(n=Sum("item__n_counted"))["n"]
    settled = (
        Settled(cluster, state == VerdictState.DECIDED and label == scheme.accepted)
        for _, cluster, state, label in found
    )
    return yield_of(settled, n_judgements or 0)


def disputes(batch: Batch) -> list[LabelDisputes]:
    """Return a line for each label that somebody gave; [] for a scheme without verdicts."""
    scheme = schemes.get(batch.scheme)
    if not isinstance(scheme, VerdictScheme):
        return []
    current = Verdict.objects.current().filter(item__batch=batch)
    disputed = current.filter(state=VerdictState.DISPUTED)
    adjudicated = current.filter(state=VerdictState.DECIDED, source=Source.ADJUDICATION)
    lines = disputes_by_label(
        scheme.labels,
        [(item, votes.values()) for item, votes in outcomes.counted_votes(batch).items()],
        frozenset(disputed.values_list("item_id", flat=True)),
        dict(adjudicated.values_list("item_id", "label")),
    )
    return [line for line in lines if line.n]


def n_comments(batch: Batch) -> int:
    """Return how many judgements have a comment."""
    judgements = Judgement.objects.not_withdrawn().filter(assignment__item__batch=batch)
    return judgements.exclude(comment="").count()


def n_flags(batch: Batch) -> int:
    return few_rows.at(Flag.objects.all(), "assignment__item__batch", [batch.pk]).count()


def pools(batch: Batch) -> list[Pool]:
    """Return the pools that a full batch of the pilot's scheme can be made of: others first, the newest of them first."""
    purpose = purpose_of(schemes.get(batch.scheme))
    usable = batch.study.pools.usable().filter(purpose=purpose, is_rehearsal=False)
    return sorted(usable.order_by("-created_at", "-pk"), key=lambda pool: pool.pk == batch.pool_id)


def in_order(pools: list[Pool]) -> QuerySet[Pool]:
    """Return these pools as a query, the newest first."""
    return Pool.objects.filter(pk__in=[each.pk for each in pools]).order_by("-created_at", "-pk")


def qualifications(study: Study) -> QuerySet[Qualification]:
    return study.qualifications.select_related("study").order_by("name")
