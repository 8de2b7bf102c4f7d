"""What a reviewer decides of one judgement's work, and how its reasons are checked."""

from dataclasses import dataclass, replace

from accounts.errors import ActionError
from annotation import review_reasons
from annotation.models.limits import LONGEST_REASON


class ReviewError(ActionError):
    """The decision cannot be made; the message says why."""


def cleaned_words(text: str, what: str = "reason") -> str:
    """The text without the white space around it. Raises ReviewError where it says nothing, too much, or
    what no database holds.
    """
    stripped = text.strip()
    if not stripped:
        raise ReviewError(f"the {what} is empty: it must say something")
    if "\0" in stripped:
        raise ReviewError(f"the {what} holds a NUL character: it is not a text")
    if len(stripped) > LONGEST_REASON:
        raise ReviewError(
            f"the {what} has {len(stripped)} characters; it may have {LONGEST_REASON} at most"
        )
    return stripped


@dataclass(frozen=True)
class Decision:
    """What is decided of one judgement's work: paid or not, counted or not, each with code and words."""

    is_paid: bool
    paid_code: str
    paid_reason: str
    is_counted: bool
    counted_code: str
    counted_reason: str

    def cleaned(self, *, is_undoing: bool = False) -> "Decision":
        """The same without white space around words. Raises ReviewError where a reason does not do."""
        paid = self.paid_reason, self.paid_code, review_reasons.PAID, self.is_paid
        counted = self.counted_reason, self.counted_code, review_reasons.COUNTED, self.is_counted
        return replace(
            self,
            paid_reason=_words(*paid, is_undoing=is_undoing),
            counted_reason=_words(*counted, is_undoing=is_undoing),
        )


def _words(
    words: str, code: str, reasons: review_reasons.ReasonList, outcome: bool, *, is_undoing: bool
) -> str:
    try:
        review_reasons.require_fits(code, words, reasons, outcome, is_undoing=is_undoing)
    except review_reasons.ReasonError as error:
        raise ReviewError(str(error)) from error
    return (
        cleaned_words(words, f"reason for the {review_reasons.NOUNS[reasons.what]}")
        if words.strip()
        else ""
    )
