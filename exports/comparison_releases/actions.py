"""Release a comparison of systems: the folder of `compare_systems`, recorded and kept."""

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts import permissions
from accounts.actions.locks import lock_study
from accounts.models import Role, Study, User
from annotation.models import Batch
from exports.comparison import actions as comparison_actions
from exports.comparison.errors import ComparisonError
from exports.comparison_releases.queries import unfinished_batches
from exports.models import ReleaseContents
from exports.rows.ids import timestamp
from exports.verification import one_file
from exports.writers import folders, json_file, release_rows, stored_folders
from exports.writers.errors import ReleaseError
from exports.writers.folders import NewFolder
from exports.writers.plans import plan_entries, with_plans
from exports.writers.stored_folders import MANIFEST, NewStoredFolder
from jobs.transactions import snapshot
from stats.bootstrap_settings import Bootstrap


@dataclass(frozen=True)
class Draft:
    """A release whose files are written but for the manifest, and which is not recorded yet."""

    study: Study
    by: User
    batches: list[Batch]
    manifest: dict[str, Any]
    figures: dict[str, Any]
    folder: NewStoredFolder
    cleanup: ExitStack  # removes the folder unless it has a manifest


@dataclass(frozen=True)
class ComparisonRelease:
    """A release that was made: its number and figures."""

    number: int
    figures: dict[str, Any]


def release(
    *,
    study: Study,
    batches: Sequence[str],
    out: Path,
    bootstrap: Bootstrap,
    by: User,
    with_open_batches: bool = False,
) -> ComparisonRelease:
    """Create the release of a comparison of these batches, with a copy of its files in `out`.

    Without names all batches that compare runs and count are taken. Raises ComparisonError if there
    is nothing to release or a batch is open and `with_open_batches` is false, and ReleaseError if
    the folder cannot be made or a batch was changed during the release.
    """
    with folders.new_folder(out) as copy:
        draft = prepare(
            study=study,
            batches=batches,
            bootstrap=bootstrap,
            by=by,
            with_open_batches=with_open_batches,
        )
        return record(draft=draft, copy=copy)


def prepare(
    *,
    study: Study,
    batches: Sequence[str],
    bootstrap: Bootstrap,
    by: User,
    with_open_batches: bool = False,
    beat: Callable[[], None] = lambda: None,
) -> Draft:
    """Write the files of a release from one snapshot, and nothing into the database."""
    permissions.require(by, study, Role.REQUESTER)
    with ExitStack() as stack:
        folder = stack.enter_context(stored_folders.new_folder(study.slug))
        with snapshot():
            chosen = comparison_actions.chosen(study, batches)
            unfinished = unfinished_batches(chosen, is_allowed=with_open_batches)
            found = comparison_actions.comparison(
                study=study,
                batches=[batch.name for batch in chosen],
                bootstrap=bootstrap,
                beat=beat,
            )
            if not found.result["n_judgements"]:
                raise ComparisonError("nobody has compared anything yet: nothing to release")
            for name, contents in found.files():
                folder.write(name, contents)
            folder.write(one_file.NAME, one_file.contents())
            plans, texts = plan_entries(chosen)
            for path, text in sorted(texts.items()):
                folder.write(path, text)
            manifest = comparison_actions.manifest(found, folder.digests) | {
                "contents": ReleaseContents.COMPARISON.value,
                "created_at": timestamp(timezone.now()),
                "licence": study.licence,
                "citation": study.citation,
                **({"open_batches": unfinished} if unfinished else {}),
            }
            manifest["batches"] = with_plans(manifest["batches"], plans)
        return Draft(study, by, chosen, manifest, found.result, folder, stack.pop_all())


def record(*, draft: Draft, copy: NewFolder | None = None) -> ComparisonRelease:
    """Write the row and the manifest of the release, and put a copy of the folder in its place.

    Raises ReleaseError if a batch was opened, closed or withdrawn since the draft was prepared.
    """
    with draft.cleanup:
        if copy:
            draft.folder.copy_to(copy.path)
        with transaction.atomic():
            lock_study(draft.study)
            _refuse_changed(draft.batches)
            manifest = draft.manifest | {"release": release_rows.next_number(draft.study)}
            release_rows.create(
                study=draft.study,
                dataset=None,
                manifest=manifest,
                folder=draft.folder.name,
                by=draft.by,
            )
            if copy:
                json_file.write(copy.path / MANIFEST, manifest)
                copy.deliver()
            draft.folder.write(MANIFEST, json_file.contents(manifest))
    return ComparisonRelease(manifest["release"], draft.figures)


def _refuse_changed(before: Sequence[Batch]) -> None:
    batches = Batch.objects.filter(pk__in=[batch.pk for batch in before])
    now = {
        pk: (state, away) for pk, state, away in batches.values_list("pk", "state", "is_withdrawn")
    }
    changed = [each.name for each in before if now[each.pk] != (each.state, each.is_withdrawn)]
    if changed:
        raise ReleaseError(
            f"the batch {', '.join(changed)} was opened, closed or withdrawn while the release was"
            " made: make it again"
        )
