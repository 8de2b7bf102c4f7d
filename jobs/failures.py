"""What requesters are told of a failed job. Imports no Django.

They do not run the server, so no message names a place on it. Job and JobError keep the whole text,
which the command `jobs` prints.
"""

import re

# How the message of an error that nobody foresaw begins; its type follows.
UNEXPECTED = "unexpected "
ASK = "the administrator finds details in the log of the worker, or with the command jobs"

# Where a path begins, with what may be before it: file:///srv, dir:/srv; but https://srv is no path.
ROOT = r"(?:([\w.]*:)(?://+(?:localhost)?)?(?=/(?!/)))?(?:/|[A-Za-z]:\\)"
# In quotation marks a path may have spaces. A slash in a word, a number or an address on the web begins none.
QUOTED_PATH = re.compile(rf"""(?<=["'“]){ROOT}[^"'”\n]+(?=["'”])""")
PATH = re.compile(rf"""(?<![\w/:.]){ROOT}[^\s"'“”,;()]+""")


def for_requesters(message: str) -> str:
    """Return the message with the last part of each path only; of an unexpected error, its type."""
    if message.startswith(UNEXPECTED):
        return f"{message.partition(':')[0]}: {ASK}"
    return PATH.sub(_last_part, QUOTED_PATH.sub(_last_part, message))


def _last_part(path: re.Match[str]) -> str:
    return (path[1] or "") + re.split(r"[/\\]", path[0].rstrip("/\\"))[-1]
