"""The token F1 of the passage span nearest to an answer, from which relevance is derived."""

from functools import lru_cache

from text.spans import best_span_in, prepare_passage


def span_f1(passage: str, answer: str) -> float:
    """The token F1 of the best span; 0 if passage and answer share no token."""
    found = best_span_in(_prepared(passage), answer)
    return found.f1 if found else 0.0


# A passage is asked for with each reference of its turn in a row.
_prepared = lru_cache(maxsize=1)(prepare_passage)
