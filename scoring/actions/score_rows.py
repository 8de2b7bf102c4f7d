"""Writing of computed scores, of which a data set of the shared task's size has a million."""

from collections.abc import Iterable
from typing import NamedTuple

from django.db import connection

# Names the columns of NewScore in their order.
INSERT = (
    "INSERT INTO scoring_score (scorer_id, references_sha256, prediction_sha256, value)"
    " VALUES (%s, %s, %s, %s) ON CONFLICT DO NOTHING"
)


class NewScore(NamedTuple):
    """A score to be written: the columns of Score. A model instance takes ten times as long to make."""

    scorer_id: int
    references_sha256: str
    prediction_sha256: str
    value: float


def write(scores: Iterable[NewScore]) -> None:
    """Write the scores, without those that are there already."""
    with connection.cursor() as cursor:
        cursor.executemany(INSERT, list(scores))
