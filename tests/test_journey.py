"""The whole way, from files to a release, on the database that DATABASE_URL says.

On PostgreSQL the way with the real data is gone on SQLite too, with the runs in another order, and their releases
are compared. On SQLite alone the order is varied by the golden copy (tests/golden/folders.py).
"""

import contextlib
import csv
import json
import os
import subprocess
import sys
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import psycopg
import pytest

from exports.verification.checks import CHECKS
from exports.verification.program import verify
from tests import migrated_database, real_data

ROOT = Path(__file__).resolve().parent.parent
FILES = {
    "README.md",
    "answers.csv",
    "background.csv",
    "columns.md",
    "evaluate.py",
    "verify.py",
    "gold.json",
    "negatives.json",
    "reference_evidence.csv",
    "scai_qrecc.json",
    "items.csv",
    "judgements.csv",
    "manifest.json",
    "per_run.csv",
    "relations.csv",
    "precision.csv",
    "report.json",
    "silver.json",
    "soft_labels.csv",
}
TRUTH_KEYS = ("Conversation_no", "Turn_no", "Truth_rewrite", "Truth_passages", "Truth_answer")

pytestmark = pytest.mark.journey


@dataclass(frozen=True)
class Journey:
    """A whole way that was gone: what the commands said, and the folder of the release."""

    summary: dict[str, Any]
    folder: Path

    def json(self, name: str) -> Any:
        return json.loads((self.folder / name).read_text(encoding="utf-8"))


