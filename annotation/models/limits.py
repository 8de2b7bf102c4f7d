"""How long and how many: what the columns of batches and decisions hold, in sentences."""

from decimal import Decimal

from django.core.exceptions import ValidationError

# Characters of a reason or an answer: a few sentences.
LONGEST_REASON = 1_000
# Characters of a guideline's heading; what is longer is cut.
LONGEST_SECTION = 200
# Characters of a plan of analysis.
LONGEST_PLAN = 100_000
MOST_JUDGEMENTS = 100
LONGEST_CLAIM_SECONDS = 365 * 24 * 60 * 60
MOST_EXPECTED_SECONDS = 24 * 60 * 60
# Of the others of its question with whom an answer is compared: more systems than anybody sets side by side.
MOST_OPPONENTS = 1_000
# A request of the desk names at most this many items that it has.
MOST_ITEMS_AHEAD = 100
# One control item in so many; with fewer between them they would be half of the work.
LEAST_CONTROL_EVERY, MOST_CONTROL_EVERY = 2, 1_000
LEAST_REPEAT_EVERY, MOST_REPEAT_EVERY = 2, 1_000
# One key each.
MOST_SKIP_REASONS = 9
LONGEST_SKIP_REASON = 60
SKIP_REASONS = ("Wrong language", "Offensive", "Cannot be read", "Needs an expert")


def default_skip_reasons() -> list[str]:
    return list(SKIP_REASONS)


def require_judgements(value: int) -> None:
    if not 1 <= value <= MOST_JUDGEMENTS:
        raise ValidationError(f"an item is judged 1 to {MOST_JUDGEMENTS} times, not {value}")


def require_claim_seconds(value: int) -> None:
    if not 1 <= value <= LONGEST_CLAIM_SECONDS:
        raise ValidationError(f"a claim lasts from 1 second to 1 year, not {value} seconds")


def require_expected_seconds(value: int) -> None:
    if not 1 <= value <= MOST_EXPECTED_SECONDS:
        raise ValidationError(f"a judgement takes 1 second to 1 day, not {value} seconds")


def require_items_ahead(value: int) -> None:
    if not 1 <= value <= MOST_ITEMS_AHEAD:
        raise ValidationError(f"a person holds 1 to {MOST_ITEMS_AHEAD} items, not {value}")


def require_skip_reasons(value: object) -> None:
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise ValidationError("the reasons to skip are a list of texts")
    if len(value) > MOST_SKIP_REASONS:
        raise ValidationError(f"at most {MOST_SKIP_REASONS} reasons to skip, not {len(value)}")
    for each in value:
        if not each.strip() or len(each) > LONGEST_SKIP_REASON or not each.isprintable():
            raise ValidationError(
                f"a reason to skip is one line of 1 to {LONGEST_SKIP_REASON} characters, not “{each}”"
            )
    if len({each.casefold() for each in value}) < len(value):
        raise ValidationError("a reason to skip stands there twice")


def require_opponents(value: int) -> None:
    if not 1 <= value <= MOST_OPPONENTS:
        raise ValidationError(
            f"an answer is compared with 1 to {MOST_OPPONENTS} others, not {value}; with all of them where it is"
            " not said"
        )


def require_control_every(value: int) -> None:
    if not LEAST_CONTROL_EVERY <= value <= MOST_CONTROL_EVERY:
        raise ValidationError(
            f"one item in {LEAST_CONTROL_EVERY} to {MOST_CONTROL_EVERY} is a control item, not one in {value}"
        )


def require_repeat_every(value: int) -> None:
    if not LEAST_REPEAT_EVERY <= value <= MOST_REPEAT_EVERY:
        raise ValidationError(
            f"one item in {LEAST_REPEAT_EVERY} to {MOST_REPEAT_EVERY} is a repeat, not one in {value}"
        )


def require_reward(value: Decimal) -> None:
    if not value > 0:
        raise ValidationError(f"a reward is more than 0, not {value}; without one it is unpaid")


def require_share(value: float) -> None:
    """Raise ValidationError for a share that is not in (0, 1]; NaN is in no range, so it is refused too."""
    if not 0 < value <= 1:
        raise ValidationError(f"a share is more than 0 and at most 1, not {value}")
