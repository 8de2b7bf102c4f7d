"""Qualifications and groups of a study, and who holds them."""

from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db.models import Q
from django.http import HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import guards
from accounts.guards import StudyRequest
from accounts.models import Role, Study, User
from annotation import schemes
from annotation.actions import qualifications as acts
from annotation.actions.qualifications import QualificationError
from annotation.forms.qualifications import GRANT, DecisionForm, QualificationForm
from annotation.models import Batch, BatchPurpose, BatchState, Qualification, StandingState
from annotation.queries import standings
from annotation.queries.expected_labels import NotSettledError
from annotation.review_decisions import ReviewError
from pages.listing import Column, Listing
from pages.templatetags.pages import count
from stats.qualification import RuleError

requester = guards.study(Role.REQUESTER)

COLUMNS = (
    Column("annotator", "Annotator", ("user__username",)),
    Column("standing", "Decided"),
    Column("answers", "Right answers", is_number=True),
    Column("suggestion", "The rule says"),
)
# Of decisions, as many of the newest are listed.
N_DECISIONS = 50


@require_safe
@requester
def qualifications(request: StudyRequest, study: Study) -> HttpResponse:
    rows = study.qualifications.select_related("created_by").prefetch_related("batches")
    lines = [(each, _n_holders(each)) for each in rows]
    return render(request, "annotation/qualifications/qualifications.html", {"lines": lines})


def _n_holders(qualification: Qualification) -> int:
    return qualification.standings.granted().count()


@require_http_methods(["GET", "HEAD", "POST"])
@requester
def qualification_new(request: StudyRequest, study: Study) -> HttpResponse:
    form = QualificationForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            made = acts.create(
                study=study, name=form.cleaned_data["name"], rule=form.rule(), by=request.user
            )
        except QualificationError as error:
            form.add_error(None, f"Nothing was made: {error}.")
        except ValidationError as error:
            form.add_error(None, ValidationError(error.messages))
        else:
            messages.success(request, f"“{made.name}” was made. Nobody holds it yet.")
            return redirect("qualification", study.slug, made.pk)
    status = 400 if form.errors else 200
    return render(request, "annotation/qualifications/form.html", {"form": form}, status=status)


@require_safe
@requester
def qualification(request: StudyRequest, study: Study, qualification: int) -> HttpResponse:
    """The people with what was decided of them; with `from`, a batch, what the rule says of their answers in it."""
    return _page(request, _named(study, qualification), request.GET, DecisionForm())


def _page(
    request: StudyRequest, asked: Qualification, query: QueryDict, form: DecisionForm
) -> HttpResponse:
    batch, why_none = _batch_of(asked, query.get("from", "")), ""
    listing = Listing(
        request,
        standings.candidates(asked.study),
        columns=COLUMNS[:2] if asked.is_group else COLUMNS,
        search=("user__username",),
    )
    members = list(listing.page.object_list)
    try:
        lines = standings.lines(asked, batch, members)
    except (NotSettledError, RuleError) as error:
        lines, why_none, batch = standings.lines(asked, None, members), str(error), None
    context = {
        "asked": asked,
        "batch": batch,
        "why_none": why_none,
        "settled": _settled_batches(asked),
        "listing": listing,
        "lines": lines,
        "ticked": set(request.POST.getlist("person")),
        "form": form,
        "may_apply": bool(batch and asked.rule.get("acts")),
        "n_holders": _n_holders(asked),
        "decisions": _newest_decisions(asked),
    }
    template = "annotation/qualifications/qualification.html"
    return render(request, template, context, status=400 if form.errors else 200)


def _newest_decisions(asked: Qualification) -> Any:
    return asked.standings.select_related("user", "by").order_by("-pk")[:N_DECISIONS]


def _settled_batches(asked: Qualification) -> list[Batch]:
    """The settled batches and trainings, whose answers the rule can look at, newest first; none for a group."""
    if asked.is_group:
        return []
    with_labels = [name for name in schemes.names() if schemes.get(name).has_fixed_labels]
    batches = asked.study.batches.not_withdrawn().filter(is_rehearsal=False, scheme__in=with_labels)
    opened = batches.exclude(state=BatchState.DRAFT)
    is_settled = Q(items__verdicts__isnull=False) | Q(purpose=BatchPurpose.TRAINING)
    settled = opened.filter(is_settled).distinct()
    return list(settled.order_by("-created_at", "-pk"))


def _batch_of(asked: Qualification, key: str) -> Batch | None:
    return next((each for each in _settled_batches(asked) if str(each.pk) == key), None)


@require_POST
@requester
def qualification_decide(request: StudyRequest, study: Study, qualification: int) -> HttpResponse:
    """Grant it to the ticked people, or revoke it of them."""
    asked, form = _named(study, qualification), DecisionForm(request.POST)
    people = _ticked(request, asked)
    if not people:
        form.add_error(None, "Nobody is ticked: tick the people that you decide on.")
    if not form.is_valid():
        return _page(request, asked, request.POST, form)
    batch = _batch_of(asked, request.POST.get("from", ""))
    try:
        done = _decide(asked, people, form.cleaned_data, batch, request.user)
    except (QualificationError, ReviewError) as error:
        form.add_error(None, f"Nothing was decided: {error}.")
        return _page(request, asked, request.POST, form)
    messages.success(request, done)
    return redirect(_href(asked, batch))


def _decide(
    asked: Qualification, people: list[User], decided: dict[str, Any], batch: Batch | None, by: User
) -> str:
    """Decide; return what was done as a sentence."""
    lines = standings.lines(asked, batch) if batch else []
    options = {
        "qualification": asked,
        "people": people,
        "reason": decided["reason"],
        "by": by,
        "evidence": {line.user.pk: line.evidence for line in lines},
    }
    who = count(len(people), "person,people")
    if decided["act"] == GRANT:
        acts.grant(**options)
        return f"“{asked.name}” is granted to {who}."
    revocation = acts.revoke(**options)
    claims = count(revocation.n_given_back, "open claim")
    return f"“{asked.name}” is revoked of {who}; {claims} went back to others."


def _ticked(request: StudyRequest, asked: Qualification) -> list[User]:
    keys = [key for key in request.POST.getlist("person") if key.isascii() and key.isdigit()]
    members = standings.candidates(asked.study).filter(
        pk__in=[key for key in keys if len(key) < 19]
    )
    return [member.user for member in members]


@require_POST
@requester
def qualification_apply(request: StudyRequest, study: Study, qualification: int) -> HttpResponse:
    """Let the rule decide of the answers in the batch that the form names."""
    asked = _named(study, qualification)
    batch = _batch_of(asked, request.POST.get("from", ""))
    if batch is None:
        messages.error(request, "Nothing was decided: choose a settled batch first.")
        return redirect(_href(asked, None))
    try:
        rows = acts.apply_rule(qualification=asked, batch=batch, by=request.user)
    except (QualificationError, NotSettledError, RuleError) as error:
        messages.error(request, f"Nothing was decided: {error}.")
    else:
        n = sum(row.state == StandingState.GRANTED for row in rows)
        messages.success(
            request,
            f"The rule granted “{asked.name}” to {count(n, 'person,people')} and did not grant it to"
            f" {len(rows) - n}.",
        )
    return redirect(_href(asked, batch))


def _named(study: Study, pk: int) -> Qualification:
    return get_object_or_404(study.qualifications.select_related("study"), pk=pk)


def _href(asked: Qualification, batch: Batch | None) -> str:
    href = reverse("qualification", args=[asked.study.slug, asked.pk])
    return f"{href}?from={batch.pk}" if batch else href
