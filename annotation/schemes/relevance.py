from collections.abc import Sequence
from dataclasses import dataclass

from annotation.schemes.base import Payload, Shows
from annotation.schemes.questions import Question
from annotation.schemes.rating import relevance_questions
from annotation.schemes.sheet import SheetScheme


@dataclass(frozen=True, kw_only=True)
class _Relevance(SheetScheme):
    def questions(self, payload: Payload) -> Sequence[Question]:
        return list(relevance_questions(payload))


SCHEME = _Relevance(
    name="relevance",
    asks="Which passages could you use in an answer to the question?",
    response_name="choice of passages",
    part_names=("Passages",),
    shows=Shows.PASSAGES,
    judges_passages=True,
    expected_seconds=60,
)
