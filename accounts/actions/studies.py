"""Creation and description of studies."""

from django.db import transaction

from accounts import background_questions, permissions
from accounts.actions import background, members, names
from accounts.actions.locks import lock_study
from accounts.actions.names import NameTakenError
from accounts.errors import ActionError
from accounts.models import Role, Study, User
from audit import events
from audit.models import Event


class DeletedStudyNameError(NameTakenError):
    """A study of this short name was deleted: the history of that study goes by it."""


class OwnSecondFactorError(ActionError):
    """Somebody without a second factor cannot require one: they would lock themselves out."""


@transaction.atomic
def create_study(*, slug: str, title: str, requester: User, by: User | None = None) -> Study:
    """Create a study with its first requester. Raises NameTakenError, also for the name of a deleted study.

    Without `by` the requester is recorded as its maker.
    """
    if by is not None:
        permissions.require_may_make_studies(by, requester)
    study = Study(slug=slug, title=title, created_by=requester)
    study.clean_fields()  # before any query: PostgreSQL refuses to look up text that is no slug
    same_name, message = Study.objects.filter(slug=slug), f"there is a study {slug} already"
    names.require_free(same_name, message)
    study.full_clean()
    with names.error_if_taken(same_name, message):
        study.save()
    # After the row is there, so that nobody deletes one of this name in between.
    if Event.objects.filter(study="", target=events.target_text(study), verb="deleted").exists():
        raise DeletedStudyNameError(f"a study {slug} was deleted, and its history keeps the name")
    members.add(study=study, user=requester, roles=[Role.REQUESTER], by=requester)
    details = {"title": title} | ({"requester": requester.username} if by else {})
    events.record(study=study, by=by or requester, verb="created", target=study, **details)
    return study


@transaction.atomic
def describe_study(*, study: Study, by: User, **fields: str | bool) -> list[str]:
    """Change title, description, licence, citation, contact, consent, background questions or whether a second factor
    is required.

    Returns the changed fields' names. Raises OwnSecondFactorError, BackgroundTextError.
    """
    permissions.require(by, study, Role.REQUESTER)
    if "background" in fields:  # one text for the same questions
        questions = background_questions.read(str(fields["background"]))
        fields["background"] = background_questions.as_text(questions)
    lock_study(study)
    before = Study.objects.get(pk=study.pk)
    changed = {name: text for name, text in fields.items() if getattr(before, name) != text}
    if changed.get("requires_second_factor") and not permissions.has_second_factor(by):
        raise OwnSecondFactorError(
            "set up a second factor of your own before the study requires one"
        )
    if changed:
        for name, text in changed.items():
            setattr(study, name, text)
        study.full_clean(exclude=["slug"])
        study.save(update_fields=list(changed))
        if "background" in changed:
            background.ask_as_written(study)
        old = {name: getattr(before, name) for name in changed}
        events.record(study=study, by=by, verb="described", target=study, before=old, after=changed)
    return list(changed)
