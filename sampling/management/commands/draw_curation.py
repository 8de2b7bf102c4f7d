from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any, ClassVar

from accounts.commands import StudyCommand
from corpus.commands import add_dataset, dataset_called, plain
from sampling.actions import curation_pools
from sampling.actions.pools import PoolError
from sampling.curation.rule import CurationRule
from sampling.pools.rule import RuleError


class Command(StudyCommand):
    help = "Draw random questions with their passages, for people to keep, edit or reject them."
    expected: ClassVar = (PoolError, RuleError)

    def add_options(self, parser: ArgumentParser) -> None:
        add_dataset(parser)
        parser.add_argument(
            "--name", required=True, metavar="POOL", type=plain, help="what to call the pool"
        )
        parser.add_argument(
            "--part",
            action="append",
            default=[],
            dest="parts",
            metavar="NAME",
            type=plain,
            help="a file of the split to draw from; may be given several times; default: all",
        )
        parser.add_argument(
            "--questions",
            type=int,
            metavar="N",
            help="number of questions, or all if there are fewer; default: all",
        )
        parser.add_argument("--seed", type=int, default=1, help="of the random choice")

    def act(self, **options: Any) -> Mapping[str, Any]:
        rule = CurationRule(
            parts=tuple(options["parts"]), n_questions=options["questions"], seed=options["seed"]
        )
        pool = curation_pools.draw_curation(
            study=options["study"],
            dataset=dataset_called(options["dataset"], options["study"]),
            name=options["name"],
            rule=rule,
            by=options["by"],
        )
        return curation_pools.summary(pool)
