"""The rows of tables that are made of other tables, or beside them, as `exports.rows.columns` has those of other tables."""

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
    scheme: Annotated[str, "what kind of judgement: plausibility, faithfulness or relation"]
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


@dataclass(frozen=True, slots=True)
class RelationRow:
    """One row is one pair of accepted answers of a turn, and how people said that they relate.

    The first answer is the one whose answer_id comes first, wherever it stood on the screen, and the label says how
    it relates to the second one: the pair a, b with the label shorter is the pair b, a with more_detailed.

    Answers that are the same are a cluster: those that pairs with the label same connect, if need be through others,
    of the items that are decided and is_newest. Its name is the first of its answer_ids. A pair inside a cluster that
    people said something else of breaks transitivity.
    """

    study: StudySlug
    batch: Annotated[str, "the batch that asked about the pair"]
    item_id: Annotated[str, "the item, as in items.csv"]
    turn_id: TurnId
    first_id: Annotated[str, "the answer_id of the first answer, as in items.csv"]
    second_id: Annotated[str, "the answer_id of the second answer"]
    first_answer: Annotated[str, "its text, without outer white space"]
    second_answer: Annotated[str, "the text of the second answer"]
    is_first_shown_first: Annotated[
        bool, "whether the first answer was A, the first on the screen; else the second one was"
    ]
    first_tier: Annotated[str, "gold or silver where the first answer is accepted in this release"]
    second_tier: Annotated[str, "the same of the second answer"]
    state: Annotated[str, "decided, disputed or set aside; empty where it was not settled"]
    relation: Annotated[
        str,
        "the label of a decided item: same; shorter (the second answer says the same and more); more_detailed (the"
        " first does); other_aspect; contradicts; cannot_say",
    ]
    source: Annotated[str, "consensus, adjudication or decision, as in items.csv"]
    votes: Annotated[str, "the counted votes it was settled on, as JSON: {label: how many}"]
    n_counted: Annotated[int, "how many judgements are counted"]
    is_newest: Annotated[bool, "whether it decides the pair among the items about it"]
    first_cluster: Annotated[str, "the cluster of the first answer: the first answer_id in it"]
    second_cluster: Annotated[str, "the cluster of the second answer"]
    breaks_transitivity: Annotated[
        bool,
        "whether both answers are in one cluster, and the pair, decided and is_newest, is neither same nor cannot_say",
    ]


@dataclass(frozen=True, slots=True)
class BackgroundRow:
    """One row is one answer of an annotator about themselves.

    Only of people with a judgement that is counted, and of questions that they answered: everybody could skip each.
    What a release includes is in `background` of manifest.json; answers in words are left out unless somebody chose
    to include them.
    """

    study: StudySlug
    annotator: Annotated[str, "a pseudonym, as in judgements.csv"]
    number: Annotated[int, "the place of the question among those that were asked, from 1"]
    question: Annotated[str, "the question as it was asked"]
    kind: Annotated[str, "choice: one of the choices of the question; words: the annotator's own"]
    answer: Annotated[str, "what the annotator answered last before the release"]
