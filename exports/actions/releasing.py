"""A release: the extended data set and everything its numbers rest on, as files."""

import contextlib
import hashlib
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, Max, OuterRef
from django.utils import timezone

from accounts.actions import people
from accounts.models import Study, User
from activity.actions import events
from annotation.actions import settling
from annotation.models import Batch, Item, Verdict, VerdictState
from corpus.models import Dataset, Turn
from exports import merge, systems
from exports.answers import answer_rows
from exports.models import Release
from exports.report import report
from exports.rows import AnswerRow, ItemRow, JudgementRow
from exports.tables import instant, item_rows, judgement_rows, released_batches
from exports.writers import csv_table, json_file

EVALUATE = Path(__file__).resolve().parent.parent / "writers" / "evaluate.py"


class ReleaseError(Exception):
    """The release cannot be made; the message says why and what to do."""


@dataclass(frozen=True)
class Released:
    """What was given out: the number of the release, its folder, and what its report says."""

    number: int
    folder: Path
    n_disputes_set_aside: int
    report: dict[str, Any]


@dataclass(frozen=True)
class _Rows:
    judgements: list[JudgementRow]
    items: list[ItemRow]
    answers: list[AnswerRow]


def release(
    *,
    study: Study,
    dataset: Dataset,
    out: Path,
    by: User,
    is_rehearsal: bool = False,
    set_aside_disputes: bool = False,
) -> Released:
    """Write the release of the data set's closed and settled batches, real or rehearsed, into `out`.

    Refuses (ReleaseError) where a batch is not settled, where items are in dispute unless they are to
    be set aside, and where the folder has something in it. The folder appears whole or not at all.
    """
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise ReleaseError(f"{out} is there already and not an empty folder: choose another")
    # The transaction ends last: a release is recorded only if its folder is there.
    with transaction.atomic(), _new_folder(out) as folder:
        batches = _lock(dataset, is_rehearsal)
        n_set_aside = _end_disputes(batches, by, set_aside_disputes)
        rows = _rows(dataset, batches)
        numbers = report(judgements=rows.judgements, items=rows.items, answers=rows.answers)
        number = _next_number(study)
        _write(folder, dataset, rows, numbers)
        manifest = _manifest(dataset, batches, folder, number, is_rehearsal)
        json_file.write(folder / "manifest.json", manifest)
        Release.objects.create(
            study=study,
            dataset=dataset,
            number=number,
            is_rehearsal=is_rehearsal,
            manifest=manifest,
            created_by=by,
        )
        files = manifest["files"]
        events.record(
            study=study, by=by, verb="released", target=dataset, number=number, files=files
        )
    return Released(number, out, n_set_aside, numbers)


@contextlib.contextmanager
def _new_folder(out: Path) -> Iterator[Path]:
    """A folder to write into that becomes `out` when the body has ended well, else vanishes."""
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        made = Path(tempfile.mkdtemp(prefix=f".{out.name}.", dir=out.parent))
    except OSError as error:
        raise ReleaseError(f"{out} cannot be made: {error.strerror}") from error
    try:
        yield made
        made.chmod(0o755)
        _deliver(made, out)
    except BaseException:
        shutil.rmtree(made)
        raise


def _deliver(made: Path, out: Path) -> None:
    try:
        made.replace(out)
    except OSError as error:
        raise ReleaseError(f"{out} cannot be written: {error.strerror}. Choose another") from error


def _lock(dataset: Dataset, is_rehearsal: bool) -> list[Batch]:
    """The batches to release, with their items locked: no decision falls between two tables."""
    people.lock(dataset.study)
    batches = released_batches(dataset, is_rehearsal=is_rehearsal)
    kind = "rehearsed" if is_rehearsal else "real"
    if not batches:
        raise ReleaseError(f"the dataset {dataset} has no closed {kind} batch: nothing to release")
    list(Item.objects.filter(batch__in=batches).select_for_update().values_list("pk", flat=True))
    for batch in batches:
        settled = Verdict.objects.filter(item=OuterRef("pk"))
        if Item.objects.real().filter(~Exists(settled), batch=batch).exists():
            raise ReleaseError(f"the batch {batch.name} is closed but not settled: settle it first")
    return batches


