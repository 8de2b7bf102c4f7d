from argparse import ArgumentParser
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, ClassVar

from django.core.management.base import CommandError

from accounts.commands import existing_file
from annotation.actions import bulk_reviews, review_plans, reviews
from annotation.actions.review_plans import Decisions
from annotation.commands import BatchCommand, batch_called, judgement_of
from annotation.management import review_options
from annotation.models import Batch
from annotation.queries import review_effects
from annotation.review_decisions import ReviewError
from corpus.problems import ImportProblems


class Command(BatchCommand):
    help = (
        "Decide whether work is paid and counted: one assignment, all of an "
        "annotator in a batch, or by a file; or undo it."
    )
    expected: ClassVar = (ReviewError, ImportProblems)

    def add_options(self, parser: ArgumentParser) -> None:
        which = parser.add_mutually_exclusive_group(required=True)
        which.add_argument("--assignment", metavar="ID", help="one assignment")
        which.add_argument(
            "--annotator",
            metavar="NAME",
            help="all work of this annotator in the batch, by name or pseudonym",
        )
        which.add_argument(
            "--file",
            metavar="CSV",
            help="with the columns assignment_id, paid, paid_reason, counted, counted_reason; all"
            " rows, or none and a list of its errors",
        )
        which.add_argument("--undo", metavar="ACT", help="undo this act")
        parser.add_argument("--batch", help="required except with --assignment")
        parser.add_argument(
            "--paid",
            choices=review_options.YES_NO,
            help="required with --assignment and --annotator",
        )
        parser.add_argument(
            "--counted",
            choices=review_options.YES_NO,
            help="required with --assignment and --annotator",
        )
        parser.add_argument(
            "--reason",
            help="required with them; of both decisions: a code of the list, CODE: words, or words"
            " alone, which get the code other",
        )
        parser.add_argument("--counted-reason", help="a different reason for --counted")
        parser.add_argument(
            "--ask-again",
            action="store_true",
            help="ask for replacement judgements, in the same act",
        )
        parser.add_argument(
            "--dry-run", action="store_true", help="print what would change, and change nothing"
        )

    def act(self, **options: Any) -> Mapping[str, Any]:
        if options["assignment"] and not options["dry_run"]:
            return self._one(**options)
        batch = self._batch(options)
        decisions = self._decisions(batch, options)
        arguments = {"batch": batch, "by": options["by"], "ask_again": options["ask_again"]}
        undoes = review_options.act_called(options["undo"], batch) if options["undo"] else None
        plan = review_plans.plan(decisions=decisions, undoes=undoes, **arguments)
        summary = review_options.summary(plan, review_effects.effects(plan))
        if options["dry_run"]:
            return {"act": None, **summary}
        if undoes is not None:
            done = bulk_reviews.undo(act=undoes, by=options["by"], seal=plan.seal)
        else:
            done = bulk_reviews.decide(decisions=decisions, seal=plan.seal, **arguments)
        return {"act": str(done), **summary}

    def _one(self, **options: Any) -> Mapping[str, Any]:
        decision = reviews.review(
            judgement=judgement_of(options["assignment"], options["study"]),
            by=options["by"],
            ask_again=options["ask_again"],
            **asdict(review_options.decision(options)),
        )
        return {
            "assignment": options["assignment"],
            "is_paid": decision.is_paid,
            "is_counted": decision.is_counted,
        }

    def _batch(self, options: Mapping[str, Any]) -> Batch:
        if options["assignment"]:
            return judgement_of(options["assignment"], options["study"]).assignment.item.batch
        if options["batch"] is None:
            raise CommandError("say also --batch")
        return batch_called(options["batch"], options["study"])

    def _decisions(self, batch: Batch, options: Mapping[str, Any]) -> Decisions:
        if options["undo"]:
            return bulk_reviews.undoing_decisions(review_options.act_called(options["undo"], batch))
        if options["file"]:
            return review_options.decisions_in_file(batch, existing_file(options["file"]))
        decision = review_options.decision(options)
        if options["assignment"]:
            judgement = judgement_of(options["assignment"], options["study"])
            return {judgement.pk: decision}
        return review_options.decisions_on_person(batch, options["annotator"], decision)
