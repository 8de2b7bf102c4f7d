"""The metrics as Prometheus reads them: what the web processes counted, and what the database says now."""

import shutil
import time
from collections.abc import Iterator

from django.conf import settings
from django.db import Error
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from jobs import queries
from jobs.models import JobState
from monitoring import metrics, process_files


def exposition() -> bytes:
    stored = CollectorRegistry()
    stored.register(InstallationCollector())
    return generate_latest(_counted()) + generate_latest(stored)


def _counted() -> CollectorRegistry:
    """Return what all web processes of this `serve` counted, or this process where it is the only one."""
    folder = process_files.folder_in_use()
    if folder is None:
        return metrics.REGISTRY
    registry = CollectorRegistry()
    MultiProcessCollector(registry, str(folder))  # type: ignore[no-untyped-call]
    return registry


class InstallationCollector(Collector):
    """What is the same whichever process is asked: three queries, which wait for no writer."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        yield _gauge(
            "touchstone_data_folder_free_bytes",
            "Bytes that can still be written into the data folder.",
            shutil.disk_usage(settings.DATA_DIR).free,
        )
        try:
            queue = queries.queue()
        except Error:
            yield _gauge("touchstone_database_up", "Whether the database answers.", 0)
            return
        yield _gauge("touchstone_database_up", "Whether the database answers.", 1)
        yield from _of_queue(queue)


def _of_queue(queue: queries.Queue) -> Iterator[GaugeMetricFamily]:
    jobs = GaugeMetricFamily("touchstone_jobs", "Jobs by state.", labels=["state"])
    for state in JobState.values:
        jobs.add_metric([state], queue.n_jobs.get(state, 0))
    yield jobs
    parts = GaugeMetricFamily(
        "touchstone_job_parts", "Parts of unfinished jobs that are not done.", labels=["state"]
    )
    for state, n in (
        ("waiting", queue.n_waiting),
        ("leased", queue.n_leased),
        ("expired", queue.n_expired),
    ):
        parts.add_metric([state], n)
    yield parts
    waiting_since = queue.waiting_since
    yield _gauge(
        "touchstone_job_longest_wait_seconds",
        "Seconds since the oldest job that no worker has begun was started; 0 where there is none.",
        max(0.0, time.time() - waiting_since.timestamp()) if waiting_since else 0,
    )
    yield _gauge(
        "touchstone_workers_busy", "Workers that are at a part of a job.", queue.n_busy_workers
    )
    if queue.worker_heard_at:
        yield _gauge(
            "touchstone_worker_heard_timestamp_seconds",
            "When a worker last answered a wake-up, as a Unix time; absent before the first.",
            queue.worker_heard_at.timestamp(),
        )


def _gauge(name: str, documentation: str, value: float) -> GaugeMetricFamily:
    return GaugeMetricFamily(name, documentation, value=value)
