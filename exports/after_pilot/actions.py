"""From a pilot to the full batch: the chosen people are granted a qualification, and the batch for them opens."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from accounts import permissions
from accounts.errors import ActionError
from accounts.models import Role, User
from annotation.actions import analysis_plans, batches, qualifications
from annotation.actions.study_copies import SETTINGS_OF_BATCH
from annotation.models import Batch, Qualification, Standing
from annotation.queries import checks, standings
from sampling.models import Pool


class FullBatchError(ActionError):
    """The full batch cannot be opened; the message says why."""


@dataclass(frozen=True)
class NewQualification:
    """A qualification that is made for the full batch; an empty rule makes a group."""

    name: str
    rule: Mapping[str, Any]


@dataclass(frozen=True)
class FullBatch:
    """What was done: the batch, its qualification, and the decisions that were written."""

    batch: Batch
    qualification: Qualification
    granted: list[Standing]


@transaction.atomic
def open_full(
    *,
    pilot: Batch,
    pool: Pool,
    name: str,
    judgements_per_item: int,
    asked: Qualification | NewQualification,
    people: Sequence[User],
    reason: str,
    evidence: Mapping[int, dict[str, Any]],
    plan: str = "",
    by: User,
) -> FullBatch:
    """Grant the qualification to those of these people who lack it, and open a batch for whoever holds it.

    The batch has scheme, guideline and its check, pay and settings of the pilot, and the plan of analysis, if there is
    one, is frozen before anybody sees it. All of it is done or nothing is. Raises what qualifications.create() and
    grant(), batches.create_and_launch() and analysis_plans.freeze() raise, and FullBatchError if nobody would work on it.
    """
    permissions.require(by, pilot.study, Role.REQUESTER)
    if pilot.is_rehearsal or pilot.is_withdrawn:
        kind = "a rehearsal" if pilot.is_rehearsal else "withdrawn"
        raise FullBatchError(f"the batch {pilot.name} is {kind}: nobody is trusted for it")
    if isinstance(asked, NewQualification):
        asked = qualifications.create(study=pilot.study, name=asked.name, rule=asked.rule, by=by)
    holders = {row.user_id for row in asked.standings.granted()}
    new = [person for person in people if person.pk not in holders]
    granted = (
        qualifications.grant(
            qualification=asked, people=new, reason=reason, evidence=evidence, by=by
        )
        if new
        else []
    )
    able = standings.candidates(pilot.study).filter(user__is_active=True)
    if not able.filter(user__in=holders | {row.user_id for row in granted}).exists():
        raise FullBatchError(f"nobody would hold {asked.name}: tick the people who go on")
    opened = batches.create_and_launch(
        study=pilot.study,
        scheme=pilot.scheme,
        pool=pool,
        by=by,
        guideline=pilot.guideline.text,
        check=checks.text_of(pilot),
        name=name,
        qualification=asked,
        reward=pilot.reward,
        **{field: getattr(pilot, field) for field in SETTINGS_OF_BATCH}
        | {"judgements_per_item": judgements_per_item, "seed": pilot.seed},
    )
    if plan.strip():
        analysis_plans.freeze(batch=opened, text=plan, by=by)
    return FullBatch(opened, asked, granted)
