"""What is kept about a person, as the sections of their file (docs/formats.md).

The file is as blind as the pages: an annotator's has what they were shown, said and were told, and
nothing of systems, scores, references, other people's work or what reviewers decided about single
judgements, but for refused pay with its reason. Other people are not named.
"""

from datetime import datetime
from typing import Any

from accounts.actions import sessions
from accounts.models import User
from annotation.models import AdjudicatorPreference
from exports.personal_data import account, organising, work
from exports.rows.ids import timestamp

FORMAT = "touchstone-personal-data-1"


def sections(user: User, now: datetime) -> dict[str, Any]:
    """Return the sections of the person's file in their order; those that may be long are iterators."""
    return {
        "format": FORMAT,
        "made_at": timestamp(now),
        "account": account.account(user),
        "sessions": [{"ends_at": timestamp(each.expire_date)} for each in sessions.of_user(user)],
        "failed_sign_ins": account.failed_sign_ins(user),
        "sign_ins": account.sign_ins(user),
        "second_factor": account.second_factor(user),
        "api_tokens": account.api_tokens(user),
        "studies": account.studies(user),
        "consents": account.consents(user),
        "background_answers": account.background_answers(user),
        "guidelines_read": work.guidelines_read(user),
        "checks_of_guidelines": work.checks_of_guidelines(user),
        "batches": work.batches(user, now),
        "pauses": work.pauses(user),
        "qualifications": work.qualifications(user),
        "reservations": work.reservations(user),
        "refused_pay": work.refused_pay(user),
        "messages": work.messages(user),
        "notices_dismissed": work.notices_dismissed(user),
        "answers_to_messages": organising.answers_to_messages(user),
        "notices": organising.notices(user),
        "hides_labels_before_deciding": AdjudicatorPreference.objects.filter(
            adjudicator=user, hides_votes=True
        ).exists(),
        "runs_shown": organising.runs_shown(user),
        "decisions": organising.decisions(user),
        "invitations": account.invitations(user),
        "acts": account.acts(user),
        "acts_about_you": account.acts_about(user),
        "items": work.items(user),
    }
