"""The codes with which the organisers of the shared task reviewed a campaign, each as one act of ours.

| code               | what it does                                                      |
| ------------------ | ----------------------------------------------------------------- |
| `random answer`    | the judgement does not count; whether it is paid is asked besides |
| `correct answer`   | the judgement is right: its item is adjudicated to its label      |
| `confusing answer` | the item is excluded                                              |
| `malformed answer` | the item is adjudicated as malformed                              |

Each acts on one item, which is one answer to one turn: never on every item with that text, never on every
answer to that question.
"""

from accounts.models import User
from annotation import review_reasons
from annotation.actions import reviews
from annotation.models import Exclusion, Item, Judgement, Review, Verdict

RANDOM, CORRECT = "random answer", "correct answer"
CONFUSING, MALFORMED = "confusing answer", "malformed answer"
MALFORMED_LABEL = "malformed"


def random_answer(
    *, judgement: Judgement, is_paid: bool, by: User, paid_code: str = "", words: str = ""
) -> Review:
    """Not counted, and paid or not as is said."""
    fitting = review_reasons.PAID.fitting(is_paid)[0].code
    return reviews.review(
        judgement=judgement,
        is_paid=is_paid,
        paid_code=paid_code or fitting,
        paid_reason=words,
        is_counted=False,
        counted_code=RANDOM,
        counted_reason=words,
        by=by,
    )


def correct_answer(*, judgement: Judgement, by: User) -> Verdict:
    return reviews.mark_correct(judgement=judgement, by=by)


def confusing_answer(*, item: Item, by: User, words: str = "") -> Exclusion:
    reason = review_reasons.in_words(CONFUSING, words.strip())
    return reviews.exclude(item=item, reason=reason, by=by)


def malformed_answer(*, item: Item, by: User, words: str = "") -> Verdict:
    """Refused where the scheme has no such label."""
    reason = review_reasons.in_words(MALFORMED, words.strip())
    return reviews.adjudicate(item=item, label=MALFORMED_LABEL, reason=reason, by=by)
