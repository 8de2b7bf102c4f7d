from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any, ClassVar

from activity.commands import StudyCommand
from corpus.commands import dataset_called
from sampling.actions import drawing
from sampling.duplicates import BAG_KINDS
from sampling.selection import Rule, RuleError


class Command(StudyCommand):
    help = "Draw a pool of distinct, likely correct answers from the runs."
    expected: ClassVar = (drawing.PoolError, RuleError)

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("--dataset", required=True, metavar="NAME")
        parser.add_argument("--name", required=True, metavar="POOL")
        parser.add_argument("--scorer", required=True, help="whose SAS the threshold is on")
        parser.add_argument("--threshold", required=True, type=float, help="strictly above")
        parser.add_argument("--min-candidates", type=int, default=3, help="of a turn")
        parser.add_argument("--cap-per-turn", type=int, help="at most, chosen by the seed")
        parser.add_argument("--bag", choices=sorted(BAG_KINDS), default="default")
        parser.add_argument("--runs", nargs="+", metavar="RUN", help="draw from these only")
        parser.add_argument("--seed", type=int, default=1)

    def act(self, **options: Any) -> Mapping[str, Any]:
        rule = Rule(
            scorer=options["scorer"],
            threshold=options["threshold"],
            min_candidates=options["min_candidates"],
            bag=options["bag"],
            cap_per_turn=options["cap_per_turn"],
            runs=frozenset(options["runs"]) if options["runs"] else None,
            seed=options["seed"],
        )
        pool, warnings = drawing.draw(
            study=options["study"],
            dataset=dataset_called(options["dataset"], options["study"]),
            name=options["name"],
            rule=rule,
            by=options["by"],
        )
        return {"pool": pool.name, "scorer": str(pool.scorer), **pool.counts, "warnings": warnings}