def begin(data: str, folder: Path, *, shuffle: int, database: str) -> subprocess.Popen[str]:
    env = {
        **os.environ,
        "TOUCHSTONE_DATA": str(folder / "var"),
        "DATABASE_URL": database,
        "PYTHONWARNINGS": "error",
        "OMP_NUM_THREADS": "1",  # two of them run beside each other
    }
    arguments = [data, str(folder / "release"), "--shuffle", str(shuffle)]
    return subprocess.Popen(
        [sys.executable, "-m", "tests.whole_way", *arguments],
        env=env,
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def end(process: subprocess.Popen[str], folder: Path) -> Journey:
    out, errors = process.communicate()
    assert process.returncode == 0, errors[-3000:]
    return Journey(json.loads(out), folder / "release")


DATABASE = os.environ.get("DATABASE_URL", "")
on_postgresql = DATABASE.startswith("postgres")


@contextlib.contextmanager
def scratch_database(folder: Path) -> Iterator[str]:
    """The address of one without rows, of the kind that DATABASE_URL says."""
    if not on_postgresql:
        yield migrated(folder)
        return
    name = f"touchstone_journey_{uuid.uuid4().hex[:8]}"
    with psycopg.connect(DATABASE, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    try:
        yield f"{DATABASE.rpartition('/')[0]}/{name}"
    finally:
        with psycopg.connect(DATABASE, autocommit=True) as connection:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


def migrated(folder: Path) -> str:
    """The address of an SQLite database in which `migrate` finds nothing to do."""
    migrated_database.copy_to(folder / "touchstone.sqlite3")
    return f"sqlite:///{folder}/touchstone.sqlite3"


@pytest.fixture(scope="module")
def go(tmp_path_factory) -> Callable[[str], tuple[Journey, ...]]:
    """Runs the journey with these data once, in whatever order tests ask for it."""

    @cache
    def gone(data: str) -> tuple[Journey, ...]:
        here, there = tmp_path_factory.mktemp("here"), tmp_path_factory.mktemp("there")
        with scratch_database(here) as database:
            begun = {here: begin(data, here, shuffle=0, database=database)}
            if data == "real" and on_postgresql:
                begun[there] = begin(data, there, shuffle=7, database=migrated(there))
            return tuple(end(process, folder) for folder, process in begun.items())

    return gone


@pytest.fixture(
    params=[
        pytest.param("demo", marks=pytest.mark.each_landing),
        pytest.param("real", marks=pytest.mark.real_data),
    ]
)
def journeys(request, go) -> tuple[Journey, ...]:
    if request.param == "real":
        real_data.folder()
    return go(request.param)


with_real_data = pytest.mark.parametrize(
    "journeys", [pytest.param("real", marks=pytest.mark.real_data)], indirect=True
)


def gone_twice(test: Callable[..., None]) -> Callable[..., None]:
    reason = "compares PostgreSQL with SQLite: DATABASE_URL names no PostgreSQL server"
    return with_real_data(pytest.mark.skipif(not on_postgresql, reason=reason)(test))


@pytest.fixture
def journey(journeys) -> Journey:
    return journeys[0]


def test_a_release_has_its_files_and_no_others(journey):
    assert {path.name for path in journey.folder.iterdir()} == FILES


@gone_twice
def test_neither_the_order_of_runs_nor_the_database_changes_a_byte(journeys):
    first, second = journeys

    for name in FILES - {"manifest.json"}:
        assert (first.folder / name).read_bytes() == (second.folder / name).read_bytes(), name


@gone_twice
def test_only_the_manifests_clock_differs_between_two_releases(journeys):
    manifests = [journey.json("manifest.json") for journey in journeys]

    for manifest in manifests:
        manifest.pop("created_at")
    assert manifests[0] == manifests[1]


@pytest.mark.parametrize("name", ["gold.json", "silver.json"])
def test_the_truth_keys_are_untouched(journey, request, name):
    is_real = "real" in request.node.callspec.id
    truth = (
        real_data.folder() / "scai-qrecc/ground-truth.json" if is_real else ROOT / "demo/truth.json"
    )
    given = {
        (record["Conversation_no"], record["Turn_no"]): record
        for record in json.loads(truth.read_text(encoding="utf-8"))
    }

    released = journey.json(name)

    assert len(released) == len(given)
    for record in released:
        source = given[record["Conversation_no"], record["Turn_no"]]
        assert {key: record[key] for key in TRUTH_KEYS} == {key: source[key] for key in TRUTH_KEYS}
        assert set(record) == {*TRUTH_KEYS, "Truth_answers_alternative"}


def test_every_plausible_answer_has_evidence_or_is_counted_without(journey):
    with (journey.folder / "items.csv").open(encoding="utf-8", newline="") as file:
        items = list(csv.DictReader(file))
    plausible = {each["answer_id"] for each in items if each["verdict"] == "plausible"}
    asked = {each["answer_id"]: each for each in items if each["scheme"] == "faithfulness"}
    without = [each for each in asked.values() if each["set_aside_reason"] == "no evidence"]

    assert asked.keys() == plausible
    assert all(each["evidence"] for each in asked.values() if each not in without)
    assert not any(each["evidence"] for each in without)
    assert len(without) == journey.summary["evidence"]["n_candidates_without_evidence"]


@cache
def verified(folder):
    return verify(folder, with_intervals=True)


@pytest.mark.parametrize("check", CHECKS)
def test_the_release_agrees_with_itself(check, journey):
    """Recomputed by other code: exports/verification."""
    assert verified(journey.folder).found[check].problems == []


def test_some_items_ended_by_their_rule(journey):
    with (journey.folder / "items.csv").open(encoding="utf-8", newline="") as file:
        assert any(row["source"] == "consensus" for row in csv.DictReader(file))


def test_verify_runs_with_nothing_but_python(journey):
    done = subprocess.run(
        [sys.executable, "-I", "-S", journey.folder / "verify.py", journey.folder],
        capture_output=True,
        text=True,
        check=False,
    )

    assert (done.returncode, done.stderr) == (0, "")
    assert "\nNothing contradicts. Not checked: posteriors, agreement," in done.stdout


def test_the_data_set_comes_back_with_more_correct_answers(journey):
    gold, silver = journey.json("gold.json"), journey.json("silver.json")

    n_gold = sum(len(record["Truth_answers_alternative"]) for record in gold)
    n_silver = sum(len(record["Truth_answers_alternative"]) for record in silver)

    assert 0 < n_gold <= n_silver
    assert journey.summary["release"]["accepted"] == {"gold": n_gold, "silver": n_silver - n_gold}


def test_evaluate_runs_with_nothing_but_python(journey, tmp_path):
    run = tmp_path / "run.json"
    first = next(
        record for record in journey.json("gold.json") if record["Truth_answers_alternative"]
    )
    accepted = first["Truth_answers_alternative"][0]["answer"]
    turn = {key: first[key] for key in ("Conversation_no", "Turn_no")}
    run.write_text(json.dumps([{**turn, "Model_answer": accepted}]), encoding="utf-8")

    done = subprocess.run(
        [
            sys.executable,
            "-I",
            "-S",
            journey.folder / "evaluate.py",
            journey.folder / "gold.json",
            run,
        ],
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stderr


@with_real_data
def test_the_pool_holds_the_published_candidates_and_explains_the_others(journey):
    pool = journey.summary["pool"]

    assert pool["n_candidates"] >= 360
    assert sum(pool["n_answers"].values()) == 372
    assert pool["n_answers"]["drawn"] == pool["n_candidates"]
