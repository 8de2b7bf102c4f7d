"""BERTScore by the embedded bi-encoder's tokens.

Not comparable with published values of other models.

Zhang et al. 2020, "BERTScore" (arXiv:1904.09675): each token of one text is matched with the token
of the other whose contextual embedding is nearest by cosine; precision is the mean over the
answer's tokens, recall over the reference's, F1 their harmonic mean. As in the paper's basic form
there are no idf weights and no rescaling with a baseline. Unlike in its code, the markers that a
model puts around a text ([CLS], [SEP]) are not tokens: they match nothing and nothing matches them.
The embeddings are those of the last layer. A text longer than the model's maximum (256 tokens) is
cut there.

    compute(model, [("in Berlin", "Berlin")])              right: all pairs in one call
    [compute(model, [pair])[0] for pair in pairs]          wrong: each text embedded again for each pair

This module imports torch: workers only.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from scoring.sas import BiEncoder, Floats, Pair, batches

# Pairs whose tokens are held at once: at worst 256 texts of 256 tokens of 384 numbers, 100 MB.
PAIRS_AT_ONCE = 128


@dataclass(frozen=True, slots=True)
class BertScore:
    precision: float
    recall: float
    f1: float


def compute(model: BiEncoder, pairs: Sequence[Pair]) -> list[BertScore | None]:
    """The BERTScore of each (answer, reference), in the order of `pairs`; None if a text has no token.

    Equal pairs are computed once, and a text is embedded once in each part of PAIRS_AT_ONCE pairs.
    Values are in [-1, 1], rarely below 0; F1 is 0 if precision or recall is not above 0.
    """
    distinct = sorted(set(pairs), key=lambda pair: (pair[1], pair[0]))
    scores: dict[Pair, BertScore | None] = {}
    for start in range(0, len(distinct), PAIRS_AT_ONCE):
        part = distinct[start : start + PAIRS_AT_ONCE]
        tokens = token_directions(model, sorted({text for pair in part for text in pair}))
        for answer, reference in part:
            scores[answer, reference] = greedy_match(tokens[answer], tokens[reference])
    return [scores[pair] for pair in pairs]


def token_directions(model: BiEncoder, texts: list[str]) -> dict[str, Floats]:
    """Return the normalised embeddings of each text's tokens: (tokens, dimensions)."""
    directions: dict[str, Floats] = {}
    marks = set(model.model.tokenizer.all_special_ids) - {model.model.tokenizer.unk_token_id}
    for batch in batches(model.model, texts):
        some = [texts[number] for number in batch]
        encoded: Any = model.model.encode(
            some, batch_size=len(some), output_value=None, show_progress_bar=False
        )
        for text, each in zip(some, encoded, strict=True):
            is_token = [number not in marks for number in each["input_ids"].tolist()]
            vectors = each["token_embeddings"].float().cpu().numpy()[is_token].astype(float)
            directions[text] = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return directions


def greedy_match(answer: Floats, reference: Floats) -> BertScore | None:
    """Match normalised embeddings, each (tokens, dimensions). None if one has no token."""
    if not len(answer) or not len(reference):
        return None
    cosines = np.clip(answer @ reference.T, -1, 1)
    precision = float(cosines.max(axis=1).mean())
    recall = float(cosines.max(axis=0).mean())
    total = precision + recall
    f1 = 2 * precision * recall / total if precision > 0 and recall > 0 else 0.0
    return BertScore(precision, recall, f1)
