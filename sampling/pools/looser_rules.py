"""Looser rules than the one on the desk, and how much more each would draw."""

from dataclasses import dataclass, replace

from sampling.pools.rule import Rule
from sampling.pools.survey import Outlook, Survey


@dataclass(frozen=True)
class LooserRule:
    """The rule with one parameter changed, and the candidates and questions that it draws beyond it."""

    rule: Rule
    field: str  # threshold | min_candidates
    n_candidates: int
    n_turns: int


def looser_rules(survey: Survey, rule: Rule, outlook: Outlook) -> list[LooserRule]:
    """Return the rule with a lower threshold, and with one candidate as the fewest if that draws more.

    What draws most comes first. `outlook` is that of the rule.
    """
    lower = replace(rule, threshold=round(rule.threshold - survey.histogram.scale.drop, 9))
    found = [_looser(survey, lower, "threshold", outlook)]
    if rule.min_candidates > 1:
        fewest = _looser(survey, replace(rule, min_candidates=1), "min_candidates", outlook)
        if fewest.n_candidates > 0:
            found.append(fewest)
    return sorted(found, key=lambda each: -each.n_candidates)


def _looser(survey: Survey, rule: Rule, field: str, outlook: Outlook) -> LooserRule:
    drawn = survey.under(rule)
    return LooserRule(
        rule, field, drawn.n_candidates - outlook.n_candidates, drawn.n_turns - outlook.n_turns
    )
