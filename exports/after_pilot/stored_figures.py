"""What a pilot showed, as its page has it: read for the view, or stored by a job where that takes too long."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.db.models import QuerySet

from annotation.models import Judgement, Key
from annotation.queries.batch_figures import BatchFigures
from exports.after_pilot.pilot_queries import pilot_figures
from exports.after_pilot.shown import PilotFigures, as_json, from_json
from exports.agreement.stored_figures import AgreementFigures
from jobs.basis import Basis
from jobs.stored_figures import Result

# The figures of so many judgements are read for each view.
MOST_READ_FOR_A_VIEW = 2_000


class PilotResult(Result):
    batch: str
    shown: dict[str, Any]  # as as_json() returns it


@dataclass(eq=False)
class StoredPilotFigures(BatchFigures[PilotResult]):
    """Stored are those of a large batch. Until a job has stored them the page reads them too."""

    kind = "pilot_figures"
    version = 1
    most_by_themselves = None  # any batch takes a second

    @cached_property
    def agreement(self) -> AgreementFigures:
        """The figures of agreement in the batch, which the page shows too; they rest on the same decisions."""
        return AgreementFigures(self.study, self.batch)

    @property
    def judgements(self) -> QuerySet[Judgement]:
        return Judgement.objects.not_withdrawn().filter(assignment__item__batch=self.batch)

    @cached_property
    def n_judgements(self) -> int:
        return self.judgements.count()

    @cached_property
    def basis(self) -> Basis:
        """The judgements that nobody withdrew: also those that are not counted have a time and an answer.

        A control item that is added counts as a decision: it makes answers comparable where nothing is settled.
        """
        decided = self.agreement.basis
        n_keys = Key.objects.filter(item__batch=self.batch).count()
        counts = {"judgement": self.n_judgements}
        return Basis(counts, n_decisions=decided.n_decisions + n_keys, decisions=decided.decisions)

    @property
    def obstacle(self) -> str:
        return "" if self.is_large else "Nothing is stored: the figures are read for each view."

    @property
    def is_large(self) -> bool:
        return self.n_judgements > MOST_READ_FOR_A_VIEW

    @property
    def is_stored(self) -> bool:
        """Return whether the page shows what a job stored, and whether that is out of date."""
        return self.is_large and self.result is not None

    @property
    def shown_job(self) -> str:
        """Return the key of the job that stored what the page shows; "" where it is read."""
        return str(self.newest_done.pk) if self.is_stored and self.newest_done else ""

    @cached_property
    def figures(self) -> PilotFigures:
        """The figures that the page shows."""
        if self.is_large and self.result:
            return from_json(self.result["shown"])
        return pilot_figures(self.batch)

    def computed(self) -> PilotResult:
        """Return the result of a job."""
        shown = as_json(pilot_figures(self.batch))
        return {**self.stamp(), "batch": self.batch.name, "shown": shown}
