"""The step before people judge: the text that they agree to, and what they are asked about themselves.

A changed text needs a new consent; earlier ones stay.
"""

import hashlib

from django.db import transaction

from accounts.models import Consent, ConsentText, Membership, Study, User
from accounts.queries import background


class ConsentChangedError(Exception):
    """The study's text is not the one that the person has read."""


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def is_needed(user: User, study: Study) -> bool:
    """Return whether the person has to agree to the study's current text, or is to be asked background questions,
    before they may judge.
    """
    return is_text_open(user, study) or background.is_due(user, study)


def is_text_open(user: User, study: Study) -> bool:
    """Return whether the study has a text that the person has not agreed to."""
    return bool(study.consent) and current_consent(user, study) is None


def current_consent(user: User, study: Study) -> Consent | None:
    """Return the person's consent to the study's current text, or None."""
    consents = Consent.objects.filter(
        membership__user=user, membership__study=study, text__sha256=sha256(study.consent)
    )
    return consents.first()


@transaction.atomic
def agree(*, study: Study, text_sha256: str, by: User) -> Consent | None:
    """Record that the member agrees to the text that they have read.

    Returns None if the study has no text. Raises ConsentChangedError if the text has changed
    meanwhile, Membership.DoesNotExist for somebody who is not a member.
    """
    text = Study.objects.get(pk=study.pk).consent
    membership = Membership.objects.get(study=study, user=by)
    if not text:
        return None
    if sha256(text) != text_sha256:
        raise ConsentChangedError("the text has been changed meanwhile: please read it again")
    wording, _ = ConsentText.objects.get_or_create(
        study=study, sha256=text_sha256, defaults={"text": text}
    )
    consent, _ = Consent.objects.get_or_create(membership=membership, text=wording)
    return consent
