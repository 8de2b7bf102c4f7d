"""Do people who judge the same thing say the same of it?

    judgements = Judgements.of(task=…, worker=…, label=…, question=…)   # parallel columns
    raw_agreement(judgements)         share of agreeing pairs
    cohen_kappa(judgements, ("a", "b")), pairwise_kappa(judgements)
    fleiss_kappa(judgements)
    krippendorff_alpha(judgements, level="nominal")
    gwet_ac1(judgements)              with the prevalence of each label

A row is one counted judgement: `worker` gave `label` to `task`, which belongs to the cluster
`question`. Control and excluded items are left out by who makes the table.

Every figure is a frozen `Agreement`: the value, or None with the reason; what it was computed from;
a percentile interval (`intervals.bootstrap` says to the digit how it is drawn) and the estimand in
words. Show raw, alpha, AC1 and the prevalence together: where nine answers in ten are plausible, two
people who are each right 94 times in 100 agree on 88 % and have alpha .57.
"""

from exports.agreement.alpha import Level, krippendorff_alpha
from exports.agreement.cohen import cohen_kappa, pairwise_kappa
from exports.agreement.figures import Agreement, Basis, Measure
from exports.agreement.intervals import BootstrapInterval, WilsonInterval, wilson
from exports.agreement.nominal import (
    fleiss_kappa,
    gwet_ac1,
    prevalence,
    raw_agreement,
    raw_wilson,
)
from exports.agreement.table import Judgements

__all__ = [
    "Agreement",
    "Basis",
    "BootstrapInterval",
    "Judgements",
    "Level",
    "Measure",
    "WilsonInterval",
    "cohen_kappa",
    "fleiss_kappa",
    "gwet_ac1",
    "krippendorff_alpha",
    "pairwise_kappa",
    "prevalence",
    "raw_agreement",
    "raw_wilson",
    "wilson",
]
