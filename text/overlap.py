"""Exact match, token F1 and token recall of a prediction against references, on SQuAD's tokens.

Source: Rajpurkar et al. 2016 and their official evaluation script. As there, an answer without a
token (empty, or nothing but articles and punctuation) is right against an empty reference and
wrong against any other. The shared task's paper says that its exact match stems and drops stop
words; its evaluator does neither, and so does this.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from functools import lru_cache

from text.tokens import words


def exact_match(prediction: str, reference: str) -> float:
    """Return 1.0 if both have the same tokens in the same order, else 0.0."""
    return float(_words(prediction) == _words(reference))


def token_f1(prediction: str, reference: str) -> float:
    """Return 2c / (p + r): p and r the numbers of tokens, c the size of the multiset overlap.

    That is the harmonic mean of precision c/p and recall c/r. Both empty: 1.0; one empty: 0.0.
    `a cat sat` against `The cat sat down` is 2·2 / (2 + 3) = 0.8.
    """
    predicted, expected = _words(prediction), _words(reference)
    if not predicted and not expected:
        return 1.0
    return 2 * _n_shared(predicted, _counted(reference)) / (len(predicted) + len(expected))


def token_recall(prediction: str, reference: str) -> float:
    """Return c / r: the share of the reference's tokens that the prediction has.

    CLAP-NQ reports it as Recall, after Adlakha et al. 2024. Both empty: 1.0; one empty: 0.0.
    `a cat sat` against `The cat sat down` is 2 / 3.
    """
    predicted, expected = _words(prediction), _words(reference)
    if not expected:
        return float(not predicted)
    return _n_shared(predicted, _counted(reference)) / len(expected)


def best_value(
    measure: Callable[[str, str], float], prediction: str, references: Iterable[str]
) -> float:
    """Return the highest value of `measure(prediction, reference)`.

    ValueError without a reference.
    """
    return max(measure(prediction, reference) for reference in references)


def _n_shared(tokens: Iterable[str], wanted: Counter[str]) -> int:
    left = dict(wanted)
    n = 0
    for token in tokens:
        if left.get(token):
            left[token] -= 1
            n += 1
    return n


# Each text is met by both measures, and a reference once for every run.
@lru_cache(maxsize=4096)
def _words(text: str) -> tuple[str, ...]:
    return tuple(words(text))


@lru_cache(maxsize=4096)
def _counted(text: str) -> Counter[str]:
    return Counter(_words(text))
