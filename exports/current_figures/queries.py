"""Which stored figures a study has, and which of them are out of date."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet

from accounts.models import Membership, Role, Study, User
from annotation.models import Batch, BatchState
from annotation.queries.rule_figures import RuleFigures
from annotation.schemes import VerdictScheme, get
from corpus.models import Dataset
from corpus.versions import lineage_keys
from exports.after_pilot.stored_figures import StoredPilotFigures
from exports.agreement.stored_figures import figures_of_batches
from exports.annotators.stored_figures import AnnotatorsFigures
from exports.comparison.queries import SCHEMES as COMPARED
from exports.comparison.stored_figures import ComparisonFigures
from exports.late_runs.stored_figures import LateFigures
from exports.leave_one_team_out.stored_figures import LeftOutFigures
from exports.meta_evaluation.stored_figures import MeasuresFigures
from exports.missed_answers.stored_figures import MissedFigures
from exports.releases.stored_figures import ChangesFigures
from exports.results.stored_figures import RunsFigures
from exports.written.queries import SCHEMES as WRITTEN
from exports.written.stored_figures import WrittenFigures
from jobs.models import JobState
from jobs.stored_figures import StoredFigures
from sampling.models import Pool

Figures = StoredFigures[Any]
MORE_JUDGEMENTS = 20


@dataclass(frozen=True)
class State:
    """The figures of a study to be computed anew, and whether a job is at work on any."""

    due: list[Figures]
    is_busy: bool


def state(study: Study, *, since: datetime) -> State:
    """The state of the figures that rest on closed batches; `since` is when the study last changed.

    Figures whose job failed or was cancelled after that are not due: it would happen again.
    """
    found = list(_figures_on_closed_batches(study))
    return State(
        due=[each for each in found if each.is_due and not _is_given_up(each, since)],
        is_busy=any(each.unfinished for each in found),
    )


def _is_given_up(figures: Figures, since: datetime) -> bool:
    newest = figures.newest
    if newest is None or newest.state == JobState.DONE or newest.finished_at is None:
        return False
    return newest.finished_at >= since


def due_on_open_batches() -> Iterator[Figures]:
    """The figures of annotators on batches that people work in, and what large ones showed, once enough was judged
    since the last ones.

    Enough is a tenth more, and at least MORE_JUDGEMENTS: so a batch is computed a few dozen times, however large.
    """
    at_work = Batch.objects.counting().filter(
        state__in=[BatchState.OPEN, BatchState.PAUSED],
        is_rehearsal=False,
        study__archived_at=None,
    )
    for batch in at_work.select_related("study").order_by("pk"):
        pilot = StoredPilotFigures(batch.study, batch)
        found: list[Figures] = [AnnotatorsFigures(batch.study, batch)]
        if pilot.is_large:
            found.append(pilot)
        yield from (each for each in found if _has_many_more(each, pilot.n_judgements))


def _has_many_more(figures: Figures, n_judgements: int) -> bool:
    newest = figures.newest
    if newest is not None and newest.state != JobState.DONE:
        return False  # at work, or it would fail again
    then = figures.computed_from.counts["judgement"] if figures.computed_from else 0
    return n_judgements - then >= max(MORE_JUDGEMENTS, then // 10)


def _figures_on_closed_batches(study: Study) -> Iterator[Figures]:
    closed = list(
        study.batches.counting()
        .filter(state=BatchState.CLOSED)
        .select_related("study", "pool__dataset__study", "guideline")
        .order_by("pk")
    )
    if not closed:
        return
    yield from figures_of_batches(study, closed)
    for batch in closed:
        yield AnnotatorsFigures(study, batch)
        yield StoredPilotFigures(study, batch)
        if isinstance(get(batch.scheme), VerdictScheme):
            yield RuleFigures(study, batch)
    yield AnnotatorsFigures(study)
    yield from _of_comparisons(study, closed)
    yield from _of_datasets(study, closed)
    yield from _of_writing(study, closed)


def _of_comparisons(study: Study, closed: list[Batch]) -> Iterator[Figures]:
    compared = [batch for batch in closed if batch.scheme in COMPARED]
    for batch in compared:
        yield ComparisonFigures(study, batch)
    if compared:
        yield ComparisonFigures(study)


def _of_writing(study: Study, closed: list[Batch]) -> Iterator[Figures]:
    datasets = {each.pool.dataset for each in closed if each.scheme in WRITTEN}
    for dataset in sorted(datasets, key=lambda each: each.pk):
        yield WrittenFigures(study, dataset)


def _of_datasets(study: Study, closed: list[Batch]) -> Iterator[Figures]:
    datasets: dict[int, Dataset] = {batch.pool.dataset_id: batch.pool.dataset for batch in closed}
    later = study.datasets.counting().filter(continues__isnull=False).select_related("study")
    continuing = (each for each in later if datasets.keys() & set(lineage_keys(each)))
    for dataset in (datasets | {each.pk: each for each in continuing}).values():
        yield RunsFigures(study, dataset)
        yield MeasuresFigures(study, dataset)
        yield ChangesFigures(study, dataset)
        yield LateFigures(study, dataset)
        yield LeftOutFigures(study, dataset)
    pools = Pool.objects.filter(dataset__in=datasets, audit_of__isnull=False)
    for audit in pools.select_related("dataset__study", "audit_of__dataset__study"):
        yield MissedFigures(study, audit)


def with_requester(studies: QuerySet[Study]) -> QuerySet[Study]:
    """Return the studies among these that have a requester who can sign in."""
    requesters = Membership.objects.with_role(Role.REQUESTER).filter(user__is_active=True)
    return studies.filter(Exists(requesters.filter(study=OuterRef("pk"))))


def requester_of(study: Study) -> User | None:
    """The requester on whose behalf figures are computed: who has been in the study longest."""
    found = study.memberships.with_role(Role.REQUESTER).filter(user__is_active=True)
    membership = found.select_related("user").order_by("number").first()
    return membership.user if membership else None
