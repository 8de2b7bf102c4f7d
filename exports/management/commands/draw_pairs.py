from collections.abc import Mapping
from typing import Any, ClassVar

from accounts.commands import FormCommand, Option, StudyCommand
from exports.relations import actions
from exports.relations.actions import RelationError
from exports.relations.forms import PairsForm
from exports.withdrawals.commands import RELEASE
from sampling.actions import answer_pairs
from sampling.actions.pools import PoolError
from sampling.pairs.rule import PairRuleError


class Command(FormCommand, StudyCommand):
    help = (
        "Draw random pairs of accepted answers of a release, to ask people how the two answers of a "
        "pair relate."
    )
    expected: ClassVar = (RelationError, PoolError, PairRuleError)
    named: ClassVar = (RELEASE,)
    form_class = PairsForm
    form_options: ClassVar = {
        "name": Option(
            metavar="POOL",
            is_required=False,
            help="what to call the pool of pairs; default: pairs-RELEASE-SEED",
        ),
    }

    def act(self, **options: Any) -> Mapping[str, Any]:
        release = options["release"]
        options["name"] = options["name"] or f"pairs-{release.number}-{options['seed']}"
        settings = self.form(options).settings()
        pool = actions.draw_pairs(release=release, by=options["by"], **settings)
        return answer_pairs.summary(pool)