def _end_disputes(batches: Sequence[Batch], by: User, set_aside: bool) -> int:
    disputed = Verdict.objects.current().filter(
        item__batch__in=batches, state=VerdictState.DISPUTED
    )
    n_disputed = disputed.count()
    if n_disputed and not set_aside:
        raise ReleaseError(
            f"{n_disputed} items are in dispute: adjudicate them,"
            " or set them aside with --set-aside-disputes"
        )
    for batch in batches:
        settling.set_aside_disputes(batch=batch, by=by)
    return n_disputed


def _rows(dataset: Dataset, batches: Sequence[Batch]) -> _Rows:
    items = item_rows(batches)
    return _Rows(judgement_rows(batches), items, answer_rows(dataset, batches, items))


def _next_number(study: Study) -> int:
    last = study.releases.aggregate(last=Max("number"))["last"] or 0
    return int(last) + 1


def _write(folder: Path, dataset: Dataset, rows: _Rows, numbers: Mapping[str, Any]) -> None:
    sources = [(turn.key, turn.source) for turn in Turn.objects.of(dataset)]
    for name in ("gold", "silver"):
        tiers = merge.TIERS[: merge.TIERS.index(name) + 1]
        extended = merge.extended(sources, rows.items, rows.answers, tiers=tiers)
        json_file.write(folder / f"{name}.json", extended)
    csv_table.write(folder / "judgements.csv", JudgementRow, rows.judgements)
    csv_table.write(folder / "items.csv", ItemRow, rows.items)
    csv_table.write(folder / "answers.csv", AnswerRow, rows.answers)
    csv_table.write(folder / "per_run.csv", systems.PerRun, systems.per_run(rows.answers))
    json_file.write(folder / "report.json", numbers)
    shutil.copyfile(EVALUATE, folder / EVALUATE.name)


def _manifest(
    dataset: Dataset, batches: Sequence[Batch], folder: Path, number: int, is_rehearsal: bool
) -> dict[str, Any]:
    """What the release was made from and what it consists of. Its `created_at` is the only clock."""
    study = dataset.study
    runs = dataset.runs.order_by("name")
    return {
        "touchstone": settings.VERSION,
        "created_at": instant(timezone.now()),
        "study": study.slug,
        "title": study.title,
        "release": number,
        "is_rehearsal": is_rehearsal,
        "licence": study.licence,
        "citation": study.citation,
        "dataset": {
            "name": dataset.name,
            "version": dataset.version,
            "format": dataset.format,
            "licence": dataset.licence,
            "citation": dataset.citation,
            "digest": dataset.digest,
            "files": dataset.files,
        },
        "runs": [
            {"name": run.name, "kind": run.kind, "digest": run.digest, "files": run.files}
            for run in sorted(runs, key=lambda run: run.name)
        ],
        "batches": [_batch(batch) for batch in sorted(batches, key=lambda batch: batch.name)],
        "files": {path.name: _sha256(path) for path in sorted(folder.iterdir())},
    }


def _batch(batch: Batch) -> dict[str, Any]:
    pool = batch.pool
    return {
        "name": batch.name,
        "scheme": batch.scheme,
        "judgements_per_item": batch.judgements_per_item,
        "grouping": batch.grouping,
        "seed": batch.seed,
        "shows_context": batch.shows_context,
        "marks_evidence": batch.marks_evidence,
        "guideline_sha256": batch.guideline.sha256,
        "pool": {
            "name": pool.name,
            "purpose": pool.purpose,
            "rule": pool.rule,
            "scorer": str(pool.scorer) if pool.scorer else None,
            "counts": pool.counts,
        },
    }


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
