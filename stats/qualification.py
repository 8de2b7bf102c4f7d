"""Whether somebody's answers are good enough: a rule by lower one-sided Jeffreys bounds.

Of n answers k are right. The share of right answers that the person would give in the long run is at least the
lower bound and at most the upper bound, each with the rule's confidence c:

    lower = quantile of Beta(k + 1/2, n - k + 1/2) at 1 - c, and 0 if k = 0
    upper = quantile of Beta(k + 1/2, n - k + 1/2) at c,     and 1 if k = n

(Brown, Cai & DasGupta 2001, Statistical Science 16:101-133, one-sided.) The rule sets a bar for all answers, and for
the answers whose expected label is one of some labels (recall). It grants where enough was answered and every lower
bound reaches its bar, and fails where an upper bound is below its bar. Otherwise more answers are needed.

No scipy: pages of the web process import this module.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any

from stats import jeffreys
from stats.beta_distribution import cdf

# More answers than this are not counted towards a bar: it cannot be reached by right answers in any batch.
MOST_MORE = 10_000
MOST_ANSWERS, MOST_ATTEMPTS = 10_000, 100
FIELDS = ("min_answers", "accuracy", "recall", "confidence", "attempts", "acts")


class RuleError(Exception):
    """The rule cannot be used; the message names the field."""


class Decision(StrEnum):
    GRANTED = "granted"
    FAILED = "failed"
    MORE_NEEDED = "more needed"


@dataclass(frozen=True)
class Rule:
    """A rule of a qualification.

    min_answers  answers that are needed at least
    accuracy     the bar for the share of right answers
    recall       bars for the share of right answers among those whose expected label is this one
    confidence   of each bound
    attempts     batches that somebody may try in
    acts         whether the rule grants and fails by itself when it is applied; else it only suggests
    """

    min_answers: int = 10
    accuracy: float = 0.8
    recall: Mapping[str, float] = field(default_factory=dict)
    confidence: float = 0.95
    attempts: int = 1
    acts: bool = False

    @classmethod
    def from_dict(cls, data: object) -> "Rule":
        """Return the rule; fields that are missing have their defaults. Raises RuleError."""
        if not isinstance(data, Mapping):
            raise RuleError('a rule is an object with fields, such as {"accuracy": 0.8}')
        if unknown := sorted(set(data) - set(FIELDS)):
            raise RuleError(f"{unknown[0]}: a rule has no such field; it has {', '.join(FIELDS)}")
        rule = cls(**data)
        _require_number("min_answers", rule.min_answers, 1, MOST_ANSWERS)
        _require_number("attempts", rule.attempts, 1, MOST_ATTEMPTS)
        _require_bar("accuracy", rule.accuracy)
        if not isinstance(rule.recall, Mapping):
            raise RuleError('recall: it has a bar for each label, such as {"malformed": 0.6}')
        for label, bar in rule.recall.items():
            _require_bar(f"recall: {label}", bar)
        if not _is_number(rule.confidence) or not 0.5 <= rule.confidence < 1:
            raise RuleError(f"confidence: {rule.confidence!r} is not from 0.5 to below 1")
        if not isinstance(rule.acts, bool):
            raise RuleError(f"acts: {rule.acts!r} is neither true nor false")
        return rule

    def to_dict(self) -> dict[str, Any]:
        return asdict(self) | {"recall": dict(self.recall)}


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _require_number(name: str, value: object, least: int, most: int) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise RuleError(f"{name}: {value!r} is not a whole number from {least} to {most}")


def _require_bar(name: str, value: object) -> None:
    if not (_is_number(value) and 0 < value < 1):  # type: ignore[operator]  # it is a number
        raise RuleError(f"{name}: {value!r} is not a share between 0 and 1")


@dataclass(frozen=True)
class Share:
    """Right answers among n, with the bounds; None, both, without an answer. `n_more`: right answers in a row with
    which the lower bound reaches the bar; 0 if it does.
    """

    n_right: int
    n: int
    bar: float
    lower: float | None
    upper: float | None
    n_more: int

    @property
    def reaches_bar(self) -> bool:
        return self.lower is not None and self.lower >= self.bar

    @property
    def misses_bar(self) -> bool:
        return self.upper is not None and self.upper < self.bar


@dataclass(frozen=True)
class Outcome:
    """What the rule says of a person's answers, and why in words.

    n_more   right answers that would be enough, where more are needed; else 0
    """

    decision: Decision
    reason: str
    accuracy: Share
    recall: dict[str, Share]
    n_more: int = 0

    def to_dict(self) -> dict[str, Any]:
        return asdict(self) | {"decision": self.decision.value}


def lower_bound(n_right: int, n: int, confidence: float = 0.95) -> float | None:
    """Return the lower bound of the share; None without an answer.

    >>> round(lower_bound(10, 10), 4)
    0.8292
    """
    _require_counts(n_right, n)
    if n == 0:
        return None
    return jeffreys.lower_bound(n_right, n, confidence)


def upper_bound(n_right: int, n: int, confidence: float = 0.95) -> float | None:
    """Return the upper bound of the share, which is 1 less the lower bound of wrong answers; None without an answer."""
    _require_counts(n_right, n)
    return jeffreys.upper_bound(n_right, n, confidence) if n else None


def _require_counts(n_right: int, n: int) -> None:
    if not 0 <= n_right <= n:
        raise ValueError(f"{n_right} of {n} cannot be")


def n_more_right(n_right: int, n: int, bar: float, confidence: float = 0.95) -> int:
    """Return how many right answers in a row make the lower bound reach the bar; MOST_MORE for that many or more.

    >>> n_more_right(5, 5, 0.8)
    4
    """

    lower = lower_bound(n_right, n, confidence)
    if lower is not None and lower >= bar:
        return 0

    def reaches(more: int) -> bool:
        """The bound is not below the bar where the distribution has at most 1 - confidence below the bar.

        To know that takes one step of the sixty that find the bound.
        """
        return cdf(bar, n_right + more + 0.5, n - n_right + 0.5) <= 1 - confidence

    low, high = 0, MOST_MORE
    while high - low > 1:
        middle = (low + high) // 2
        if reaches(middle):
            high = middle
        else:
            low = middle
    return high


def outcome(
    rule: Rule,
    answers: Sequence[tuple[str, str]],
    *,
    may_answer_more: bool = True,
    attempts_used: int = 1,
) -> Outcome:
    """Return what the rule says of answers, pairs of the expected label and the label given.

    `may_answer_more`: whether more answers can come in this attempt. `attempts_used` counts this one. Without any
    answer nobody has failed: nothing of theirs could be looked at.
    """
    accuracy = _share(answers, rule.accuracy, rule)
    recall = {
        label: _share([each for each in answers if each[0] == label], bar, rule)
        for label, bar in sorted(rule.recall.items())
    }
    named = {"all answers": accuracy, **recall}
    if answers and attempts_used > rule.attempts:
        reason = f"the {_counted(rule.attempts, 'attempt')} that the rule allows are used up"
        return Outcome(Decision.FAILED, reason, accuracy, recall)
    missed = [name for name, share in named.items() if share.misses_bar]
    if missed:
        return Outcome(Decision.FAILED, _words(missed, named, "below"), accuracy, recall)
    n_more = max(
        rule.min_answers - len(answers),
        accuracy.n_more,
        sum(each.n_more for each in recall.values()),
    )
    if n_more <= 0:
        return Outcome(Decision.GRANTED, _words(named, named, "reaches"), accuracy, recall)
    reason = f"{_counted(n_more, 'more answer')} needed, if all are right"
    if may_answer_more or attempts_used < rule.attempts or not answers:
        return Outcome(Decision.MORE_NEEDED, reason, accuracy, recall, n_more)
    reason = f"answers and attempts are used up: {reason}"
    return Outcome(Decision.FAILED, reason, accuracy, recall)


def highest_bar(
    rule: Rule, answers: Sequence[tuple[str, str]], *, attempts_used: int = 1
) -> float | None:
    """Return the highest bar for all answers under which the rule grants; None if it grants under no bar.

    Everything else is as the rule says: `outcome` of the rule with another bar grants where that is not higher.

    >>> round(highest_bar(Rule(), [("a", "a")] * 10), 4)
    0.8292
    """
    if len(answers) < rule.min_answers or attempts_used > rule.attempts:
        return None
    for label, bar in rule.recall.items():
        lower = _lower_bound([each for each in answers if each[0] == label], rule.confidence)
        if lower is None or lower < bar:
            return None
    return _lower_bound(answers, rule.confidence)


def _lower_bound(answers: Sequence[tuple[str, str]], confidence: float) -> float | None:
    n_right = sum(expected == given for expected, given in answers)
    return lower_bound(n_right, len(answers), confidence)


def _share(answers: Sequence[tuple[str, str]], bar: float, rule: Rule) -> Share:
    n, n_right = len(answers), sum(expected == given for expected, given in answers)
    return Share(
        n_right=n_right,
        n=n,
        bar=bar,
        lower=lower_bound(n_right, n, rule.confidence),
        upper=upper_bound(n_right, n, rule.confidence),
        n_more=n_more_right(n_right, n, bar, rule.confidence),
    )


def _words(names: Iterable[str], shares: Mapping[str, Share], how: str) -> str:
    """Return, for each name, the right answers with the bound that decides and the bar."""
    parts = []
    for name in names:
        share = shares[name]
        bound, side = (share.upper, "at most") if how == "below" else (share.lower, "at least")
        parts.append(
            f"{name}: {share.n_right} of {share.n} right, {side} {bound:.3f}, bar {share.bar:g}"
        )
    return "; ".join(parts)


def _counted(n: int, what: str) -> str:
    return f"{n} {what}" if n == 1 else f"{n} {what}s"
