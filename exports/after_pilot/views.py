"""The page After the pilot: what a batch showed, who goes on, and the full batch."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from accounts import guards
from accounts.errors import ActionError
from accounts.guards import StudyRequest
from accounts.models import Role, Study
from annotation.actions import batches
from annotation.models import Batch, BatchState
from annotation.queries import (
    batch_forecast,
    batch_progress,
    guideline_issues,
    guideline_versions,
    opening_warnings,
)
from exports.after_pilot import actions, people_queries, queries, wording
from exports.after_pilot.figures import FullBatch, Yield
from exports.after_pilot.forms import OpenFullForm, WhatIfForm
from exports.after_pilot.people_queries import People
from exports.after_pilot.pilot_queries import pilot_figures
from exports.after_pilot.shown import PilotFigures, Times
from exports.after_pilot.stored_figures import StoredPilotFigures
from jobs import shortcuts
from pages.templatetags.pages import count
from pages.words import sentence
from sampling import pay
from sampling.models import Pool

requester = guards.study(Role.REQUESTER)

# The field of the form that says which job stored the figures by which people were ticked.
STORED = "stored"
BARS = (0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95)


@dataclass(frozen=True)
class BarLine:
    """A bar with how many of the pilot's people pass, how many would work, and the hours of each of these."""

    bar: float
    is_chosen: bool
    n_passing: int
    n_working: int
    hours_each: float | None


@require_http_methods(["GET", "HEAD", "POST"])
@requester
def after_pilot(request: StudyRequest, study: Study, batch: int) -> HttpResponseBase:
    """The figures with the fields of the address; by POST the full batch opens."""
    rows = study.batches.select_related("study", "pool", "guideline")
    found: Batch = get_object_or_404(rows, pk=batch)
    if found.state == BatchState.DRAFT:
        messages.error(request, "The batch is a draft: nobody has judged anything in it.")
        return redirect("batch", study=study.slug, batch=batch)
    if request.method != "POST":
        form = WhatIfForm(request.GET.dict(), batch=found)
        return _page(request, found, form, OpenFullForm(None, batch=found, pools=form.pools))
    opening = OpenFullForm(request.POST.dict(), batch=found)
    read = pilot_figures(found)
    is_valid = opening.is_valid()
    if old := _what_was_not_shown(request, found):
        opening.add_error(None, old)
    elif is_valid and (done := _open(request, found, opening, read)):
        return done
    form = WhatIfForm(request.POST.dict(), batch=found)
    return _page(request, found, form, opening, read)


@require_POST
@requester
def after_pilot_start(request: StudyRequest, study: Study, batch: int) -> HttpResponseBase:
    """Start the job that stores what a large batch showed."""
    found: Batch = get_object_or_404(study.batches.select_related("study"), pk=batch)
    here = reverse("after_pilot", args=[study.slug, batch])
    return shortcuts.compute(request, StoredPilotFigures(study, found), here=here)


def _what_was_not_shown(request: StudyRequest, pilot: Batch) -> str:
    """Return sentences for who ticked people by stored figures that are not those of now; "" for anybody else.

    The page that has these sentences is read now, as its form says: it is sent in vain once.
    """
    shown = request.POST.get(STORED, "")
    stored = StoredPilotFigures(pilot.study, pilot)
    if not shown or (stored.is_stored and shown == stored.shown_job and not stored.since):
        return ""
    return (
        f"Nothing was done: the page that you sent showed old figures. {stored.since}"
        " Now this page has everything: look once more at what was said of people and at who is ticked."
    )


def _open(
    request: StudyRequest, pilot: Batch, form: OpenFullForm, read: PilotFigures
) -> HttpResponse | None:
    """Open the full batch; None, with the error in the form, if something forbids it."""
    data = form.cleaned_data
    said = people_queries.people(pilot, form.asked, data["bar"], read)
    ticked = [each for each in said.people if str(each.member.pk) in _ticked(request)]
    rule = {} if said.why_no_rule else people_queries.rule_at(None, pilot, data["bar"]).to_dict()
    try:
        done = actions.open_full(
            pilot=pilot,
            pool=data["pool"],
            name=data["name"],
            judgements_per_item=data["judgements"],
            asked=form.asked or actions.NewQualification(data["new_name"], rule),
            people=[each.member.user for each in ticked],
            reason=data["reason"],
            evidence={each.member.user_id: each.line.evidence for each in ticked},
            plan=data["plan"],
            by=request.user,
        )
    except ValidationError as error:
        form.add_error(None, ValidationError(error.messages))
    except ActionError as error:
        form.add_error(None, f"Nothing was done: {error}.")
    else:
        who = count(len(done.granted), "person,people")
        messages.success(
            request,
            f"“{done.qualification.name}” is granted to {who}, and “{done.batch.name}” is open for whoever holds it.",
        )
        for warning in opening_warnings.warnings(done.batch):
            messages.warning(request, sentence(warning))
        return redirect("batch", study=pilot.study.slug, batch=done.batch.pk)
    return None


