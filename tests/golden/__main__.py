"""Writes the golden copies anew, from a scratch database, and prints what changed."""

import tests.environment  # noqa: F401, I001  first: what follows reads the settings

import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.test.runner import DiscoverRunner

from tests import golden, whole_way
from tests.golden import folders, interfaces


@contextmanager
def scratch_database() -> Iterator[None]:
    runner = DiscoverRunner(verbosity=0, interactive=False)
    made = runner.setup_databases()
    try:
        yield
    finally:
        runner.teardown_databases(made)


def folder_digests() -> dict[str, folders.Digests]:
    """Return the digests by journey; without the files of the real data, those stored for it."""
    found = dict(golden.golden("folders"))
    for name, build in folders.JOURNEYS.items():
        if name == "real" and not whole_way.real_data().is_dir():
            sys.stdout.write("no real data: its folders are left as they are\n")
            continue
        with tempfile.TemporaryDirectory() as out:
            build(Path(out))
            found[name] = folders.digests(Path(out))
    return found


def main() -> None:
    with scratch_database():
        now = {name: made() for name, made in interfaces.ALL.items()}
        now["folders"] = folder_digests()
    for name, value in now.items():
        for line in golden.differences(golden.golden(name), value):
            sys.stdout.write(f"{name}: {line}\n")
        golden.write(name, value)


if __name__ == "__main__":
    main()
