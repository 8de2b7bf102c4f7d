"""Which releases have the runs of a data set, and under which names."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from corpus.models import Dataset, RunChange
from exports.models import Release


@dataclass
class Released:
    """The numbers of the releases that have a run, by the name that it has there."""

    numbers: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))

    @property
    def all_numbers(self) -> list[int]:
        return sorted({number for numbers in self.numbers.values() for number in numbers})

    def __str__(self) -> str:
        return "; ".join(
            f"as “{name}” in release{'s' * (len(found) > 1)} {', '.join(map(str, found))}"
            for name, found in self.numbers.items()
        )


def released_runs(dataset: Dataset) -> dict[int, Released]:
    """Return what releases have each run that is in one, by its primary key.

    A run is known by a name that it has or had, together with the digest of its answers.
    """
    known = _runs_by_name(dataset)
    found: dict[int, Released] = defaultdict(Released)
    for release in dataset.study.releases.order_by("number"):
        for entry in _entries(release, dataset):
            name = entry.get("name", "")
            for run in known.get((name, entry.get("digest", "")), ()):
                found[run].numbers[name].append(release.number)
    return dict(found)


def _entries(release: Release, dataset: Dataset) -> Iterator[dict[str, Any]]:
    """Yield what the manifest has of the data set's runs; that of a comparison has several data sets."""
    if release.dataset_id == dataset.pk:
        yield from release.manifest.get("runs", [])
    for source in release.manifest.get("datasets", []):
        if (source["name"], source["version"]) == (dataset.name, dataset.version):
            yield from source.get("runs", [])


def _runs_by_name(dataset: Dataset) -> dict[tuple[str, str], set[int]]:
    known: dict[tuple[str, str], set[int]] = defaultdict(set)
    digests: dict[int, str] = {}
    for pk, name, digest in dataset.runs.values_list("pk", "name", "digest"):
        known[name, digest].add(pk)
        digests[pk] = digest
    for change in RunChange.objects.filter(run__in=digests):
        if name := change.before.get("name"):
            known[name, digests[change.run_id]].add(change.run_id)
    return known
