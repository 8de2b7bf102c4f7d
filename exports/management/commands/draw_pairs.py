from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any, ClassVar

from accounts.commands import StudyCommand
from corpus.commands import plain
from exports.relations import actions
from exports.relations.actions import RelationError
from exports.withdrawals.commands import release_of_number
from sampling.actions import answer_pairs
from sampling.actions.pools import PoolError
from sampling.pairs.rule import DEFAULT_SIZE, PairRuleError


class Command(StudyCommand):
    help = (
        "Draw random pairs of accepted answers of a release, to ask people how the two answers of a "
        "pair relate."
    )
    expected: ClassVar = (RelationError, PoolError, PairRuleError)

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("release", type=int, metavar="RELEASE", help="its number")
        parser.add_argument(
            "--name",
            type=plain,
            metavar="POOL",
            help="what to call the pool of pairs; default: pairs-RELEASE-SEED",
        )
        parser.add_argument(
            "--n",
            type=int,
            default=DEFAULT_SIZE,
            metavar="N",
            help="number of pairs, or all if there are fewer",
        )
        parser.add_argument("--seed", type=int, default=1, help="of the random choice and order")

    def act(self, **options: Any) -> Mapping[str, Any]:
        pool = actions.draw_pairs(
            release=release_of_number(options["release"], options["study"]),
            name=options["name"] or f"pairs-{options['release']}-{options['seed']}",
            n=options["n"],
            seed=options["seed"],
            by=options["by"],
        )
        return answer_pairs.summary(pool)
