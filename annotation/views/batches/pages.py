"""Pages of batches for requesters: the list, a batch and its progress."""

from collections.abc import Collection
from typing import Any

from django.db.models import Q
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from accounts import guards
from accounts.guards import StudyRequest
from accounts.models import Role, Study
from annotation import schemes
from annotation.actions import open_batches
from annotation.forms import drafts as draft_forms
from annotation.models import Batch, BatchState
from annotation.queries import (
    batch_costs,
    batch_workers,
    completion,
    double_adjudication,
    guideline_issues,
    reservations,
    training_attempts,
    verdict_groups,
)
from annotation.queries import (
    batch_progress as batch_progress_queries,
)
from annotation.queries.skips import skips_by_reason
from annotation.queries.verdict_groups import Group
from annotation.schemes import Shows
from annotation.views.batches import completion_wording
from pages.listing import Column, Filter, Listing

COLUMNS = (
    Column("name", "Batch", ("name",)),
    Column("scheme", "Judged", ("scheme",)),
    Column("state", "State", ("state",)),
    Column("judgements", "Judgements", is_number=True),
    Column("disputes", "In dispute", is_number=True),
    Column("created", "Created", ("created_at",)),
)
STATES = Filter(
    "state",
    "State",
    {state.value: (state.value, Q(state=state.value)) for state in BatchState}
    | {"withdrawn": ("withdrawn", Q(is_withdrawn=True))},
)
KINDS = Filter(
    "kind",
    "Kind",
    {
        "real": ("real", Q(is_rehearsal=False)),
        "rehearsal": ("rehearsal", Q(is_rehearsal=True)),
    },
)
PEOPLE = (
    Column("annotator", "Annotator", ("user__username",)),
    Column("judged", "Judged", ("n_judged",), is_number=True),
    Column("seconds", "Median seconds", is_number=True),  # a median: no database sorts by it
    Column("skipped", "Skipped", ("n_skipped",), is_number=True),
    Column("flagged", "Flagged", ("n_flagged",), is_number=True),
    Column("late", "Late", ("n_surplus",), is_number=True),
    Column("holds", "Open claims", ("n_claimed",), is_number=True),
)

requester = guards.study(Role.REQUESTER)


def batch_of(study: Study, pk: int) -> Batch:
    batches = Batch.objects.select_related(
        "study",
        "pool__dataset",
        "guideline",
        "qualification",
        "trains_for",
        "comprehension_check",
        "closed_by",
        "first_round",
    )
    return get_object_or_404(batches, study=study, pk=pk)


def verdict_batch_of(study: Study, pk: int) -> Batch:
    """The batch. Raises WrongSchemeError if its items have no verdict."""
    found = batch_of(study, pk)
    schemes.verdict_scheme(found.scheme)
    return found


@require_safe
@requester
def batches(request: StudyRequest, study: Study) -> HttpResponse:
    rows = study.batches.order_by("-created_at", "-pk")
    listing = Listing(request, rows, columns=COLUMNS, search=("name",), filters=(STATES, KINDS))
    context = {
        "listing": listing,
        "lines": batch_progress_queries.batch_lines(listing.page.object_list),
        "has_pool": draft_forms.pools(study).exists(),
    }
    return render(request, "annotation/batches/batches.html", context)


@require_safe
@requester
def batch(request: StudyRequest, study: Study, batch: int) -> HttpResponse:
    return render(
        request, "annotation/batches/batch.html", _batch_context(request, batch_of(study, batch))
    )


@require_safe
@requester
def batch_progress(request: StudyRequest, study: Study, batch: int) -> HttpResponse:
    """The part of a batch's page that is refreshed while people work."""
    found = batch_of(study, batch)
    return render(request, "annotation/batches/_progress.html", _batch_context(request, found))


def _batch_context(request: StudyRequest, batch: Batch) -> dict[str, Any]:
    groups = verdict_groups.verdict_groups(batch)
    line = batch_progress_queries.batch_line(batch, groups)
    scheme = schemes.get(batch.scheme)
    has_verdicts = bool(line.n_verdicts) and scheme.has_verdict
    where = {"study": batch.study.slug, "batch": batch.pk}
    n_accepted = verdict_groups.n_accepted(groups, batch) if has_verdicts else 0
    page = reverse("batch", kwargs=where)
    listing = Listing(request, batch_workers.members_at_work(batch), columns=PEOPLE, path=page)
    activity = batch_workers.activity_by_person(batch)
    shortfall = completion.shortfall(batch)
    with_part = reservations.people_at_parts(batch)
    training = training_attempts.counts(batch) if batch.is_training else None
    has_ended = batch.deadline_at is not None and batch.deadline_at <= timezone.now()
    return {
        "batch": batch,
        "line": line,
        "can_change": batch.state in open_batches.AT_WORK,
        "can_return": batch.state != BatchState.DRAFT
        and not (training.n_begun if training else line.n_counted),
        "n_versions": batch.guideline_versions.count() if batch.guideline_since else 0,
        "scheme": scheme,
        "training": training,
        "shows_pairs": scheme.shows == Shows.PAIR,
        "listing": listing,
        "workers": batch_workers.workers(
            batch, listing.page, training.n_items if training else line.n_items, activity
        ),
        "refreshed_at": listing.address_at(reverse("batch_progress", kwargs=where)),
        "skips": skips_by_reason(batch, batch_workers.people_who_skipped(activity)),
        "endings": batch_progress_queries.outcome_counts(groups),
        "spending": batch_costs.spending(batch, line.n_wanted),
        "n_working": batch_workers.n_working(activity) if batch.state != BatchState.DRAFT else 0,
        "n_with_part": len(with_part),
        "n_stuck": reservations.n_stuck(batch, with_part),
        "shortfall": shortfall and completion_wording.while_open(shortfall),
        "is_moving": batch.state == BatchState.OPEN and not batch.is_rehearsal,
        "is_past_deadline": has_ended and batch.state in (BatchState.OPEN, BatchState.PAUSED),
        "leads_on_to": schemes.GROUNDING.name
        if batch.scheme == schemes.ACCEPTANCE.name
        and line.is_settled
        and n_accepted
        and not batch.is_withdrawn
        else "",
        "n_accepted": n_accepted,
        **(_verdict_context(batch, groups) if has_verdicts else {}),
    }


def _verdict_context(batch: Batch, groups: Collection[Group]) -> dict[str, Any]:
    return {
        "last_rule": verdict_groups.last_rule(groups),
        "looks": double_adjudication.summary(batch),
        "unclear": [each for each in guideline_issues.section_counts(batch) if each.n_items],
    }
