"""Parts of rows that several sections of a person's file have."""

from datetime import datetime
from typing import Any

from annotation.models import Batch
from exports.rows.ids import timestamp

# Rows are read so many at a time: their texts may be long.
PIECE = 500

Row = dict[str, Any]


def time_or_none(at: datetime | None) -> str | None:
    return timestamp(at) if at else None


def place(batch: Batch) -> Row:
    return {"study": batch.study.slug, "batch": batch.name, "scheme": batch.scheme}
