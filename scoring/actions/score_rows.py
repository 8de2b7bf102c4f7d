"""Writing of computed scores, of which a data set of the shared task's size has a million."""

from collections.abc import Iterable
from typing import NamedTuple

from django.db import connection

from scoring.models import Score


class NewScore(NamedTuple):
    """A score to be written: the columns of Score. A model instance takes ten times as long to make."""

    scorer_id: int
    references_sha256: str
    prediction_sha256: str
    value: float


def write(scores: Iterable[NewScore]) -> None:
    """Write the scores, without those that are there already."""
    quoted = connection.ops.quote_name
    fields = [Score._meta.get_field(name) for name in ("scorer", *NewScore._fields[1:])]
    columns = ", ".join(quoted(str(field.column)) for field in fields)
    places = ", ".join(["%s"] * len(fields))
    sql = f"INSERT INTO {quoted(Score._meta.db_table)} ({columns}) VALUES ({places}) ON CONFLICT DO NOTHING"
    with connection.cursor() as cursor:
        cursor.executemany(sql, list(scores))
