"""The codes with which the organisers of the SCAI shared task reviewed judgements, each as one action.

| code               | what it does                                                        |
| ------------------ | ------------------------------------------------------------------- |
| `random answer`    | the judgement does not count; the caller decides whether it is paid |
| `correct answer`   | the item is adjudicated to the label of the judgement               |
| `confusing answer` | the item is excluded                                                |
| `malformed answer` | the item is adjudicated as malformed                                |

Each acts on one item, that is one answer to one turn: not on all items with that text, nor on all answers to that
question.
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
    """Raises ReviewError if the scheme has no label `malformed`."""
    reason = review_reasons.in_words(MALFORMED, words.strip())
    return reviews.adjudicate(item=item, label=MALFORMED_LABEL, reason=reason, by=by)
