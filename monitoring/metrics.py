"""What the web processes count for Prometheus (docs/monitoring.md).

No label names a person, a study or an address as it was asked for: those who can read metrics need not
know them, and each value of a label is a series of its own.
"""

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

REGISTRY = CollectorRegistry()

REQUESTS = Counter(
    "touchstone_requests",
    "Requests answered.",
    ("view", "method", "status"),
    registry=REGISTRY,
)
REQUEST_SECONDS = Histogram(
    "touchstone_request_seconds",
    "Seconds until a reply begins.",
    ("view",),
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30),
    registry=REGISTRY,
)
REQUESTS_IN_PROGRESS = Gauge(
    "touchstone_requests_in_progress",
    "Requests that are being answered.",
    multiprocess_mode="livesum",
    registry=REGISTRY,
)
JUDGEMENTS = Counter(
    "touchstone_judgements",
    "Judgements that annotators saved.",
    ("scheme",),
    registry=REGISTRY,
)
DATABASE_WAIT_SECONDS = Histogram(
    "touchstone_database_wait_seconds",
    "Seconds for which requests waited for their turn to write.",
    ("wait",),
    buckets=(0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30),
    registry=REGISTRY,
)

# The values of `wait`.
TURN = DATABASE_WAIT_SECONDS.labels("turn")
WRITE_LOCK = DATABASE_WAIT_SECONDS.labels("write_lock")
ROW_LOCK = DATABASE_WAIT_SECONDS.labels("row_lock")
