"""The rows of a batch's own tables; those of judgements and items are `exports.rows.columns`. Imports no Django."""

from dataclasses import dataclass
from typing import Annotated

from exports.rows.columns import StudySlug, TurnId


@dataclass(frozen=True, slots=True)
class SkipRow:
    """One row is one item that one annotator skipped. Nobody is assigned an item again that they skipped."""

    study: StudySlug
    batch: Annotated[str, "the batch that the item is in"]
    scheme: Annotated[str, "what is asked, as in judgements.csv"]
    item_id: Annotated[str, "the item that was skipped, as in items.csv"]
    turn_id: TurnId
    annotator: Annotated[str, "a pseudonym, the same throughout the study, as in judgements.csv"]
    assignment_id: Annotated[str, "the claim that it was skipped under: one person's on one item"]
    claimed_at: Annotated[str, "when the item was assigned to the annotator"]
    reason: Annotated[str, "the reason chosen from the batch's list; empty where none was chosen"]
    words: Annotated[str, "what the annotator added in words"]
    is_control: Annotated[
        bool, "whether the item is a control item (its label was known before) or a repeat"
    ]
    is_rehearsal: Annotated[bool, "whether a simulated person skipped it"]
