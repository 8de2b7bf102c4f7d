"""SAS: the semantic similarity of a prediction and a reference, by a sentence-transformers model.

The paper's SAS (Risch et al. 2021, "Semantic Answer Similarity", arXiv:2108.06130) is the output of
a cross-encoder for the pair (prediction, reference), in that order, in [0, 1]; its model is
`cross-encoder/stsb-roberta-large`. The embedded default is a bi-encoder, whose cosine is in [-1, 1]
and so on another scale; its thresholds are in `scoring.thresholds`.

    load().similarities([("in Berlin", "Berlin")])              right: one list of pairs
    [load().similarities([pair])[0] for pair in pairs]          wrong: a model loaded per pair,
                                                                and nothing to share or to batch

This module imports torch, which takes seconds and hundreds of megabytes: workers only.
"""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

# Before torch is loaded, which reads it then. Its threads wait for each other after every operation, and
# by default they do so in a loop: beside other work on the same cores ten times the processor time.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")

import torch
from sentence_transformers import CrossEncoder, SentenceTransformer
from transformers.utils import logging as transformers_logging

from scoring.similarity_models import EMBEDDED, Identity, ModelError, Source, find, first_line

Pair = tuple[str, str]
Floats = npt.NDArray[np.float64]

# Texts in a batch times tokens of the longest of them. Small batches waste less on padding, which is all
# that counts on a CPU; a GPU has to be filled.
CPU_BATCH_TOKENS = 1024
GPU_BATCH_TOKENS = 32768


class Similarity(Protocol):
    """A loaded model with its identity."""

    @property
    def identity(self) -> Identity: ...

    def similarities(self, pairs: Sequence[Pair]) -> list[float]:
        """Return the similarity of each (prediction, reference), in the order of `pairs`.

        Equal pairs are computed once. In float32 a value depends on the order of the pairs and on
        the rest of the list by at most 1e-5 (in bfloat16: by a few thousandths). A text longer than
        the model's own maximum is cut there (the embedded one: 256 tokens a text; a cross-encoder:
        prediction and reference together). An empty text is a text like another. Raises ModelError
        if the model returns a number that is not finite.
        """
        ...


def load(name: str = EMBEDDED, *, bf16: bool = False, device: str | None = None) -> Similarity:
    """Load the model `name` (see `scoring.similarity_models`), on a GPU if torch finds one.

    bf16    weights and arithmetic in bfloat16: faster on a GPU, with other values, hence another
    version device  a torch device such as "cpu" or "cuda:1"

    The embedded model and folders are loaded without the network; code that a model contains is
    never run. Raises ModelError if the model is missing or cannot be used.
    """
    with no_progress_bars():
        source = find(name)
        dtype = torch.bfloat16 if bf16 else torch.float32
        identity = source.identity(dtype=str(dtype).removeprefix("torch."))
        if source.kind == "bi-encoder":
            return BiEncoder(_load_model(SentenceTransformer, source, dtype, device), identity)
        # Some single-label models are saved with no activation (their scores are logits); SAS is in [0, 1].
        model = _load_model(CrossEncoder, source, dtype, device, activation_fn=torch.nn.Sigmoid())
        return PairEncoder(model, identity)


def _load_model(
    model_class: type[Any], source: Source, dtype: torch.dtype, device: str | None, **settings: Any
) -> Any:
    try:
        return model_class(
            source.location,
            revision=None if source.is_local else source.revision,
            local_files_only=source.is_local,
            device=device,
            model_kwargs={"dtype": dtype},
            **settings,
        )
    except Exception as error:  # a broken folder or device can fail in any layer of three libraries
        raise ModelError(
            f"The model {source.name} cannot be loaded: {first_line(error)} "
            "Check that its files are complete and that the device exists."
        ) from error


@contextmanager
def no_progress_bars() -> Iterator[None]:
    was_shown = transformers_logging.is_progress_bar_enabled()
    transformers_logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    try:
        yield
    finally:
        if was_shown:
            transformers_logging.enable_progress_bar()  # type: ignore[no-untyped-call]


