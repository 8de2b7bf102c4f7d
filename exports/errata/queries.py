"""The errata of releases, and the answers that they can be of."""

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from corpus import versions
from corpus.models import Dataset
from exports.models import Erratum, Release
from exports.rows import earlier_answers
from exports.rows.ids import timestamp
from exports.writers import csv_table, stored_folders

ITEMS = "items.csv"


def released_answer(release: Release, answer_id: str) -> str | None:
    """Return the text of an answer of the release's items or of its earlier.json; None if it has none of this id.

    Raises OSError and ValueError where the file cannot be read or is not what was released.
    """
    rows = csv_table.rows(_contents(release, ITEMS))
    texts = {row["answer_id"]: row["answer"] for row in rows if row["answer_id"]}
    if earlier_answers.NAME in release.manifest["files"]:
        earlier = json.loads(_contents(release, earlier_answers.NAME))
        of_earlier = earlier_answers.by_id(earlier)
        texts |= {each: str(record["answer"]) for each, record in of_earlier.items()}
    return texts.get(answer_id)


def _contents(release: Release, name: str) -> bytes:
    contents = stored_folders.folder_of(release).read(name)
    if hashlib.sha256(contents).hexdigest() != release.manifest["files"][name]:
        raise ValueError(f"{name} is not what was released")
    return contents


def errata_before(
    dataset: Dataset, tiers: Mapping[str, str], earlier: Mapping[str, Any], *, is_rehearsal: bool
) -> list[dict[str, Any]]:
    """Return the errata of earlier releases of the data set as a new one has them, by release and answer.

    By answer id: `tiers` are those that the verdicts of the new release give, `earlier` the accepted answers of an
    earlier release that stand in it, whose tiers go before. Withdrawn releases are among the earlier ones: copies of
    them are out.
    """
    rows = Erratum.objects.filter(
        release__dataset__in=versions.lineage_keys(dataset), release__is_rehearsal=is_rehearsal
    )
    ordered = rows.select_related("release").order_by("release__number", "answer_id", "pk")
    return [
        {
            "release": row.release.number,
            "version": row.release.version,
            "answer_id": row.answer_id,
            "answer": row.answer,
            "reason": row.reason,
            "noted_at": timestamp(row.noted_at),
            "tier": earlier[row.answer_id]["tier"]
            if row.answer_id in earlier
            else tiers.get(row.answer_id, ""),
            "by_earlier": row.answer_id in earlier,
        }
        for row in ordered
    ]
