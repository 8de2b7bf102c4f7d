"""Lines of the log, in which no one-use link works."""

import logging
import re

# An address, also within another one, where its slashes are written as %2F.
SECRET = re.compile(r"((?:/|%2F)(?:join|password)(?:/|%2F)|/first-steps/\?token=)[\w=-]+")


class WithoutSecrets(logging.Formatter):
    """Writes "…" for the secret part of links to join, to set a password and to take the first steps.

    Whatever is logged passes here, messages of Django and tracebacks too.
    """

    def format(self, record: logging.LogRecord) -> str:
        return SECRET.sub(r"\1…", super().format(record))
