"""What the commands on batches and items share."""

import uuid
from abc import ABC, abstractmethod
from argparse import ArgumentParser
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, ClassVar

from django.core.management.base import CommandError

from accounts import permissions
from accounts.commands import Named, StudyCommand, existing_file
from accounts.models import Role, Study, User
from accounts.permissions import ArchivedError, NotAllowedError
from annotation.actions import batches, pauses, qualifications
from annotation.models import (
    Assignment,
    Batch,
    Flag,
    Item,
    Judgement,
    Pause,
    Qualification,
    Verdict,
)
from annotation.models.limits import LONGEST_CLAIM_SECONDS
from annotation.review_decisions import ReviewError
from annotation.schemes import WrongSchemeError
from corpus.problems import Report
from corpus.readers import encoding
from sampling.commands import listed


class BatchCommand(StudyCommand):
    """A command on a batch and what is in it. Who lacks the role for it is told how it is had."""

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            super().handle(*args, **options)
        except WrongSchemeError as error:
            raise CommandError(str(error)) from error
        except CommandError as error:
            cause = error.__cause__
            if not isinstance(cause, NotAllowedError) or isinstance(cause, ArchivedError):
                raise
            raise CommandError(
                f"{error}: name somebody who is with --by, or grant the role with add_member"
            ) from error


def require_reader(by: User, study: Study) -> None:
    """Raise NotAllowedError for annotators: from disputes and flags they would learn what others said."""
    permissions.require_reader(by, study, Role.REQUESTER, Role.ADJUDICATOR)


def batch_called(name: str, study: Study) -> Batch:
    batch = study.batches.select_related("study", "pool__dataset").filter(name=name).first()
    if batch is None:
        there = study.batches.values_list("name", flat=True)
        raise CommandError(
            f"the study {study.slug} has no batch {name}; {listed(there, 'open_batch')}"
        )
    return batch


def member_called(name: str, study: Study) -> User:
    person = User.objects.filter(username=name, memberships__study=study).first()
    if person is None:
        raise CommandError(f"{name} is not in the study {study.slug}: add_member adds people")
    return person


def qualification_called(name: str, study: Study) -> Qualification:
    found = study.qualifications.select_related("study").filter(name=name).first()
    if found is None:
        there = study.qualifications.values_list("name", flat=True)
        raise CommandError(
            f"the study {study.slug} has no qualification {name};"
            f" {listed(there, 'create_qualification')}"
        )
    return found


def item_called(public_id: str, study: Study) -> Item:
    item = Item.objects.filter(batch__study=study, public_id=_uuid(public_id)).first()
    if item is None:
        raise CommandError(f"the study {study.slug} has no item {public_id}")
    return item


def judgement_of(public_id: str, study: Study) -> Judgement:
    """Return the newest judgement of the assignment that is not withdrawn. Raises CommandError without one."""
    own = Assignment.objects.filter(item__batch__study=study, public_id=_uuid(public_id))
    assignment = own.select_related("item").first()
    if assignment is None:
        raise CommandError(f"the study {study.slug} has no assignment {public_id}")
    judgement = assignment.judgements.not_withdrawn().last()
    if judgement is None:
        raise CommandError(f"the assignment {public_id} has no judgement")
    return judgement


def flag_called(public_id: str, study: Study) -> Flag:
    own = Flag.objects.filter(assignment__item__batch__study=study, public_id=_uuid(public_id))
    flag = own.select_related("assignment__item__batch__study").first()
    if flag is None:
        raise CommandError(f"the study {study.slug} has no flag {public_id}: flags lists them")
    return flag


BATCH = Named("--batch", batch_called, required=True)
BATCH_FIRST = Named("batch", batch_called, metavar="BATCH", help="a batch of the study")
ANNOTATOR = Named(
    "--annotator", member_called, required=True, metavar="NAME", help="a member of the study"
)
ITEM = Named("--item", item_called, required=True, metavar="ID")
QUALIFICATION = Named("--qualification", qualification_called, required=True)


