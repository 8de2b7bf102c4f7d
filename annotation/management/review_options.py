"""The decisions that the options of the command `review` ask for, and its summary."""

import uuid
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from accounts.models import Study
from annotation import decisions_csv, review_reasons
from annotation.models import Batch, Judgement, ReviewAct
from annotation.queries.review_effects import Effects, Plan
from annotation.review_decisions import Decision
from annotation.review_reasons import COUNTED, PAID
from corpus.problems import Report

YES_NO = {"yes": True, "no": False}


def decision(options: Mapping[str, Any]) -> Decision:
    """The decision of --paid, --counted and the reasons."""
    missing = [name for name in ("paid", "counted", "reason") if options[name] is None]
    if missing:
        raise CommandError(f"say also {', '.join(f'--{name}' for name in missing)}")
    is_paid, is_counted = YES_NO[options["paid"]], YES_NO[options["counted"]]
    reason, counted_reason = options["reason"], options["counted_reason"]
    counted_reason = reason if counted_reason is None else counted_reason
    paid_code, paid_words = review_reasons.parse_reason(reason, PAID, is_paid)
    counted_code, counted_words = review_reasons.parse_reason(counted_reason, COUNTED, is_counted)
    return Decision(is_paid, paid_code, paid_words, is_counted, counted_code, counted_words)


def decisions_on_person(batch: Batch, name: str, decision: Decision) -> dict[int, Decision]:
    """The decision for all current judgements of a person, given by name or pseudonym, in the batch."""
    person = _member(batch.study, name)
    own = Judgement.objects.not_withdrawn().filter(
        assignment__item__batch=batch, assignment__annotator=person
    )
    decisions = dict.fromkeys(own.values_list("pk", flat=True), decision)
    if not decisions:
        raise CommandError(f"{name} judged nothing in the batch {batch.name}")
    return decisions


def _member(study: Study, name: str) -> int:
    for membership in study.memberships.select_related("user"):
        if name in (membership.user.username, membership.pseudonym):
            return membership.user_id
    raise CommandError(f"the study {study.slug} has nobody called {name}")


def decisions_in_file(batch: Batch, path: Path) -> dict[int, Decision]:
    """The decisions in the rows of the file. Raises ImportProblems with every problem."""
    report = Report(path.name, "row")
    rows = decisions_csv.read(path, report)
    row_of = {row.assignment: row for row in rows}
    own = Judgement.objects.not_withdrawn().filter(assignment__item__batch=batch)
    keys = dict(own.values_list("assignment__public_id", "pk"))
    for assignment, row in row_of.items():
        if assignment not in keys:
            report.add(
                f"is no assignment with a judgement in the batch {batch.name}",
                index=row.number,
                field="assignment_id",
                value=str(assignment),
            )
    report.finish()
    return {
        keys[assignment]: Decision(
            row.is_paid,
            row.paid_code,
            row.paid_reason,
            row.is_counted,
            row.counted_code,
            row.counted_reason,
        )
        for assignment, row in row_of.items()
    }


def act_called(public_id: str, batch: Batch) -> ReviewAct:
    try:
        found = batch.review_acts.filter(public_id=uuid.UUID(public_id)).first()
    except ValueError as error:
        raise CommandError(f"{public_id} is not an id") from error
    if found is None:
        raise CommandError(f"the batch {batch.name} has no act {public_id}")
    return found


def summary(plan: Plan, effects: Effects) -> dict[str, Any]:
    """The effects of the plan and the decisions that it refuses."""
    fields = asdict(effects)
    fields["unpaid"] = None if effects.unpaid is None else f"{effects.unpaid} {effects.currency}"
    del fields["currency"]
    fields["changes"] = [
        {"from": each.before.words, "to": each.after.words, "items": each.n}
        for each in effects.changes
    ]
    fields["refused"] = [
        {"assignment": str(step.judgement.assignment), "because": step.why_not}
        for step in plan.refused
    ]
    return fields
