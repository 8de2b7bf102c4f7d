"""How long and how many: what the columns of batches and decisions hold, in sentences."""

from decimal import Decimal

from django.core.exceptions import ValidationError

# Characters of a reason or an answer: a few sentences.
LONGEST_REASON = 1_000
# Characters of a guideline's heading; what is longer is cut.
LONGEST_SECTION = 200
MOST_JUDGEMENTS = 100
LONGEST_CLAIM_SECONDS = 365 * 24 * 60 * 60
MOST_EXPECTED_SECONDS = 24 * 60 * 60
# Of the others of its question with whom an answer is compared: more systems than anybody sets side by side.
MOST_OPPONENTS = 1_000


def require_judgements(value: int) -> None:
    if not 1 <= value <= MOST_JUDGEMENTS:
        raise ValidationError(f"an item is judged 1 to {MOST_JUDGEMENTS} times, not {value}")


def require_claim_seconds(value: int) -> None:
    if not 1 <= value <= LONGEST_CLAIM_SECONDS:
        raise ValidationError(f"a claim lasts from 1 second to 1 year, not {value} seconds")


def require_expected_seconds(value: int) -> None:
    if not 1 <= value <= MOST_EXPECTED_SECONDS:
        raise ValidationError(f"a judgement takes 1 second to 1 day, not {value} seconds")


def require_opponents(value: int) -> None:
    if not 1 <= value <= MOST_OPPONENTS:
        raise ValidationError(
            f"an answer is compared with 1 to {MOST_OPPONENTS} others, not {value}; with all of them where it is"
            " not said"
        )


def require_reward(value: Decimal) -> None:
    if not value > 0:
        raise ValidationError(f"a reward is more than 0, not {value}; without one it is unpaid")


def require_share(value: float) -> None:
    """Raise ValidationError for a share that is not in (0, 1]; NaN is in no range, so it is refused too."""
    if not 0 < value <= 1:
        raise ValidationError(f"a share is more than 0 and at most 1, not {value}")
