"""The measures that are computed without a model. A new one is a function and an entry here.

SAS and BERTScore need a model: scoring.sas, scoring.bertscore.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial

from scoring import reference_free, retrieval
from text import overlap, rouge


class Inputs(StrEnum):
    """The part of an answer that is measured, and what it is compared with.

    Of several comparisons the highest value counts.
    """

    REFERENCES = "references"  # its text, against each reference of the turn
    REWRITE = "rewrite"  # its rewrite of the question, against the truth's
    PASSAGES = "passages"  # its text, against each passage that it cites
    ALONE = "alone"  # its text
    RETRIEVAL = "retrieval"  # its ranking of passages, against those that are relevant


# What measures of a kind are of, where people choose among them.
KINDS = {
    Inputs.REFERENCES: "The answer against the reference",
    Inputs.REWRITE: "The rewrite of the question against the truth's",
    Inputs.PASSAGES: "The answer against the passages it cites",
    Inputs.ALONE: "The answer alone",
    Inputs.RETRIEVAL: "The ranking of passages against the relevant ones",
}


@dataclass(frozen=True)
class Measure:
    """A measure of an answer.

    `function` takes the text and one of the texts it is compared with; for an answer alone the text
    only; for retrieval the ranked ids and the set of relevant ones. `scorer` and `version` name the
    definition that it follows. Pages show `label`, explained by `about`. Measures with `is_default`
    are computed unless the requester chooses otherwise.
    """

    function: Callable[..., float | None]
    label: str
    about: str
    scorer: str
    inputs: Inputs = Inputs.REFERENCES
    version: str = "1"
    is_default: bool = False

    def value(self, subject: str, against: Sequence[str]) -> float | None:
        """Return the value of one text, or of a ranking as `retrieval.text_of_ranking` returns it.

        None if it is undefined.
        """
        if self.inputs is Inputs.ALONE:
            return self.function(subject)
        if self.inputs is Inputs.RETRIEVAL:
            return self.function(retrieval.ranking_of_text(subject), frozenset(against))
        if len(against) == 1:
            return self.function(subject, against[0])
        values = [self.function(subject, each) for each in against]
        return max((value for value in values if value is not None), default=None)


def _ndcg(k: int) -> Measure:
    about = (
        f"how high relevant passages rank among {k}" if k > 1 else "whether the first is relevant"
    )
    return Measure(partial(retrieval.ndcg_at, k), f"nDCG@{k}", about, "trec_eval", Inputs.RETRIEVAL)


MEASURES = {
    "em": Measure(
        overlap.exact_match,
        "EM",
        "exact match, the same words in the same order",
        "squad",
        is_default=True,
    ),
    "f1": Measure(overlap.token_f1, "F1", "how many words are shared", "squad", is_default=True),
    "recall": Measure(
        overlap.token_recall, "Recall", "how much of the reference is in the answer", "squad"
    ),
    "rouge_1": Measure(rouge.rouge_1_f1, "ROUGE-1", "F1 of shared words", "rouge-score"),
    "rouge_1_precision": Measure(
        rouge.rouge_1_precision,
        "ROUGE-1 precision",
        "how much of the answer is in the reference",
        "rouge-score",
    ),
    "rouge_1_recall": Measure(
        rouge.rouge_1_recall,
        "ROUGE-1 recall",
        "how much of the reference is in the answer",
        "rouge-score",
    ),
    "rouge_l": Measure(rouge.rouge_l_f1, "ROUGE-L", "F1 of words in common order", "rouge-score"),
    "rouge_lp": Measure(
        rouge.rouge_l_precision,
        "RougeLp",
        "how much of the answer stands in one of them",
        "rouge-score",
        Inputs.PASSAGES,
    ),
    "qr": Measure(
        rouge.rouge_1_recall,
        "QR",
        "ROUGE-1 recall of the truth's rewrite",
        "rouge-score",
        Inputs.REWRITE,
    ),
    "length": Measure(
        reference_free.n_characters, "Length", "in characters", "characters", Inputs.ALONE
    ),
    "unanswerable": Measure(
        reference_free.says_unanswerable,
        "Unanswerable",
        "says that there is no answer",
        "phrases",
        Inputs.ALONE,
    ),
    "mrr": Measure(
        retrieval.reciprocal_rank,
        "MRR",
        "1 / the rank of the first relevant passage",
        "trec_eval",
        Inputs.RETRIEVAL,
    ),
    **{f"ndcg_at_{k}": _ndcg(k) for k in (1, 3, 5, 10)},
    "recall_at_10": Measure(
        partial(retrieval.recall_at, 10),
        "Recall@10",
        "how many of the relevant passages are among 10",
        "trec_eval",
        Inputs.RETRIEVAL,
    ),
}
DEFAULTS = tuple(name for name, measure in MEASURES.items() if measure.is_default)
