"""Write the hashes of every pinned distribution into a .lock beside each list of requirements: make lock.

constraints.txt says the other versions; the index says which files they have, for every platform. A lock has
what its list needs and those before it do not; the last one has the rest.
torch has none: its builds for the CPU are other files of the same version, on another index, and what the
build for graphics cards needs besides is not pinned.
"""

import re
import subprocess
import sys
from importlib.metadata import requires
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent
LISTS = ("requirements", "requirements-s3", "requirements-dev")
PINNED_IN = (*(f"{each}.txt" for each in LISTS), "constraints.txt")
WITHOUT_HASHES = {"torch"}
HEADER = "# Made by make lock: what may be installed, by the hashes of its files.\n"


def pins(name: str) -> dict[str, Requirement]:
    """Return what a file pins, by the canonical name."""
    lines = [
        line.partition("#")[0].strip() for line in (ROOT / name).read_text("utf-8").splitlines()
    ]
    found = [Requirement(line) for line in lines if line and not line.startswith("-")]
    return {canonicalize_name(each.name): each for each in found}


def needed(wanted: list[Requirement]) -> set[str]:
    """Return the names of the installed distributions that the requirements bring, themselves included."""
    found: dict[str, set[str]] = {}
    waiting = [(each, "") for each in wanted]
    while waiting:
        requirement, extra = waiting.pop()
        if requirement.marker and not requirement.marker.evaluate({"extra": extra}):
            continue
        name = canonicalize_name(requirement.name)
        for asked in {"", *requirement.extras} - found.setdefault(name, set()):
            found[name].add(asked)
            waiting += [(Requirement(line), asked) for line in requires(name) or []]
    return set(found)


def with_hashes(requirements: list[Requirement]) -> str:
    lines = "\n".join(f"{each.name}{each.specifier}" for each in requirements)
    command = (
        "uv",
        "pip",
        "compile",
        "--no-deps",
        "--generate-hashes",
        "--no-header",
        "--quiet",
        "-",
    )
    done = subprocess.run(  # noqa: S603  fixed arguments
        [sys.executable, "-m", *command], input=lines, capture_output=True, text=True, check=False
    )
    if done.returncode:
        sys.exit(done.stderr)
    return HEADER + re.sub(r"(?m)^ +# via.*\n", "", done.stdout)


def contents() -> dict[str, set[str]]:
    """Return which names each lock has."""
    found, taken = {}, set(WITHOUT_HASHES)
    for each in LISTS[:-1]:
        found[each] = needed(list(pins(f"{each}.txt").values())) - taken
        taken |= found[each]
    return found | {LISTS[-1]: pinned().keys() - taken}


def pinned() -> dict[str, Requirement]:
    return {name: each for file in PINNED_IN for name, each in pins(file).items()}


def main() -> None:
    requirements = pinned()
    for lock, names in contents().items():
        if missing := names - requirements.keys():
            sys.exit(f"constraints.txt pins no version of {', '.join(sorted(missing))}")
        text = with_hashes([requirements[name] for name in sorted(names)])
        (ROOT / f"{lock}.lock").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
