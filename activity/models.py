from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils import timezone

from accounts.models import Study, User


class Event(models.Model):
    """One act of an organiser, or one decision on somebody's work.

    Plain text and no foreign keys: the record outlives what it speaks of and never stands in its way.
    """

    at = models.DateTimeField(default=timezone.now, db_index=True)
    study = models.CharField(max_length=60, blank=True, db_index=True)
    actor = models.CharField(max_length=150)
    verb = models.CharField(max_length=60)
    target = models.CharField(max_length=200)
    details = models.JSONField(default=dict)

    class Meta:
        ordering: ClassVar = ["at", "pk"]

    def __str__(self) -> str:
        return f"{self.actor} {self.verb} {self.target}"


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
    created_at = models.DateTimeField(default=timezone.now)
    created_by = models.ForeignKey(User, models.PROTECT, related_name="+")
    finished_at = models.DateTimeField(null=True)

    objects = JobQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["-created_at", "-pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["study", "kind", "key"],
                condition=Q(state__in=UNFINISHED),
                name="activity_job_one_unfinished_per_key",
            ),
            models.CheckConstraint(
                condition=Q(state__in=JobState.values), name="activity_job_state_is_known"
            ),
            models.CheckConstraint(
                condition=Q(state__in=UNFINISHED, finished_at=None)
                | (~Q(state__in=UNFINISHED) & Q(finished_at__isnull=False)),
                name="activity_job_finished_at_when_finished",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.key}"


class ChunkState(models.TextChoices):
    WAITING = "waiting"
    LEASED = "leased"
    DONE = "done"


class ChunkQuerySet(models.QuerySet["Chunk"]):
    def claimable(self) -> "ChunkQuerySet":
        """Chunks that nobody works on: never taken, or taken by a worker not heard of since its lease."""
        lapsed = Q(state=ChunkState.LEASED, leased_until__lt=timezone.now())
        return self.filter(Q(state=ChunkState.WAITING) | lapsed)


class Chunk(models.Model):
    """A part of a job that one worker does at once. A finished chunk is never done twice."""

    job = models.ForeignKey(Job, models.CASCADE, related_name="chunks")
    number = models.PositiveIntegerField()
    params = models.JSONField(default=dict)
    n_units = models.PositiveIntegerField(default=1)
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
            models.UniqueConstraint(
                fields=["job", "number"], name="activity_chunk_number_is_unique"
            ),
            models.CheckConstraint(
                condition=Q(state__in=ChunkState.values), name="activity_chunk_state_is_known"
            ),
            models.CheckConstraint(
                condition=Q(state=ChunkState.LEASED, leased_until__isnull=False)
                | (~Q(state=ChunkState.LEASED) & Q(leased_until=None)),
                name="activity_chunk_leased_until_when_leased",
            ),
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["job", "number"],
                condition=~Q(state=ChunkState.DONE),
                name="activity_chunk_unfinished",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.job_id}#{self.number}"


class JobError(models.Model):
    """One thing that is wrong in a job's input: where it stands and what is wrong."""

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
                fields=["job", "number"], name="activity_joberror_number_is_unique"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.file} {self.row} {self.field}: {self.message}"
