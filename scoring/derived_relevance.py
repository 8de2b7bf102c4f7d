"""How near the nearest stretch of a passage is to an answer: what relevance is derived from. Plain Python.

The search is sampling's, which looks for evidence with it. sampling builds on scoring and not the other
way, but for this one plain module (pyproject.toml): the search must not be there twice.
"""

from functools import lru_cache

from text.spans import best_span_in, prepare_passage


def span_f1(passage: str, answer: str) -> float:
    """The token F1 of the best span, 0 where the two share no token."""
    found = best_span_in(_prepared(passage), answer)
    return found.f1 if found else 0.0


# A passage is asked for with each reference of its turn in a row.
_prepared = lru_cache(maxsize=1)(prepare_passage)
