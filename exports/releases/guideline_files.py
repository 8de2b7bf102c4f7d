"""The files of guidelines in a release, named by their batches."""

from collections.abc import Iterable

from django.utils.text import slugify

from annotation.models import Batch

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
