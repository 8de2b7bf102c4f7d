"""Celery: over the file system unless BROKER_URL says otherwise.

`celery -A config worker -B` runs it.

Messages only wake workers; the Job row is the truth. So no result is stored, a lost message is made
up for by the next beat, and a duplicate message does no harm.
"""

import os
import sys
from datetime import timedelta

from celery import Celery
from celery.signals import worker_init, worker_process_init

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
# Django's checks are about the code, and would import every page into the worker: `manage.py check` runs them.
os.environ.setdefault("CELERY_SKIP_CHECKS", "1")

from django.conf import settings
from django.db import Error, connection
from kombu.transport import TRANSPORT_ALIASES

MOST_KEPT_KILOBYTES = 300_000

app = Celery("touchstone", broker=settings.BROKER_URL)
app.conf.update(
    task_ignore_result=True,
    task_default_queue=settings.BROKER_QUEUE,
    worker_prefetch_multiplier=1,
    worker_concurrency=1,
    # After a job that took more the process of the pool is replaced: the libraries of a model keep hundreds
    # of megabytes after the model is dropped.
    worker_max_memory_per_child=MOST_KEPT_KILOBYTES,
    worker_hijack_root_logger=False,
    broker_connection_retry_on_startup=True,
    # A busy worker would find a heap of wake-ups: one that nobody heard until the next but one is dropped. Not sooner:
    # the broker on the file system is looked at once a second, and with wake-ups as often each might be too old.
    beat_schedule={
        "wake": {
            "task": "jobs.tasks.wake",
            "schedule": settings.JOB_WAKE_SECONDS,
            "options": {"expires": 2 * settings.JOB_WAKE_SECONDS},
        },
        "keep figures current": {
            "task": "exports.tasks.keep_figures_current",
            "schedule": settings.JOB_WAKE_SECONDS,
            "options": {"expires": 2 * settings.JOB_WAKE_SECONDS},
        },
        "clear staged": {"task": "corpus.tasks.clear_staged", "schedule": timedelta(hours=1)},
        "clear expired": {"task": "accounts.tasks.clear_expired", "schedule": timedelta(hours=1)},
        "clear uploads": {"task": "corpus.tasks.clear_uploads", "schedule": timedelta(days=1)},
        "clear unfinished releases": {
            "task": "exports.tasks.clear_unfinished_releases",
            "schedule": timedelta(days=1),
        },
    },
    beat_schedule_filename=str(settings.DATA_DIR / "celerybeat-schedule"),
)
TRANSPORT_ALIASES["filesystem"] = "config.broker:Transport"
if settings.BROKER_URL.startswith("filesystem:"):
    queue, control = settings.BROKER_FOLDER / "queue", settings.BROKER_FOLDER / "control"
    for folder in (queue, control):
        folder.mkdir(parents=True, exist_ok=True)
    app.conf.broker_transport_options = {
        "data_folder_in": str(queue),
        "data_folder_out": str(queue),
        "control_folder": str(control),
    }
app.autodiscover_tasks()


# Not in the parent: what it shares with its processes lies in a temporary folder, which uploads may not have in theirs.
@worker_process_init.connect
def keep_temporary_files_in_data_folder(**sender: object) -> None:
    from pages import temporary_files  # noqa: PLC0415

    temporary_files.use_data_folder()


@worker_init.connect
def refuse_to_start(**sender: object) -> None:
    """End a worker that starts on a database of another version, or without a storage of files.

    A database that is away is waited for.
    """
    from config.storages import storage_flaw  # noqa: PLC0415  needs the apps
    from pages.database import schema_flaw  # noqa: PLC0415

    try:
        flaw = schema_flaw()
    except Error:
        flaw = ""
    finally:
        connection.close()  # the processes of the pool must not share it
    if flaw := flaw or storage_flaw():
        sys.exit(f"Touchstone's worker cannot start: {flaw}")
