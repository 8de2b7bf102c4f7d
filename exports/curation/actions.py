"""The next version of a data set, from a batch in which its questions were curated."""

from pathlib import Path

from accounts import permissions
from accounts.errors import ActionError
from accounts.models import Role, User
from annotation.models import Batch, BatchState
from annotation.schemes import SchemeRole, get
from audit import events
from corpus.actions import datasets
from corpus.actions.datasets import ImportResult
from corpus.models import Dataset
from corpus.readers.base import ReadDataset
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


def make_next_version(*, batch: Batch, by: User) -> ImportResult:
    """Write the next version of the batch's data set: with the texts as decided, without the rejected questions.

    What was not asked or was set aside stays as it was. Made again, it changes nothing. Raises CurationError.
    """
    permissions.require(by, batch.study, Role.REQUESTER)
    require_curation(batch)
    if why_not := objection(batch):
        raise CurationError(why_not)
    dataset = batch.pool.dataset
    read = curated_dataset(batch)
    if not read.records.turns:
        raise CurationError(
            "every question is rejected: there is no next version without questions"
        )
    _require_newest(dataset, read)
    result = datasets.save(
        study=batch.study,
        name=dataset.name,
        read=read,
        by=by,
        format=dataset.format,
        as_new_version=True,
    )
    events.record(
        study=batch.study, by=by, verb="made a version", target=batch, version=result.name
    )
    return result


def _require_newest(dataset: Dataset, read: ReadDataset) -> None:
    """Raise CurationError if a later version is there that is not the one to be made."""
    others = Dataset.objects.counting().filter(study=dataset.study_id, name=dataset.name)
    newest = others.order_by("-version").first()
    if newest is not None and newest.version > dataset.version and newest.digest != read.digest:
        raise CurationError(
            f"the questions were drawn from {dataset}, and there is {newest} by now: curate that one"
        )
