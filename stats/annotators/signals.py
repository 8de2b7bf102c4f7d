"""Reasons for a human look at somebody's work, in words, with their probability by chance alone."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, floor, log10

from stats.annotators.agreement_with_others import Fellows, Share
from stats.annotators.control_recall import Recall
from stats.annotators.entries import CONTROL
from stats.annotators.label_runs import Run
from stats.annotators.order_tests import Test
from stats.annotators.robust_z import RobustZ
from stats.annotators.speed import Speed

# Over all people and signals of a table together: in nineteen of twenty tables of honest people nobody has
# a reason.
LEVEL = 0.05
RAREST = 1e-9


@dataclass(frozen=True, slots=True)
class Signal:
    """One test of one person.

    `p` is the probability of as much in honest work; None with a `reason`.

    `adjusted` is p for all tests of the table (Holm); if it is at most LEVEL, `words` are a reason
    to look.
    """

    kind: str
    asked: str
    p: float | None
    words: str
    reason: str | None = None
    adjusted: float | None = None

    @property
    def is_reason(self) -> bool:
        return self.adjusted is not None and self.adjusted <= LEVEL


def odds(p: float) -> str:
    """Return .0005 as "1 in 2,000": two digits, from one half to one in a billion."""
    if p > 0.5:
        return "more than 1 in 2"
    if p <= RAREST:
        return "less than 1 in a billion"
    n = 1 / p
    step = 10 ** max(0, floor(log10(n)) - 1)
    return f"1 in {round(n / step) * step:,.0f}"


def odds_in_words(p: float | None) -> str:
    return "" if p is None else f"; probability under honest work: {odds(p)}"


def run_signal(
    asked: str, run: Run, labels: Sequence[str], p: float | None, reason: str | None
) -> Signal:
    """Return the signal of the longest run among a person's labels."""
    n, n_given = len(labels), labels.count(run.label)
    null = "others' labels" if n_given == n else f"their own share of it, {_percent(n_given / n)}"
    words = (
        f"gave the label {run.label} {run.length} times in a row, of {n} labels{odds_in_words(p)}"
        f" (given {null})"
    )
    return Signal("run of one label", asked, p, words, reason)


def agreement_signal(share: Share, fellows: Fellows) -> Signal:
    found, words = fellows.beside, ""
    if share.value is not None and fellows.expected is not None:
        words = (
            f"agreed with others in {_percent(share.value)} of {share.n} pairs, where those others agree"
            f" with everybody else in {_percent(fellows.expected)}{odds_in_words(found.p)}"
        )
    return Signal("agreement", "", found.p, words, found.reason)


def speed_signal(speed: Speed, found: RobustZ, own: float | None) -> Signal:
    words = ""
    if own is not None and found.median is not None:
        words = f"was {_times_faster(found.median - own)} than others{odds_in_words(found.p)}"
    return Signal("speed", "", found.p, words, found.reason)


def recall_signal(recall: Recall) -> Signal | None:
    """Return the signal of controls, else None: disputed items are no random sample."""
    if recall.known_by != CONTROL:
        return None
    words = (
        f"found {recall.found} of {recall.n} control items that are {recall.label}, the others"
        f" {recall.found_by_others} of {recall.n_others}{odds_in_words(recall.p)}"
    )
    return Signal("control items", recall.asked, recall.p, words, recall.reason)


def within_session_signal(test: Test) -> Signal:
    words = (
        ""
        if test.seen is None
        else (
            f"agreed with others {_points(test.seen)} in the second halves of sessions than in the first"
            f"{odds_in_words(test.p)}"
        )
    )
    return Signal("drift within sessions", "", test.p, words, test.reason)


def between_session_signal(test: Test) -> Signal:
    words = (
        ""
        if test.seen is None
        else (f"agreed with others {_points(test.seen)} with every session{odds_in_words(test.p)}")
    )
    return Signal("drift between sessions", "", test.p, words, test.reason)


def repeat_signal(asked: str, test: Test) -> Signal:
    words = ""
    if test.seen is not None and test.expected is not None:
        words = (
            f"gave the label of the item before in {_percent(test.seen)} of cases, where"
            f" {_percent(test.expected)} are expected if the order of the questions has no effect"
            f"{odds_in_words(test.p)}"
        )
    return Signal("repeated label", asked, test.p, words, test.reason)


def position_signal(asked: str, test: Test) -> Signal:
    words = (
        ""
        if test.seen is None
        else (f"gave labels by the position on the screen{odds_in_words(test.p)}")
    )
    return Signal("position bias", asked, test.p, words, test.reason)


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def _points(share: float) -> str:
    """Return a fall as "12 points less", a rise as "12 points more"."""
    return f"{abs(100 * share):.0f} points {'more' if share < 0 else 'less'}"


def _times_faster(log_ratio: float) -> str:
    """Return a difference of log times as "23 times faster", or "1.4 times slower" below 0."""
    return f"{exp(abs(log_ratio)):.2g} times {'slower' if log_ratio < 0 else 'faster'}"
