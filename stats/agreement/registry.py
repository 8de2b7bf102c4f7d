"""The coefficients that reports and pages have: a new one is a function and a line here.

Web processes load this module: numpy and the formulas are imported when a coefficient is computed.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pkgutil import resolve_name
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from stats.agreement.judgement_table import Judgements
    from stats.agreement.krippendorff_alpha import Level
    from stats.agreement.result import Agreement


class Inputs(StrEnum):
    """What a coefficient takes besides the judgements, as keyword arguments."""

    NONE = "none"
    LEVEL = "level"  # `level` and `values`: how far apart two labels are
    SCALE = "scale"  # `values`: the numbers of the labels, which only a scale has
    TWO_ANNOTATORS = "two annotators"  # `workers`, where just two people judged


@dataclass(frozen=True)
class Coefficient:
    """A coefficient of agreement.

    `path` is the function of this package that computes it, as "module:name". It returns an `Agreement`:
    name, estimand, and the value with its interval or the reason why it is undefined. `column` heads its
    column in a table of several questions or batches; without one it is not in such tables.
    """

    path: str
    inputs: Inputs = Inputs.NONE
    column: str = ""

    @property
    def is_of_every_question(self) -> bool:
        return self.inputs in (Inputs.NONE, Inputs.LEVEL)

    @property
    def function(self) -> "Callable[..., Agreement]":
        return cast("Callable[..., Agreement]", resolve_name(f"{__package__}.{self.path}"))

    def figure(
        self,
        judgements: "Judgements",
        *,
        level: "Level",
        values: Mapping[str, float],
        replicates: int,
        seed: int,
    ) -> "Agreement | None":
        """Return the coefficient of one question; None where the question has not what it takes.

        `values` has the number of each label of a scale and is empty for other questions.
        """
        bootstrap = {"replicates": replicates, "seed": seed}
        match self.inputs:
            case Inputs.NONE:
                return self.function(judgements, **bootstrap)
            case Inputs.LEVEL:
                return self.function(judgements, level=level, values=values, **bootstrap)
            case Inputs.SCALE:
                return self.function(judgements, values=values, **bootstrap) if values else None
            case Inputs.TWO_ANNOTATORS:
                workers = judgements.workers
                is_pair = len(workers) == 2
                return self.function(judgements, workers=workers, **bootstrap) if is_pair else None


# By their keys in report.json, in the order in which pages show them.
COEFFICIENTS = {
    "raw": Coefficient("nominal:raw_agreement", column="Raw agreement"),
    "alpha": Coefficient(
        "krippendorff_alpha:krippendorff_alpha", Inputs.LEVEL, "Krippendorff's alpha"
    ),
    "cohen": Coefficient("cohen_kappa:cohen_kappa", Inputs.TWO_ANNOTATORS),
    "fleiss": Coefficient("nominal:fleiss_kappa"),
    "ac1": Coefficient("nominal:gwet_ac1", column="Gwet's AC1"),
    "ac2": Coefficient("gwet_ac2:gwet_ac2", Inputs.SCALE, "AC2, ordinal"),
}
# Those with a column, and among them those that every question has.
IN_COLUMNS = {key: each for key, each in COEFFICIENTS.items() if each.column}
OF_EVERY_QUESTION = {key: each for key, each in IN_COLUMNS.items() if each.is_of_every_question}
