"""Batches in which made questions are curated."""

from collections.abc import Callable

from accounts.models import Study, User
from annotation.actions import batches, claims, judgements, settlement
from annotation.models import Batch, Item
from corpus.models import Dataset
from tests.annotation.desk import NOW
from tests.sampling.curation_dataset import create_made_questions, draw_curation

KEEP = {"question": "keep", "answer": "keep", "proof": "keep"}


def curation_batch(study: Study, n: int = 1) -> Batch:
    """A batch, open, on a data set of so many made questions."""
    return batch_on(create_made_questions(study, n))


def batch_on(dataset: Dataset, *, name: str = "curated") -> Batch:
    """A batch, open, on all questions of the data set."""
    study = dataset.study
    return batches.create_and_launch(
        study=study,
        pool=draw_curation(dataset, name=name),
        name=name,
        scheme="curation",
        by=study.created_by,
        judgements_per_item=2,
    )


def number(item: Item) -> int:
    return int(item.turn.conversation.key[1:])


def judge_all(batch: Batch, person: User, say: Callable[[int], dict[str, str]]) -> None:
    """All items, judged as `say` says of the question with that number, with the type that it has unless another is said."""
    while held := claims.claim(batch=batch, by=person, now=NOW):
        for each in held:
            response = say(number(each.item))
            made = each.item.payload["made"]
            if response["question"] != "reject" and len(made["types"]) > 1:
                response = {"type": made["type"]} | response
            submission = judgements.Submission(
                client_id=str(each.pk), response=response, shown_at=NOW, active_seconds=9.0
            )
            judgements.submit(assignment=each, submission=submission, by=person, now=NOW)


def judged_alike(
    batch: Batch, people: list[User], say: Callable[[int], dict[str, str]], by: User
) -> Batch:
    """The batch, closed and settled, in which all of these people said the same."""
    for person in people:
        judge_all(batch, person, say)
    batches.close(batch=batch, by=by)
    settlement.settle(batch=batch, rule="unanimous", by=by)
    batch.refresh_from_db()
    return batch
