"""The figures of a run that a pool was not drawn from, as JSON values. Imports no Django.

Its answers by standing (sampling.pools.late_answers). Coverage is the share of exact ones among the answers with text
on turns that the pool asks about. Over these answers too, the share that is accepted:

    lower     none of the open ones is right: accepted / all
    upper     all of them are: (all - rejected) / all
    estimate  accepted / (accepted + rejected), once the pool was topped up with answers of the run, and all that
              the top-up drew are settled

Accepted are answers that are a reference, and those whose very text is gold or silver; rejected those whose text
people judged and did not accept; the others are open: nobody judged the text, its verdict is open, or it was set
aside. The estimate
lies between the bounds. It is of the answers that were judged: below the threshold nothing is drawn, so it is too
high where answers there are worse. Its interval is Wilson's, wider where turns of a conversation are alike
(stats.clustered_proportions), and is about other questions.
"""

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass

from exports.rows.ids import conversation
from sampling.pools.late_answers import Standing
from stats.clustered_proportions import share_interval
from stats.proportion_intervals import Interval

Json = dict[str, object]
NOTHING_ASKED = "the run has no answer with text on a turn that the pool asks about"
NO_TOP_UP = "the pool was not topped up with answers of the run"
NOTHING_SETTLED = "no answer of the run is settled"


@dataclass(frozen=True, slots=True)
class JudgedAnswer:
    """A late run's answer. `is_accepted` is None while it is open.

    `topped_up_by` names the run's top-up that drew it, or is ""; `is_settled` says whether it has a label there, or
    was set aside.
    """

    turn: str
    standing: Standing
    is_asked: bool
    is_accepted: bool | None = None
    topped_up_by: str = ""
    is_settled: bool = False


def run_figures(answers: Collection[JudgedAnswer]) -> Json:
    """Return the figures of one late run. The order of the answers changes nothing."""
    counts = Counter(answer.standing for answer in answers)
    asked = [each for each in answers if each.is_asked and each.standing != Standing.EMPTY]
    settled = {each.turn: each.is_accepted for each in asked if each.is_accepted is not None}
    n_accepted = sum(settled.values())
    n_rejected = len(settled) - n_accepted
    topped_up = [each for each in answers if each.topped_up_by]
    n_topped_up_settled = sum(each.is_settled for each in topped_up)
    why_none = _why_no_estimate(len(settled), len(topped_up), n_topped_up_settled)
    n_exact = sum(each.standing == Standing.EXACT for each in asked)
    return {
        "n_answers": len(answers),
        "standings": {each.value: counts[each] for each in Standing},
        "n_asked": len(asked),
        "n_accepted": n_accepted,
        "n_rejected": n_rejected,
        "n_open": len(asked) - len(settled),
        "coverage": n_exact / len(asked) if asked else None,
        "lower": n_accepted / len(asked) if asked else None,
        "upper": (len(asked) - n_rejected) / len(asked) if asked else None,
        "reason": None if asked else NOTHING_ASKED,
        "top_ups": sorted({each.topped_up_by for each in topped_up}),
        "n_topped_up": len(topped_up),
        "n_topped_up_settled": n_topped_up_settled,
        "estimate": _estimate(settled, why_none),
    }


def _why_no_estimate(n_settled: int, n_topped_up: int, n_topped_up_settled: int) -> str | None:
    if not n_topped_up:
        return NO_TOP_UP
    if n_topped_up_settled < n_topped_up:
        return f"the top-up is not settled yet: {n_topped_up_settled} of {n_topped_up} answers are"
    return None if n_settled else NOTHING_SETTLED


def _estimate(settled: Mapping[str, bool], reason: str | None) -> Json:
    if reason is not None:
        return {
            "value": None,
            "reason": reason,
            "interval": asdict(Interval(None, None, reason)),
        }
    return {
        "value": sum(settled.values()) / len(settled),
        "reason": None,
        "interval": asdict(share_interval(settled, conversation)),
    }
