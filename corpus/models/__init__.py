from corpus.models.answer import Answer, AnswerQuerySet, Citation
from corpus.models.dataset import Dataset, DatasetWithdrawal
from corpus.models.fields import addressable, plain_name
from corpus.models.passage import Offer, Passage
from corpus.models.run import (
    COMPETING,
    References,
    Run,
    RunChange,
    RunKind,
    RunWithdrawal,
    Tier,
)
from corpus.models.turn import Conversation, Turn, TurnQuerySet, turn_key

__all__ = [
    "COMPETING",
    "Answer",
    "AnswerQuerySet",
    "Citation",
    "Conversation",
    "Dataset",
    "DatasetWithdrawal",
    "Offer",
    "Passage",
    "References",
    "Run",
    "RunChange",
    "RunKind",
    "RunWithdrawal",
    "Tier",
    "Turn",
    "TurnQuerySet",
    "addressable",
    "plain_name",
    "turn_key",
]
