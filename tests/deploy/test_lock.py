"""Everything that is installed is pinned, and all but torch has the hashes of its files."""

import re

import pytest

from deploy import lock
from tests.jobs.installation import ROOT

RENEW = "run make lock"


def hashed(name):
    """The versions of a lock file, each of which has hashes."""
    text = (ROOT / name).read_text(encoding="utf-8").replace("\\\n", "")
    found = re.findall(
        r"^([\w.-]+)==(\S+)((?:\s+--hash=sha256:[0-9a-f]{64})+)$", text, re.MULTILINE
    )
    assert len(found) == len(re.findall("^[^#]", text, re.MULTILINE)), f"{name} has other lines"
    return {each: version for each, version, _ in found}


def test_everything_that_a_requirement_brings_is_pinned():
    direct = [each for name in lock.LISTS for each in lock.pins(f"{name}.txt").values()]

    assert lock.needed(direct) - lock.pinned().keys() == set()


@pytest.mark.parametrize("name", lock.LISTS)
def test_a_lock_has_all_that_its_list_needs_and_nothing_else(name):
    """But torch, and what the lists before it need."""
    expected = {each: lock.pinned()[each] for each in lock.contents()[name]}

    versions = {each: f"=={version}" for each, version in hashed(f"{name}.lock").items()}

    assert versions == {each: str(pin.specifier) for each, pin in expected.items()}, RENEW


def test_nothing_is_installed_past_the_hashes_but_by_pip_s_own_last_step():
    """The first of two steps installs by hashes only; the second finds all but torch installed."""
    for path in ("Makefile", "deploy/Containerfile", "docs/deployment.md"):
        text = (ROOT / path).read_text(encoding="utf-8")
        first = text.find("--no-deps --require-hashes -r requirements.lock")
        last = text.find("-c constraints.txt")

        assert 0 < first < last, path
