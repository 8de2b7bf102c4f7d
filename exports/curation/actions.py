"""The next version of a data set, from a batch in which its questions were curated."""

from dataclasses import replace
from pathlib import Path

from django.db import transaction

from accounts import permissions
from accounts.actions.locks import lock_study
from accounts.errors import ActionError
from accounts.models import Role, User
from annotation.models import Batch, BatchState
from annotation.schemes import SchemeRole, get
from audit import events
from corpus import digests
from corpus import queries as corpus_queries
from corpus.actions import carried_answers, datasets
from corpus.actions.datasets import ImportResult
from corpus.models import Dataset
from corpus.readers.base import ReadDataset
from corpus.records import DatasetRecords
from exports.curation import files, queries
from exports.curation.next_version import curated_dataset
from exports.curation.queries import DISPUTED
from exports.releases.preconditions import obstacle


class CurationError(ActionError):
    """The batch has no curated questions, or no next version can be made of them; the message says why."""


def require_curation(batch: Batch) -> None:
    """Raise CurationError unless questions are curated in the batch."""
    if get(batch.scheme).role != SchemeRole.CURATION:
        raise CurationError(
            f"no questions are curated in the batch {batch.name}: it asks {batch.scheme}"
        )
    if batch.state == BatchState.DRAFT:
        raise CurationError(f"the batch {batch.name} is a draft: nobody has judged anything in it")


def export(*, batch: Batch, out: Path, by: User) -> list[str]:
    """Write the files of the batch into a new folder, and return their names. Raises CurationError and ReleaseError."""
    permissions.require(by, batch.study, Role.REQUESTER)
    require_curation(batch)
    return files.write(batch, out)


def objection(batch: Batch) -> str:
    """Why no next version can be made of the batch now; "" if it can."""
    if batch.withdrawn_objection:
        return batch.withdrawn_objection
    if batch.is_rehearsal:
        return f"the batch {batch.name} is a rehearsal: nobody has decided anything"
    if batch.state != BatchState.CLOSED:
        return f"the batch {batch.name} is {batch.state}: close and settle it first"
    if found := obstacle(batch):
        return found.of(f"the batch {batch.name}")
    n = sum(each.outcome == DISPUTED for each in queries.curated(batch))
    if n:
        what = "1 question is" if n == 1 else f"{n} questions are"
        return f"{what} in dispute: an adjudicator decides first"
    return ""


@transaction.atomic
def make_next_version(*, batch: Batch, by: User) -> ImportResult:
    """Write the next version of the batch's data set: with the texts as decided, without the rejected questions.

    What was not asked or was set aside stays as it was. Made again, it changes nothing; nor does a batch that keeps
    every question. Raises CurationError.
    """
    permissions.require(by, batch.study, Role.REQUESTER)
    # Of two batches on one version the second waits here, and finds the version that the first made.
    lock_study(batch.study)
    batch = Batch.objects.select_related("study", "pool__dataset").get(pk=batch.pk)
    require_curation(batch)
    if why_not := objection(batch):
        raise CurationError(why_not)
    dataset = batch.pool.dataset
    read = curated_dataset(batch)
    if not read.records.turns:
        raise CurationError(
            "every question is rejected: there is no next version without questions"
        )
    if found := _with_these_turns(dataset, read):
        return ImportResult(created=False, name=str(found), counts=datasets.counts_of(found))
    result = datasets.save(
        study=batch.study,
        name=dataset.name,
        read=carried_answers.with_carried(study=batch.study, name=dataset.name, read=read),
        by=by,
        format=dataset.format,
        as_new_version=True,
    )
    if result.created:
        events.record(
            study=batch.study, by=by, verb="made a version", target=batch, version=result.name
        )
    return result


def _with_these_turns(dataset: Dataset, read: ReadDataset) -> Dataset | None:
    """The version that has the turns of the next one already: the data set, or the newest; None if one is to be made.

    Accepted answers and the texts of passages are not compared: runs and releases bring them to a version later.
    Raises CurationError if there is a later version with other turns.
    """
    others = Dataset.objects.counting().filter(study=dataset.study_id, name=dataset.name)
    newest = others.order_by("-version").first() or dataset
    made = _turns_digest(read.records)
    for version in dict.fromkeys((dataset, newest)):
        if _turns_digest(corpus_queries.dataset_records(version)) == made:
            return version
    if newest.version > dataset.version:
        raise CurationError(
            f"the questions were drawn from {dataset}, and there is {newest} by now: curate that one"
        )
    return None


def _turns_digest(records: DatasetRecords) -> str:
    return digests.digest(replace(turn, accepted=()) for turn in records.turns)
