"""Similarity models small enough to be made in a test: random weights, a vocabulary of letters."""

# ruff: noqa: PLC0415  torch takes seconds to load, and many modules that import this one run few tests with it

import string
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from transformers import BertConfig, BertTokenizer

LONGEST = 64  # tokens

LETTERS = string.ascii_lowercase + string.digits
VOCABULARY = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *LETTERS, *(f"##{c}" for c in LETTERS)]


def tokenizer() -> "BertTokenizer":
    from transformers import BertTokenizer

    vocabulary = {token: number for number, token in enumerate(VOCABULARY)}
    return BertTokenizer(vocab=vocabulary, model_max_length=LONGEST)


def configuration(*, n_labels: int = 1) -> "BertConfig":
    from transformers import BertConfig

    return BertConfig(
        vocab_size=len(VOCABULARY),
        hidden_size=16,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=LONGEST,
        num_labels=n_labels,
        # Wide enough that different texts get clearly different numbers.
        initializer_range=0.5,
    )


def cross_encoder(folder: Path, *, n_labels: int = 1, seed: int = 0) -> Path:
    import torch
    from transformers import BertForSequenceClassification

    with torch.random.fork_rng():
        torch.manual_seed(seed)
        model = BertForSequenceClassification(configuration(n_labels=n_labels))
    model.save_pretrained(folder)
    tokenizer().save_pretrained(folder)
    return folder


def language_model(folder: Path, *, seed: int = 0) -> Path:
    import torch
    from transformers import BertModel

    with torch.random.fork_rng():
        torch.manual_seed(seed)
        model = BertModel(configuration())
    model.save_pretrained(folder)
    tokenizer().save_pretrained(folder)
    return folder


def bi_encoder(folder: Path, *, seed: int = 0) -> Path:
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.base.modules import Transformer
    from sentence_transformers.sentence_transformer.modules import Pooling

    language_model(folder / "language model", seed=seed)
    transformer = Transformer(str(folder / "language model"))
    pooling = Pooling(transformer.get_embedding_dimension())
    model = SentenceTransformer(modules=[transformer, pooling], device="cpu")
    model.save_pretrained(str(folder / "tiny"), create_model_card=False)
    return folder / "tiny"


def static_bi_encoder(folder: Path) -> Path:
    import torch
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import StaticEmbedding

    with torch.random.fork_rng():
        torch.manual_seed(0)
        words = StaticEmbedding(tokenizer().backend_tokenizer, embedding_dim=16)
    model = SentenceTransformer(modules=[words], device="cpu")
    model.save_pretrained(str(folder), create_model_card=False)
    return folder


def in_the_hub_cache(cache: Path, name: str, commit: str, *, n_labels: int = 1) -> None:
    """A cross-encoder laid out as the hub's client keeps what it fetched."""
    repository = cache / f"models--{name.replace('/', '--')}"
    cross_encoder(repository / "snapshots" / commit, n_labels=n_labels)
    (repository / "refs").mkdir(exist_ok=True)
    (repository / "refs" / "main").write_text(commit)
