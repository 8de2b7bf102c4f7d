"""The recommended figure of agreement, with the reason in a sentence."""

from collections.abc import Mapping
from dataclasses import dataclass

from stats.agreement.annotator_bootstrap import AnnotatorIntervals
from stats.agreement.result import Agreement, Basis
from stats.interval_coverage import (
    ALPHA,
    COHEN,
    FEW_QUESTIONS,
    NEARLY,
    NEARLY_ALL,
    ORDINAL,
    Measured,
    caution,
)
from stats.proportion_intervals import Interval

SKEWED = 0.8


@dataclass(frozen=True, slots=True)
class Recommendation:
    """The key of the recommended figure (None: there is none) and of those to show beside it.

    `sentence` names the figure with its interval for the people who judged, that for other people like
    them where there is one, and the reason; `caution` says why the interval is
    not to be trusted, or is None.
    """

    figure: str | None
    beside: tuple[str, ...]
    sentence: str
    caution: str | None


def recommendation(
    *,
    raw: Agreement,
    wilson: Interval,
    alpha: Agreement,
    ac1: Agreement,
    cohen: Agreement | None,
    prevalence: Mapping[str, float],
    people: AnnotatorIntervals,
    on_a_scale: bool = False,
) -> Recommendation:
    """Return the figure to quote, by the first of these that applies:

    1. raw agreement is undefined: nothing; 2. alpha is undefined, though items have two judgements
    (one label only): raw agreement; 3. the answers are on a scale: Krippendorff's alpha, which here
    is the ordinal one; 4. always the same two people (`cohen` is theirs, and defined): Cohen's κ,
    over the items that both judged; 5. else Krippendorff's alpha, nominal, which allows any
    assignment of people to items.

    If one label has more than .8 of the prevalence, 4 and 5 name raw agreement and AC1 beside it: a
    coefficient corrected for chance is low then though people nearly always agree (Feinstein and
    Cicchetti 1990). Raw agreement has Wilson's interval if the bootstrap has none.

    An interval over questions is about the people who judged and no others, which is far too narrow
    for what readers take it for: so the sentence has that for other people (`people`) too, or says
    that it is for these people only. Cohen's κ is of two, who say nothing about others.

    The caution counts the questions of the interval: below 30 it is not to be trusted; otherwise
    `stats.interval_coverage` has the coverage of such intervals in a simulation. It is named if it
    is not 95 %, and always below 100 questions. If people agree on nearly everything, raw agreement
    and AC1, which are in the same table, have a caution too.
    """
    if raw.value is None:
        return Recommendation(None, (), f"There is nothing to quote: {raw.reason}.", None)
    if alpha.value is None:
        why = f"a coefficient corrected for chance is undefined ({alpha.reason})"
        # one label only: all replicates are equal, and without an interval there is nothing to caution of
        return Recommendation("raw", (), _sentence(raw, why, people.raw, wilson), None)
    if on_a_scale:
        why = "the answers are on a scale, and a near miss counts less than a wide one"
        sentence = _sentence(alpha, why, people.alpha)
        return Recommendation("alpha", (), sentence, _cautions(alpha, raw, ORDINAL))
    others: Interval | None = None
    if cohen is not None and cohen.value is not None:
        key, figure, measured, why = "cohen", cohen, COHEN, "it was always the same two people"
    else:
        others = people.alpha
        key, figure, measured, why = "alpha", alpha, ALPHA, _why_alpha(raw)
    skewed = _skewed(prevalence)
    cautions = _cautions(figure, raw, measured[skewed is not None])
    if skewed is None or ac1.value is None:
        return Recommendation(key, (), _sentence(figure, why, others), cautions)
    beside = (
        f" Show raw agreement ({raw.value:.3f}) and Gwet's AC1 ({ac1.value:.3f}) beside it:"
        f" {100 * prevalence[skewed]:.0f} % of what was said is {skewed}, and then a coefficient corrected"
        f" for chance is low even where people nearly always agree."
    )
    return Recommendation(key, ("raw", "ac1"), _sentence(figure, why, others) + beside, cautions)


def _why_alpha(raw: Agreement) -> str:
    basis = raw.basis
    if basis.n_judgements == basis.n_items * basis.n_workers:
        return f"{basis.n_workers} people judged every item, and Cohen's κ compares two"
    return "not everybody judged every item, which it allows for"


def _skewed(prevalence: Mapping[str, float]) -> str | None:
    label = max(prevalence, key=lambda label: (prevalence[label], label))
    return label if prevalence[label] > SKEWED else None


def _sentence(
    figure: Agreement, why: str, others: Interval | None, wilson: Interval | None = None
) -> str:
    interval = _interval(figure, others, wilson)
    return f"Quote {figure.measure.name} = {figure.value:.3f}, {interval}: {why}."


def _interval(figure: Agreement, others: Interval | None, wilson: Interval | None) -> str:
    found, basis = figure.interval, figure.basis
    questions = _questions(basis.n_questions)
    if basis.n_clusters < basis.n_questions:
        questions = f"{_drawn(basis, basis.n_clusters)} with {questions}"
    these = f"over {questions} for these {basis.n_workers} people{_for_others(others)}"
    if found.low is not None and found.high is not None:
        return f"95 % interval {found.low:.3f} to {found.high:.3f} {these}"
    if wilson is not None and wilson.low is not None and wilson.high is not None:
        return f"Wilson's 95 % interval {wilson.low:.3f} to {wilson.high:.3f} {these}"
    return f"without an interval ({found.reason})"


def _for_others(others: Interval | None) -> str:
    if others is None or others.low is None or others.high is None:
        return " only"
    return f" and {others.low:.3f} to {others.high:.3f} for other people like them"


def _cautions(figure: Agreement, raw: Agreement, measured: Measured) -> str | None:
    cautions = [_caution(figure, measured), _caution_of_nearly_all(raw)]
    return " ".join(filter(None, cautions)) or None


def _caution_of_nearly_all(raw: Agreement) -> str | None:
    n = raw.interval.n_questions
    if raw.value is None or raw.interval.low is None or n < FEW_QUESTIONS:
        return None
    words = caution(NEARLY, n) if raw.value >= NEARLY_ALL else None
    return (
        words
        and f"People agree on nearly everything; the interval of raw agreement, or AC1, {words}."
    )


def _caution(figure: Agreement, measured: Measured) -> str | None:
    interval = figure.interval
    n, drawn = interval.n_questions, _drawn(figure.basis, interval.n_questions)
    if interval.low is None:
        return None
    if n < FEW_QUESTIONS:
        return f"It rests on {drawn}: under {FEW_QUESTIONS}, do not trust the interval."
    words = caution(measured, n)
    return words and f"It rests on {drawn}; the interval {words}."


def _drawn(basis: Basis, n: int) -> str:
    """What an interval draws, and how many."""
    if basis.n_clusters == basis.n_questions:
        return _questions(n)
    return f"{n:,} conversation" if n == 1 else f"{n:,} conversations"


def _questions(n: int) -> str:
    return f"{n:,} question" if n == 1 else f"{n:,} questions"
