"""What the desk shows in training: after each judgement what was expected and why, at the end what came of it.

Of any other batch nothing of this is shown: who judges a hidden control item must not learn that it is one.
"""

import uuid
from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import urlencode

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse

from accounts.guards import StudyRequest
from annotation import schemes
from annotation.actions import training as acts
from annotation.actions.desk_submissions import JudgementResult
from annotation.models import Assignment, AssignmentState, Batch
from annotation.queries import training as queries
from annotation.queries.training import Expectation
from annotation.views.desk import contents


def redirect_after(request: StudyRequest, batch: Batch, assignment: Assignment) -> HttpResponse:
    """Redirect to the next item; in training to what was expected of the one that was just judged."""
    desk = reverse("desk", args=[batch.study.slug, batch.pk])
    if not batch.is_training:
        return redirect(desk)
    acts.conclude(batch=batch, by=request.user)
    return redirect(f"{desk}?{urlencode({'judged': assignment.public_id})}")


def expectation_page(request: StudyRequest, batch: Batch) -> HttpResponse | None:
    """The page of the judged item that the query string names, with what was expected; None if it names none."""
    assignment = _judged_assignment(request, batch)
    if assignment is None:
        return None
    stored = assignment.judgements.not_withdrawn().last()
    told = queries.expectations(batch, [stored] if stored else [])
    if stored is None or stored.pk not in told:
        return None
    context = {"batch": batch, **_told_context(assignment, batch, told[stored.pk])}
    return render(request, "annotation/desk/expected.html", context)


def _judged_assignment(request: StudyRequest, batch: Batch) -> Assignment | None:
    if not batch.is_training:
        return None
    try:
        named = uuid.UUID(request.GET.get("judged", ""))
    except ValueError:
        return None
    own = Assignment.objects.filter(
        item__batch=batch, annotator=request.user, state=AssignmentState.SUBMITTED
    )
    return own.select_related("item").filter(public_id=named).first()


def _told_context(assignment: Assignment, batch: Batch, expectation: Expectation) -> dict[str, Any]:
    scheme = schemes.get(batch.scheme)
    return {
        **contents.item_context(assignment, batch, scheme),
        "is_late": False,
        "expectation": expectation,
    }


def expectations_of(batch: Batch, results: Iterable[JudgementResult]) -> dict[int, Expectation]:
    """What was expected of the items of these results, by judgement; {} without a query where nothing is told."""
    if not batch.is_training:
        return {}
    stored = [
        each.judgement
        for each in results
        if each.judgement is not None and not hasattr(each.judgement, "withdrawal")
    ]
    return queries.expectations(batch, stored)


def in_result(
    result: JudgementResult, batch: Batch, expectations: Mapping[int, Expectation]
) -> dict[str, str]:
    """What the reply says of one submission beside its outcome; {} in any batch but a training."""
    if not batch.is_training:
        return {}
    stored = result.judgement
    if stored is None or stored.pk not in expectations:
        return {"expected": ""}
    context = _told_context(stored.assignment, batch, expectations[stored.pk])
    return {"expected": render_to_string("annotation/desk/_expected.html", context)}


def end_context(request: StudyRequest, batch: Batch) -> dict[str, Any]:
    """The context of the end page: what came of the training, or why the person cannot begin it."""
    if not batch.is_training:
        return {}
    return {
        "training": queries.result(batch, request.user),
        "is_barred": bool(queries.why_not_begin(batch, request.user)),
    }
