from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any

from django.core.management.base import CommandError

from accounts.commands import StudyCommand
from accounts.models import Membership, Study, User
from annotation.actions import study_copies


class Command(StudyCommand):
    help = "Create a study with the settings, guidelines and, if named, people of another. No data is copied."

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", metavar="SLUG", help="the short name of the copy")
        parser.add_argument("--title", required=True, help="the copy's name for people")
        parser.add_argument(
            "--person",
            action="append",
            default=[],
            metavar="NAME",
            help="a member to copy with the same roles; repeatable",
        )
        parser.add_argument(
            "--everybody", action="store_true", help="all members have the same roles in the copy"
        )

    def act(self, **options: Any) -> Mapping[str, Any]:
        people = _people(options["study"], options)
        copy = study_copies.copy_study(
            study=options["study"],
            slug=options["slug"],
            title=options["title"],
            people=people,
            by=options["by"],
        )
        return {"study": copy.slug, "copied_from": options["study"].slug, "n_people": len(people)}


def _people(study: Study, options: Mapping[str, Any]) -> list[Membership]:
    by: User = options["by"]
    members = {each.user.username: each for each in study_copies.members_to_choose(study, by)}
    if options["everybody"]:
        return list(members.values())
    if unknown := sorted(set(options["person"]) - members.keys()):
        raise CommandError(
            f"{', '.join(unknown)}: no active member of the study {study.slug} besides {by.username}"
        )
    return [members[name] for name in dict.fromkeys(options["person"])]
