from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any, ClassVar

from django.core.management.base import CommandError

from accounts import permissions
from accounts.actions import studies
from accounts.background_questions import BackgroundTextError
from accounts.commands import StudyCommand
from accounts.commands.arguments import existing_file
from accounts.models import Role
from accounts.queries import background


class Command(StudyCommand):
    help = (
        "Set what annotators are asked about themselves, or list how many people gave each answer."
    )
    expected: ClassVar = (BackgroundTextError,)

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--questions",
            metavar="FILE.txt",
            help="ask these from now on; an empty file asks nothing; UTF-8; default: change nothing",
        )

    def act(self, **options: Any) -> Mapping[str, Any]:
        study, by = options["study"], options["by"]
        permissions.require_reader(by, study, Role.REQUESTER)
        if options["questions"] is not None:
            text = _text_of(options["questions"])
            try:
                studies.describe_study(study=study, by=by, background=text)
            except BackgroundTextError as error:
                raise BackgroundTextError(f"{options['questions']}: {error}") from error
        return {
            "study": study.slug,
            "questions": [
                {
                    "question": each.question.text,
                    "is_asked": each.question.position is not None,
                    "n_answered": each.n_answered,
                    "n_skipped": each.n_skipped,
                    "answers": [
                        {"answer": said.answer, "n": said.n, "is_few": said.is_few}
                        for said in each.said
                    ],
                }
                for each in background.figures(study)
            ],
        }


def _text_of(name: str) -> str:
    try:
        return existing_file(name).read_text("utf-8-sig")
    except UnicodeDecodeError as error:
        raise CommandError(f"the file {name} is not UTF-8") from error
