"""Batches that a plan is for, and those whose judgements say how much values vary."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.db.models import Exists, Min, OuterRef, QuerySet, Sum
from django.db.models.functions import Least

from accounts.models import Role, RoleGrant, Study
from annotation.models import Batch, BatchState, Item, Judgement
from annotation.models.work import JudgementQuerySet
from annotation.queries import batch_forecast
from corpus.models import COMPETING, RunKind, Turn
from exports.planning.measures import SCHEMES, Measure, first_of_scheme
from exports.rows.columns import JudgementRow
from exports.rows.judgements import rows_of_judgements
from exports.rows.rounds import n_first
from sampling.models import Fate
from sampling.pools.selection import State
from scoring import queries as scoring_queries
from stats.variance_components import LEAST_PEOPLE, Estimate, estimate

# As many tell the components well, and are read while somebody waits.
MOST_JUDGEMENTS = 1_000


@dataclass(frozen=True)
class Pilot:
    """The variance components of a batch, of `n_judgements` of its `n_counted` judgements.

    Only first judgements are in both numbers: those asked for because of a dispute are of the hard questions.
    """

    batch: Batch
    difference: Estimate
    one_run: Estimate
    n_judgements: int
    n_counted: int


def pilots(study: Study) -> QuerySet[Batch]:
    """The batches of ratings, preferences and plausibility with a counted judgement, newest first."""
    judged = Judgement.objects.counted().filter(assignment__item__batch=OuterRef("pk"))
    batches = study.batches.counting().filter(Exists(judged), scheme__in=SCHEMES)
    return batches.exclude(state=BatchState.DRAFT).order_by("-created_at", "-pk")


def pilot(batch: Batch, measure: Measure) -> Pilot:
    """The variance components of the batch for the measure, each the mean over pairs of runs, or runs.

    All judgements of the first questions: the first items of a batch that is not grouped by question hold few runs
    of each.
    """
    from exports.planning.pilot_values import tables  # noqa: PLC0415  numpy, of which a plan without a pilot has no need

    questions, n_chosen, n_counted = _first_questions(batch)
    judged = (
        _counted(batch).filter(assignment__item__turn__in=questions).values_list("pk", flat=True)
    )
    rows = _without_sentences(batch, rows_of_judgements(batch, list(judged)))
    of_pairs, of_runs = tables(measure, rows, _unanswerable(batch, rows))
    return Pilot(batch, estimate(of_pairs), estimate(of_runs), n_chosen, n_counted)


def _first_questions(batch: Batch) -> tuple[list[int], int, int]:
    """Questions (turns' keys) in the order of their first items, until they have MOST_JUDGEMENTS first judgements;
    the number of these; and that of the batch.
    """
    judged = Item.objects.real().filter(batch=batch, is_excluded=False, n_counted__gt=0)
    of_turns = judged.values("turn").annotate(
        place=Min("position"), n=Sum(Least("n_counted", n_first(batch)))
    )
    chosen: list[int] = []
    n_chosen = n_counted = 0
    for turn, n in of_turns.order_by("place").values_list("turn", "n"):
        n_counted += n
        if n_chosen < MOST_JUDGEMENTS:
            chosen.append(turn)
            n_chosen += n
    return chosen, n_chosen, n_counted


def _counted(batch: Batch) -> JudgementQuerySet:
    return Judgement.objects.counted().filter(
        assignment__item__batch=batch,
        assignment__item__n_wanted__isnull=False,
        assignment__item__is_excluded=False,
    )


def _without_sentences(batch: Batch, rows: Iterable[JudgementRow]) -> list[JudgementRow]:
    """The first judgements, without runs of extracted sentences among those that gave the answer."""
    sentences = set(
        batch.pool.dataset.runs.filter(kind=RunKind.EXTRACTED).values_list("name", flat=True)
    )
    first = [row for row in rows if row.is_first]
    if not sentences:
        return first
    return [
        replace(row, runs="|".join(run for run in row.runs.split("|") if run not in sentences))
        for row in first
    ]


def _unanswerable(batch: Batch, rows: list[JudgementRow]) -> set[str]:
    """The ids of the judged turns without a reference."""
    judged = {row.turn_id for row in rows}
    # Of some thousand turns of the batch, a few hundred are judged here.
    turns = {turn.pk: turn.key for turn in _turns(batch) if turn.key in judged}
    answerable = scoring_queries.references(batch.pool.dataset, set(turns))
    return {key for pk, key in turns.items() if pk not in answerable}


def _turns(batch: Batch) -> QuerySet[Turn]:
    turns = Turn.objects.filter(items__batch=batch).distinct().select_related("conversation")
    return turns.only("conversation__key", "number")


def n_annotators(study: Study) -> int:
    return RoleGrant.objects.filter(membership__study=study, role=Role.ANNOTATOR).count()


def defaults_of(batch: Batch) -> Mapping[str, Any]:
    """The fields of a plan of this batch; of a scheme that is not planned none."""
    measure = first_of_scheme(batch.scheme)
    sizes = batch_forecast.items_per_question(batch)
    if measure is None or not sizes:
        return {}
    # By the candidates, of which there are few: the fates of a pool are those of all answers.
    runs = Fate.objects.filter(
        candidate__pool=batch.pool, state=State.DRAWN, answer__run__kind__in=COMPETING
    ).order_by()
    found: dict[str, Any] = {
        "measure": measure.name,
        "questions": max(2, len(sizes)),
        "people": max(LEAST_PEOPLE, batch.judgements_per_item, n_annotators(batch.study)),
        "per_question": batch.judgements_per_item,
        "runs": max(2, runs.values("answer__run").distinct().count()),
        "items": max(1, round(sum(sizes) / len(sizes))),
    }
    if batch.price:
        found |= {"price": batch.price.shortest, "currency": batch.currency}
    return found
