"""A closed second round in which answers differ, for the tests of decisions between them."""

from pathlib import Path

from accounts.models import Study, User
from annotation.actions import batches
from annotation.models import Batch, Item
from tests.annotation.rounds import GAPS, answered, first_round, second_round, write

FIRST = GAPS  # of all questions, by the first person
CHANGED = answered(2, 3, 5, text="Oil; gas later.", kept="modify")
KEPT = {**GAPS, "kept": "keep"}
SKIPPED = {"outcome": "skip", "reason": "unclear"}
THIRD = answered(2, 3, text="Oil, then gas.")


def second_round_said(
    study: Study, folder: Path, first: User, second: User, *said: dict[str, str]
) -> Batch:
    """A closed second round of as many questions as responses, which the second person gave."""
    batch = first_round(study, folder, n=len(said))
    for _ in said:
        write(batch, first, FIRST)
    rounds = second_round(batch)
    for response in said:
        write(rounds, second, response)
    return batches.close(batch=rounds, by=study.created_by)


def item(batch: Batch, n: int = 1) -> Item:
    """Question n of the batch, from 1, in its order."""
    return batch.items.select_related("batch__study").order_by("position")[n - 1]
