"""Write the answers that people wrote as files in a folder."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from accounts import permissions
from accounts.errors import ActionError
from accounts.models import Role, User
from annotation.models import Batch
from corpus.models import Dataset
from exports.writers import folders
from exports.written import folder, queries
from exports.written.figures import figures
from jobs.transactions import snapshot
from stats.bootstrap_settings import Bootstrap


class WrittenError(ActionError):
    """The written answers cannot be exported; the message says why."""


def export(
    *, dataset: Dataset, batches: Sequence[str], out: Path, bootstrap: Bootstrap, by: User
) -> dict[str, Any]:
    """Write the answers of the batches named, or of all that count, into the new folder `out`; return the figures.

    Raises WrittenError if there is nothing to write, and ReleaseError if the folder cannot be made.
    """
    permissions.require_reader(by, dataset.study, Role.REQUESTER)
    with snapshot():
        found = folder.read(dataset, chosen(dataset, batches))
        if not found.written.answers:
            raise WrittenError("nobody has written an answer that counts yet: nothing to export")
        computed = found.about() | folder.in_file(figures(found.written, bootstrap))
        with folders.new_folder(out) as made:
            for name, contents in found.files(computed).items():
                path = made.path / name
                path.parent.mkdir(exist_ok=True)
                path.write_bytes(contents)
            made.deliver()
    return computed


def chosen(dataset: Dataset, names: Sequence[str]) -> list[Batch]:
    """Return the batches named or, without names, all that count. Raises WrittenError.

    With a second round its first one has to be named: what it keeps is an answer of that.
    """
    if not names:
        found = queries.counted_batches(dataset)
        if not found:
            raise WrittenError(
                f"no batch of the dataset {dataset} has written answers: draw_writing, then open_batch"
            )
        return found
    known = {batch.name: batch for batch in queries.launched_batches(dataset)}
    if strange := sorted(set(names) - known.keys()):
        raise WrittenError(
            f"the dataset {dataset} has no batch {', '.join(strange)} of written answers that is launched"
        )
    found = [known[name] for name in dict.fromkeys(names)]
    if len({batch.is_rehearsal for batch in found}) > 1:
        raise WrittenError("real and rehearsed batches are never counted together: name either")
    if missing := sorted(queries.first_rounds(found) - set(names)):
        raise WrittenError(
            f"the batch {', '.join(missing)} is the first round of a batch named: name it too"
        )
    return found
