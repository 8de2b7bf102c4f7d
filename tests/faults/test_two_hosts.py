"""Two hosts, each with a web server, a worker and a data folder of its own, do one study's whole journey.

They share PostgreSQL, Redis, a bucket and the secret key, and nothing else: where the machine gives processes
mounts of their own, neither can even see the folder of the other.
"""

import io
import json
import os
import zipfile
from contextlib import ExitStack

import psycopg
import pytest

from tests.config import buckets
from tests.config.serving import until
from tests.config.visitors import Visitor
from tests.corpus.imports import answer, turn
from tests.faults.clusters import cluster
from tests.faults.fault_installation import FaultInstallation
from tests.faults.hosts import Host, redis_server
from tests.jobs.installation import BEGINNING, Installation, scratch_database

pytestmark = pytest.mark.faults

PASSWORD = "dark-stone-on-a-hill"
N_TURNS = 30
STUDY = "/studies/stones"
# An import that would write answers and may not.
WAITS = "NOT granted AND relation = 'corpus_answer'::regclass"


@pytest.fixture
def shared(tmp_path):
    """What hosts share: the address of the database, and the variables of the rest."""
    with ExitStack() as stack:
        server = os.environ.get("DATABASE_URL", "")
        if not server.startswith("postgres"):
            server = stack.enter_context(cluster()).url
        database = stack.enter_context(scratch_database(server))
        bucket = stack.enter_context(buckets.bucket(tmp_path / "s3.log"))
        broker = stack.enter_context(redis_server())
        yield database, {**bucket, "BROKER_URL": broker, "TOUCHSTONE_SECRET_KEY": "x" * 50}


@pytest.fixture
def hosts(tmp_path, shared):
    """Two hosts, on which nothing runs yet, and a study of alice's."""
    database, variables = shared
    folders = [tmp_path / "one", tmp_path / "two"]
    for folder in folders:
        folder.mkdir()
    first = Installation(folders[0], database, 1, shared=variables)
    second = Installation(folders[1], database, 1, shared=variables, queue=first.queue)
    first.run(["migrate", "--verbosity", 0], *BEGINNING)
    FaultInstallation(folders[0], database).set_password("alice", PASSWORD)
    made = [Host(first, hidden=folders[1]), Host(second, hidden=folders[0])]
    yield made
    for host in made:
        host.cut_off()


def truth():
    return json.dumps([turn(n, f"A stone, number {n}.") for n in range(1, N_TURNS + 1)]).encode()


def send_run(visitor, place, dataset, name):
    """Send a run, wait for its check and start its import."""
    answers = [answer(n, f"A {name} stone, number {n}.") for n in range(1, N_TURNS + 1)]
    files = {"runs": (f"{name}.json", json.dumps(answers).encode())}
    visitor.upload(f"{STUDY}/runs/import/", {"dataset": dataset, "kind": "system"}, files)
    checked = wait_for(place, "check_runs")
    visitor.post(f"{STUDY}/imports/{checked}/", {})


def newest_job(place):
    return place.query("SELECT id, kind, state, message FROM jobs_job ORDER BY id DESC LIMIT 1")[0]


def wait_for(place, kind):
    """Wait until the newest job, of this kind, has ended; return its number."""
    until(lambda: newest_job(place)[2] not in ("waiting", "running"), f"the end of {kind}")
    pk, found, state, message = newest_job(place)
    assert (found, state) == (kind, "done"), message
    return pk


def judged(out):
    """Commands from the scores to a settled batch; simulated people judge."""
    scores = "id,run,sas\n" + "".join(
        f"1_{n},{run},0.9\n" for n in range(1, N_TURNS + 1) for run in ("dark", "light")
    )
    (out / "scores.csv").write_text(scores, encoding="utf-8")
    of_study = ("--study", "stones")
    of_data = (*of_study, "--dataset", "touch", "--scorer", "ours")
    batch = (*of_study, "--batch", "plausibility")
    rule = ("--name", "pool", "--threshold", "0.5", "--min-candidates", "1")
    asked = ("--name", "plausibility", "--scheme", "plausibility", "--pool", "pool")
    return (
        ["import_scores", *of_data, "--metric", "sas", out / "scores.csv"],
        ["draw_pool", *of_data, *rule],
        ["open_batch", *of_study, *asked],
        ["rehearse", *batch, "--annotators", "3"],
        ["close_batch", *batch],
        ["settle", *batch, "--rule", "majority"],
    )


def test_two_hosts_that_share_no_folder_do_the_whole_journey_and_one_may_be_cut_off(
    hosts, shared, tmp_path
):
    one, two = hosts
    place = one.installation
    one.serve()
    two.serve()
    alice = Visitor(one.port)
    alice.sign_in("alice", PASSWORD)

    # Sent to host 1, checked and imported by host 2.
    two.work()
    files = {"truth": ("truth.json", truth())}
    alice.upload(f"{STUDY}/datasets/import/", {"name": "touch"}, files)
    checked = wait_for(place, "check_dataset")
    alice.post(f"{STUDY}/imports/{checked}/", {})
    wait_for(place, "import_dataset")
    dataset = str(place.query("SELECT id FROM corpus_dataset")[0][0])

    send_run(alice, place, dataset, "dark")
    wait_for(place, "import_runs")

    # Host 2 is cut off in the middle of an import, which host 1 does.
    with psycopg.connect(place.database) as held:
        held.execute("LOCK TABLE corpus_answer IN SHARE ROW EXCLUSIVE MODE")
        send_run(alice, place, dataset, "light")
        until(lambda: place.count("pg_locks", WAITS), "host 2 at its work")
        two.cut_off()
    assert newest_job(place)[2] == "running"
    one.work()
    wait_for(place, "import_runs")
    of_runs = "run_id IN (SELECT id FROM corpus_run WHERE name IN ('dark', 'light'))"
    assert place.count("corpus_answer", of_runs) == 2 * N_TURNS

    # Released by host 1; host 2 is there again and gives it out.
    place.run(*judged(tmp_path))
    asked = {"dataset": dataset, "is_rehearsal": "on", "set_aside_disputes": "on"}
    alice.post(f"{STUDY}/releases/new/", asked)
    wait_for(place, "release")
    two.serve()
    release = zipped(Visitor(two.port, alice.jar))
    assert release["manifest.json"] == alice.download(f"{STUDY}/releases/1/files/manifest.json")
    assert {"gold.json", "judgements.csv", "evaluate.py"} <= release.keys()

    left = {
        path.name.partition("-")[0]
        for host in hosts
        for name in ("uploads", "releases")
        for path in (host.installation.data / name).glob("*")
    }
    assert left <= {"copies"}  # of host 2, which had no time to tidy up
    assert {name.split("/")[1] for name in buckets.names(shared[1])} == {"releases"}


def zipped(visitor):
    """The files of the release by name."""
    with zipfile.ZipFile(io.BytesIO(visitor.download(f"{STUDY}/releases/1/all.zip"))) as archive:
        return {name.partition("/")[2]: archive.read(name) for name in archive.namelist()}
