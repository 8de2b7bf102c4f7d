"""Attack started installations in every way that one did before, and print what was tried and what broke.

    python -m tests.attack [--postgresql]

It needs nobody else's server, and ends with 1 if anything broke. `make attack` runs it on SQLite and on
PostgreSQL, which takes some minutes each.
"""

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from tests.attack import at_once, at_work, forgery, nonsense, raw, reach, signing_in
from tests.attack.site import Found, Site, site
from tests.jobs.installation import scratch_database, sqlite_in

# What changes most comes last: locks, passwords, acts.
ATTACKS: tuple[Callable[[Site], Found], ...] = (
    reach.heads,
    raw.smuggling,
    forgery.without_a_token,
    forgery.odd_methods,
    forgery.ways_out,
    nonsense.api,
    nonsense.desk,
    signing_in.enumeration,
    reach.every_address,
    nonsense.lists_and_forms,
    signing_in.sessions,
    signing_in.lock,
)
# These need links that nobody has used, and makers of links who were not deactivated.
AT_ONCE: tuple[Callable[[Site], Found], ...] = (signing_in.once, at_once.acts)
SHOWN = 20


def say(words: str) -> None:
    sys.stdout.write(f"{words}\n")
    sys.stdout.flush()


def report(found: Found, seconds: float) -> int:
    """Print what was tried; return how much broke."""
    outcome = f"{len(found.wrong)} BROKE" if found.wrong else "held"
    say(f"| {found.what} | {found.n_tried:,} | {outcome} | {seconds:.0f} s |")
    for wrong in found.wrong[:SHOWN]:
        say(f"    {wrong}")
    return len(found.wrong)


def attack(folder: Path, database: str, attacks: tuple[Callable[[Site], Found], ...]) -> int:
    """Return how many attempts broke something."""
    n_wrong = 0
    with site(folder, database) as found_site:
        for each in attacks:
            begun = time.monotonic()
            n_wrong += report(each(found_site), time.monotonic() - begun)
        log = found_site.log.read_text(encoding="utf-8", errors="replace")
    begun = time.monotonic()
    found = Found(f"secrets and tracebacks in the log, {len(log):,} letters")
    secrets = [found_site.token, *found_site.sessions.values(), found_site.join.split("/")[-2]]
    for secret in secrets:
        found.tried(secret not in log, "a secret stands in the log")
    found.tried("Traceback" not in log, f"{log.count('Traceback')} tracebacks")
    return n_wrong + report(found, time.monotonic() - begun)


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--postgresql", action="store_true", help="on PostgreSQL, not on SQLite")
    is_postgresql = options.parse_args().postgresql
    server = os.environ.get("DATABASE_URL", "postgres://postgres@127.0.0.1:5432/postgres")
    n_wrong = 0
    say(f"| {'PostgreSQL' if is_postgresql else 'SQLite'} | attempts | outcome | time |")
    say("| --- | --- | --- | --- |")
    for part in (ATTACKS, AT_ONCE, at_work.at_work, at_work.disturbed):
        with ExitStack() as stack:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="touchstone-")))
            database = (
                stack.enter_context(scratch_database(server))
                if is_postgresql
                else sqlite_in(folder)
            )
            if isinstance(part, tuple):
                n_wrong += attack(folder, database, part)
            else:
                begun = time.monotonic()
                n_wrong += report(part(folder, database), time.monotonic() - begun)
    return 1 if n_wrong else 0


if __name__ == "__main__":
    # The people at the desk send times as Django writes them.
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    sys.exit(main())
