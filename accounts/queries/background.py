"""Background questions: which a person is still to be asked, what they said, and how many said what."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet

from accounts.models import BackgroundAnswer, BackgroundQuestion, Membership, Study, User

# An answer of fewer people than this may say who they are.
FEW = 5


def asked(study: Study) -> QuerySet[BackgroundQuestion]:
    """Return the questions that are asked, in their order."""
    return study.background_questions.exclude(position=None).order_by("position")


def due(user: User, study: Study) -> list[BackgroundQuestion]:
    """Return the questions that the person has neither answered nor skipped; no query where nothing is asked."""
    if not study.background:
        return []
    return list(asked(study).exclude(Exists(_answers_of(user))))


def is_due(user: User, study: Study) -> bool:
    """Whether there is such a question; no query where nothing is asked."""
    return bool(study.background) and asked(study).exclude(Exists(_answers_of(user))).exists()


def studies_with_due(user: User, studies: Iterable[Study]) -> set[int]:
    """Return the keys of the studies with such a question; no query where nothing is asked."""
    asking = [study for study in studies if study.background]
    if not asking:
        return set()
    questions = BackgroundQuestion.objects.filter(study__in=asking).exclude(position=None)
    left = questions.exclude(Exists(_answers_of(user))).order_by()
    return set(left.values_list("study", flat=True))


def _answers_of(user: User) -> QuerySet[BackgroundAnswer]:
    return BackgroundAnswer.objects.filter(question=OuterRef("pk"), membership__user=user)


def own_answers(membership: Membership) -> list[BackgroundAnswer]:
    """Return what the member said or skipped: of what is asked now, and what they said before; in the order of the
    questions, the latter last.
    """
    rows = membership.background_answers.select_related("question")
    kept = rows.filter(Q(question__position__isnull=False) | ~Q(text=""))
    return sorted(kept, key=lambda row: (row.question.position or 1_000, row.question_id))


@dataclass(frozen=True)
class Said:
    """An answer with the number of people who gave it."""

    answer: str
    n: int

    @property
    def is_few(self) -> bool:
        return 0 < self.n < FEW


@dataclass(frozen=True)
class QuestionFigures:
    """A question with what was answered: each choice, or the texts from the most frequent on."""

    question: BackgroundQuestion
    n_answered: int
    n_skipped: int
    said: list[Said]


def figures(study: Study) -> list[QuestionFigures]:
    """Return the figures of the questions that are asked, then of those that were, if somebody's answer is kept."""
    answers = Prefetch("answers", BackgroundAnswer.objects.only("question_id", "text"))
    questions = study.background_questions.prefetch_related(answers)
    found = [_figures(each) for each in questions]
    kept = [each for each in found if each.question.position is not None or each.n_answered]
    return sorted(kept, key=lambda each: (each.question.position or 1_000, each.question.pk))


def _figures(question: BackgroundQuestion) -> QuestionFigures:
    counts = Counter(each.text for each in question.answers.all())
    n_skipped = counts.pop("", 0)
    said = (
        [Said(choice, counts[choice]) for choice in question.choices]
        if question.choices
        else [Said(*pair) for pair in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))]
    )
    return QuestionFigures(question, sum(counts.values()), n_skipped, said)
