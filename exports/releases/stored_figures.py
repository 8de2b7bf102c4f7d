"""What a new release would change, as a page shows it, and as a job stored it: docs/adr/0009."""

import hashlib
from collections.abc import Iterator
from dataclasses import astuple, dataclass
from functools import cached_property
from typing import Any

from django.db.models import Count, Max

from annotation.models import Verdict
from corpus.models import Dataset, Run, RunChange
from exports.models import Release
from exports.releases import queries
from exports.releases.changes import KINDS, Change, gained_sentence
from exports.releases.choice import Choice
from jobs.basis import Basis
from jobs.stored_figures import Result, StoredFigures

# Rows of a list on the page; the counts are of all.
SHOWN = 200


def shown_changes(choice: Choice) -> dict[str, Any]:
    """Return what a release of the choice made now would change, for the template.

    Stored figures are returned where they are of the database and the files as these are now. Raises OSError and
    ValueError where the files of the release before cannot be read.
    """
    return _stored(choice) or computed_changes(choice)


def computed_changes(choice: Choice) -> dict[str, Any]:
    found = queries.changes(choice)
    groups = [(heading, found.of_kind(kind)) for kind, (_, heading) in KINDS.items()]
    return {
        "since": found.since,
        "accepted": dict(found.accepted),
        "sentence": gained_sentence(found),
        "groups": [(heading, rows[:SHOWN], len(rows)) for heading, rows in groups if rows],
        "n": len(found.changes),
    }


class ChangesResult(Result):
    changes: dict[str, Any]
    file: str  # the sha256 of the file of the release before that was compared, "" without one


@dataclass(eq=False)
class ChangesFigures(StoredFigures[ChangesResult]):
    """The changes by a release of all real batches of a data set."""

    kind = "release_changes"
    version = 2

    dataset: Dataset

    @property
    def key(self) -> str:
        return str(self.dataset)

    @property
    def params(self) -> dict[str, Any]:
        return {"dataset": self.dataset.pk}

    @cached_property
    def choice(self) -> Choice:
        return Choice(self.dataset)

    @cached_property
    def before(self) -> tuple[Release | None, list[int]]:
        """The release before, and the numbers of withdrawn ones since."""
        return queries.release_before(self.dataset, is_rehearsal=False)

    @cached_property
    def basis(self) -> Basis:
        """The basis has a number made of all rows that the changes rest on and that are not only added to.

        Of what is only added, as verdicts, it has how many there are, so that a change of any changes it.
        """
        digest = hashlib.sha256(repr(list(self._inputs())).encode()).hexdigest()
        names = list(self.choice.batches().values_list("name", flat=True))
        return Basis({}, names, n_decisions=int(digest[:12], 16))

    def _inputs(self) -> Iterator[Any]:
        since, withdrawn = self.before
        yield since and since.pk, withdrawn
        # Of all studies, which is quick: another study's verdict costs a computation and no error.
        yield Verdict.objects.aggregate(Max("pk"), Count("pk"))
        yield RunChange.objects.aggregate(Max("pk"), Count("pk"))
        state = ("pk", "name", "is_withdrawn")
        batch = ("scheme", "state", "is_rehearsal", "pool", "created_at")
        yield list(self.study.batches.order_by("pk").values_list(*state, *batch))
        pool = ("purpose", "dataset", "built_at")
        yield list(self.study.pools.order_by("pk").values_list(*state, *pool))
        dataset = ("version", "continues", "comparison")
        yield list(self.study.datasets.order_by("pk").values_list(*state, *dataset))
        runs = Run.objects.filter(dataset__study=self.study).order_by("pk")
        yield list(runs.values_list(*state, "dataset", "carried_from"))

    @property
    def obstacle(self) -> str:
        return "" if self.basis.batches else "No real batch is closed: there is nothing to release."

    @property
    def file(self) -> str:
        """The sha256 of the file of the release before that is compared now, "" without one."""
        since, _ = self.before
        return queries.sha256_of_accepted(since) if since else ""

    def computed(self) -> ChangesResult:
        """Return the result of a job. Raises OSError and ValueError as `shown_changes`."""
        found = computed_changes(self.choice)
        groups = [
            [heading, [astuple(row) for row in rows], n] for heading, rows, n in found["groups"]
        ]
        return {**self.stamp(), "changes": found | {"groups": groups}, "file": self.file}


def _stored(choice: Choice) -> dict[str, Any] | None:
    if choice.is_rehearsal or choice.left_out:
        return None
    figures = ChangesFigures(choice.dataset.study, choice.dataset)
    if figures.result is None or figures.since or figures.result["file"] != figures.file:
        return None
    found = figures.result["changes"]
    groups = [(heading, [Change(*row) for row in rows], n) for heading, rows, n in found["groups"]]
    return found | {"groups": groups}
