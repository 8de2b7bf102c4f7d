"""Background questions of a study, and what people say of themselves."""

from accounts.actions import background, studies
from accounts.models import Study, User

TEXT = "Do you sail?\n( ) Often\n( ) Never\n\nWhere did you learn it?\n___"


def ask(study: Study, text: str = TEXT) -> Study:
    """The study with these questions."""
    studies.describe_study(study=study, by=study.created_by, background=text)
    study.refresh_from_db()
    return study


def say(study: Study, person: User, *said: str) -> None:
    """Answer the questions that are asked, in their order."""
    keys = study.background_questions.exclude(position=None).order_by("position")
    keys_and_answers = zip(keys.values_list("pk", flat=True), said, strict=True)
    background.answer(study=study, answers=dict(keys_and_answers), by=person)
