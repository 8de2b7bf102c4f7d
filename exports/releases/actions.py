"""Make a release: the extended data set and all tables that its numbers rest on, as files."""

from collections.abc import Sequence
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
from corpus.models import Dataset
from exports.releases import files, stored_differences, version_queries
from exports.releases.choice import Choice
from exports.releases.difference import Source
from exports.releases.preconditions import lock_unchanged, ready_batches, stamps
from exports.releases.stored_differences import NewDifference
from exports.releases.version_numbers import Label
from exports.rows.background import Included
from exports.rows.reference_evidence import newest_search
from exports.writers import folders, json_file, release_rows, stored_folders
from exports.writers.errors import ReleaseError
from exports.writers.folders import NewFolder
from exports.writers.stored_folders import MANIFEST, NewStoredFolder
from jobs import transactions

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
    difference: NewDifference | None
    folder: NewStoredFolder
    cleanup: ExitStack  # removes the folder unless it has a manifest


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
    background: Included = Included.CHOICES,
) -> ReleaseResult:
    """Create the release of the data set's closed and settled batches, real or rehearsed, with a copy
    of its files in `out`. `left_out` are names of batches that it does not take, `background` the answers to background
    questions that it has.

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
            background=background,
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
    background: Included = Included.CHOICES,
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
            search = newest_search(dataset)
            figures, n_not_asked = files.write_tables(
                folder, choice, batches, set_aside, search, background
            )
            manifest = files.write_description(folder, choice, batches, figures, search, background)
            source = Source.of(folder, manifest, folder.digests)
            manifest |= version_queries.entries(label, choice, source)
            difference = stored_differences.from_the_last(choice, source)
        return Draft(
            choice=choice,
            by=by,
            manifest=manifest,
            report=figures,
            n_not_asked=n_not_asked,
            stamps=before,
            set_aside=set_aside,
            difference=difference,
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
            row = release_rows.create(
                study=draft.choice.dataset.study,
                dataset=draft.choice.dataset,
                manifest=manifest,
                folder=draft.folder.name,
                by=draft.by,
                n_not_asked=draft.n_not_asked,
            )
            if draft.difference:
                stored_differences.store(row, draft.difference)
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
