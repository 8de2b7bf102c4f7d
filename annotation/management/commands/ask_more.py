from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any, ClassVar

from accounts.commands import FormCommand, Option
from annotation.actions import extra_judgement_plans, extra_judgements
from annotation.commands import BATCH, BatchCommand, require_reader
from annotation.forms.extra_judgements import ExtraRoundForm
from annotation.queries import extra_rounds
from annotation.queries.extra_rounds import Plan
from annotation.review_decisions import ReviewError


class Command(FormCommand, BatchCommand):
    help = (
        "Ask for one more judgement of each item that a rule does not settle. A "
        "closed batch reopens."
    )
    expected: ClassVar = (ReviewError,)
    named: ClassVar = (BATCH,)
    form_class = ExtraRoundForm
    form_options: ClassVar = {"cap": Option(default=1)}

    def add_options(self, parser: ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument(
            "--preview",
            action="store_true",
            help="print only the cost and the expected savings; for adjudicators too",
        )

    def act(self, **options: Any) -> Mapping[str, Any]:
        require_reader(options["by"], options["study"])
        arguments = {"batch": options["batch"], **self.form(options).cleaned_data}
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
