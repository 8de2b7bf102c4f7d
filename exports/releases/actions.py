"""Make a release: the extended data set and all tables that its numbers rest on, as files."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.db import transaction

from accounts import permissions
from accounts.models import Role, Study, User
from annotation.actions import settlement
from annotation.models import Batch, Verdict
from annotation.queries.verdict_freshness import Stamp
from corpus import versions
from corpus.models import Dataset, Turn
from exports.errata import page as errata_page
from exports.errata.queries import errata_before
from exports.precision_audit.queries import precision_rows
from exports.releases import column_page, merge, reader, version_queries
from exports.releases.choice import Choice
from exports.releases.difference import Source
from exports.releases.guideline_files import write_guidelines
from exports.releases.preconditions import lock_unchanged, ready_batches, stamps
from exports.releases.queries import continued_versions
from exports.releases.readme import readme
from exports.releases.report import CountedAnswers, report
from exports.releases.version_numbers import Label
from exports.rows.answers import iter_answer_rows
from exports.rows.columns import (
    AnswerRow,
    ItemRow,
    JudgementRow,
    PrecisionRow,
    RunRow,
    SoftLabelRow,
)
from exports.rows.earlier_answers import Earlier, standing_earlier
from exports.rows.earlier_releases import earlier_answers
from exports.rows.items import item_rows
from exports.rows.judgements import judgement_rows
from exports.rows.per_run import run_rows
from exports.rows.soft_labels import soft_labels
from exports.rows.tiers import TIERS
from exports.verification import one_file
from exports.writers import columns, csv_table, folders, json_file, release_rows, stored_folders
from exports.writers.errors import ReleaseError
from exports.writers.folders import NewFolder
from exports.writers.manifests import release_manifest
from exports.writers.stored_folders import MANIFEST, NewStoredFolder
from jobs import transactions

EVALUATE = Path(__file__).resolve().parent.parent / "writers" / "evaluate.py"
NO_LABEL = Label()


@dataclass(frozen=True)
class ReleaseResult:
    """A release that was made: its number, version ("" without one) and report."""

    number: int
    version: str
    n_disputes_set_aside: int
    report: dict[str, Any]


@dataclass(frozen=True)
class Draft:
    """A release whose files are written but for the manifest, and which is not recorded yet."""

    choice: Choice
    by: User
    manifest: dict[str, Any]
    report: dict[str, Any]
    n_not_asked: dict[str, int]
    stamps: dict[str, Stamp]
    set_aside: list[tuple[Batch, list[Verdict]]]
    folder: NewStoredFolder
    cleanup: ExitStack  # removes the folder unless it has a manifest


@dataclass(frozen=True)
class _Tables:
    """The rows of a release; of `answers` those that a report needs, as all are in their file."""

    judgements: list[JudgementRow]
    items: list[ItemRow]
    answers: list[AnswerRow]
    answers_step: dict[str, Any]
    precision: list[PrecisionRow]
    earlier: Earlier


def release(
    *,
    study: Study,
    dataset: Dataset,
    out: Path,
    by: User,
    is_rehearsal: bool = False,
    left_out: Sequence[str] = (),
    set_aside_disputes: bool = False,
    label: Label = NO_LABEL,
) -> ReleaseResult:
    """Create the release of the data set's closed and settled batches, real or rehearsed, with a copy
    of its files in `out`. `left_out` are names of batches that it does not take.

    Raises ReleaseError if a batch with work is not closed or its verdicts are outdated, if items
    are in dispute and `set_aside_disputes` is false, if something is decided in a batch during the
    release, if the version is smaller than the difference from the last one with a version allows, or if the folder
    cannot be made or is not empty. Copy and record appear together and
    complete, or not at all.
    """
    with folders.new_folder(out) as copy:
        draft = prepare(
            study=study,
            dataset=dataset,
            by=by,
            is_rehearsal=is_rehearsal,
            left_out=left_out,
            set_aside_disputes=set_aside_disputes,
            label=label,
        )
        return record(draft=draft, copy=copy)


def prepare(
    *,
    study: Study,
    dataset: Dataset,
    by: User,
    is_rehearsal: bool = False,
    left_out: Sequence[str] = (),
    set_aside_disputes: bool = False,
    label: Label = NO_LABEL,
) -> Draft:
    """Write the files of a release from one snapshot, and nothing into the database."""
    permissions.require(by, study, Role.REQUESTER)
    version_queries.require_label(label)
    choice = Choice(dataset, is_rehearsal, tuple(left_out))
    with ExitStack() as stack:
        folder = stack.enter_context(stored_folders.new_folder(study.slug))
        with transactions.snapshot():
            batches = ready_batches(choice)
            before = stamps(choice)
            set_aside = _disputes_to_set_aside(dataset, batches, by, set_aside_disputes)
            figures, n_not_asked = _write_tables(folder, choice, batches, set_aside)
            manifest = _write_description(folder, choice, batches, figures)
            files = Source.of(folder, manifest, folder.digests)
            manifest |= version_queries.entries(label, choice, files)
        return Draft(
            choice=choice,
            by=by,
            manifest=manifest,
            report=figures,
            n_not_asked=n_not_asked,
            stamps=before,
            set_aside=set_aside,
            folder=folder,
            cleanup=stack.pop_all(),
        )


def record(*, draft: Draft, copy: NewFolder | None = None) -> ReleaseResult:
    """Write the rows and the manifest of the release, and put a copy of the folder in its place.

    Raises ReleaseError if something was decided since the draft was prepared.
    """
    with draft.cleanup:
        if copy:
            draft.folder.copy_to(copy.path)
        with transaction.atomic():
            lock_unchanged(
                draft.choice,
                draft.stamps,
                set_aside=[batch for batch, rows in draft.set_aside if rows],
            )
            version_queries.require_unused(draft.manifest.get("version", ""), draft.choice)
            for batch, rows in draft.set_aside:
                settlement.set_aside_disputes(batch=batch, by=draft.by, given_up=rows)
            manifest = draft.manifest | {
                "release": release_rows.next_number(draft.choice.dataset.study)
            }
            release_rows.create(
                study=draft.choice.dataset.study,
                dataset=draft.choice.dataset,
                manifest=manifest,
                folder=draft.folder.name,
                by=draft.by,
                n_not_asked=draft.n_not_asked,
            )
            if copy:
                json_file.write(copy.path / MANIFEST, manifest)
                copy.deliver()
            draft.folder.write(MANIFEST, json_file.contents(manifest))
    n_set_aside = sum(len(rows) for _, rows in draft.set_aside)
    return ReleaseResult(
        manifest["release"], manifest.get("version", ""), n_set_aside, draft.report
    )


def _disputes_to_set_aside(
    dataset: Dataset, batches: Sequence[Batch], by: User, is_allowed: bool
) -> list[tuple[Batch, list[Verdict]]]:
    """By batch, verdicts that set aside its disputed items, not saved yet. Raises ReleaseError
    unless allowed. A dispute on a turn that does not stand in this version is none of the release's.
    """
    stands = versions.stands(dataset, "turn")
    set_aside = [
        (batch, settlement.set_aside_rows(batch=batch, by=by, where=stands)) for batch in batches
    ]
    n_disputed = sum(len(rows) for _, rows in set_aside)
    if n_disputed and not is_allowed:
        raise ReleaseError(
            f"{n_disputed} items are in dispute: adjudicate them, or have them set aside"
        )
    return set_aside


def _write_tables(
    folder: NewStoredFolder,
    choice: Choice,
    batches: Sequence[Batch],
    set_aside: Iterable[tuple[Batch, list[Verdict]]],
) -> tuple[dict[str, Any], dict[str, int]]:
    """Write everything that is made of the tables' rows.

    Return the report, and the number of silver answers by batch of which nobody was asked whether they are faithful.
    """
    rows = _rows(folder, choice, batches, set_aside)
    figures = report(
        judgements=rows.judgements,
        items=rows.items,
        answers=rows.answers,
        precision=rows.precision,
        answers_step=rows.answers_step,
    ) | continued_versions(choice.dataset)
    figures |= merge.figures_of_earlier(rows.earlier)
    if entries := choice.left_out_entries():
        figures |= {"left_out": [entry["name"] for entry in entries]}
    _write_errata(folder, choice, rows.answers)
    return figures, _write(folder, choice.dataset, rows, figures)


def _write_errata(folder: NewStoredFolder, choice: Choice, answers: Iterable[AnswerRow]) -> None:
    """Write what is wrong in earlier releases, if anything is."""
    tiers = {row.answer_id: row.tier for row in answers if row.answer_id}
    found = errata_before(choice.dataset, tiers, is_rehearsal=choice.is_rehearsal)
    if found:
        folder.write(errata_page.JSON, json_file.contents(found))
        folder.write(errata_page.PAGE, errata_page.errata_page(found).encode("utf-8"))


def _write_description(
    folder: NewStoredFolder, choice: Choice, batches: Sequence[Batch], figures: Mapping[str, Any]
) -> dict[str, Any]:
    """Write guidelines and readme. Return the manifest."""
    guidelines = write_guidelines(folder, batches)
    manifest = release_manifest(
        choice.dataset,
        batches,
        guidelines,
        number=release_rows.next_number(choice.dataset.study),
        is_rehearsal=choice.is_rehearsal,
    )
    names = ("accepted", "accepted_earlier")
    manifest |= {name: figures[name] for name in names if name in figures}
    if entries := choice.left_out_entries():
        manifest |= {"left_out": entries}
    folder.write(
        "README.md",
        readme(manifest, figures, has_errata=errata_page.PAGE in folder.digests).encode("utf-8"),
    )
    return manifest | {"files": dict(folder.digests)}


def _rows(
    folder: NewStoredFolder,
    choice: Choice,
    batches: Sequence[Batch],
    set_aside: Iterable[tuple[Batch, list[Verdict]]],
) -> _Tables:
    dataset = choice.dataset
    replacements = {each.item_id: each for _, rows in set_aside for each in rows}
    items = item_rows(batches, replacements, dataset=dataset)
    answers, answers_step = _write_answers(folder, dataset, batches, items)
    tiers = {row.answer_id: row.tier for row in answers if row.answer_id}
    return _Tables(
        judgement_rows(batches, dataset=dataset),
        items,
        answers,
        answers_step,
        precision_rows(dataset, tiers, is_rehearsal=choice.is_rehearsal),
        standing_earlier(
            earlier_answers(dataset, is_rehearsal=choice.is_rehearsal), items, answers
        ),
    )


def _write_answers(
    folder: NewStoredFolder, dataset: Dataset, batches: Sequence[Batch], items: Sequence[ItemRow]
) -> tuple[list[AnswerRow], dict[str, Any]]:
    """Write the rows of answers, of which there may be half a million, one after the other.

    Return those that a report needs, and the first step of its funnel.
    """
    counted = CountedAnswers()
    answers = counted.counting(iter_answer_rows(dataset, batches, items))
    folder.write_lines("answers.csv", csv_table.lines(AnswerRow, answers))
    return counted.rows, counted.step()


def _write(
    folder: NewStoredFolder, dataset: Dataset, rows: _Tables, figures: Mapping[str, Any]
) -> dict[str, int]:
    sources = [(turn.key, turn.source) for turn in Turn.objects.of(dataset).iterator()]
    for name in ("gold", "silver"):
        tiers = TIERS[: TIERS.index(name) + 1]
        records = merge.extended_truth(
            sources, rows.items, rows.answers, tiers=tiers, earlier=rows.earlier
        )
        folder.write_lines(f"{name}.json", json_file.parts(records))
    if rows.earlier:
        folder.write("earlier.json", json_file.contents(rows.earlier))
    n_not_asked = reader.n_not_asked(records)  # of the last, which has the silver ones
    del records
    tables: dict[str, tuple[type[Any], Iterable[Any]]] = {
        "judgements": (JudgementRow, rows.judgements),
        "items": (ItemRow, rows.items),
        "soft_labels": (SoftLabelRow, soft_labels(rows.judgements, rows.items)),
        "per_run": (RunRow, run_rows(rows.answers)),
        "precision": (PrecisionRow, rows.precision),
    }
    for name, (row_type, table_rows) in tables.items():
        folder.write_lines(f"{name}.csv", csv_table.lines(row_type, table_rows))
    folder.write("report.json", json_file.contents(figures))
    folder.write(EVALUATE.name, EVALUATE.read_bytes())
    folder.write(one_file.NAME, one_file.contents())
    folder.write("columns.md", columns.contents(column_page.HEAD, column_page.TABLES))
    return n_not_asked
