"""A real worker is killed in the middle of finding evidence: nothing is lost, and nothing is there twice."""

import random

import pytest

from jobs.models import JobState
from tests.corpus.imports import answer, passage_table, turn
from tests.corpus.reader_files import write_file
from tests.jobs.installation import installed

pytestmark = pytest.mark.worker

N_TURNS = 200
# So many that a chunk of turns takes a while: it is to be killed between two of them.
N_SENTENCES = 400
WORDS = ["slate", "basalt", "gold", "dark", "tablet", "streak", "acid", "carat", "river", "quarry"]


def sentence(dice):
    return f"{' '.join(dice.choices(WORDS, k=dice.randint(4, 12)))}.".capitalize()


@pytest.fixture
def files(tmp_path):
    """Turns with a long passage each; alder quotes a sentence of it."""
    dice = random.Random(1)
    passages = [[sentence(dice) for _ in range(N_SENTENCES)] for _ in range(N_TURNS)]
    turns = [turn(n, f"A dark stone, {n}.") for n in range(1, N_TURNS + 1)]
    rows = [(f"1_{n}", f"p{n}", " ".join(said)) for n, said in enumerate(passages, start=1)]
    answers = [
        answer(n, said[7], Model_evidence={"passage_id": f"p{n}", "text": said[3]})
        for n, said in enumerate(passages, start=1)
    ]
    scores = "\n".join(["id,run,sas", *(f"1_{n},alder,0.9" for n in range(1, N_TURNS + 1))])
    return {
        "turns": write_file(tmp_path, turns, "turns.json"),
        "passages": write_file(tmp_path, passage_table(*rows), "passages.tsv"),
        "answers": write_file(tmp_path, answers, "answers.json"),
        "scores": write_file(tmp_path, scores + "\n", "scores.csv"),
    }


def test_evidence_that_was_killed_in_the_middle_is_whole_when_the_next_worker_is_done(
    tmp_path, files
):
    study = ("--study", "stones")
    in_study = (*study, "--dataset", "touch")
    find = ["find_evidence", *study, "--batch", "first", "--sas-threshold", "none", "--name"]
    (data := tmp_path / "installation").mkdir()
    with installed(data) as installation:
        installation.run(
            [
                *("import_dataset", *study, "--name", "touch", "--passages", files["passages"]),
                files["turns"],
            ],
            ["import_run", *in_study, "--name", "alder", files["answers"]],
            [
                *("import_scores", *in_study, "--metric", "sas", "--scorer", "paper"),
                files["scores"],
            ],
            [
                *("draw_pool", *in_study, "--name", "pool", "--scorer", "paper"),
                *("--threshold", 0.5, "--min-candidates", 1),
            ],
            [
                *("open_batch", *study, "--name", "first", "--pool", "pool"),
                *("--scheme", "plausibility"),
            ],
            ["rehearse", *study, "--batch", "first", "--accuracy", 1],
            ["close_batch", *study, "--batch", "first"],
            ["settle", *study, "--batch", "first", "--rule", "majority"],
            [*find, "evidence", "--background"],
        )

        with installation.worker() as worker:
            worker.until(lambda: installation.count("sampling_evidencespan") > 0, "some evidence")
            worker.kill()

        n_before = len(found(installation, "evidence"))
        assert n_before > 0
        assert state(installation) != JobState.DONE
        assert installation.count("sampling_pool", "built_at IS NULL") == 1  # nobody sees it yet
        with installation.worker() as worker:
            worker.until(lambda: state(installation) == JobState.DONE, "the rest")

        whole = found(installation, "evidence")
        assert n_before < len(whole)
        installation.run([*find, "undisturbed"])
        assert whole == found(installation, "undisturbed")
        assert {row[4] for row in whole} == {"cited", "overlap"}
        evidence, undisturbed = installation.query(
            "SELECT counts FROM sampling_pool WHERE purpose = 'evidence' ORDER BY id"
        )
        assert evidence == undisturbed


def found(installation, pool):
    """The spans of a pool with whom they were found for and whose quotes they are, in their order."""
    return installation.query(
        'SELECT turn.number, span.position, span.start, span."end", span.source, match.f1,'
        " candidate.text_sha256, citation.citation_id FROM sampling_evidencespan span"
        " JOIN sampling_pool pool ON pool.id = span.pool_id"
        " JOIN corpus_turn turn ON turn.id = span.turn_id"
        " LEFT JOIN sampling_spanmatch match ON match.span_id = span.id"
        " LEFT JOIN sampling_candidate candidate ON candidate.id = match.candidate_id"
        " LEFT JOIN sampling_spancitation citation ON citation.span_id = span.id"
        f" WHERE pool.name = '{pool}'"
        " ORDER BY turn.number, span.position, candidate.text_sha256, citation.citation_id"
    )


def state(installation):
    return installation.query(
        "SELECT state FROM jobs_job WHERE kind = 'find_evidence' ORDER BY id LIMIT 1"
    )[0][0]
