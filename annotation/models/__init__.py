from annotation.models.batch import Batch, BatchState, Grouping, Guideline, Item, ItemAnswer
from annotation.models.decision import (
    Adjudication,
    Exclusion,
    SetAside,
    Source,
    Verdict,
    VerdictState,
)
from annotation.models.work import (
    Assignment,
    AssignmentState,
    Cursor,
    Flag,
    Judgement,
    Review,
    Withdrawal,
)

__all__ = [
    "Adjudication",
    "Assignment",
    "AssignmentState",
    "Batch",
    "BatchState",
    "Cursor",
    "Exclusion",
    "Flag",
    "Grouping",
    "Guideline",
    "Item",
    "ItemAnswer",
    "Judgement",
    "Review",
    "SetAside",
    "Source",
    "Verdict",
    "VerdictState",
    "Withdrawal",
]
