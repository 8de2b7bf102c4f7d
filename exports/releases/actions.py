"""A release: the extended data set and everything its numbers rest on, as files."""

import shutil
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.db import transaction
from django.db.models import Max

from accounts import permissions
from accounts.models import Role, Study, User
from annotation.actions import settlement
from annotation.models import Batch, Verdict
from annotation.queries.verdict_freshness import Stamp
from audit import events
from corpus.models import Dataset, Turn
from exports.models import Release
from exports.precision_audit.queries import precision_rows
from exports.releases import column_page, merge
from exports.releases.preconditions import lock_unchanged, ready_batches, stamps
from exports.releases.report import report
from exports.rows import per_run
from exports.rows.answers import answer_rows
from exports.rows.columns import (
    AnswerRow,
    ItemRow,
    JudgementRow,
    PerRun,
    PrecisionRow,
    SoftLabelRow,
)
from exports.rows.items import item_rows
from exports.rows.judgements import judgement_rows
from exports.rows.soft_labels import soft_labels
from exports.rows.tiers import TIERS
from exports.writers import columns, csv_table, folders, json_file
from exports.writers.errors import ReleaseError
from exports.writers.folders import NewFolder
from exports.writers.manifests import manifest
from jobs import transactions

EVALUATE = Path(__file__).resolve().parent.parent / "writers" / "evaluate.py"


@dataclass(frozen=True)
class Released:
    """What was given out: the number of the release, its folder, and what its report says."""

    number: int
    folder: Path
    n_disputes_set_aside: int
    report: dict[str, Any]


@dataclass(frozen=True)
class Draft:
    """A release whose files are written, beside their place, and which nothing records yet."""

    dataset: Dataset
    by: User
    is_rehearsal: bool
    made_from: dict[str, Any]
    report: dict[str, Any]
    stamps: dict[str, Stamp]
    given_up: list[tuple[Batch, list[Verdict]]]
    out: Path
    folder: NewFolder
    keeping: ExitStack  # of the folder, which is gone when it ends undelivered


