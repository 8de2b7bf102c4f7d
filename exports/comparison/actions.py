"""What people's comparisons say of the runs of a study, as files in a folder."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.conf import settings

from accounts import permissions
from accounts.models import Role, Study, User
from annotation.models import Batch
from exports.comparison import column_page
from exports.comparison import queries as comparison_queries
from exports.comparison.compute import compared_now
from exports.comparison.files import COMPUTED, READ, texts
from exports.writers import columns, csv_table, folders, json_file
from exports.writers.manifests import of_batch, of_dataset, of_files, of_runs
from jobs.transactions import snapshot
from stats.bootstrap_settings import Bootstrap


class ComparisonError(Exception):
    """There is nothing to write; the message says why and what to do."""


def write(
    *, study: Study, batches: Sequence[str], out: Path, bootstrap: Bootstrap, by: User
) -> dict[str, Any]:
    """The tables, figures.json, LaTeX, labels, pictures and the manifest; gives the figures.

    Of the batches named, or where none is of all that compare runs. The same judgements give the same bytes:
    nothing of it tells the time. Raises ComparisonError, and ReleaseError where the folder cannot be written.
    """
    permissions.require(by, study, Role.REQUESTER)
    with snapshot():
        chosen = _chosen(study, batches)
        rows = comparison_queries.rows(chosen)
        told = compared_now(rows, bootstrap)
        with folders.new(out) as folder:
            for name, row_type in READ.items():
                csv_table.write(folder.path / name, row_type, getattr(rows, Path(name).stem))
            for name, (row_type, rows_of) in COMPUTED.items():
                csv_table.write(folder.path / name, row_type, rows_of(told))
            for file in texts(told).values():
                (folder.path / file.name).write_bytes(file.text().encode("utf-8"))
            json_file.write(folder.path / "figures.json", told)
            columns.write(folder.path / "columns.md", column_page.HEAD, column_page.TABLES)
            json_file.write(
                folder.path / "manifest.json", _manifest(study, chosen, told, folder.path)
            )
            folder.deliver()
    return told


def _chosen(study: Study, names: Sequence[str]) -> list[Batch]:
    if not names:
        found = comparison_queries.compared_batches(study)
        if not found:
            raise ComparisonError(
                f"no batch of the study {study.slug} compares runs: draw_comparison, then open_batch"
            )
        return found
    known = {batch.name: batch for batch in comparison_queries.of_study(study)}
    if strange := sorted(set(names) - known.keys()):
        raise ComparisonError(
            f"the study {study.slug} has no batch {', '.join(strange)} that compares runs and is launched"
        )
    found = [known[name] for name in dict.fromkeys(names)]
    if len({batch.is_rehearsal for batch in found}) > 1:
        raise ComparisonError("real and rehearsed batches are never counted together: name either")
    return found


def _manifest(
    study: Study, batches: Sequence[Batch], told: dict[str, Any], folder: Path
) -> dict[str, Any]:
    """What it was made from, and the sha256 of every other file."""
    datasets = {str(batch.pool.dataset): batch.pool.dataset for batch in batches}
    return {
        "touchstone": settings.VERSION,
        "study": study.slug,
        "title": study.title,
        "is_rehearsal": told["is_rehearsal"],
        "n_judgements": told["n_judgements"],
        "bootstrap": told["bootstrap"],
        "datasets": [
            of_dataset(datasets[name]) | {"runs": of_runs(datasets[name])}
            for name in sorted(datasets)
        ],
        "batches": [of_batch(batch) for batch in sorted(batches, key=lambda batch: batch.name)],
        "files": of_files(folder),
    }
