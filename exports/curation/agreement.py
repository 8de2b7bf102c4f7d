"""How far people agreed who curated the same questions. Imports no Django."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from annotation import curating
from stats.agreement.judgement_table import Judgements
from stats.agreement.krippendorff_alpha import krippendorff_alpha
from stats.agreement.result import Agreement
from stats.clustered_means import Figure
from stats.written_answers import text_agreement
from text.rouge import rouge_l_f1
from text.white_space import folded

# Person (pseudonym) -> response.
Responses = Mapping[str, curating.Response]


@dataclass(frozen=True, slots=True)
class FieldAgreement:
    """How far people agreed on one text: on what to do with it, and in their edits.

    alpha    Krippendorff's, nominal, of keep, edit and reject
    edits    the mean ROUGE-L F1 of two people's edits, over the questions that two people edited
    n_equal  of `n_pairs` pairs of edits those that are equal
    """

    field: str
    alpha: Agreement
    edits: Figure
    n_pairs: int
    n_equal: int

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return {
            "field": self.field,
            "alpha": self.alpha.value,
            "low": self.alpha.interval.low,
            "high": self.alpha.interval.high,
            "reason": self.alpha.reason,
            "n_items": self.alpha.basis.n_items,
            "edits_rouge_l_f1": self.edits.value,
            "n_pairs_of_edits": self.n_pairs,
            "n_equal_edits": self.n_equal,
        }


def agreement(responses: Mapping[str, Responses], *, seed: int = 0) -> list[FieldAgreement]:
    """The agreement on question, answer and proof, of the counted responses by question and person."""
    return [_field_agreement(field, responses, seed) for field in curating.TEXTS]


def _field_agreement(field: str, responses: Mapping[str, Responses], seed: int) -> FieldAgreement:
    chosen = [
        (item, person, response[field])
        for item, of in sorted(responses.items())
        for person, response in sorted(of.items())
        if field in response
    ]
    task, worker, label = zip(*chosen, strict=True) if chosen else ((), (), ())
    table = Judgements.from_columns(task=task, worker=worker, label=label, question=task)
    texts = {
        item: {
            person: response[curating.text_name(field)]
            for person, response in of.items()
            if response.get(field) == curating.EDIT
        }
        for item, of in responses.items()
    }
    pairs = [pair for of in texts.values() for pair in combinations(map(folded, of.values()), 2)]
    return FieldAgreement(
        field=field,
        alpha=krippendorff_alpha(table, seed=seed),
        edits=text_agreement(texts, rouge_l_f1),
        n_pairs=len(pairs),
        n_equal=sum(one == other for one, other in pairs),
    )
