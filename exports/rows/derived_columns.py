"""The rows of soft_labels.csv and precision.csv, as `exports.rows.columns` has those of other tables."""

from dataclasses import dataclass
from typing import Annotated

from exports.rows.columns import StudySlug, TurnId


@dataclass(frozen=True, slots=True)
class SoftLabelRow:
    """One row is one item that is no control, and one label that it can have.

    Of the judgements that are counted. It does not depend on the rule that the batch was settled by: how a
    posterior is computed is in docs/report.md.
    """

    study: StudySlug
    batch: Annotated[str, "the batch that the item is in"]
    scheme: Annotated[str, "what kind of judgement: plausibility or faithfulness"]
    item_id: Annotated[str, "the item, as in items.csv"]
    label: Annotated[str, "a label of the scheme, whether somebody said it or not"]
    n_votes: Annotated[int, "how many counted judgements of the item say it"]
    vote_share: Annotated[float | None, "that, of all its counted judgements; empty without any"]
    posterior: Annotated[
        float | None,
        "how likely the label is, given how everybody errs in the batch, to six decimals; empty where"
        " there is a reason",
    ]
    model: Annotated[
        str,
        "what says so: confusions (three judgements or more: a confusion matrix for each annotator),"
        " one_coin (two judgements: one accuracy for each annotator)",
    ]
    reason: Annotated[str, "why there is no posterior: too few judgements, or excluded"]


@dataclass(frozen=True, slots=True)
class PrecisionRow:
    """One row is one accepted answer that an expert was asked about, blind: see docs/report.md.

    A precision audit draws from the answers that are accepted when it is drawn, from gold and silver apart
    and by lot; its rows stay in it whatever becomes of their verdicts.
    """

    study: StudySlug
    dataset: Annotated[str, "the data set, as `<name>@<version>`"]
    audit: Annotated[int, "the number of the audit on the data set, from 1"]
    tier: Annotated[str, "what the answer was accepted as when it was drawn: gold or silver"]
    n_gold: Annotated[int, "how many distinct answers were gold when the audit was drawn"]
    n_silver: Annotated[int, "how many were silver"]
    turn_id: TurnId
    answer_id: Annotated[str, "the answer, as in items.csv and answers.csv"]
    answer: Annotated[str, "its text, without outer white space"]
    plausibility: Annotated[str, "the label that the expert gave; empty where it is not judged yet"]
    faithfulness: Annotated[
        str, "the label that the expert gave, asked of gold answers that they found plausible"
    ]
    holds: Annotated[
        bool | None,
        "whether the expert accepts it too: plausible and, of gold, faithful; empty while not judged",
    ]
    tier_now: Annotated[str, "what it is accepted as in this release; empty where it no longer is"]
    plausibility_comment: Annotated[str, "the expert's comment on the first question, if any"]
    faithfulness_comment: Annotated[str, "the expert's comment on the second question, if any"]


@dataclass(frozen=True, slots=True)
class ReferenceEvidenceRow:
    """One row is one sentence of a passage that supports the reference of a turn, as the newest search found it.

    `[start, end)` are characters of the raw passage. Nobody was asked about it.
    """

    turn_id: TurnId
    position: Annotated[int, "its place among the sentences of the turn, from 1"]
    passage_id: Annotated[str, "the passage that it stands in"]
    start: Annotated[int, "where it begins"]
    end: Annotated[int, "where it ends"]
    text: Annotated[str, "the sentence"]
    f1: Annotated[float, "the token F1 of the reference with the words that led to the sentence"]
    sas: Annotated[
        float | None, "its highest similarity to a reference; empty where it was not asked for"
    ]
