"""How long and how many: what the columns of batches and decisions hold, in sentences."""

from django.core.exceptions import ValidationError

# Characters of a reason or an answer: a few sentences.
LONGEST_REASON = 1_000
MOST_JUDGEMENTS = 100
LONGEST_CLAIM_SECONDS = 365 * 24 * 60 * 60


def require_judgements(value: int) -> None:
    if not 1 <= value <= MOST_JUDGEMENTS:
        raise ValidationError(f"an item is judged 1 to {MOST_JUDGEMENTS} times, not {value}")


def require_claim_seconds(value: int) -> None:
    if not 1 <= value <= LONGEST_CLAIM_SECONDS:
        raise ValidationError(f"a claim lasts from 1 second to 1 year, not {value} seconds")


def require_share(value: float) -> None:
    """What is not a number is no share either: every comparison with it is false."""
    if not 0 < value <= 1:
        raise ValidationError(f"a share is more than 0 and at most 1, not {value}")