@dataclass(frozen=True)
class _Rows:
    judgements: list[JudgementRow]
    items: list[ItemRow]
    answers: list[AnswerRow]
    precision: list[PrecisionRow]


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
    items are in dispute unless they are to be set aside, where something was decided in a batch while the
    release was made, and where the folder cannot be made or has something in it. The folder appears whole
    or not at all, and with its record or not at all.
    """
    draft = prepare(
        study=study,
        dataset=dataset,
        out=out,
        by=by,
        is_rehearsal=is_rehearsal,
        set_aside_disputes=set_aside_disputes,
    )
    return record(draft=draft)


def prepare(
    *,
    study: Study,
    dataset: Dataset,
    out: Path,
    by: User,
    is_rehearsal: bool = False,
    set_aside_disputes: bool = False,
) -> Draft:
    """Write the files of a release, all from one snapshot; nothing is written into the database."""
    permissions.require(by, study, Role.REQUESTER)
    with ExitStack() as stack:
        folder = stack.enter_context(folders.new(out))
        with transactions.snapshot():
            batches = ready_batches(dataset, is_rehearsal=is_rehearsal)
            stamped = stamps(dataset, is_rehearsal=is_rehearsal)
            given_up = _end_disputes(batches, by, set_aside_disputes)
            rows = _rows(dataset, batches, given_up, is_rehearsal)
            numbers = report(
                judgements=rows.judgements,
                items=rows.items,
                answers=rows.answers,
                precision=rows.precision,
            )
            _write(folder.path, dataset, rows, numbers)
            _write_guidelines(folder.path, batches)
            made_from = manifest(
                dataset,
                batches,
                folder.path,
                number=_next_number(study),
                is_rehearsal=is_rehearsal,
            )
        return Draft(
            dataset=dataset,
            by=by,
            is_rehearsal=is_rehearsal,
            made_from=made_from,
            report=numbers,
            stamps=stamped,
            given_up=given_up,
            out=out,
            folder=folder,
            keeping=stack.pop_all(),
        )


def record(*, draft: Draft) -> Released:
    """Put the release in its place and write its few rows, unless something was decided meanwhile."""
    # The transaction ends first: a release that cannot be recorded takes its folder away again.
    with draft.keeping, transaction.atomic():
        lock_unchanged(
            draft.dataset,
            draft.stamps,
            given_up=[batch for batch, rows in draft.given_up if rows],
            is_rehearsal=draft.is_rehearsal,
        )
        for batch, rows in draft.given_up:
            settlement.set_aside_disputes(batch=batch, by=draft.by, given_up=rows)
        made_from = draft.made_from | {"release": _next_number(draft.dataset.study)}
        json_file.write(draft.folder.path / "manifest.json", made_from)
        _record(draft.dataset, made_from, draft.folder.out, draft.by)
        draft.folder.deliver()
    n_set_aside = sum(len(rows) for _, rows in draft.given_up)
    return Released(made_from["release"], draft.out, n_set_aside, draft.report)


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


def _end_disputes(
    batches: Sequence[Batch], by: User, set_aside: bool
) -> list[tuple[Batch, list[Verdict]]]:
    """The verdicts that will set aside what is in dispute, to be written with the record."""
    given_up = [(batch, settlement.set_aside_rows(batch=batch, by=by)) for batch in batches]
    n_disputed = sum(len(rows) for _, rows in given_up)
    if n_disputed and not set_aside:
        raise ReleaseError(
            f"{n_disputed} items are in dispute: adjudicate them,"
            " or set them aside with --set-aside-disputes"
        )
    return given_up


def _rows(
    dataset: Dataset,
    batches: Sequence[Batch],
    given_up: Iterable[tuple[Batch, list[Verdict]]],
    is_rehearsal: bool,
) -> _Rows:
    items = item_rows(batches, {each.item_id: each for _, rows in given_up for each in rows})
    answers = answer_rows(dataset, batches, items)
    tiers = {row.answer_id: row.tier for row in answers if row.answer_id}
    return _Rows(
        judgement_rows(batches),
        items,
        answers,
        precision_rows(dataset, tiers, is_rehearsal=is_rehearsal),
    )


def _next_number(study: Study) -> int:
    last = study.releases.aggregate(last=Max("number"))["last"] or 0
    return int(last) + 1


def _write(folder: Path, dataset: Dataset, rows: _Rows, numbers: Mapping[str, Any]) -> None:
    sources = [(turn.key, turn.source) for turn in Turn.objects.of(dataset)]
    for name in ("gold", "silver"):
        tiers = TIERS[: TIERS.index(name) + 1]
        extended = merge.extended(sources, rows.items, rows.answers, tiers=tiers)
        json_file.write(folder / f"{name}.json", extended)
    csv_table.write(folder / "judgements.csv", JudgementRow, rows.judgements)
    csv_table.write(folder / "items.csv", ItemRow, rows.items)
    csv_table.write(folder / "answers.csv", AnswerRow, rows.answers)
    softly = soft_labels(rows.judgements, rows.items)
    csv_table.write(folder / "soft_labels.csv", SoftLabelRow, softly)
    csv_table.write(folder / "per_run.csv", PerRun, per_run.per_run(rows.answers))
    csv_table.write(folder / "precision.csv", PrecisionRow, rows.precision)
    json_file.write(folder / "report.json", numbers)
    shutil.copyfile(EVALUATE, folder / EVALUATE.name)
    columns.write(folder / "columns.md", column_page.HEAD, column_page.TABLES)


def _write_guidelines(folder: Path, batches: Sequence[Batch]) -> None:
    """The texts that were judged by, each called after its sha256; an empty one is no file."""
    texts = {batch.guideline.sha256: batch.guideline.text for batch in batches}
    for sha256, text in texts.items():
        if text:
            (folder / "guidelines").mkdir(exist_ok=True)
            (folder / "guidelines" / f"{sha256}.md").write_bytes(text.encode("utf-8"))
