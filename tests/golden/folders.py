"""The folders of releases and comparisons, built by commands, and the digest of each of their files.

Built in this process, in the database that Django has, in a transaction that is rolled back. Three things are
left out of what is compared, so that it is the same on every machine and on both databases:

- The similarity model's numbers, whose last digits depend on the processor: `StandIn` is in its place.
- The digits of other numbers after the seventh decimal, for the same reason.
- What a manifest says of the moment, of Touchstone's version, and of the sha256 of the files beside it.
"""

import contextlib
import hashlib
import io
import json
import random
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from unittest.mock import patch

from django.db import transaction

from demo import compared, everyday
from demo.build import create_people
from demo.commands import touchstone
from scoring.actions import similarity
from scoring.similarity_models import EMBEDDED, Identity
from tests import whole_way

ROOT = Path(__file__).resolve().parents[2]
DECIMALS = 7
# A number with more decimals, or one written with an exponent; no part of an id, a time or a version.
LONG = re.compile(rf"(?<![\w.-])-?\d+(?:\.\d{{{DECIMALS + 1},}}|(?:\.\d+)?e-\d+)(?![\w.-])")
# Runs of the real data that answer twelve questions in common.
COMPARED = (
    "rachael-original-2021-09-08-21-49-44",
    "rachael-original-2021-09-15-09-07-49",
    "ultron-rewritten-2021-09-08-15-04-28",
)

Digests = dict[str, dict[str, Any]]


class StandIn:
    """A stand-in for the embedded model: words in common, as a share of the shorter text's."""

    identity = Identity(EMBEDDED, "bi-encoder", "0" * 64, "stand-in", "float32")

    def similarities(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        return [self._similarity(*map(_words, pair)) for pair in pairs]

    def _similarity(self, one: frozenset[str], other: frozenset[str]) -> float:
        n_words = min(len(one), len(other))
        return len(one & other) / n_words if n_words else 0.0


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", text.lower()))


def demo(out: Path) -> None:
    """The release and the comparison of `make demo`, as `out`/release and `out`/comparison."""
    with _afresh():
        create_people()
        everyday.import_data("rehearsed", "Everyday knowledge, rehearsed")
        everyday.rehearse_study(out / "release")
        compared.import_data()
        compared.rehearse_study()
        touchstone("compare_systems", *compared.IN_STUDY, "--out", str(out / "comparison"))


def real(out: Path, *, shuffle: int = 0) -> None:
    """The release of the real data's journey (tests/test_journey.py), and a comparison of three of its runs.

    `shuffle` is the seed of the order in which the runs are imported: it changes nothing.
    """
    with _afresh():
        whole_way.whole_way("real", out / "release", random.Random(shuffle))
        whole_way.in_study(
            *("draw_comparison", "--dataset", "data", "--name", "side by side"),
            *("--runs", *COMPARED, "--setup", "gold", "--seed", 7),
        )
        for scheme in compared.SCHEMES:
            _rehearsed(scheme, pool="side by side")
        whole_way.in_study("compare_systems", "--out", out / "comparison")


def _rehearsed(scheme: str, *, pool: str) -> None:
    judgements = ("--judgements", 3)
    whole_way.in_study(
        "open_batch", "--name", scheme, "--scheme", scheme, "--pool", pool, *judgements
    )
    crowd = ("--annotators", 4, "--accuracy", 0.8, "--seed", 1)
    whole_way.in_study("rehearse", "--batch", scheme, *crowd)
    whole_way.in_study("close_batch", "--batch", scheme)


JOURNEYS = {"demo": demo, "real": real}


@contextlib.contextmanager
def _afresh() -> Iterator[None]:
    with (
        contextlib.chdir(ROOT),
        contextlib.redirect_stdout(io.StringIO()),
        patch.object(similarity, "model", lambda name, *, bf16=False: StandIn()),
        transaction.atomic(),
    ):
        yield
        transaction.set_rollback(True)


def digests(folder: Path) -> Digests:
    """Relative path -> size and sha256 of what is compared of the file."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): _digest(path) for path in files}


def _digest(path: Path) -> dict[str, Any]:
    text = path.read_bytes().decode("utf-8")
    content = rounded(_lasting(text) if path.name == "manifest.json" else text).encode("utf-8")
    return {"n_bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}


def rounded(text: str) -> str:
    """The text with its numbers to seven decimals; one that has no more stands as it is."""
    return LONG.sub(lambda found: repr(_rounded(found[0])), text)


def _rounded(number: str) -> float:
    return round(float(number), DECIMALS) + 0.0  # + 0.0: there is no -0.0


def _lasting(manifest: str) -> str:
    """The manifest as it is written, without the moment, the version, and the digests of its files."""
    says = json.loads(manifest)
    of_files = [f'"{path}": "{sha256}"' for path, sha256 in says["files"].items()]
    of_moment = [f'"{key}": "{says[key]}"' for key in ("created_at", "touchstone") if key in says]
    for entry in of_files + of_moment:
        manifest = manifest.replace(entry, entry.partition(":")[0])
    return manifest
