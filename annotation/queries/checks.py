"""Checks of the guideline: whether one is due, and what came of the attempts."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from accounts.models import Study, User
from annotation import check_questions
from annotation.check_questions import Question
from annotation.models import Batch, CheckAttempt
from annotation.models.checks import MOST_ATTEMPTS
from performance.compiled_queries import Compiled

ATTEMPTS = Compiled(
    lambda *, batch, person: CheckAttempt.objects.filter(batch=batch, taken_by=person).order_by(
        "number"
    )
)


@dataclass(frozen=True)
class Answer:
    """A question with the index of what somebody chose."""

    question: Question
    chosen: int

    @property
    def is_right(self) -> bool:
        return self.chosen == self.question.right

    @property
    def words(self) -> str:
        return self.question.choices[self.chosen]

    @property
    def right_words(self) -> str:
        return self.question.choices[self.question.right]


@dataclass(frozen=True)
class QuestionFigures:
    """How many people answered a question in their first attempt, and how many of them rightly."""

    question: Question
    n: int
    n_right: int


def questions_of(batch: Batch) -> list[Question]:
    """Return the questions of the batch's check; [] without one."""
    check = batch.comprehension_check
    return [] if check is None else [Question.from_dict(each) for each in check.questions]


def text_of(batch: Batch) -> str:
    """Return the questions of the batch's check as check_questions.read() takes them; "" without one."""
    return check_questions.as_text(questions_of(batch))


def attempts_of(batch: Batch, person: User) -> list[CheckAttempt]:
    """Return the person's attempts in their order; [] without a query where the batch has no check."""
    if batch.comprehension_check_id is None:
        return []
    return ATTEMPTS.all(batch=batch.pk, person=person.pk)


def is_due(batch: Batch, person: User) -> bool:
    """Whether the batch has a check that the person has not passed; no query where it has none."""
    if batch.comprehension_check_id is None:
        return False
    return not any(each.is_passed for each in attempts_of(batch, person))


def failed_batches(batches: Iterable[Batch], person: User) -> set[int]:
    """Return the keys of the batches whose check the person has failed for good; no query where none has one."""
    asking = [each.pk for each in batches if each.comprehension_check_id is not None]
    if not asking:
        return set()
    own = CheckAttempt.objects.filter(batch__in=asking, taken_by=person)
    last = own.filter(number=MOST_ATTEMPTS, is_passed=False)
    return set(last.values_list("batch", flat=True))


def failed_people(batch: Batch, people: Iterable[int]) -> set[int]:
    """Return which of these people (keys) have failed the batch's check for good; no query where it has none."""
    if batch.comprehension_check_id is None:
        return set()
    last = CheckAttempt.objects.filter(batch=batch, number=MOST_ATTEMPTS, is_passed=False)
    return set(last.filter(taken_by__in=list(people)).values_list("taken_by", flat=True))


def answers_in(attempt: CheckAttempt, questions: Sequence[Question]) -> list[Answer]:
    return [Answer(*pair) for pair in zip(questions, attempt.answers, strict=True)]


def figures(batch: Batch) -> list[QuestionFigures]:
    """Return the figures of each question."""
    firsts = list(batch.check_attempts.filter(number=1).values_list("answers", flat=True))
    return [
        QuestionFigures(question, len(firsts), sum(each[at] == question.right for each in firsts))
        for at, question in enumerate(questions_of(batch))
    ]


def attempts_in(study: Study, users: Iterable[int]) -> Mapping[int, list[CheckAttempt]]:
    """Return the last attempt of these people at each check of the study, by person."""
    rows = CheckAttempt.objects.filter(batch__study=study, taken_by__in=list(users))
    last: dict[tuple[int, int], CheckAttempt] = {}
    for row in rows.select_related("batch").order_by("batch__name", "number"):
        last[row.taken_by_id, row.batch_id] = row
    found: dict[int, list[CheckAttempt]] = defaultdict(list)
    for (person, _), row in last.items():
        found[person].append(row)
    return found
