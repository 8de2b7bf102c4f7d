"""Freeze the plan of analysis of a batch."""

from django.db import transaction

from accounts import permissions
from accounts.errors import ActionError
from accounts.models import Role, User
from annotation.actions import locks
from annotation.models import AnalysisPlan, Batch, Judgement
from annotation.models.limits import LONGEST_PLAN
from annotation.schemes import payloads
from audit import events


class PlanError(ActionError):
    """The plan cannot be frozen; the message says why."""


@transaction.atomic
def freeze(*, batch: Batch, text: str, by: User) -> AnalysisPlan:
    """Keep the text, to the letter, with its hash, the time, and how many judgements the batch had by then.

    It may be frozen at any time, and again: what is frozen stays, and releases say what came after the first
    judgement. Raises PlanError for a text that is none, or that is frozen already.
    """
    permissions.require(by, batch.study, Role.REQUESTER)
    locked = locks.locked_batch(batch.pk)
    if not text.strip():
        raise PlanError("the plan is empty")
    if "\0" in text:
        raise PlanError("the plan holds a NUL character: it is not a text")
    if len(text) > LONGEST_PLAN:
        raise PlanError(f"the plan has {len(text):,} characters; at most {LONGEST_PLAN:,} are kept")
    sha256 = payloads.text_sha256(text)
    newest = locked.analysis_plans.last()
    if newest is not None and newest.sha256 == sha256:
        raise PlanError(f"this text is the plan of {locked.name} already")
    plan = AnalysisPlan.objects.create(
        batch=locked,
        text=text,
        sha256=sha256,
        n_judgements=Judgement.objects.filter(assignment__item__batch=locked).count(),
        frozen_by=by,
    )
    events.record(
        study=locked.study,
        by=by,
        verb="froze the plan of",
        target=locked,
        sha256=sha256,
        n_judgements=plan.n_judgements,
    )
    return plan
