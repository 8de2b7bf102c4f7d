"""A new study with the settings, guidelines and people of another. No data, and nothing that was judged."""

from collections.abc import Iterable
from typing import Any

from django.db import transaction

from accounts import permissions
from accounts.actions import background, members, studies
from accounts.models import Membership, Role, Study, User
from annotation.models import Batch, BatchPreset, Guideline
from annotation.queries import checks
from audit import events

SETTINGS_OF_STUDY = (
    *("description", "licence", "citation", "contact_name", "contact_address"),
    *("consent", "background", "requires_second_factor"),
)
SETTINGS_OF_BATCH = (
    "judgements_per_item",
    "claim_seconds",
    "prefetch_depth",
    "skip_reasons",
    "grouping",
    "largest_share",
    "opponents_per_answer",
    "control_every",
    "repeat_every",
    "shows_context",
    "shows_markdown",
    "currency",
    "expected_seconds",
    "gives_feedback",
)


@transaction.atomic
def copy_study(
    *, study: Study, slug: str, title: str, people: Iterable[Membership] = (), by: User
) -> Study:
    """Create a study with the settings of this one, of which `by` is the requester.

    It has the texts of the guidelines, and for each scheme the settings that its first batch begins with:
    those of the newest batch here. `people` are members of this study, who get the same roles there; what
    they agreed to here is not taken along, so that they are asked again. Raises NameTakenError, and
    ValidationError if the short name is none.
    """
    permissions.require_reader(by, study, Role.REQUESTER)
    copy = studies.create_study(slug=slug, title=title, requester=by, by=by)
    settings = {name: getattr(study, name) for name in SETTINGS_OF_STUDY}
    Study.objects.filter(pk=copy.pk).update(**settings)
    copy.refresh_from_db()
    background.ask_as_written(copy)
    guidelines = _copy_guidelines(study, copy, by)
    _copy_presets(study, copy, guidelines)
    for membership in people:
        _add(membership, copy, by)
    events.record(study=copy, by=by, verb="copied", target=study, settings=settings)
    return copy


def members_to_choose(study: Study, person: User) -> list[Membership]:
    """Return the members besides the person who can be taken along, with their roles, by name."""
    people = study.memberships.filter(user__is_simulated=False, user__is_active=True)
    with_roles = people.exclude(user=person).filter(grants__isnull=False).distinct()
    return list(
        with_roles.select_related("user").prefetch_related("grants").order_by("user__username")
    )


def _copy_guidelines(study: Study, copy: Study, by: User) -> dict[int, Guideline]:
    """Return the new rows by the primary key of the old."""
    new = {
        each.pk: Guideline(
            study=copy, scheme=each.scheme, text=each.text, sha256=each.sha256, created_by=by
        )
        for each in study.guidelines.order_by("pk")
    }
    Guideline.objects.bulk_create(new.values())
    return new


def _copy_presets(study: Study, copy: Study, guidelines: dict[int, Guideline]) -> None:
    begins_with = {preset.scheme: preset for preset in study.batch_presets.all()}
    for batch in study.batches.counting().order_by(
        "created_at", "pk"
    ):  # the newest has the last word
        begins_with[batch.scheme] = BatchPreset(
            scheme=batch.scheme, guideline_id=batch.guideline_id, settings=settings_of(batch)
        )
    BatchPreset.objects.bulk_create(
        BatchPreset(
            study=copy,
            scheme=scheme,
            guideline=guidelines[preset.guideline_id],
            settings=preset.settings,
        )
        for scheme, preset in begins_with.items()
    )


def settings_of(batch: Batch) -> dict[str, Any]:
    """Return what a batch of the same kind begins with, as JSON values. No name, deadline, pool or seed.

    `check` are the questions on the guideline, as text.
    """
    reward = None if batch.reward is None else str(batch.reward)
    fields = {name: getattr(batch, name) for name in SETTINGS_OF_BATCH}
    return fields | {"reward": reward, "check": checks.text_of(batch)}


def _add(membership: Membership, copy: Study, by: User) -> None:
    roles = [Role(grant.role) for grant in membership.grants.all()]
    if roles and membership.user != by:
        members.add_member(study=copy, user=membership.user, roles=roles, by=by)
