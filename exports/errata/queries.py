"""The errata of releases, and the answers that they can be of."""

import csv
import io
from collections.abc import Mapping
from typing import Any

from corpus import versions
from corpus.models import Dataset
from exports.models import Erratum, Release
from exports.rows.ids import timestamp
from exports.writers import stored_folders

ITEMS = "items.csv"


def judged_answer(release: Release, answer_id: str) -> str | None:
    """Return the text of an answer of the release's items; None if it has none of this id.

    Raises OSError and ValueError where the file cannot be read or is not what was released.
    """
    folder = stored_folders.folder_of(release)
    if folder.sha256(ITEMS) != release.manifest["files"][ITEMS]:
        raise ValueError(f"{ITEMS} is not what was released")
    with folder.open(ITEMS) as file, io.TextIOWrapper(file, "utf-8", newline="") as lines:
        rows = csv.DictReader(lines)
        return next((row["answer"] for row in rows if row["answer_id"] == answer_id), None)


def errata_before(
    dataset: Dataset, tiers: Mapping[str, str], *, is_rehearsal: bool
) -> list[dict[str, Any]]:
    """Return the errata of earlier releases of the data set as a new one has them, by release and answer.

    `tiers` are those of the new release by answer id. Withdrawn releases are among the earlier ones: copies of them
    are out.
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
            "tier": tiers.get(row.answer_id, ""),
        }
        for row in ordered
    ]