class PauseCommand(BatchCommand, ABC):
    """Pauses or resumes one person in a batch."""

    named: ClassVar = (ANNOTATOR,)
    expected: ClassVar = (batches.BatchError, pauses.PauseError, ReviewError)

    def add_options(self, parser: ArgumentParser) -> None:
        where = parser.add_mutually_exclusive_group(required=True)
        where.add_argument("--batch", help="in this batch")
        where.add_argument("--whole-study", action="store_true", help="in all batches")
        parser.add_argument(
            "--reason",
            required=True,
            help="kept with the decision and in the history; the person does not see it",
        )

    @abstractmethod
    def decide(self, *, batch: Batch, annotator: User, reason: str, by: User) -> Pause:
        """Pause or resume in a batch; return the decision."""

    @abstractmethod
    def decide_in_study(
        self, *, study: Study, annotator: User, reason: str, by: User
    ) -> list[Pause]:
        """Pause or resume in the whole study; return the decision for each batch."""

    def act(self, **options: Any) -> Mapping[str, Any]:
        annotator = options["annotator"]
        decided = {name: options[name] for name in ("annotator", "reason", "by")}
        if options["whole_study"]:
            rows = self.decide_in_study(study=options["study"], **decided)
            return {
                "study": options["study"].slug,
                "annotator": annotator.username,
                "is_paused": rows[0].is_paused,
                "n_batches": len(rows),
            }
        batch = batch_called(options["batch"], options["study"])
        decision = self.decide(batch=batch, **decided)
        return {
            "batch": batch.name,
            "annotator": annotator.username,
            "is_paused": decision.is_paused,
        }


class StandingCommand(BatchCommand, ABC):
    """Grants a qualification to people, or revokes it."""

    named: ClassVar = (
        QUALIFICATION,
        Named(
            "--annotator",
            member_called,
            required=True,
            action="append",
            dest="people",
            metavar="NAME",
            help="several times for several people: all of them, or none",
        ),
    )
    expected: ClassVar = (qualifications.QualificationError, ReviewError)

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--reason",
            required=True,
            help="kept with the decision and in the history; the person does not see it",
        )

    @abstractmethod
    def decide(
        self, *, qualification: Qualification, people: list[User], reason: str, by: User
    ) -> Mapping[str, Any]:
        """Decide of all of these people; return the numbers."""

    def act(self, **options: Any) -> Mapping[str, Any]:
        asked = ("qualification", "people", "reason", "by")
        decided = self.decide(**{name: options[name] for name in asked})
        return {"qualification": options["qualification"].name, **decided}


def state_summary(batch: Batch) -> dict[str, Any]:
    return {"batch": batch.name, "state": batch.state}


def verdict_summary(verdict: Verdict) -> dict[str, Any]:
    """Return an adjudicator's verdict, and the one that it replaces, as a command prints them."""
    before = verdict.replaces
    return {
        "item": str(verdict.item),
        "label": verdict.label,
        "source": verdict.source,
        "replaces": {
            "state": before.state,
            "label": before.label,
            "source": before.source,
            "by": before.decided_by.username,
        }
        if before
        else {},
    }


def _uuid(text: str) -> uuid.UUID:
    try:
        return uuid.UUID(text)
    except ValueError as error:
        raise CommandError(f"{text} is not an id") from error


def text_in(name: str | None) -> str:
    """Return the text of a file, such as a guideline; "" where no file is named."""
    return "" if name is None else _utf8_file(name).read_text(encoding="utf-8-sig")


def text_to_the_letter(name: str) -> str:
    """Return the text of a file, so that it has the file's sha256. Raises CommandError as text_in()."""
    return _utf8_file(name).read_bytes().decode("utf-8")


def _utf8_file(name: str) -> Path:
    path, report = existing_file(name), Report(name, "line")
    if not encoding.is_utf8(path, report):
        raise CommandError("; ".join(map(str, report.problems)))
    return path


def claim_seconds(minutes: float) -> int:
    # A number that is none, or without end, is not in the range either, and cannot be rounded.
    if not 1 <= minutes * 60 <= LONGEST_CLAIM_SECONDS:
        raise CommandError(
            f"--claim-minutes: {minutes:g} minutes; a claim lasts from 1 second to 1 year"
        )
    return round(minutes * 60)


def deadline(text: str | None) -> datetime | None:
    """Return the time that people wrote, read as UTC unless it names its zone."""
    if text is None:
        return None
    try:
        at = datetime.fromisoformat(text)
        return (at if at.tzinfo else at.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise CommandError(
            f"--deadline: {text} is not a time: write it like 2026-12-31T18:00"
        ) from error
