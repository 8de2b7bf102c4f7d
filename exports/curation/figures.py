"""Figures of a batch of curation: how many questions were accepted, and how far people agreed. Imports no Django.

Accepted are questions that were kept or edited, of those that were decided. Intervals of shares are Wilson's, which take
questions as independent; those of one text are alike, so that they are rather too short.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any

from annotation import curating
from stats.agreement.judgement_table import Judgements
from stats.agreement.krippendorff_alpha import krippendorff_alpha
from stats.agreement.result import Agreement
from stats.clustered_means import Figure
from stats.proportion_intervals import wilson
from stats.written_answers import text_agreement
from text.rouge import rouge_l_f1
from text.white_space import folded

ALL = "all"
# Person (pseudonym) -> response.
Responses = Mapping[str, curating.Response]


@dataclass(frozen=True, slots=True)
class Made:
    """A question that was decided: how it was made, and its outcome."""

    type: str
    section: str
    maker: str
    outcome: str


@dataclass(frozen=True, slots=True)
class AcceptanceRow:
    """The questions of one kind. `share` and its 95 % interval are of accepted ones among `n`; None without any."""

    type: str
    section: str
    maker: str
    n: int
    n_kept: int
    n_edited: int
    n_rejected: int
    share: float | None
    low: float | None
    high: float | None


def acceptance(questions: Sequence[Made]) -> list[AcceptanceRow]:
    """A row for all, one for each type, section and maker by itself, then one for each that occurs together."""
    groups: dict[tuple[str, str, str], list[Made]] = defaultdict(list)
    for each in questions:
        keys = ((each.type, ALL, ALL), (ALL, each.section, ALL), (ALL, ALL, each.maker))
        for key in {(ALL, ALL, ALL), *keys, (each.type, each.section, each.maker)}:
            groups[key].append(each)
    return [_row(key, groups[key]) for key in sorted(groups, key=_place)]


def _place(key: tuple[str, str, str]) -> tuple[object, ...]:
    n_all = key.count(ALL)
    return (-n_all, *(part == ALL for part in key), *key)


def _row(key: tuple[str, str, str], questions: Sequence[Made]) -> AcceptanceRow:
    n_of = Counter(each.outcome for each in questions)
    n = len(questions)
    n_accepted = n_of[curating.KEPT] + n_of[curating.EDITED]
    interval = wilson(n_accepted, n)
    return AcceptanceRow(
        *key,
        n=n,
        n_kept=n_of[curating.KEPT],
        n_edited=n_of[curating.EDITED],
        n_rejected=n_of[curating.REJECTED],
        share=n_accepted / n if n else None,
        low=interval.low,
        high=interval.high,
    )


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
    pairs = [
        pair for of in texts.values() for pair in combinations(map(folded, of.values()), 2)
    ]
    return FieldAgreement(
        field=field,
        alpha=krippendorff_alpha(table, seed=seed),
        edits=text_agreement(texts, rouge_l_f1),
        n_pairs=len(pairs),
        n_equal=sum(one == other for one, other in pairs),
    )


def report(questions: Sequence[Made], fields: Iterable[FieldAgreement]) -> dict[str, Any]:
    """Both as plain values for JSON."""
    return {
        "acceptance": [asdict(each) for each in acceptance(questions)],
        "agreement": [
            {
                "field": each.field,
                "alpha": each.alpha.value,
                "low": each.alpha.interval.low,
                "high": each.alpha.interval.high,
                "reason": each.alpha.reason,
                "n_items": each.alpha.basis.n_items,
                "edits_rouge_l_f1": each.edits.value,
                "n_pairs_of_edits": each.n_pairs,
                "n_equal_edits": each.n_equal,
            }
            for each in fields
        ],
    }
