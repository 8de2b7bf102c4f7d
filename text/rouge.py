"""ROUGE-1 and ROUGE-L of a prediction against a reference, on ROUGE's own tokens.

Source: Lin 2004, as the package `rouge-score` computes it, to the last bit: lower-case, every run
of `[a-z0-9]` is a token, and everything else separates tokens. These are not SQuAD's tokens
(`text.tokens`): articles stay, `cat's` is two tokens, and letters beyond a to z belong to none.
With p and r the numbers of tokens of prediction and reference and c their overlap,

    precision = c / p        recall = c / r        F1 = 2 · precision · recall / (precision + recall)

where c is the size of the multiset overlap for ROUGE-1 and the length of a longest common
subsequence for ROUGE-L. A text without a token has 0 against anything, even itself, as in
`rouge-score` and unlike exact match and F1 (`text.overlap`).

`stem` is applied to tokens longer than three characters, as `rouge-score` does with NLTK's variant
of Porter's stemmer; no measure of the registry stems, because the shared task's evaluator does not.

The longest common subsequence is found bit by bit in parallel (Allison and Dix 1986, in the form of
Hyyrö 2004): a whole row of the usual table is one integer. Only tokens that both texts have are
compared, so that a passage of thousands of words costs little more than reading it.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple

Stem = Callable[[str], str]

# What rouge-score leaves as it is even with a stemmer.
LONGEST_UNSTEMMED = 3
# Texts that are remembered between calls are no longer, so that what is remembered stays small.
LONGEST_REMEMBERED = 2_000

_LOWERED_OR_SPACE = bytes(
    ord(chr(code).lower()) if code < 128 and chr(code).isalnum() else ord(" ")
    for code in range(256)
)


class Rouge(NamedTuple):
    precision: float
    recall: float
    f1: float


NOTHING = Rouge(0.0, 0.0, 0.0)


# A text's tokens in order, and the distinct ones.
_Read = tuple[list[bytes], frozenset[bytes]]


class _Shared(NamedTuple):
    """The tokens of each text that both have; `n` of them are distinct."""

    n: int
    predicted: list[bytes]
    expected: list[bytes]
    n_predicted: int
    n_expected: int


def tokens(text: str, stem: Stem | None = None) -> list[bytes]:
    """Return the tokens: `The cat's 2nd Öl-can` becomes `the cat s 2nd l can`.

    They are ASCII, so they are bytes, which are faster.
    """
    # Letters that only lower-casing makes ASCII, such as the Kelvin sign's k, count as well. What is
    # not ASCII is several spaces then. "surrogatepass": as in text.tokens.
    lowered = text if text.isascii() else text.lower()
    found = lowered.encode("utf-8", "surrogatepass").translate(_LOWERED_OR_SPACE).split()
    if stem is None:
        return found
    return [
        stem(token.decode()).encode() if len(token) > LONGEST_UNSTEMMED else token
        for token in found
    ]


def rouge_1(prediction: str, reference: str, stem: Stem | None = None) -> Rouge:
    """Return ROUGE-1: `the cat sat` against `the cat is the cat` is 2 of 3 and 2 of 5, F1 1/2."""
    shared = _shared(prediction, reference, stem)
    return _rouge(_multiset_overlap(shared), shared) if shared else NOTHING


def rouge_l(prediction: str, reference: str, stem: Stem | None = None) -> Rouge:
    """Return ROUGE-L: `the cat sat` against `sat the fat cat` is 2 of 3 and 2 of 4.

    `the cat` is the longest common subsequence.
    """
    shared = _shared(prediction, reference, stem)
    if shared is None:
        return NOTHING
    return _rouge(longest_common_subsequence(shared.predicted, shared.expected), shared)


def rouge_1_recall(prediction: str, reference: str) -> float:
    """Return the recall of ROUGE-1.

    For a rewritten question against the given rewrite this is the shared task's QR.
    """
    return rouge_1(prediction, reference).recall


def rouge_1_precision(prediction: str, reference: str) -> float:
    return rouge_1(prediction, reference).precision


def rouge_1_f1(prediction: str, reference: str) -> float:
    return rouge_1(prediction, reference).f1


def rouge_l_f1(prediction: str, reference: str) -> float:
    return rouge_l(prediction, reference).f1


def rouge_l_precision(prediction: str, reference: str) -> float:
    """Return the precision of ROUGE-L.

    For an answer against a passage this is RougeLp, extractiveness (Rosenthal et al. 2024,
    CLAP-NQ): 1.0 if the passage has all tokens of the answer in its order, however many others it
    has.
    """
    return rouge_l(prediction, reference).precision


def longest_common_subsequence(one: Sequence[bytes], other: Sequence[bytes]) -> int:
    """Return the number of tokens of the longest common subsequence.

    Bit i of `row` is 0 if `other`, as far as it was read, has one common token more with the first
    i + 1 tokens of `one` than with the first i.
    """
    places: dict[bytes, int] = {}
    bit = 1
    for token in one:
        places[token] = places.get(token, 0) | bit
        bit <<= 1
    full = row = bit - 1
    for token in other:
        if token in places:
            met = row & places[token]
            row = (row + met) | (row - met)
    return (full & ~row).bit_count()


def _multiset_overlap(shared: _Shared) -> int:
    if shared.n in (len(shared.predicted), len(shared.expected)):
        return shared.n  # one of them repeats none, so each counts once
    left: dict[bytes, int] = {}
    for token in shared.expected:
        left[token] = left.get(token, 0) + 1
    n = 0
    for token in shared.predicted:
        if left[token]:
            left[token] -= 1
            n += 1
    return n


def _rouge(n: int, shared: _Shared) -> Rouge:
    precision, recall = n / shared.n_predicted, n / shared.n_expected
    return Rouge(precision, recall, 2 * precision * recall / (precision + recall))


# A pair is met by one measure after another.
@lru_cache(maxsize=64)
def _shared(prediction: str, reference: str, stem: Stem | None) -> _Shared | None:
    """Return the shared tokens of both texts; None if there are none."""
    predicted = tokens(prediction, stem)
    expected, wanted = _tokens_of(reference, stem)
    hits = [token for token in predicted if token in wanted]
    if not hits:
        return None
    both = set(hits)
    found = [token for token in expected if token in both]
    return _Shared(len(both), hits, found, len(predicted), len(expected))


# A reference is met once for every run, and a passage once for every answer that cites it.
def _tokens_of(text: str, stem: Stem | None) -> _Read:
    return (
        _cached_tokens(text, stem) if len(text) <= LONGEST_REMEMBERED else _split_tokens(text, stem)
    )


@lru_cache(maxsize=2048)
def _cached_tokens(text: str, stem: Stem | None) -> _Read:
    return _split_tokens(text, stem)


def _split_tokens(text: str, stem: Stem | None) -> _Read:
    found = tokens(text, stem)
    return found, frozenset(found)
