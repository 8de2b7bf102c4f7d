from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any, ClassVar

from accounts.commands import whole_number
from annotation.actions import extra_judgement_plans, extra_judgements
from annotation.commands import BatchCommand, batch_called, require_reader
from annotation.queries import extra_rounds
from annotation.queries.extra_rounds import Plan
from annotation.review_decisions import ReviewError
from stats.aggregation import consensus


class Command(BatchCommand):
    help = (
        "Ask for one more judgement of each item that a rule does not settle. A "
        "closed batch reopens."
    )
    expected: ClassVar = (ReviewError,)

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("--batch", required=True)
        parser.add_argument("--rule", required=True, choices=sorted(consensus.RULES))
        parser.add_argument(
            "--cap",
            type=whole_number(1, extra_judgement_plans.MOST_CAP),
            default=1,
            help=f"further judgements of an item at most, 1 to {extra_judgement_plans.MOST_CAP}",
        )
        parser.add_argument(
            "--preview",
            action="store_true",
            help="say only what it costs and is expected to save",
        )

    def act(self, **options: Any) -> Mapping[str, Any]:
        batch = batch_called(options["batch"], options["study"])
        arguments = {"batch": batch, "rule": options["rule"], "cap": options["cap"]}
        require_reader(options["by"], options["study"])
        planned = extra_judgement_plans.plan(**arguments)
        if not options["preview"]:
            extra_judgements.ask_more(by=options["by"], seal=planned.seal, **arguments)
        return _summary(planned)


def _summary(planned: Plan) -> Mapping[str, Any]:
    price = extra_rounds.plan_price(planned)
    return {
        "n_unsettled": planned.n_unsettled,
        "n_asked": len(planned.items),
        "n_waiting": planned.n_waiting,
        "n_at_cap": planned.n_at_cap,
        "n_nobody": planned.n_nobody,
        "n_in_vain": planned.n_in_vain,
        "expected_by_next": round(planned.by_next, 1),
        "expected_by_cap": round(planned.by_cap, 1),
        "expected_judgements": round(planned.n_judgements, 1),
        "cost": str(price.now) if price.now else "unpaid",
        "expected_cost": str(price.by_cap) if price.by_cap else "unpaid",
        "expected_work": price.time_by_cap,
    }
