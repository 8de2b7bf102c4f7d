"""Import of data sets: read and checked as a whole, staged in hidden pieces, published at once."""

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from django.db import transaction
from django.utils import timezone

from accounts import permissions
from accounts.actions.locks import lock_study
from accounts.models import Role, Study, User
from audit import events
from corpus import accepted, digests, question_meta, versions
from corpus import queries as corpus_queries
from corpus.actions import bulk_rows, carry_over, dataset_descriptions
from corpus.formats import SCAI
from corpus.models import Answer, Dataset, Run, Turn
from corpus.readers.base import ReadDataset
from jobs import transactions
from jobs.models import Job


class ChangedError(Exception):
    """Something else has this name; the message says where it differs."""


@dataclass(frozen=True)
class ImportResult:
    """The result of an import. `created` is False if the same content was there already.

    `carried` says what a new version of a data set took along: carry_over.carried.
    """

    created: bool
    name: str
    counts: dict[str, int]
    warnings: tuple[str, ...] = ()
    carried: Mapping[str, Any] = dataclasses.field(default_factory=dict)


@dataclass(frozen=True)
class StagedDataset:
    """A data set whose rows are written and still hidden.

    `row` is None if nothing was written because the newest version has the same content. `counts`
    are those of the records.
    """

    study: Study
    name: str
    read: ReadDataset
    about: Mapping[str, str]
    digest: str
    as_new_version: bool
    row: Dataset | None = None
    counts: Mapping[str, int] | None = None
    runs: Sequence[Run] = ()


def save(
    *,
    study: Study,
    name: str,
    read: ReadDataset,
    by: User,
    format: str = SCAI.name,
    licence: str = "",
    citation: str = "",
    as_new_version: bool = False,
) -> ImportResult:
    """Write a data set in one transaction.

    The same content again changes nothing except licence and citation, which are not content, and
    `created` is False. Other content under the same name raises ChangedError with the difference,
    unless it is the next version. Raises ValidationError if the name is not allowed.
    """
    with transaction.atomic():
        permissions.require(by, study, Role.REQUESTER)
        lock_study(study)
        staged = stage(
            study=study,
            name=name,
            read=read,
            by=by,
            format=format,
            licence=licence,
            citation=citation,
            as_new_version=as_new_version,
        )
        return publish(staged=staged, by=by)


def stage(
    *,
    study: Study,
    name: str,
    read: ReadDataset,
    by: User,
    format: str = SCAI.name,
    licence: str = "",
    citation: str = "",
    as_new_version: bool = False,
    job: Job | None = None,
    beat: Callable[[], None] = transactions.no_beat,
) -> StagedDataset:
    """Write the data set's rows in pieces, each after a `beat`; they stay hidden until publish().

    `job` is the row's mark until then; without one the caller needs one transaction around all.
    Raises ChangedError and ValidationError as save() does.
    """
    permissions.require(by, study, Role.REQUESTER)
    about = {"licence": licence, "citation": citation}
    digest = read.digest
    staged = StagedDataset(study, name, read, about, digest, as_new_version)
    newest = _newest(study, name)
    if newest is not None and newest.digest == digest:
        return staged
    _require_new(newest, staged)
    before = versions.to_continue(study.datasets.filter(name=name))
    continuation = carry_over.compare(before, read.records) if before else None
    beat()
    dataset = Dataset(
        study=study,
        name=name,
        version=newest.version + 1 if newest else 1,
        format=read.format or format,
        **dataset_descriptions.with_those_of(before, about),
        digest=digest,
        files=read.files,
        release=dict(read.release),
        continues=before,
        comparison=continuation.comparison.to_dict() if continuation else {},
        created_by=by,
        staged_by=job,
    )
    dataset.full_clean(exclude=["files", "study", "staged_by"])
    dataset.save()
    same_as = continuation.same_as if continuation else {}
    turns = bulk_rows.write_turns(dataset, read.records.turns, beat, same_as)
    n_references = bulk_rows.write_references(dataset, read.records.turns, turns, by, beat)
    bulk_rows.write_passages(dataset, read.records.passages, turns, beat)
    counts = counts_of(dataset) | {"n_references": n_references}
    counts |= accepted.numbers(read.records.turns) | question_meta.numbers(read.records.turns)
    runs = carry_over.stage_runs(dataset, before, by, job, beat) if before else []
    return replace(staged, row=dataset, counts=counts, runs=runs)


