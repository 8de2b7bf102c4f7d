"""The rows of questions.csv, one a curated question. Imports no Django."""

from dataclasses import dataclass
from typing import Annotated

from exports.rows.columns import StudySlug, TurnId


@dataclass(frozen=True, slots=True)
class QuestionRow:
    """One row is one question of a batch of curation, with its texts before and after."""

    study: StudySlug
    dataset: Annotated[str, "the data set and version that the questions were drawn from"]
    batch: Annotated[str, "the batch that it was curated in"]
    item_id: Annotated[str, "its item there, as in the table of judgements"]
    turn_id: TurnId
    outcome: Annotated[
        str, "kept, edited or rejected; in dispute, set aside; empty where nothing is decided"
    ]
    decided_by: Annotated[
        str, "consensus (by the rule), adjudication, or decision (it was set aside)"
    ]
    is_outdated: Annotated[
        bool,
        "whether settling again would replace the outcome, as after a review; an edited question is then undecided",
    ]
    reason: Annotated[str, "of an adjudication; why it was set aside"]
    annotators: Annotated[str, "pseudonyms of those whose judgements counted, joined with |"]
    votes: Annotated[
        str, "what they chose for question, answer and proof, in the order of annotators"
    ]
    why: Annotated[str, "what they ticked as wrong with the question, joined with |"]
    promoted: Annotated[bool, "whether it is an example for making further questions"]
    question: Annotated[str, "the question as it was made"]
    question_curated: Annotated[str, "as it was decided; empty where it is rejected or undecided"]
    answer: Annotated[str, "the answer as it was made"]
    answer_curated: Annotated[str, "as it was decided"]
    proof: Annotated[str, "the proof as it was made"]
    proof_curated: Annotated[str, "as it was decided; empty where the text has none"]
    proof_place: Annotated[
        str,
        "whether the decided proof is in the texts: found, found after folding white space, not there; empty without one",
    ]
    type: Annotated[str, "the type that it was made for"]
    type_curated: Annotated[str, "as it was decided"]
    section: Annotated[str, "the section that its text is from"]
    document: Annotated[str, "the document that its text is from"]
    model: Annotated[str, "what made it; empty where nobody says"]
    prompt: Annotated[str, "the name of the prompt that it was made with"]
