"""Lines of the log, as text or JSON, in which no one-use link works."""

import json
import logging
import re
from datetime import UTC, datetime

from monitoring import log_context

# An address, also within another one, where its slashes are written as %2F, or %252F in one within that.
SLASH, ASK, IS = (
    rf"(?:{sign}|%(?:25)*{code})"
    for sign, code in (("/", "2F"), ("[?&]", "(?:3F|26)"), ("=", "3D"))
)
SECRET = re.compile(rf"({SLASH}(?:join|password){SLASH}+|{ASK}token{IS})[\w=-]+", re.IGNORECASE)


def without_secrets(line: str) -> str:
    """Return the line with "…" for the secret part of links to join, to set a password, to take the first steps."""
    return SECRET.sub(r"\1…", line)


class Context(logging.Filter):
    """Gives a record the id of the request or job that it belongs to, and drops what is said elsewhere.

    Django has a line for each refusal, some with a traceback, and for each 503 of /health/. That of the
    request says it already (pages/middleware.py), and /health/ says when something changes. An error that
    nobody expected has its traceback here, once.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        record.request_id = log_context.request_id.get()
        record.job_id = log_context.job_id.get()
        status = getattr(record, "status_code", None)
        return status is None or bool(status >= 500 and record.exc_info)


class TextLines(logging.Formatter):
    """Whatever is logged passes here, messages of Django and tracebacks too."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s%(context)s: %(message)s")

    def format(self, record: logging.LogRecord) -> str:
        record.context = "".join(f" {name}={value}" for name, value in _context(record).items())
        return without_secrets(super().format(record))


class JsonLines(logging.Formatter):
    """An object a line, with known fields only: libraries hang whole requests on their records."""

    def format(self, record: logging.LogRecord) -> str:
        fields = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
            **_context(record),
            **getattr(record, "fields", {}),
        }
        if record.exc_info:
            fields["exception"] = self.formatException(record.exc_info)
        if record.stack_info:
            fields["stack"] = self.formatStack(record.stack_info)
        return without_secrets(json.dumps(fields))


def _context(record: logging.LogRecord) -> dict[str, str]:
    ids = {"request": getattr(record, "request_id", ""), "job": getattr(record, "job_id", "")}
    return {name: value for name, value in ids.items() if value}