class BiEncoder:
    """The cosine of two texts' embeddings, in [-1, 1]. Each distinct text is embedded once."""

    def __init__(self, model: SentenceTransformer, identity: Identity) -> None:
        self.model = model
        self.identity = identity

    def similarities(self, pairs: Sequence[Pair]) -> list[float]:
        distinct = sorted(set(pairs))
        texts = sorted({text for pair in distinct for text in pair})
        row = {text: number for number, text in enumerate(texts)}
        vectors = self.directions(texts)
        left = vectors[[row[prediction] for prediction, _ in distinct]]
        right = vectors[[row[reference] for _, reference in distinct]]
        # Rounding alone can carry the cosine of a text with itself beyond 1.
        cosines = np.clip(np.einsum("ij,ij->i", left, right), -1, 1)
        return _values_of_pairs(pairs, distinct, cosines, self.identity)

    def directions(self, texts: list[str]) -> Floats:
        vectors: Floats = np.zeros((len(texts), self.model.get_embedding_dimension() or 0))
        for batch in batches(self.model, texts):
            some = [texts[number] for number in batch]
            vectors[batch] = self.model.encode(
                some, batch_size=len(some), show_progress_bar=False, convert_to_numpy=True
            )
        with np.errstate(invalid="ignore"):  # 0/0 becomes NaN, which `_in_order` reports
            vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        return vectors


class PairEncoder:
    """The output of a cross-encoder with one label, through the sigmoid: in [0, 1]."""

    def __init__(self, model: CrossEncoder, identity: Identity) -> None:
        if model.num_labels != 1:
            raise ModelError(
                f"{identity.name} is not a similarity model: it tells {model.num_labels} labels apart, "
                "where similarity is one number. Name a cross-encoder with one label."
            )
        self.model = model
        self.identity = identity

    def similarities(self, pairs: Sequence[Pair]) -> list[float]:
        distinct = sorted(set(pairs))
        scores = np.zeros(len(distinct))
        for batch in batches(self.model, distinct):
            some = [distinct[number] for number in batch]
            scores[batch] = self.model.predict(
                some, batch_size=len(some), show_progress_bar=False, convert_to_numpy=True
            )
        return _values_of_pairs(pairs, distinct, scores, self.identity)


def _values_of_pairs(
    pairs: Sequence[Pair],
    distinct: list[Pair],
    values: Floats,
    identity: Identity,
) -> list[float]:
    n_undefined = int(np.count_nonzero(~np.isfinite(values)))
    if n_undefined:
        raise ModelError(
            f"The model {identity.name} gives no finite number for {n_undefined} of {len(distinct)} pairs. "
            "Use another model, or float32 where bfloat16 was asked for."
        )
    value_of = dict(zip(distinct, values.tolist(), strict=True))
    return [value_of[pair] for pair in pairs]


def batches(
    model: SentenceTransformer | CrossEncoder, inputs: Sequence[str] | Sequence[Pair]
) -> Iterator[list[int]]:
    """Yield positions in `inputs`, in batches of similar length that fit the device's memory.

    The longest come first, so that a lack of memory shows at once. Equal lengths keep their order,
    so that the same inputs make the same batches.
    """
    budget = CPU_BATCH_TOKENS if model.device.type == "cpu" else GPU_BATCH_TOKENS
    lengths = _token_counts(model, inputs)
    order = sorted(range(len(inputs)), key=lambda number: -lengths[number])
    start = 0
    while start < len(order):
        size = max(1, budget // lengths[order[start]])
        yield order[start : start + size]
        start += size


def _token_counts(
    model: SentenceTransformer | CrossEncoder, inputs: Sequence[str] | Sequence[Pair]
) -> list[int]:
    if not inputs:
        return []
    if model.transformers_model is None:  # static embeddings: nothing is padded
        return [1] * len(inputs)
    columns = [inputs] if isinstance(inputs[0], str) else zip(*inputs, strict=True)
    # Without `verbose=False` the tokeniser logs that a text is too long; the model's own cut comes later.
    encoded = model.tokenizer(*(list(column) for column in columns), verbose=False)
    longest = model.max_seq_length or max(map(len, encoded["input_ids"]))
    return [max(1, min(len(ids), longest)) for ids in encoded["input_ids"]]
