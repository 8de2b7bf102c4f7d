"""Who holds which qualification, and what its rule says of people's answers in a batch."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from accounts.models import Membership, Role, Study, User
from annotation import schemes
from annotation.models import Batch, BatchState, Qualification, Standing, StandingState
from annotation.queries import expected_labels, training_attempts
from stats import qualification as rules
from stats.qualification import Decision, Outcome, Rule, RuleError


@dataclass(frozen=True)
class Line:
    """A member with their newest standing, None without one, and what the rule says, None where it was not asked."""

    member: Membership
    standing: Standing | None
    outcome: Outcome | None = None
    batch: Batch | None = None  # of the outcome
    was_failed_in: bool = False  # by the rule, in this batch, at some time

    @property
    def user(self) -> User:
        return self.member.user

    @property
    def is_held(self) -> bool:
        return self.standing is not None and self.standing.state == StandingState.GRANTED

    @property
    def is_new(self) -> bool:
        """Whether applying the rule would write a decision.

        It takes nothing away: what somebody holds they keep, and what a person revoked a person grants again.
        """
        if self.outcome is None or self.outcome.decision is Decision.MORE_NEEDED:
            return False
        if self.standing is None or self.outcome.decision is Decision.GRANTED:
            return self.standing is None or self.standing.state == StandingState.FAILED
        return self.standing.state == StandingState.FAILED and not self.was_failed_in

    @property
    def evidence(self) -> dict[str, Any]:
        """What is stored with a decision: the outcome with the key and the name of its batch; {} without one."""
        if self.outcome is None or self.batch is None:
            return {}
        return self.outcome.to_dict() | {"batch": self.batch.pk, "batch_name": self.batch.name}


def current(qualification: Qualification) -> dict[int, Standing]:
    """Return the newest row of each person, by the person's key."""
    rows = Standing.objects.current().filter(qualification=qualification)
    return {each.user_id: each for each in rows.select_related("user", "by")}


def candidates(study: Study) -> QuerySet[Membership]:
    """Return the members who can hold a qualification: real annotators without a role that sees runs, by name."""
    members = study.memberships.filter(user__is_simulated=False)
    desks = members.exclude(grants__role__in=[Role.REQUESTER, Role.ADJUDICATOR])
    with_role = desks.with_role(Role.ANNOTATOR)
    return with_role.select_related("user").order_by("user__username")


def lines(
    qualification: Qualification,
    batch: Batch | None = None,
    members: Iterable[Membership] | None = None,
) -> list[Line]:
    """Return a line for each of these members, all candidates if None; with a batch, what the rule says of their
    answers in it.

    Raises RuleError, NotSettledError or WrongSchemeError where it cannot say anything.
    """
    standing = current(qualification)
    said = {} if batch is None else suggestions(qualification, batch)
    failed = people_failed_in(qualification, batch) if batch else frozenset()
    return [
        Line(
            member,
            standing.get(member.user_id),
            said.get(member.user_id),
            batch,
            was_failed_in=member.user_id in failed,
        )
        for member in (candidates(qualification.study) if members is None else members)
    ]


def suggestions(qualification: Qualification, batch: Batch) -> dict[int, Outcome]:
    """Return what the rule says of everybody who judged in the batch, by the person's key."""
    rule, used = rule_for(qualification, batch), attempts_used(qualification, batch)
    finished = training_attempts.finished_by(batch) if batch.is_training else frozenset()
    return {
        person: rules.outcome(
            rule,
            answers,
            may_answer_more=batch.state != BatchState.CLOSED and person not in finished,
            attempts_used=used(person),
        )
        for person, answers in expected_labels.answers_by_person(batch).items()
    }


def line_of(qualification: Qualification, batch: Batch, person: User) -> Line | None:
    """Return the line of one candidate, with what the rule says of their answers in the batch; None for others."""
    members = candidates(qualification.study).filter(user=person)
    return next(iter(lines(qualification, batch, members)), None)


def rule_for(qualification: Qualification, batch: Batch) -> Rule:
    """Return the rule. Raises RuleError for a group, which has none, and for a label that the scheme lacks."""
    if qualification.is_group:
        raise RuleError(f"{qualification.name} is a group without a rule: a person decides")
    rule = Rule.from_dict(qualification.rule)
    labels = schemes.verdict_scheme(batch.scheme).labels
    if unknown := sorted(set(rule.recall) - set(labels)):
        raise RuleError(
            f"recall: the scheme {batch.scheme} has no label {unknown[0]}; it has {', '.join(labels)}"
        )
    return rule


def attempts_used(qualification: Qualification, batch: Batch) -> Callable[[int], int]:
    """Return a function of a person's key: how many batches they have tried in, this one counted."""
    failed = batches_failed_in(qualification)
    begun = training_attempts.begun_before(batch, qualification)
    return lambda person: len(failed[person] | begun[person] | {batch.pk})


def batches_failed_in(qualification: Qualification) -> defaultdict[int, set[Any]]:
    """Return the keys of the batches, none of them withdrawn, in which the rule failed each person."""
    withdrawn = set(
        qualification.study.batches.filter(is_withdrawn=True).values_list("pk", flat=True)
    )
    rows = Standing.objects.filter(qualification=qualification, state=StandingState.FAILED, by=None)
    found: defaultdict[int, set[Any]] = defaultdict(set)
    for person, evidence in rows.values_list("user", "evidence"):
        if evidence.get("batch") not in withdrawn:
            found[person].add(evidence.get("batch"))
    return found


def people_failed_in(qualification: Qualification, batch: Batch) -> frozenset[int]:
    """Return the keys of the people whom the rule failed in this batch."""
    failed = batches_failed_in(qualification)
    return frozenset(person for person, batches in failed.items() if batch.pk in batches)


def standings_of(study: Study, users: Iterable[int]) -> Mapping[int, list[Standing]]:
    """Return the newest rows of these people in the qualifications of the study, by person."""
    rows = Standing.objects.current().filter(qualification__study=study, user__in=list(users))
    found: dict[int, list[Standing]] = defaultdict(list)
    for row in rows.select_related("qualification").order_by("qualification__name"):
        found[row.user_id].append(row)
    return found
