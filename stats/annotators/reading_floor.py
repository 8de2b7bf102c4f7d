"""Work that is faster than anybody reads, whatever others do; so it holds for one person, too.

Most adults read 175 to 300 words a minute silently (Brysbaert, "How many words do we read per
minute?", Journal of Memory and Language 109, 2019), good readers up to 400, and beyond that people
skim and understand less (Rayner et al., "So much to read, so little time", Psychological Science in
the Public Interest 17, 2016). 700 leaves room for who skims. A second for an answer is the limit of
Wood et al., "Response speed and response consistency as mutually validating indicators of data
quality in online samples", Social Psychological and Personality Science 8, 2017.

Only the words of the answers are asked for: question, passages and evidence are the same on
several screens in a row, and who has read them does not read them again.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from stats.annotators.entries import Entry, submissions

MOST_WORDS_A_MINUTE = 700
LEAST_SECONDS = 1.0
LEAST_JUDGEMENTS = 5


def least_seconds(n_words: float) -> float:
    """Return the shortest time in which somebody can read as many words and answer."""
    return max(LEAST_SECONDS, 60 * n_words / MOST_WORDS_A_MINUTE)


@dataclass(frozen=True, slots=True)
class Floor:
    """How many of `n` judgements took less time than reading the answers takes."""

    n_under: int
    n: int

    @property
    def is_under(self) -> bool:
        """Return whether more than half of five judgements or more are too fast."""
        return self.n >= LEAST_JUDGEMENTS and 2 * self.n_under > self.n

    @property
    def words(self) -> str:
        return (
            f"{self.n_under:,} of {self.n:,} judgements took less time than reading the answer"
            f" takes: under {LEAST_SECONDS:g} s, or above {MOST_WORDS_A_MINUTE} words a minute"
        )


def reading_floor(entries: Sequence[Entry]) -> Floor:
    work = submissions(entries)
    under = [each for each in work if each.active_seconds < least_seconds(each.n_answer_words)]
    return Floor(len(under), len(work))
