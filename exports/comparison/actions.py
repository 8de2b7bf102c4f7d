"""Write the comparison of a study's runs as files in a folder."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.conf import settings

from accounts import permissions
from accounts.models import Role, Study, User
from annotation.models import Batch
from exports.comparison import column_page
from exports.comparison import queries as comparison_queries
from exports.comparison.errors import ComparisonError
from exports.comparison.files import FIGURE_TABLES, LONG_TABLES, SOURCE_TABLES, text_files
from exports.comparison.records_from_rows import Rows
from exports.comparison.result import comparison_result
from exports.primary_comparison.queries import primary_comparison
from exports.writers import columns, csv_table, folders, json_file
from exports.writers.manifests import batch_entry, dataset_entry, file_digests, run_entries
from jobs.transactions import snapshot
from stats.bootstrap_settings import Bootstrap


@dataclass(frozen=True)
class Comparison:
    """The batches of a comparison, their rows, and the figures."""

    study: Study
    batches: list[Batch]
    rows: Rows
    result: dict[str, Any]

    def files(self) -> Iterator[tuple[str, bytes]]:
        """Names and contents of the files, but for the manifest."""
        for name, row_type in SOURCE_TABLES.items():
            yield name, csv_table.contents(row_type, getattr(self.rows, Path(name).stem))
        for name, (row_type, long_rows) in LONG_TABLES.items():
            yield name, csv_table.contents(row_type, long_rows(self.rows))
        for name, (row_type, rows_of) in FIGURE_TABLES.items():
            yield name, csv_table.contents(row_type, rows_of(self.result))
        for file in text_files(self.result).values():
            yield file.name, file.text().encode("utf-8")
        yield "figures.json", json_file.contents(self.result)
        yield "columns.md", columns.contents(column_page.HEAD, column_page.TABLES)


def comparison(
    *,
    study: Study,
    batches: Sequence[str],
    bootstrap: Bootstrap,
    beat: Callable[[], None] = lambda: None,
) -> Comparison:
    """Return the comparison of the batches named or, without names, of all that compare runs and count.

    Call it in a snapshot. Raises ComparisonError.
    """
    found = chosen(study, batches)
    rows = comparison_queries.rows(found)
    beat()
    primary = primary_comparison(study)
    left_out = comparison_queries.left_out_of(primary, study, found)
    result = comparison_result(rows, bootstrap, beat, primary=primary, left_out=left_out)
    return Comparison(study, found, rows, result)


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
        found = comparison(study=study, batches=batches, bootstrap=bootstrap)
        with folders.new_folder(out) as folder:
            for name, contents in found.files():
                (folder.path / name).write_bytes(contents)
            made = manifest(found, file_digests(folder.path))
            json_file.write(folder.path / "manifest.json", made)
            folder.deliver()
    return found.result


def chosen(study: Study, names: Sequence[str]) -> list[Batch]:
    """Return the batches named or, without names, all that compare runs and count. Raises ComparisonError."""
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


def manifest(found: Comparison, digests: Mapping[str, str]) -> dict[str, Any]:
    """The manifest: what the files are computed from, and the sha256 of every other file."""
    datasets = {str(batch.pool.dataset): batch.pool.dataset for batch in found.batches}
    return {
        "touchstone": settings.VERSION,
        "study": found.study.slug,
        "title": found.study.title,
        "is_rehearsal": found.result["is_rehearsal"],
        "n_judgements": found.result["n_judgements"],
        "bootstrap": found.result["bootstrap"],
        "datasets": [
            dataset_entry(datasets[name]) | {"runs": run_entries(datasets[name])}
            for name in sorted(datasets)
        ],
        "batches": [
            batch_entry(batch) for batch in sorted(found.batches, key=lambda batch: batch.name)
        ],
        "files": dict(digests),
    }
