"""A release: the extended data set and everything its numbers rest on, as files."""

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.db import transaction
from django.db.models import Max

from accounts import permissions
from accounts.models import Role, Study, User
from activity.actions import events
from annotation.actions import settling
from annotation.models import Batch, Verdict, VerdictState
from corpus.models import Dataset, Turn
from exports import merge, systems
from exports.actions import folders
from exports.actions.errors import ReleaseError
from exports.actions.manifests import manifest
from exports.actions.readiness import ready_batches
from exports.answers import answer_rows
from exports.models import Release
from exports.report import report
from exports.rows import AnswerRow, ItemRow, JudgementRow, PerRun
from exports.tables.items import item_rows
from exports.tables.judgements import judgement_rows
from exports.writers import columns, csv_table, json_file

EVALUATE = Path(__file__).resolve().parent.parent / "writers" / "evaluate.py"


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

    Refuses (ReleaseError) where a batch that was begun is not closed and settled as it stands, where
    items are in dispute unless they are to be set aside, and where the folder cannot be made or has
    something in it. The folder appears whole or not at all, and with its record or not at all.
    """
    permissions.require(by, study, Role.REQUESTER)
    # The transaction ends first: a release that cannot be recorded takes its folder away again.
    with folders.new(out) as folder, transaction.atomic():
        batches = ready_batches(dataset, is_rehearsal=is_rehearsal)
        n_set_aside = _end_disputes(batches, by, set_aside_disputes)
        rows = _rows(dataset, batches)
        numbers = report(judgements=rows.judgements, items=rows.items, answers=rows.answers)
        number = _next_number(study)
        _write(folder.path, dataset, rows, numbers)
        _write_guidelines(folder.path, batches)
        made_from = manifest(
            dataset, batches, folder.path, number=number, is_rehearsal=is_rehearsal
        )
        json_file.write(folder.path / "manifest.json", made_from)
        _record(dataset, made_from, folder.out, by)
        folder.deliver()
    return Released(number, out, n_set_aside, numbers)


def _record(dataset: Dataset, made_from: dict[str, Any], place: Path, by: User) -> None:
    number = made_from["release"]
    Release.objects.create(
        study=dataset.study,
        dataset=dataset,
        number=number,
        is_rehearsal=made_from["is_rehearsal"],
        manifest=made_from,
        folder=str(place),
        created_by=by,
    )
    events.record(
        study=dataset.study,
        by=by,
        verb="released",
        target=dataset,
        number=number,
        files=made_from["files"],
    )


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
    csv_table.write(folder / "per_run.csv", PerRun, systems.per_run(rows.answers))
    json_file.write(folder / "report.json", numbers)
    shutil.copyfile(EVALUATE, folder / EVALUATE.name)
    columns.write(folder / "columns.md")


def _write_guidelines(folder: Path, batches: Sequence[Batch]) -> None:
    """The texts that were judged by, each called after its sha256; an empty one is no file."""
    texts = {batch.guideline.sha256: batch.guideline.text for batch in batches}
    for sha256, text in texts.items():
        if text:
            (folder / "guidelines").mkdir(exist_ok=True)
            (folder / "guidelines" / f"{sha256}.md").write_bytes(text.encode("utf-8"))
