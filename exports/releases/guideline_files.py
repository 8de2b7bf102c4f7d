"""The files of guidelines in a release, named by their batches."""

from collections.abc import Iterable, Sequence

from django.utils.text import slugify

from annotation.models import Batch
from annotation.queries import guideline_versions
from exports.writers.stored_folders import NewStoredFolder

# A letter may take four bytes, and a name of a file 255.
LONGEST = 50


def guideline_files(batches: Iterable[Batch]) -> dict[str, str]:
    """Return by name of the batch the path of its guideline, for each guideline that is not empty."""
    found: dict[str, str] = {}
    taken: set[str] = set()
    for batch in sorted(batches, key=lambda each: each.name):
        if batch.guideline.text:
            stem = slugify(batch.name, allow_unicode=True)[:LONGEST] or "batch"
            name, number = stem, 1
            while name in taken:
                number += 1
                name = f"{stem}-{number}"
            taken.add(name)
            found[batch.name] = f"guidelines/{name}.md"
    return found


def write_guidelines(folder: NewStoredFolder, batches: Sequence[Batch]) -> dict[str, str]:
    """Write the guidelines in force, each named by its batch, and earlier versions, by their sha256.

    Return the paths of those in force as `guideline_files` does.
    """
    paths = guideline_files(batches)
    for batch in batches:
        if batch.name in paths:
            folder.write(paths[batch.name], batch.guideline.text.encode("utf-8"))
    current = {batch.guideline.sha256 for batch in batches}
    for sha256, text in guideline_versions.texts(batches).items():
        if text and sha256 not in current:
            folder.write(f"guidelines/{sha256}.md", text.encode("utf-8"))
    return paths
