"""Note an erratum of a release: a row is added, and the release stays as it is."""

from django.db import transaction

from accounts import permissions
from accounts.actions.locks import lock_study
from accounts.errors import ActionError
from accounts.models import Role, User
from annotation.models.limits import LONGEST_REASON
from audit import events
from exports.errata import queries
from exports.models import Erratum, Release


class ErratumError(ActionError):
    """The erratum cannot be noted; the message says why."""


@transaction.atomic
def note_erratum(*, release: Release, answer_id: str, reason: str, by: User) -> Erratum:
    """Note what is wrong with an answer of the release, shown on its page and in later releases.

    Raises ErratumError.
    """
    permissions.require(by, release.study, Role.REQUESTER)
    cleaned = _cleaned(reason)
    answer = _answer(release, answer_id.strip())
    lock_study(release.study)
    if release.errata.filter(answer_id=answer_id.strip(), reason=cleaned).exists():
        raise ErratumError(f"release {release} has this erratum of {answer_id.strip()} already")
    row = Erratum.objects.create(
        release=release,
        answer_id=answer_id.strip(),
        answer=answer,
        reason=cleaned,
        noted_by=by,
    )
    events.record(
        study=release.study,
        by=by,
        verb="noted an erratum of",
        target=release,
        answer_id=row.answer_id,
        reason=cleaned,
    )
    return row


def _answer(release: Release, answer_id: str) -> str:
    """Return the text of an answer that the release's items.csv or earlier.json has."""
    if release.dataset_id is None:
        raise ErratumError(
            f"release {release} is a comparison of systems: it has no accepted answers to correct"
        )
    try:
        text = queries.released_answer(release, answer_id)
    except (OSError, ValueError) as error:
        raise ErratumError(f"the files of release {release} cannot be read: {error}") from error
    if text is None:
        raise ErratumError(
            f"release {release} has no answer {answer_id or '(empty)'}: the column answer_id of its items.csv has"
            " the ids, the list of accepted answers on its page those of all that it accepts"
        )
    return text


def _cleaned(reason: str) -> str:
    stripped = reason.strip()
    if not stripped:
        raise ErratumError("the reason is empty: it must say what is wrong")
    if "\0" in stripped:
        raise ErratumError("the reason holds a NUL character: it is not a text")
    if len(stripped) > LONGEST_REASON:
        raise ErratumError(
            f"the reason has {len(stripped)} characters; it may have {LONGEST_REASON} at most"
        )
    return stripped
