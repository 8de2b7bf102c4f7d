"""Everything that is installed is pinned, and all but torch has the hashes of its files."""

import re

from deploy import lock
from tests.jobs.installation import ROOT

RENEW = "run make lock"


def hashed(name):
    """The versions of a lock file with the number of their hashes."""
    text = (ROOT / name).read_text(encoding="utf-8").replace("\\\n", "")
    found = re.findall(
        r"^([\w.-]+)==(\S+)((?:\s+--hash=sha256:[0-9a-f]{64})+)$", text, re.MULTILINE
    )
    assert len(found) == len(re.findall("^[^#]", text, re.MULTILINE)), f"{name} has other lines"
    return {each: (version, hashes.count("--hash")) for each, version, hashes in found}


def pinned():
    return {
        name: str(each.specifier).removeprefix("==")
        for file in lock.PINNED_IN
        for name, each in lock.pins(file).items()
    }


def test_everything_that_a_requirement_brings_is_pinned():
    direct = [each for file in lock.PINNED_IN[:2] for each in lock.pins(file).values()]

    assert lock.needed(direct) - pinned().keys() == set()


def test_every_pinned_version_but_torch_has_hashes():
    locked = hashed("requirements.lock") | hashed("requirements-dev.lock")

    versions = {name: version for name, (version, _) in locked.items()}
    expected = {name: version for name, version in pinned().items() if name != "torch"}
    assert versions == expected, RENEW


def test_the_lock_of_a_server_has_what_runs_and_nothing_else():
    run_time = lock.needed(list(lock.pins(lock.RUN_TIME).values()))

    assert set(hashed("requirements.lock")) == run_time - lock.WITHOUT_HASHES, RENEW


def test_nothing_is_installed_past_the_hashes_but_by_pip_s_own_last_step():
    """Of two steps the first takes hashes and no more than that; the second finds all but torch there."""
    for path in ("Makefile", "deploy/Containerfile", "docs/deployment.md"):
        text = (ROOT / path).read_text(encoding="utf-8")
        first = text.find("--no-deps --require-hashes -r requirements.lock")
        last = text.find("-c constraints.txt")

        assert 0 < first < last, path
