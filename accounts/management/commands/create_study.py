from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any

from accounts.actions import studies
from accounts.commands import SummaryCommand, user_by_name


class Command(SummaryCommand):
    help = "Create a study with its requester."

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", metavar="SLUG", help="its short name in commands and addresses")
        parser.add_argument("--title", required=True, help="its name for people")
        parser.add_argument(
            "--requester", required=True, metavar="NAME", help="the user who asks for it"
        )

    def act(self, **options: Any) -> Mapping[str, Any]:
        requester = user_by_name(options["requester"])
        study = studies.create_study(
            slug=options["slug"], title=options["title"], requester=requester
        )
        return {"study": study.slug, "requester": requester.username}
