"""What settling a batch does, in words."""

from collections.abc import Mapping

from annotation import schemes
from annotation.actions import settlement
from annotation.models import Batch
from stats.aggregation import consensus


def settling_again_sentences(last_rule: str) -> list[str]:
    if not last_rule:
        return []
    return [
        f"The batch is settled by the rule {last_rule}. By the same rule, only items with new judgements or"
        " decisions change; another rule gives all other items its own outcome. Adjudications stay as they are."
    ]


def rules_differ_sentences(batch: Batch) -> list[str]:
    """[] if an item has more than two judgements: only then do unanimous and majority differ."""
    if batch.items.real().filter(n_counted__gt=consensus.LEAST_JUDGEMENTS).exists():
        return []
    return [
        "No item has more than two judgements. With two, unanimous and majority are the same: equal labels"
        " make a verdict, different labels a dispute."
        + (
            " With posterior, equal labels of annotators with high error rates are a dispute too."
            if schemes.settled_scheme(batch.scheme).has_fixed_labels
            else ""
        )
    ]


def compare_rules_sentences(figures: Mapping[str, str]) -> list[str]:
    if figures:
        return []
    return [
        "How many items each rule settles here, with its error rate in simulation, is computed under"
        " “Compare aggregation rules” on the batch's page."
    ]


def settlement_message(settled: settlement.Settlement) -> str:
    return (
        f"{settled.n_decided} items decided, {settled.n_disputed} in dispute,"
        f" {settled.n_set_aside} set aside."
    )
