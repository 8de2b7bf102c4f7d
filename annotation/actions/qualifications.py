"""Qualifications, and what is decided of people: granted, revoked, or decided by the rule.

Locks are taken in the order of all actions: study, batch, cursor, assignment, item. Who is being revoked claims
before, and what they claimed is given back, or after, and is refused.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from accounts import permissions
from accounts.actions.locks import lock_study
from accounts.errors import ActionError
from accounts.models import Role, Study, User
from annotation import schemes
from annotation.actions import claims, locks
from annotation.models import Batch, BatchState, Qualification, Standing, StandingState
from annotation.models.limits import LONGEST_REASON
from annotation.queries import standings
from annotation.queries.standings import Line
from annotation.review_decisions import cleaned_words
from annotation.schemes import VerdictScheme
from audit import events
from stats.qualification import Decision, Rule, RuleError

# What the rule decides, as it is stored.
STATES = {Decision.GRANTED: StandingState.GRANTED, Decision.FAILED: StandingState.FAILED}
VERBS = {
    StandingState.GRANTED: "granted",
    StandingState.REVOKED: "revoked",
    StandingState.FAILED: "did not grant",
}


class QualificationError(ActionError):
    """The qualification cannot be made, granted or revoked; the message says why."""


@dataclass(frozen=True)
class Revocation:
    """The rows of a revocation, and how many open claims went back."""

    rows: list[Standing]
    n_given_back: int


def _checked_rule(rule: Mapping[str, Any]) -> dict[str, Any]:
    """The rule with all its fields. Raises RuleError, also for a bar of a label that no scheme has."""
    checked = Rule.from_dict(rule)
    verdict_schemes = (schemes.get(each) for each in schemes.names())
    labels = {
        label
        for scheme in verdict_schemes
        if isinstance(scheme, VerdictScheme)
        for label in scheme.labels
    }
    if unknown := sorted(set(checked.recall) - labels):
        raise RuleError(
            f"recall: {unknown[0]} is a label of no scheme; labels are {', '.join(sorted(labels))}"
        )
    return checked.to_dict()


@transaction.atomic
def create(*, study: Study, name: str, rule: Mapping[str, Any], by: User) -> Qualification:
    """Create a qualification; with an empty rule, a group. Raises QualificationError, ValidationError."""
    permissions.require(by, study, Role.REQUESTER)
    lock_study(study)
    if study.qualifications.filter(name=name).exists():
        raise QualificationError(
            f"there is a qualification {name} already in the study {study.slug}"
        )
    try:
        stored = _checked_rule(rule) if rule else {}
    except RuleError as error:
        raise QualificationError(str(error)) from error
    qualification = Qualification(study=study, name=name, rule=stored, created_by=by)
    qualification.full_clean()
    qualification.save()
    events.record(study=study, by=by, verb="created", target=qualification, rule=stored)
    return qualification


@transaction.atomic
def grant(
    *,
    qualification: Qualification,
    people: Sequence[User],
    reason: str,
    by: User,
    evidence: Mapping[int, dict[str, Any]] | None = None,
) -> list[Standing]:
    """Grant it to all of these people, or to none. `evidence` is what the rule said of each, by their key.

    Raises QualificationError for somebody who holds it or is no annotator of the study.
    """
    study, current = _begin(qualification, people, by)
    words = cleaned_words(reason)
    allowed = {each.user_id for each in standings.candidates(study)}
    for person in people:
        if person.pk not in allowed:
            raise QualificationError(
                f"{person.username} does not annotate in the study {study.slug}"
            )
        if _holds(current, person):
            raise QualificationError(f"{person.username} holds {qualification.name} already")
    rows = [
        Standing(
            qualification=qualification,
            user=person,
            state=StandingState.GRANTED,
            reason=words,
            evidence=(evidence or {}).get(person.pk, {}),
            by=by,
        )
        for person in people
    ]
    return _write(rows, study, by)


@transaction.atomic
def revoke(
    *,
    qualification: Qualification,
    people: Sequence[User],
    reason: str,
    by: User,
    evidence: Mapping[int, dict[str, Any]] | None = None,
) -> Revocation:
    """Revoke it of all of these people, or of none. Their open claims go back to the batches that ask for it.

    What they judged stays as it is. Raises QualificationError for somebody who does not hold it.
    """
    study, current = _begin(qualification, people, by)
    words = cleaned_words(reason)
    for person in people:
        if not _holds(current, person):
            raise QualificationError(f"{person.username} does not hold {qualification.name}")
    cursors = [
        claims.locked_cursor(batch, person)
        for batch in _locked_batches(qualification)
        for person in sorted(people, key=lambda each: each.pk)
    ]
    rows = [
        Standing(
            qualification=qualification,
            user=person,
            state=StandingState.REVOKED,
            reason=words,
            evidence=(evidence or {}).get(person.pk, {}),
            by=by,
        )
        for person in people
    ]
    n_given_back = sum(
        claims.give_back(batch=cursor.batch, annotator=cursor.annotator) for cursor in cursors
    )
    return Revocation(_write(rows, study, by), n_given_back)


@transaction.atomic
def apply_rule(*, qualification: Qualification, batch: Batch, by: User) -> list[Standing]:
    """Write what the rule decides of the answers in the batch: whom it grants and whom it fails. It revokes nothing.

    Raises QualificationError unless the rule is set to act, and what standings.lines() raises.
    """
    _begin(qualification, (), by)
    if not qualification.rule.get("acts"):
        raise QualificationError(
            f"the rule of {qualification.name} is not set to act: it suggests, and a person decides"
        )
    return write_decisions(standings.lines(qualification, batch), qualification, by)


def write_decisions(
    lines: Iterable[Line], qualification: Qualification, by: User
) -> list[Standing]:
    """Write what the rule decides in these lines that is not decided yet. Expects the study to be locked.

    `by` is whose act it follows from.
    """
    rows = [
        Standing(
            qualification=qualification,
            user=line.user,
            state=STATES[line.outcome.decision],
            reason=line.outcome.reason[:LONGEST_REASON],
            evidence=line.evidence,
        )
        for line in lines
        if line.outcome is not None and line.is_new
    ]
    return _write(rows, qualification.study, by)


def _begin(
    qualification: Qualification, people: Iterable[User], by: User
) -> tuple[Study, dict[int, Standing]]:
    """Lock the study, so that decisions come one after another and no batch opens meanwhile."""
    study = qualification.study
    permissions.require(by, study, Role.REQUESTER)
    keys = [person.pk for person in people]
    if len(set(keys)) < len(keys):
        raise QualificationError("somebody is named twice")
    lock_study(study)
    return study, standings.current(qualification)


def _holds(current: Mapping[int, Standing], person: User) -> bool:
    standing = current.get(person.pk)
    return standing is not None and standing.state == StandingState.GRANTED


def _locked_batches(qualification: Qualification) -> list[Batch]:
    """The batches that ask for it and hand out items, or would if they were opened again; in the order of locks."""
    rows = qualification.batches.filter(is_rehearsal=False).exclude(state=BatchState.DRAFT)
    return [locks.locked_batch(pk) for pk in rows.order_by("pk").values_list("pk", flat=True)]


def _write(rows: list[Standing], study: Study, by: User) -> list[Standing]:
    """Add the rows, each with an event: the name of an erased person is found in it."""
    for row in rows:
        row.save(force_insert=True)
        events.record(
            study=study,
            by=by,
            verb=VERBS[StandingState(row.state)],
            target=row.qualification,
            annotator=row.user.username,
            reason=row.reason,
            decided_by="rule" if row.by is None else "person",
        )
    return rows
