from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any, ClassVar

from annotation.actions import flags
from annotation.commands import BatchCommand, flag_called
from annotation.review_decisions import ReviewError


class Command(BatchCommand):
    help = "Answer an annotator's flag. Earlier answers are kept."
    expected: ClassVar = (ReviewError,)

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("--flag", required=True, metavar="ID", help="as flags lists it")
        parser.add_argument("--answer", required=True, metavar="TEXT")

    def act(self, **options: Any) -> Mapping[str, Any]:
        flag = flag_called(options["flag"], options["study"])
        flags.answer(flag=flag, text=options["answer"], by=options["by"])
        return {"flag": options["flag"], "n_answers": flag.answers.count()}
