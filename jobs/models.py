from typing import Any, ClassVar

from django.db import models
from django.db.models import OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce, Now
from django.utils import timezone

from accounts.models import Study, User
from jobs import failures


class JobState(models.TextChoices):
    WAITING = "waiting"  # not planned yet: nobody knows its chunks
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


UNFINISHED = [JobState.WAITING, JobState.RUNNING]


class JobQuerySet(models.QuerySet["Job"]):
    def unfinished(self) -> "JobQuerySet":
        return self.filter(state__in=UNFINISHED)

    def newest_done(self) -> "Job | None":
        """Return the job that was done last; its result is the valid one."""
        done = self.filter(state=JobState.DONE)
        return done.order_by("-finished_at", "-pk").first()

    def with_progress(self) -> "JobQuerySet":
        """Annotate each with n_units and n_done, in the same query."""
        chunks = Chunk.objects.filter(job=OuterRef("pk"))
        totals = {
            "n_units": _total(chunks, models.Sum("n_units")),
            "n_done": _total(chunks.filter(state=ChunkState.DONE), models.Sum("n_units")),
        }
        return self.annotate(**totals)


def _total(rows: "QuerySet[Any, Any]", total: models.Aggregate) -> Coalesce:
    per_job = rows.order_by().values("job").annotate(total=total).values("total")
    return Coalesce(Subquery(per_job), 0)


class Job(models.Model):
    """Long work. The row is the truth; a broker's message only wakes a worker to look at it."""

    study = models.ForeignKey(Study, models.CASCADE, related_name="jobs")
    kind = models.CharField(max_length=40)
    # What the work is about. Unfinished work of one kind on one thing is one job: who asks again joins it.
    key = models.CharField(max_length=200)
    params = models.JSONField(default=dict)
    state = models.CharField(max_length=20, choices=JobState, default=JobState.WAITING)
    result = models.JSONField(default=dict)
    message = models.TextField(blank=True)
    # How often in a row the database failed in its work: what does not pass must end some time.
    n_database_errors = models.PositiveSmallIntegerField(default=0)
    # How many errors its input has; only the first are listed (JobError), and not for ever.
    n_errors = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(default=timezone.now)
    created_by = models.ForeignKey(User, models.PROTECT, related_name="+")
    # Started by a worker, because something changed; created_by is the requester on whose behalf.
    is_automatic = models.BooleanField(default=False)
    finished_at = models.DateTimeField(null=True)

    # Of those from with_progress().
    n_units: int
    n_done: int

    objects = JobQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["-created_at", "-pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["study", "kind", "key"],
                condition=Q(state__in=UNFINISHED),
                name="jobs_job_one_unfinished_per_key",
            ),
            models.CheckConstraint(
                condition=Q(state__in=JobState.values), name="jobs_job_state_is_known"
            ),
            models.CheckConstraint(
                condition=Q(state__in=UNFINISHED, finished_at=None)
                | (~Q(state__in=UNFINISHED) & Q(finished_at__isnull=False)),
                name="jobs_job_finished_at_when_finished",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.key}"

    @property
    def message_for_requesters(self) -> str:
        """How it ended, for whoever does not run the server."""
        return failures.for_requesters(self.message)


class ChunkState(models.TextChoices):
    WAITING = "waiting"
    LEASED = "leased"
    DONE = "done"


class ChunkQuerySet(models.QuerySet["Chunk"]):
    def claimable(self) -> "ChunkQuerySet":
        """Return the chunks that no worker holds: never leased, or with an expired lease.

        Leases are of the database's clock, since those of workers on several hosts differ.
        """
        lapsed = Q(state=ChunkState.LEASED, leased_until__lt=Now())
        return self.filter(Q(state=ChunkState.WAITING) | lapsed)

    def parts(self) -> "ChunkQuerySet":
        """Return the planned chunks in their order, without the closing one."""
        return self.filter(is_closing=False).order_by("number")


class Chunk(models.Model):
    """A part of a job that one worker does at once. A finished chunk is never repeated.

    The closing chunk is the long work of ending the job; it is added when all others are done.
    """

    job = models.ForeignKey(Job, models.CASCADE, related_name="chunks")
    number = models.PositiveIntegerField()
    params = models.JSONField(default=dict)
    n_units = models.PositiveIntegerField(default=1)
    is_closing = models.BooleanField(default=False)
    state = models.CharField(max_length=20, choices=ChunkState, default=ChunkState.WAITING)
    n_attempts = models.PositiveSmallIntegerField(default=0)
    worker = models.CharField(max_length=100, blank=True)
    leased_until = models.DateTimeField(null=True)
    # What was written, counted by whoever wrote it.
    result = models.JSONField(default=dict)

    objects = ChunkQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["job_id", "number"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["job", "number"], name="jobs_chunk_number_is_unique"),
            models.UniqueConstraint(
                fields=["job"], condition=Q(is_closing=True), name="jobs_chunk_one_closes"
            ),
            models.CheckConstraint(
                condition=Q(state__in=ChunkState.values), name="jobs_chunk_state_is_known"
            ),
            models.CheckConstraint(
                condition=Q(state=ChunkState.LEASED, leased_until__isnull=False)
                | (~Q(state=ChunkState.LEASED) & Q(leased_until=None)),
                name="jobs_chunk_leased_until_when_leased",
            ),
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["job", "number"],
                condition=~Q(state=ChunkState.DONE),
                name="jobs_chunk_unfinished",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.job_id}#{self.number}"


class JobError(models.Model):
    """One error in a job's input: its place and a message."""

    job = models.ForeignKey(Job, models.CASCADE, related_name="errors")
    number = models.PositiveIntegerField()
    file = models.CharField(max_length=300, blank=True)
    row = models.CharField(max_length=100, blank=True)
    field = models.CharField(max_length=100, blank=True)
    value = models.TextField(blank=True)
    message = models.TextField()

    class Meta:
        ordering: ClassVar = ["job_id", "number"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["job", "number"], name="jobs_joberror_number_is_unique"
            ),
        ]

    def __str__(self) -> str:
        wrong = f"{self.value} {self.message}".strip()
        return ": ".join(part for part in (self.file, self.row, self.field, wrong) if part)

    @property
    def file_for_requesters(self) -> str:
        return failures.for_requesters(self.file)

    @property
    def message_for_requesters(self) -> str:
        """What is wrong, for whoever does not run the server."""
        return failures.for_requesters(self.message)


class WorkerBeat(models.Model):
    """The time of the last sign of a worker: one row, written at every wake-up."""

    at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(condition=Q(id=1), name="jobs_workerbeat_is_one_row"),
        ]

    def __str__(self) -> str:
        return f"a worker at {self.at:%Y-%m-%d %H:%M:%S}"
