"""Write the comparison of a study's runs as files in a folder."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.conf import settings

from accounts import permissions
from accounts.models import Role, Study, User
from annotation.models import Batch
from exports.comparison import column_page
from exports.comparison import queries as comparison_queries
from exports.comparison.files import FIGURE_TABLES, SOURCE_TABLES, text_files
from exports.comparison.result import comparison_result
from exports.writers import columns, csv_table, folders, json_file
from exports.writers.manifests import batch_entry, dataset_entry, file_digests, run_entries
from jobs.transactions import snapshot
from stats.bootstrap_settings import Bootstrap


class ComparisonError(Exception):
    """There is nothing to write; the message says why and what to do."""


def write(
    *, study: Study, batches: Sequence[str], out: Path, bootstrap: Bootstrap, by: User
) -> dict[str, Any]:
    """Write tables, figures.json, LaTeX, labels, pictures and manifest into `out`; return the
    figures.

    `batches` are names of batches; without any all batches that compare runs are taken. Files have
    no time in them: the same judgements give the same bytes. Raises ComparisonError, and
    ReleaseError if the folder cannot be written.
    """
    permissions.require_reader(by, study, Role.REQUESTER)
    with snapshot():
        chosen = _chosen(study, batches)
        rows = comparison_queries.rows(chosen)
        result = comparison_result(rows, bootstrap)
        with folders.new_folder(out) as folder:
            for name, row_type in SOURCE_TABLES.items():
                csv_table.write(folder.path / name, row_type, getattr(rows, Path(name).stem))
            for name, (row_type, rows_of) in FIGURE_TABLES.items():
                csv_table.write(folder.path / name, row_type, rows_of(result))
            for file in text_files(result).values():
                (folder.path / file.name).write_bytes(file.text().encode("utf-8"))
            json_file.write(folder.path / "figures.json", result)
            columns.write(folder.path / "columns.md", column_page.HEAD, column_page.TABLES)
            json_file.write(
                folder.path / "manifest.json", _manifest(study, chosen, result, folder.path)
            )
            folder.deliver()
    return result


def _chosen(study: Study, names: Sequence[str]) -> list[Batch]:
    if not names:
        found = comparison_queries.counted_batches(study)
        if not found:
            raise ComparisonError(
                f"no batch of the study {study.slug} compares runs: draw_comparison, then open_batch"
            )
        return found
    known = {batch.name: batch for batch in comparison_queries.launched_batches(study)}
    if strange := sorted(set(names) - known.keys()):
        raise ComparisonError(
            f"the study {study.slug} has no batch {', '.join(strange)} that compares runs and is launched"
        )
    found = [known[name] for name in dict.fromkeys(names)]
    if len({batch.is_rehearsal for batch in found}) > 1:
        raise ComparisonError("real and rehearsed batches are never counted together: name either")
    return found


def _manifest(
    study: Study, batches: Sequence[Batch], result: dict[str, Any], folder: Path
) -> dict[str, Any]:
    """The manifest: what the files are computed from, and the sha256 of every other file."""
    datasets = {str(batch.pool.dataset): batch.pool.dataset for batch in batches}
    return {
        "touchstone": settings.VERSION,
        "study": study.slug,
        "title": study.title,
        "is_rehearsal": result["is_rehearsal"],
        "n_judgements": result["n_judgements"],
        "bootstrap": result["bootstrap"],
        "datasets": [
            dataset_entry(datasets[name]) | {"runs": run_entries(datasets[name])}
            for name in sorted(datasets)
        ],
        "batches": [batch_entry(batch) for batch in sorted(batches, key=lambda batch: batch.name)],
        "files": file_digests(folder),
    }
