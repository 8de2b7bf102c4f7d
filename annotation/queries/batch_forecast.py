"""The expected cost and yield of a batch before it opens."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Count, Q

from annotation import schemes
from annotation.design import round_robin
from annotation.models import Batch, BatchState, SetAside, Verdict
from annotation.queries import batch_progress
from annotation.schemes import Shows, VerdictScheme
from sampling import pay
from sampling.models import AnswerPair, EvidenceSpan, PoolPassage
from stats import design_effect
from stats.design_effect import Group
from stats.proportion_intervals import wilson_half_width


def items_per_question(batch: Batch) -> list[int]:
    """The number of items of each question, without making them. Questions without evidence are left out if the
    scheme shows evidence.
    """
    scheme, pool = schemes.get(batch.scheme), batch.pool
    if scheme.shows == Shows.PASSAGES:
        return [1] * PoolPassage.objects.filter(pool=pool).values("turn").distinct().count()
    if scheme.shows == Shows.ORDERED_PAIR:
        of_turn = AnswerPair.objects.filter(pool=pool).order_by().values("first__turn")
        return list(of_turn.annotate(n=Count("pk")).values_list("n", flat=True))
    candidates = pool.candidates.order_by()
    if scheme.shows_evidence:
        candidates = candidates.filter(
            turn__in=EvidenceSpan.objects.filter(pool=pool).values("turn")
        )
    answers = list(candidates.values("turn").annotate(n=Count("pk")).values_list("n", flat=True))
    if scheme.shows == Shows.ANSWERS:
        return [1 for _ in answers]
    if scheme.shows == Shows.PAIR:
        paired = (round_robin.n_meetings(n, batch.opponents_per_answer) for n in answers)
        return [n for n in paired if n]
    return answers


@dataclass(frozen=True)
class PastOutcomes:
    """The outcomes of the items in the study's settled batches of a scheme; at least one item."""

    n_batches: int
    groups: tuple[Group, ...]

    @property
    def n_items(self) -> int:
        return sum(group.n for group in self.groups)

    @property
    def share(self) -> float:
        """The share of items that ended with the scheme's accepted label."""
        return sum(group.n_accepted for group in self.groups) / self.n_items


@dataclass(frozen=True)
class Forecast:
    """The expected cost and yield of a batch.

    half_width            half the width of the interval of a share of one half, with the batch's items
    half_width_of_past    half the width of the interval of the past share, with the batch's items
    likeness              intraclass correlation of past items of one question
    n_effective           effective number of the batch's items under that correlation
    half_width_clustered  half the width of the interval of the past share, with n_effective
    """

    n_items: int
    n_judgements: int
    seconds: int
    hours: float
    price: pay.Money | None
    all_asked: pay.Money | None
    wage: pay.Wage | None
    past: PastOutcomes | None
    half_width: float | None
    half_width_of_past: float | None
    likeness: float | None
    n_effective: float | None
    half_width_clustered: float | None

    @property
    def n_expected(self) -> float | None:
        return None if self.past is None else self.past.share * self.n_items


def forecast(batch: Batch, sizes: Sequence[int]) -> Forecast:
    """The forecast for a batch with `sizes` items for each question."""
    n_items, price = sum(sizes), batch.price
    n_judgements = n_items * batch.judgements_per_item
    before = past_outcomes(batch)
    icc = design_effect.intraclass_correlation(before.groups) if before else None
    effect = None if icc is None else design_effect.design_effect(sizes, icc)
    n_effective = n_items / effect if effect else None
    return Forecast(
        n_items=n_items,
        n_judgements=n_judgements,
        seconds=batch.expected_seconds,
        hours=pay.hours(n_judgements, batch.expected_seconds),
        price=price,
        all_asked=price.times(n_judgements) if price else None,
        wage=pay.wage(price, batch.expected_seconds) if price else None,
        past=before,
        half_width=wilson_half_width(0.5, n_items),
        half_width_of_past=wilson_half_width(before.share, n_items) if before else None,
        likeness=icc,
        n_effective=n_effective,
        half_width_clustered=(
            wilson_half_width(before.share, n_effective) if before and n_effective else None
        ),
    )


def past_outcomes(batch: Batch) -> PastOutcomes | None:
    """Past outcomes of other batches of its study and scheme (rehearsals only for a rehearsal); None if no batch
    is settled. Leaves out items that nobody was asked about because they had no evidence.
    """
    scheme = schemes.get(batch.scheme)
    if not isinstance(scheme, VerdictScheme):
        return None
    closed = Batch.objects.counting().filter(
        study=batch.study,
        scheme=batch.scheme,
        is_rehearsal=batch.is_rehearsal,
        state=BatchState.CLOSED,
    )
    settled = [line.batch.pk for line in batch_progress.batch_lines(closed) if line.is_settled]
    ended = (
        Verdict.objects.current()
        .filter(item__batch__in=settled, item__n_wanted__isnull=False)
        .exclude(set_aside_reason=SetAside.NO_EVIDENCE)
        .order_by()
        .values_list("item__turn")
        .annotate(n=Count("pk"), n_accepted=Count("pk", filter=Q(label=scheme.accepted)))
    )
    groups = tuple(Group(n, n_accepted) for _, n, n_accepted in ended)
    return PastOutcomes(len(settled), groups) if groups else None
