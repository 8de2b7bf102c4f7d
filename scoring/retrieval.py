"""Measures of retrieval: the places of relevant passages in a ranking.

Sources: trec_eval's `recip_rank`, `ndcg_cut_k` and `recall_k` (in the tests by
pytrec_eval-terrier), which the shared task's evaluator uses. If nothing is relevant, trec_eval
returns 0; here the value is None, because no ranking could do better. A passage without a judgement
counts as irrelevant.
"""

import json
import struct
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from math import isnan, log2

# QReCC's (Anantha et al. 2021): a passage is relevant if a stretch of it is as near as this.
RELEVANT_FROM = 0.8
# What is added to the name of a scorer that derives where the truth names no passage: its values are not
# those of one that leaves such turns out. Another border or way of deriving needs another version.
DERIVED = "-overlap"

# The token F1 of the stretch of a passage (first) that is nearest to an answer (second).
SpanF1 = Callable[[str, str], float]


def ranked_ids(scores: Mapping[str, float]) -> list[str]:
    """Return the ids by score descending, then by id descending, as trec_eval ranks.

    As there, scores are compared in single precision; those that differ only beyond it are ties.
    Raises ValueError for NaN.
    """
    for docid, score in scores.items():
        if isnan(score):
            raise ValueError(f"the passage {docid} has no number as score: rank it by one, or not")
    return sorted(scores, key=lambda docid: (_single(scores[docid]), docid), reverse=True)


def reciprocal_rank(ranking: Sequence[str], relevant: Collection[str]) -> float | None:
    """Return 1 / the rank of the first relevant passage; 0 if none is ranked.

    Its mean over turns is MRR.
    """
    if not relevant:
        return None
    first = next((rank for rank, docid in enumerate(ranking, 1) if docid in relevant), None)
    return 1 / first if first else 0.0


def recall_at(k: int, ranking: Sequence[str], relevant: Collection[str]) -> float | None:
    """Return the share of the relevant passages that are among the first k."""
    if not relevant:
        return None
    return len(set(ranking[:k]).intersection(relevant)) / len(relevant)


def ndcg_at(k: int, ranking: Sequence[str], relevant: Collection[str]) -> float | None:
    """Return DCG / the best possible DCG, of the first k; DCG = Σ g(rank) / log2(rank + 1).

    g is 1 for a relevant passage and 0 for another; if `relevant` is a mapping, g is its value
    (linear gain, as in trec_eval; a value of 0 or less is not relevant). A relevant passage at rank
    2 of one that exists: (1 / log2 3) / 1 = .63.
    """
    gains = relevant if isinstance(relevant, Mapping) else dict.fromkeys(relevant, 1)
    best = _dcg(sorted((gain for gain in gains.values() if gain > 0), reverse=True)[:k])
    if best == 0:
        return None
    return _dcg(max(gains.get(docid, 0), 0) for docid in ranking[:k]) / best


def relevant_passages(
    truth_passages: Iterable[str],
    passages: Mapping[str, str],
    truth_answers: Sequence[str],
    span_f1: SpanF1,
    *,
    at_least: float = RELEVANT_FROM,
) -> frozenset[str]:
    """Return the relevant passages of a turn: those that the truth names, if it names any.

    Otherwise those of `passages` (id to text: all that are known for the turn, so that recall means
    the same for every run) in which `span_f1` of a truth answer is `at_least` or more, as in QReCC.
    Truth answers without text derive nothing.
    """
    named = frozenset(truth_passages)
    if named:
        return named
    answers = [answer for answer in truth_answers if answer.strip()]
    return frozenset(
        docid
        for docid, text in passages.items()
        if any(span_f1(text, answer) >= at_least for answer in answers)
    )


def text_of_ranking(ranking: Sequence[str]) -> str:
    """Return a ranking as JSON: the text whose hash identifies its scores."""
    return json.dumps(list(ranking), ensure_ascii=False, separators=(",", ":"))


def ranking_of_text(text: str) -> list[str]:
    return [str(docid) for docid in json.loads(text)]


def _dcg(gains: Iterable[float]) -> float:
    return sum(gain / log2(rank + 1) for rank, gain in enumerate(gains, 1))


def _single(number: float) -> float:
    try:
        (rounded,) = struct.unpack("f", struct.pack("f", number))
    except OverflowError:  # beyond single precision
        return float("inf") if number > 0 else float("-inf")
    return float(rounded)