@transaction.atomic
def publish(*, staged: StagedDataset, by: User) -> ImportResult:
    """Make a staged data set visible, as the version that is next by now.

    Returns and raises the same as save(). If another data set took the name meanwhile, the staged
    one stays hidden, to be cleared.
    """
    study, dataset = staged.study, staged.row
    permissions.require(by, study, Role.REQUESTER)
    lock_study(study)
    others = study.datasets.filter(name=staged.name)
    newest = (others.exclude(pk=dataset.pk) if dataset else others).order_by("-version").first()
    warnings = staged.read.warnings
    if newest is not None and (dataset is None or newest.digest == staged.digest):
        changes = _update_description(newest, staged.about, by)
        if newest.withdrawn_objection:
            changes = (*changes, newest.withdrawn_objection)
        return ImportResult(
            created=False,
            name=str(newest),
            counts=counts_of(newest),
            warnings=(*warnings, *changes),
        )
    _require_new(newest, staged)
    dataset = cast(Dataset, dataset)
    runs = carry_over.still_counting(dataset.continues, staged.runs)
    # Copies of runs that were withdrawn meanwhile stay hidden, to be cleared.
    left = [run.pk for run in staged.runs if run not in runs]
    Run.everything.filter(dataset=dataset).exclude(pk__in=left).update(staged_by=None)
    dataset.version = newest.version + 1 if newest else 1
    dataset.staged_by, dataset.created_at = None, timezone.now()
    dataset.save(update_fields=["version", "staged_by", "created_at"])
    counts = dict(staged.counts or {})
    carried = carry_over.carried(dataset, runs)
    events.record(
        study=study,
        by=by,
        verb="imported",
        target=dataset,
        digest=staged.digest,
        **counts,
        **carry_over.numbers(carried),
    )
    return ImportResult(
        created=True, name=str(dataset), counts=counts, warnings=warnings, carried=carried
    )


def _newest(study: Study, name: str) -> Dataset | None:
    return study.datasets.filter(name=name).order_by("-version").first()


def _require_new(newest: Dataset | None, staged: StagedDataset) -> None:
    """Raise ChangedError if something else has the name and this is not the next version."""
    if newest is not None and not staged.as_new_version:
        records = staged.read.records.records
        difference = digests.difference(corpus_queries.dataset_records(newest).records, records)
        before = versions.to_continue(staged.study.datasets.filter(name=staged.name)) or newest
        carried = carry_over.in_words(carry_over.forecast(before, staged.read.records))
        raise ChangedError(
            f"the study {staged.study.slug} has another dataset {newest}: {difference}."
            f" Import it under another name, or as the next version: {carried}"
            + "".join(f". {warning}" for warning in staged.read.warnings)
        )


def _update_description(dataset: Dataset, about: Mapping[str, str], by: User) -> tuple[str, ...]:
    """Write the descriptions that were given and changed; return a message for each.

    Releases keep the earlier ones.
    """
    given = {field: text for field, text in about.items() if text}
    before = dataset_descriptions.describe(dataset=dataset, about=given, by=by)
    return tuple(
        f"its {field} is now {given[field]}, and was {was or 'not specified'}"
        for field, was in before.items()
    )


def counts_of(dataset: Dataset) -> dict[str, int]:
    """The numbers of its conversations, turns, references and passages with text."""
    return {
        "n_conversations": dataset.conversations.count(),
        "n_turns": Turn.objects.of(dataset).count(),
        "n_references": Answer.objects.references(dataset).count(),
        "n_passages": dataset.passages.with_text().count(),
    }
