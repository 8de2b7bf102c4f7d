from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any, ClassVar

from django.core.management.base import CommandError

from accounts.commands import number, whole_number
from annotation.actions import qualifications
from annotation.commands import BatchCommand
from stats.qualification import MOST_ANSWERS, MOST_ATTEMPTS, Rule

DEFAULT = Rule()


class Command(BatchCommand):
    help = "Create a qualification with its rule, or a group of people without a rule."
    expected: ClassVar = (qualifications.QualificationError,)

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("--name", required=True, metavar="QUALIFICATION")
        parser.add_argument(
            "--group", action="store_true", help="no rule: people join by a decision only"
        )
        parser.add_argument(
            "--min-answers",
            type=whole_number(1, MOST_ANSWERS),
            help=f"that are needed; default: {DEFAULT.min_answers}",
        )
        parser.add_argument(
            "--accuracy",
            type=number(0, 1),
            metavar="SHARE",
            help=f"that the lower bound of right answers must reach; default: {DEFAULT.accuracy}",
        )
        parser.add_argument(
            "--recall",
            action="append",
            default=[],
            metavar="LABEL=SHARE",
            help="the same among answers whose expected label is this one; several times",
        )
        parser.add_argument(
            "--confidence",
            type=number(0.5, 1),
            help=f"of each bound; default: {DEFAULT.confidence}",
        )
        parser.add_argument(
            "--attempts",
            type=whole_number(1, MOST_ATTEMPTS),
            help=f"batches to try in; default: {DEFAULT.attempts}",
        )
        parser.add_argument(
            "--acts", action="store_true", help="the rule may decide; without it, it suggests"
        )

    def act(self, **options: Any) -> Mapping[str, Any]:
        made = qualifications.create(
            study=options["study"],
            name=options["name"],
            rule=rule_of(options),
            by=options["by"],
        )
        return {"qualification": made.name, "is_group": made.is_group, "rule": made.rule}


def rule_of(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the rule that the options give; {} for a group. Raises CommandError for a group with a rule."""
    fields = ("min_answers", "accuracy", "confidence", "attempts")
    given = {name: options[name] for name in fields if options[name] is not None}
    if options["group"]:
        if given or options["recall"] or options["acts"]:
            raise CommandError("--group: a group has no rule; leave the options of the rule out")
        return {}
    recall = dict(_bar(text) for text in options["recall"])
    return {"accuracy": DEFAULT.accuracy, **given, "recall": recall, "acts": options["acts"]}


def _bar(text: str) -> tuple[str, float]:
    label, _, share = text.partition("=")
    try:
        return label, float(share)
    except ValueError as error:
        raise CommandError(
            f"--recall: {text} is not a label with a share: write it like malformed=0.6"
        ) from error
