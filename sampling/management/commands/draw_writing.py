from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any, ClassVar

from accounts.commands import StudyCommand
from corpus.commands import add_dataset, dataset_called, plain
from sampling.actions import writing_pools
from sampling.actions.pools import PoolError
from sampling.pools.rule import RuleError
from sampling.writing.rule import LEAST_SENTENCES, WritingRule


class Command(StudyCommand):
    help = "Draw random questions with one passage each, for people to write answers from it."
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
        parser.add_argument(
            "--min-sentences",
            type=int,
            default=LEAST_SENTENCES,
            metavar="N",
            help="leave out questions whose passage has fewer sentences",
        )

    def act(self, **options: Any) -> Mapping[str, Any]:
        rule = WritingRule(
            parts=tuple(options["parts"]),
            n_questions=options["questions"],
            min_sentences=options["min_sentences"],
            seed=options["seed"],
        )
        pool = writing_pools.draw_writing(
            study=options["study"],
            dataset=dataset_called(options["dataset"], options["study"]),
            name=options["name"],
            rule=rule,
            by=options["by"],
        )
        return writing_pools.summary(pool)