def _ticked(request: StudyRequest) -> set[str]:
    return set(request.POST.getlist("person"))


def _page(
    request: StudyRequest,
    batch: Batch,
    form: WhatIfForm,
    opening: OpenFullForm,
    read: PilotFigures | None = None,
) -> HttpResponse:
    """Return the page; what was read now, if anything was, is shown instead of what is stored."""
    is_valid = form.is_valid()
    pilot = StoredPilotFigures(batch.study, batch)
    figures = read or pilot.figures
    spent, accepted = figures.spent, figures.accepted
    bar = form.cleaned_data.get("bar")
    said = people_queries.people(batch, form.asked, bar, figures)
    (line,) = batch_progress.batch_lines([batch])
    pilot.agreement.n_counted = line.n_counted
    price = batch.price
    context: dict[str, Any] = {
        "batch": batch,
        "line": line,
        "not_final": wording.not_final(line),
        "pilot": pilot,
        "shown_job": "" if read else pilot.shown_job,
        "stored": pilot.agreement,
        "spent": spent,
        "total_hours": spent.total / pay.SECONDS_PER_HOUR,
        "wage": pay.wage(price, spent.median) if price else None,
        "accepted": accepted,
        "disputes": figures.disputes,
        "unclear": [each for each in guideline_issues.section_counts(batch) if each.n_items],
        "versions": guideline_versions.version_lines(batch),
        "n_comments": figures.n_comments,
        "n_flags": queries.n_flags(batch),
        "form": form,
        "opening": opening,
        "people": said,
        "bar": bar,
        "ticked": _ticked(request)
        if request.method == "POST"
        else {str(each.member.pk) for each in said.people if each.is_suggested},
        "can_open": not (batch.is_rehearsal or batch.is_withdrawn),
    }
    pool = form.cleaned_data.get("pool") if is_valid else None
    if pool is not None and bar is not None:
        asked = _asked(batch, pool)
        full = _full_batch(asked, form.cleaned_data["judgements"], spent, accepted)
        is_rules, n_ticked = request.method != "POST", len(context["ticked"])
        consequences = wording.consequences(
            batch, pool, full, form.asked, said, bar, n_ticked, is_rules=is_rules
        )
        warnings = map(sentence, opening_warnings.warnings(asked))
        context |= {
            "pool": pool,
            "full": full,
            "bars": _bar_lines(said, full, bar),
            "consequences": [*consequences, *warnings],
        }
    has_errors = bool(opening.errors) or not is_valid
    return render(
        request,
        "exports/after_pilot/after_pilot.html",
        context,
        status=400 if has_errors else 200,
    )


def _asked(pilot: Batch, pool: Pool) -> Batch:
    """Return the full batch, not saved, with what its size and the warnings of its opening depend on."""
    return Batch(
        study=pilot.study,
        scheme=pilot.scheme,
        pool=pool,
        guideline=pilot.guideline,
        opponents_per_answer=pilot.opponents_per_answer,
        largest_share=pilot.largest_share,
        control_every=pilot.control_every,
        repeat_every=pilot.repeat_every,
        reward=pilot.reward,
        currency=pilot.currency,
        expected_seconds=pilot.expected_seconds,
    )


def _full_batch(asked: Batch, judgements: int, spent: Times, accepted: Yield | None) -> FullBatch:
    n_items = sum(batch_forecast.items_per_question(asked))
    return FullBatch(
        n_items=n_items,
        judgements=judgements,
        price=asked.price,
        seconds=asked.expected_seconds if spent.median is None else spent.median,
        accepted=accepted,
        most_per_person=batches.most_per_person(asked.largest_share, n_items),
    )


def _bar_lines(said: People, full: FullBatch, chosen: float) -> Sequence[BarLine]:
    return [
        BarLine(
            bar=bar,
            is_chosen=bar == chosen,
            n_passing=said.n_passing(bar),
            n_working=said.n_working(bar),
            hours_each=full.hours_each(said.n_working(bar)),
        )
        for bar in sorted({*BARS, chosen})
    ]
