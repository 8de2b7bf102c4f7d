"""The rows of background.csv: what annotators said of themselves."""

from collections.abc import Iterable
from enum import StrEnum

from accounts.models import BackgroundAnswer, Study
from exports.rows.columns import JudgementRow
from exports.rows.derived_columns import BackgroundRow

CHOICE, WORDS = "choice", "words"


class Included(StrEnum):
    """Which answers a release has. In words somebody may say who they are: these are in it only if asked for."""

    CHOICES = "choices"
    ALL = "all"
    NONE = "none"


IN_WORDS = {
    Included.CHOICES: "The choices, without answers in words",
    Included.ALL: "All answers, also those in words",
    Included.NONE: "None",
}


def background_rows(
    study: Study, judgements: Iterable[JudgementRow], included: Included
) -> list[BackgroundRow]:
    """Return the answers of whoever gave a counted judgement, by question and pseudonym.

    Of the questions that are asked now: one that was taken off the form is in no release.
    """
    if included == Included.NONE:
        return []
    people = {row.annotator for row in judgements if row.counted}
    answers = BackgroundAnswer.objects.filter(
        question__study=study, question__position__isnull=False
    ).exclude(text="")
    rows = [
        BackgroundRow(
            study=study.slug,
            annotator=each.membership.pseudonym,
            number=each.question.position or 0,
            question=each.question.text,
            kind=CHOICE if each.question.choices else WORDS,
            answer=each.text,
        )
        for each in answers.select_related("question", "membership")
        if each.membership.pseudonym in people
        and (each.question.choices or included == Included.ALL)
    ]
    return sorted(rows, key=lambda row: (row.number, row.annotator))
