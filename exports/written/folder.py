"""The files of written answers, for a folder or an archive."""

import hashlib
import io
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.conf import settings

from annotation.models import Batch
from corpus.models import Dataset
from exports.writers import columns as column_pages
from exports.writers import csv_table, json_file
from exports.writers.manifests import batch_entry, dataset_entry
from exports.written import column_page, files, queries, standing
from exports.written.answers import Written, by_question
from exports.written.columns import WrittenRow, rows
from exports.written.counts import counts
from exports.written.standing import Decisions

# When an archive's files were made: always the same, so that the same answers give the same bytes.
MADE_AT = (1980, 1, 1, 0, 0, 0)


@dataclass(frozen=True)
class WrittenAnswers:
    """The counted answers of these batches on a version of a data set."""

    dataset: Dataset
    batches: list[Batch]
    written: Written
    decisions: Decisions

    def files(self, figures: Mapping[str, Any] | None) -> dict[str, bytes]:
        """Names and contents of all files. There is no time in them: the same answers give the same bytes."""
        answers = self.written.answers
        questions = list(
            queries.questions(self.dataset, {each.turn: each.shown for each in answers})
        )
        asked = queries.asked_turns(self.dataset, self.batches)
        found = dict(files.contents(files.lines(questions, answers, asked)))
        found[files.ADJUDICATED] = files.adjudicated(questions, answers, self.decisions)
        of_table = rows(self.dataset.study.slug, answers, self.decisions)
        found["written.csv"] = csv_table.contents(WrittenRow, of_table)
        found["columns.md"] = column_pages.contents(column_page.HEAD, column_page.TABLES)
        found["README.md"] = files.README.encode("utf-8")
        if figures is not None:
            found["figures.json"] = json_file.contents(figures)
        found["manifest.json"] = json_file.contents(self._manifest(found))
        return found

    def about(self) -> dict[str, Any]:
        """What figures of the answers begin with."""
        return {
            "batches": sorted(batch.name for batch in self.batches),
            "is_rehearsal": any(batch.is_rehearsal for batch in self.batches),
        }

    def _manifest(self, contents: Mapping[str, bytes]) -> dict[str, Any]:
        study = self.dataset.study
        return {
            "touchstone": settings.VERSION,
            "study": study.slug,
            "title": study.title,
            "licence": study.licence,
            "citation": study.citation,
            "is_rehearsal": self.about()["is_rehearsal"],
            "dataset": dataset_entry(self.dataset),
            "batches": [batch_entry(each) for each in sorted(self.batches, key=lambda b: b.name)],
            "counts": counts(self.written),
            "adjudicated": standing.counts(by_question(self.written.answers), self.decisions),
            "files": {name: hashlib.sha256(contents[name]).hexdigest() for name in contents},
        }


def read(dataset: Dataset, batches: Sequence[Batch]) -> WrittenAnswers:
    """What people wrote in these batches, and which decisions between answers stand. Call it in a snapshot."""
    written, decisions = queries.written(dataset, batches), queries.decisions(batches)
    return WrittenAnswers(dataset, list(batches), written, decisions)


def in_file(computed: Mapping[str, Any]) -> dict[str, Any]:
    """The figures as figures.json has them: without the keys of judgements and what only stored figures have."""
    return {key: computed[key] for key in computed if key not in ("pairs", "version", "basis")}


def archive(found: WrittenAnswers, figures: Mapping[str, Any] | None, root: str) -> bytes:
    """All files below a folder `root` as a ZIP archive."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, contents in found.files(figures).items():
            entry = zipfile.ZipInfo(f"{root}/{name}", MADE_AT)
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, contents)
    return packed.getvalue()
