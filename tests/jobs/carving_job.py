"""A kind of job for tests. Each part writes one event, so that what was written can be counted."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from audit.models import Event
from jobs.handlers import Beat, Handler, PlannedChunk
from jobs.models import Job

KIND = "carve"

Part = Callable[[int, Beat], None]


def do_nothing(part: int, beat: Beat) -> None:
    pass


@dataclass
class Work:
    """`during` is called while a part is computed; `computed` tells in which order parts were."""

    n_parts: int = 3
    during: Part = do_nothing
    computed: list[int] = field(default_factory=list)
    n_plans: int = 0
    cleared: list[str] = field(default_factory=list)  # in which state the job was
    # Where it is given, the end is hard work: what this one does of it.
    concluding: Callable[[Beat], None] | None = None
    n_concluded: int = 0

    @property
    def handler(self) -> Handler:
        if self.concluding is None:
            return Handler(self.plan, self.compute, self.save, self.finish, self.clear)
        return Handler(
            self.plan, self.compute, self.save, self.finish_concluded, self.clear, self.conclude
        )

    def plan(self, job: Job) -> list[PlannedChunk]:
        self.n_plans += 1
        return [PlannedChunk({"part": part}, n_units=part + 1) for part in range(self.n_parts)]

    def compute(self, job: Job, params: Mapping[str, Any], beat: Beat) -> int:
        part: int = params["part"]
        self.computed.append(part)
        self.during(part, beat)
        return part

    def save(self, job: Job, params: Mapping[str, Any], part: int) -> dict[str, Any]:
        Event.objects.create(actor="work", verb="carved", target=str(part))
        return {"n_carved": 1}

    def finish(self, job: Job) -> dict[str, Any]:
        return {"n_carved": sum(chunk.result["n_carved"] for chunk in job.chunks.all())}

    def conclude(self, job: Job, beat: Beat) -> int:
        self.n_concluded += 1
        if self.concluding is not None:
            self.concluding(beat)
        return self.n_concluded

    def finish_concluded(self, job: Job, concluded: int) -> dict[str, Any]:
        Event.objects.create(actor="work", verb="finished", target=str(concluded))
        return {"concluded_at": concluded}

    def clear(self, job: Job) -> None:
        self.cleared.append(Job.objects.get(pk=job.pk).state)


def carved_parts() -> list[int]:
    """The parts that were written, each as often as it was."""
    return sorted(int(event.target) for event in Event.objects.filter(verb="carved"))
