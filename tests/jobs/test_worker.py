"""Real workers over a real broker, killed in the middle of their work: nothing is half, nothing is twice."""

import json
import random
from dataclasses import dataclass

import pytest

from jobs.models import JobState
from scoring.models import Score
from tests.config import processes
from tests.corpus.imports import answer, create_dataset, create_run, turn
from tests.corpus.reader_files import write_file
from tests.jobs.installation import Installation, Worker, installed
from tests.scoring import tiny_models
from tests.scoring.score_jobs import score

pytestmark = pytest.mark.worker

N_TURNS = 60
WORDS = ["slate", "basalt", "gold", "dark", "tablet", "streak", "acid", "carat", "river", "quarry"]


@pytest.fixture
def data(tmp_path):
    return new_folder(tmp_path)


def new_folder(within):
    (folder := within / "installation").mkdir()
    return folder


def texts(seed, n):
    dice = random.Random(seed)
    return [
        " ".join([*dice.choices(WORDS, k=dice.randint(1, 8)), str(number)]) for number in range(n)
    ]


TURNS = [turn(number, text) for number, text in enumerate(texts(0, N_TURNS), start=1)]
# Every other answer of birch is alder's: a pair that must be scored once.
ALDER = texts(1, N_TURNS)
BIRCH = [
    one if number % 2 else other
    for number, (one, other) in enumerate(zip(ALDER, texts(2, N_TURNS), strict=True))
]
N_PAIRS = N_TURNS + N_TURNS // 2


def answers(texts):
    return [answer(number, text) for number, text in enumerate(texts, start=1)]


def scores_of(installation):
    return {
        (references, prediction): value
        for references, prediction, value in installation.query(
            "SELECT references_sha256, prediction_sha256, value FROM scoring_score"
        )
    }


def undisturbed(study, folder, model):
    """The same scores by the same job in this process."""
    dataset = create_dataset(study, folder, TURNS)
    create_run(dataset, folder, answers(ALDER), name="alder")
    create_run(dataset, folder, answers(BIRCH), name="birch")
    score(dataset, "sas", model)
    return {
        (each.references_sha256, each.prediction_sha256): each.value for each in Score.objects.all()
    }


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return tiny_models.cross_encoder(tmp_path_factory.mktemp("model") / "tiny")


@dataclass(frozen=True)
class Killed:
    """A scoring whose first worker was killed. A second one has done the rest, and still runs."""

    installation: Installation
    worker: Worker
    n_before: int  # scores when the first was killed
    n_chunks_before: int


@pytest.fixture(scope="module")
def killed(tmp_path_factory, model):
    data = new_folder(tmp_path_factory.mktemp("killed"))
    in_study = ("--study", "stones", "--dataset", "touch")
    turns = write_file(data, TURNS, "t")
    with installed(data) as installation:
        installation.run(
            ["import_dataset", "--study", "stones", "--name", "touch", turns],
            ["import_run", *in_study, "--name", "alder", write_file(data, answers(ALDER), "a")],
            ["import_run", *in_study, "--name", "birch", write_file(data, answers(BIRCH), "b")],
            ["score", *in_study, "--metric", "sas", "--scorer", model, "--background"],
        )
        in_small_chunks(installation)

        with installation.worker() as worker:
            worker.until(lambda: installation.count("scoring_score") > 5, "some scores")
            worker.kill()

        n_before, n_chunks = installation.count("scoring_score"), n_done_chunks(installation)
        with installation.worker() as worker:
            worker.until(lambda: state(installation, "score") == JobState.DONE, "the rest")
            yield Killed(installation, worker, n_before, n_chunks)


def test_scoring_that_was_killed_in_the_middle_is_finished_by_the_next_worker(
    killed, model, study, tmp_path
):
    assert 5 < killed.n_before < N_PAIRS
    assert killed.n_chunks_before == killed.n_before
    # The database refuses a pair twice; the chunks count what was written by each.
    found = scores_of(killed.installation)
    assert len(found) == killed.installation.count("scoring_score") == N_PAIRS
    assert result(killed.installation, "score")["n_scored"] == N_PAIRS
    assert found == pytest.approx(undisturbed(study, tmp_path, model), abs=1e-5)


def test_the_process_that_loaded_a_model_ends_after_its_job_and_gives_its_memory_back(killed):
    ((name,),) = killed.installation.query(
        f"SELECT worker FROM jobs_chunk WHERE {OF_THE_SCORING} ORDER BY id DESC LIMIT 1"
    )
    process = int(name.split(":")[1])

    killed.worker.until(lambda: not processes.is_there(process), "the end of the process")

    assert killed.worker.process.poll() is None


def in_small_chunks(installation):
    """One pair a chunk, so that there is a middle."""
    (written_params,) = installation.query("SELECT params FROM jobs_job WHERE kind = 'score'")
    params = (
        written_params[0] if isinstance(written_params[0], dict) else json.loads(*written_params)
    )
    params["chunk_size"] = 1
    installation.query(f"UPDATE jobs_job SET params = '{json.dumps(params)}' WHERE kind = 'score'")


OF_THE_SCORING = "job_id = (SELECT id FROM jobs_job WHERE kind = 'score')"


def n_done_chunks(installation):
    return installation.count("jobs_chunk", f"state = 'done' AND {OF_THE_SCORING}")


def state(installation, kind):
    return of_job(installation, kind, "state")


def result(installation, kind):
    stored = of_job(installation, kind, "result")
    return stored if isinstance(stored, dict) else json.loads(stored)


def of_job(installation, kind, column):
    return installation.query(f"SELECT {column} FROM jobs_job WHERE kind = '{kind}'")[0][0]


N_MANY = 12_000


def corpus(installation):
    tables = ("dataset", "conversation", "turn", "run", "answer")
    return [installation.count(f"corpus_{table}") for table in tables]


def test_an_import_that_was_killed_while_it_wrote_leaves_nothing_and_is_done_whole_later(data):
    many = [turn(1, f"Stone {n}.", conversation=n, rewrite="?" * 500) for n in range(N_MANY)]
    with installed(data) as installation:
        file = write_file(data, many, "many.json")
        installation.run(
            ["import_dataset", "--study", "stones", "--name", "touch", "--background", file]
        )

        with installation.worker() as worker:
            worker.until(lambda: installation.count("corpus_turn"), "some of it")
            worker.kill()

        assert installation.count("jobs_chunk", "state = 'leased'") == 1
        # What is written is hidden: nobody sees a part of it.
        assert installation.count("corpus_turn") < N_MANY
        assert installation.count("corpus_dataset", "staged_by_id IS NULL") == 0
        with installation.worker() as worker:
            worker.until(
                lambda: state(installation, "import_dataset") == JobState.DONE, "the import"
            )
            whole = [1, N_MANY, N_MANY, 1, N_MANY]
            worker.until(lambda: corpus(installation) == whole, "the end of what was left")

        assert result(installation, "import_dataset")["created"] is True
        assert installation.count("audit_event", "verb = 'imported'") == 1


def test_a_worker_is_woken_by_the_message_alone_in_the_queue_of_its_installation(data):
    with installed(data, wake_seconds=3600) as installation, installation.worker() as worker:
        worker.until(lambda: "ready." in worker.tail(), "the worker")
        assert f"exchange={installation.queue}(" in worker.tail()
        installation.run(
            [
                "import_dataset",
                "--study",
                "stones",
                "--name",
                "touch",
                "--background",
                write_file(data, TURNS, "t"),
            ]
        )

        worker.until(lambda: state(installation, "import_dataset") == JobState.DONE, "the import")

        assert installation.count("corpus_turn") == N_TURNS
