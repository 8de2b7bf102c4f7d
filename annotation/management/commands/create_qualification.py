from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any, ClassVar

from django.core.management.base import CommandError

from accounts.commands import FormCommand, Option
from annotation.actions import qualifications
from annotation.commands import BatchCommand
from annotation.forms.qualifications import GROUP, RULE, QualificationForm

NOT_OF_RULE = {"kind", "name"}


def bars(texts: list[str]) -> str:
    """Return shares of labels, each as malformed=0.6, as the form takes them."""
    return "\n".join(text.replace("=", " ") for text in texts)


class Command(FormCommand, BatchCommand):
    help = "Create a qualification with its rule, or a group of people without a rule."
    expected: ClassVar = (qualifications.QualificationError,)
    form_class = QualificationForm
    form_options: ClassVar = {
        "kind": None,
        "name": Option(metavar="QUALIFICATION"),
        "accuracy": Option(metavar="SHARE"),
        "recall": Option(
            metavar="LABEL=SHARE",
            is_repeated=True,
            read=bars,
            help="the same among answers whose expected label is this one; several times",
        ),
        "acts": Option(
            help="the rule may decide (qualify --apply, and at the end of a training); without it, it suggests"
        ),
    }

    def add_options(self, parser: ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument(
            "--group", action="store_true", help="no rule: people join by a decision only"
        )
        self.of_rule = {
            name: parser.get_default(name) for name in self.form_options if name not in NOT_OF_RULE
        }

    def act(self, **options: Any) -> Mapping[str, Any]:
        if options["group"] and any(
            options[name] != default for name, default in self.of_rule.items()
        ):
            raise CommandError("--group: a group has no rule; leave the options of the rule out")
        form = self.form(options, {"kind": GROUP if options["group"] else RULE})
        made = qualifications.create(
            study=options["study"], name=options["name"], rule=form.rule(), by=options["by"]
        )
        return {"qualification": made.name, "is_group": made.is_group, "rule": made.rule}
