from annotation.models.adjudicator import AdjudicatorPreference, SourcesShown
from annotation.models.batch import (
    Batch,
    BatchPurpose,
    BatchState,
    Grouping,
    Guideline,
)
from annotation.models.checks import CheckAttempt, ComprehensionCheck
from annotation.models.controls import Key
from annotation.models.decision import (
    Adjudication,
    Exclusion,
    Note,
    Retraction,
    SetAside,
    Source,
    UnclearMark,
    Verdict,
    VerdictState,
)
from annotation.models.double_adjudication import SecondAdjudication, SecondAsked, SecondDraw
from annotation.models.extra_judgements import ExtraAsked, ExtraRound
from annotation.models.flags import Flag, FlagAnswer
from annotation.models.guideline_version import GuidelineVersion
from annotation.models.items import Item, ItemAnswer, ItemPassage
from annotation.models.messages import Message, MessageAnswer, Notice, NoticeDismissal
from annotation.models.pause import Pause
from annotation.models.plan import AnalysisPlan
from annotation.models.preset import BatchPreset
from annotation.models.reservation import Reservation
from annotation.models.trust import Qualification, Standing, StandingState
from annotation.models.withdrawal import BatchWithdrawal
from annotation.models.work import (
    Assignment,
    AssignmentState,
    Cursor,
    GuidelineReading,
    Judgement,
    Review,
    ReviewAct,
    Withdrawal,
)

__all__ = [
    "Adjudication",
    "AdjudicatorPreference",
    "AnalysisPlan",
    "Assignment",
    "AssignmentState",
    "Batch",
    "BatchPreset",
    "BatchPurpose",
    "BatchState",
    "BatchWithdrawal",
    "CheckAttempt",
    "ComprehensionCheck",
    "Cursor",
    "Exclusion",
    "ExtraAsked",
    "ExtraRound",
    "Flag",
    "FlagAnswer",
    "Grouping",
    "Guideline",
    "GuidelineReading",
    "GuidelineVersion",
    "Item",
    "ItemAnswer",
    "ItemPassage",
    "Judgement",
    "Key",
    "Message",
    "MessageAnswer",
    "Note",
    "Notice",
    "NoticeDismissal",
    "Pause",
    "Qualification",
    "Reservation",
    "Retraction",
    "Review",
    "ReviewAct",
    "SecondAdjudication",
    "SecondAsked",
    "SecondDraw",
    "SetAside",
    "Source",
    "SourcesShown",
    "Standing",
    "StandingState",
    "UnclearMark",
    "Verdict",
    "VerdictState",
    "Withdrawal",
]
