"""Scoring as a job: each distinct pair once, by the scorer that was asked for."""

import os
import subprocess
import sys
import weakref

import pytest
from django.db import connection
from django.db.models import Count
from django.test.utils import CaptureQueriesContext

from corpus.models import Answer, Run, RunKind
from jobs.actions import execution, jobs
from jobs.handlers import JobFailedError
from jobs.models import JobState
from jobs.tasks import work_on
from scoring import queries as scoring_queries
from scoring import score_queries
from scoring.actions import score_jobs, similarity
from scoring.models import Score, Scorer
from scoring.text_hashes import references_sha256, text_sha256
from tests.corpus.imports import DEMO, answer, create_dataset, create_demo_dataset, create_run, turn
from tests.factories import StudyFactory, sha256
from tests.jobs.installation import installed
from tests.late_imports import ImportedLate
from tests.parts import part
from tests.scoring import tiny_models
from tests.scoring.score_jobs import score, score_job
from text import overlap

sas = ImportedLate("scoring.sas")
TURNS = [turn(1, "a dark stone"), turn(2, "it is black"), turn(3)]
ANSWERS = [answer(1, " a dark stone "), answer(2, "it is green"), answer(3, "no truth here")]


@part
def dataset(study, folder):
    dataset = create_dataset(study, folder, TURNS)
    create_run(dataset, folder, ANSWERS, name="alder")
    return dataset


def second_reference(dataset, number, text):
    """A reference beside the imported one: an extended data set may hold several."""
    other = Run.objects.create(
        dataset=dataset,
        name=f"other {text}",
        kind=RunKind.REFERENCE,
        digest=sha256(text),
        answers_digest=sha256(text),
        created_by=dataset.created_by,
    )
    turn = dataset.conversations.get().turns.get(number=number)
    Answer.objects.create(run=other, turn=turn, text=text)


def by_text(scorer):
    return {score.prediction_sha256: score.value for score in Score.objects.filter(scorer=scorer)}


def test_every_answer_on_a_turn_with_truth_is_scored(dataset):
    job = score(dataset, "f1")

    scorer = Scorer.objects.get()
    assert job.result == {"metric": "f1", "scorer": "squad#1", "n_scored": 2}
    assert (scorer.metric, scorer.name, scorer.version, scorer.study) == ("f1", "squad", "1", None)
    assert by_text(scorer) == {
        text_sha256("a dark stone"): 1.0,
        text_sha256("it is green"): pytest.approx(2 / 3),
    }


def test_a_second_run_of_the_job_scores_nothing(dataset):
    score(dataset, "f1")
    before = list(Score.objects.values_list("pk", "value"))

    assert score(dataset, "f1").result["n_scored"] == 0
    assert list(Score.objects.values_list("pk", "value")) == before


def test_only_what_is_new_is_scored_when_a_run_joins(dataset, tmp_path):
    score(dataset, "f1")
    create_run(dataset, tmp_path, [answer(1, "a dark stone"), answer(2, "it is red")], name="birch")

    assert score(dataset, "f1").result["n_scored"] == 1


def test_equal_texts_of_several_runs_are_scored_once(dataset, tmp_path):
    for name in ("birch", "cedar"):
        answers = [answer(1, f"\n{ANSWERS[0]['Model_answer']}"), *ANSWERS[1:]]
        create_run(dataset, tmp_path, answers, name=name, system=name)

    assert score(dataset, "f1").result["n_scored"] == 2
    assert len(score_queries.values(dataset, Scorer.objects.get())) == 6


def test_equal_texts_of_another_data_set_and_study_are_not_scored_again(dataset, tmp_path):
    score(dataset, "f1")
    elsewhere = create_dataset(
        StudyFactory(), tmp_path, [turn(1, "a dark stone", rewrite="And this?")]
    )
    create_run(elsewhere, tmp_path, [answer(1, "a dark stone")])

    assert score(elsewhere, "f1").result["n_scored"] == 0
    assert list(score_queries.values(elsewhere, Scorer.objects.get()).values()) == [1.0]


def test_the_same_answer_to_another_reference_is_another_pair(study, tmp_path):
    touch = create_dataset(study, tmp_path, [turn(1, "a dark stone"), turn(2, "black")])
    create_run(touch, tmp_path, [answer(1, "black"), answer(2, "black")])

    assert score(touch, "em").result["n_scored"] == 2
    assert sorted(Score.objects.values_list("value", flat=True)) == [0.0, 1.0]


def test_of_several_references_the_best_counts(dataset):
    second_reference(dataset, 2, "it is green")

    score(dataset, "em")

    stored = Score.objects.get(prediction_sha256=text_sha256("it is green"))
    assert stored.value == 1.0
    assert stored.references_sha256 == references_sha256(["it is black", "it is green"])


def test_another_reference_makes_another_score_and_leaves_the_old_one(dataset):
    score(dataset, "em")
    second_reference(dataset, 2, "it is green")

    assert score(dataset, "em").result["n_scored"] == 1
    values = Score.objects.filter(prediction_sha256=text_sha256("it is green")).order_by("pk")
    assert list(values.values_list("value", flat=True)) == [0.0, 1.0]


def test_an_empty_answer_has_an_overlap(study, tmp_path):
    touch = create_dataset(study, tmp_path, [turn(1, "black"), turn(2, "the")])
    create_run(touch, tmp_path, [answer(1, " \n"), answer(2, "")])

    score(touch, "f1")

    # An answer without a token is right against a reference without one, as in SQuAD.
    assert sorted(Score.objects.values_list("value", flat=True)) == [0.0, 1.0]


def test_an_empty_answer_has_no_similarity(study, tmp_path, tiny):
    touch = create_dataset(study, tmp_path, [turn(1, "black"), turn(2, "white")])
    create_run(touch, tmp_path, [answer(1, " \n"), answer(2, "grey")])

    assert score(touch, "sas", tiny).result["n_scored"] == 1


def test_references_are_not_scored_against_themselves(study, tmp_path):
    touch = create_dataset(study, tmp_path, TURNS)

    assert score(touch, "f1").result["n_scored"] == 0


def test_baselines_are_scored_like_systems(study, tmp_path):
    touch = create_dataset(study, tmp_path, TURNS)
    create_run(touch, tmp_path, ANSWERS, kind=RunKind.BASELINE)

    assert score(touch, "f1").result["n_scored"] == 2


@pytest.mark.parametrize("chunk_size", [1, 7, 1000])
def test_the_size_of_the_chunks_changes_no_score(study, chunk_size):
    everyday = create_demo_dataset(study, "alder", "dogwood")

    job = score(everyday, "f1", chunk_size=chunk_size)

    n_pairs = len({pair.key for pair in scoring_queries.pairs(everyday)})
    assert job.result["n_scored"] == Score.objects.count() == n_pairs
    assert job.chunks.count() == -(-n_pairs // chunk_size)
    assert jobs.progress(job) == (n_pairs, n_pairs)
    expected = {
        pair.key: overlap.best_value(overlap.token_f1, pair.prediction, pair.references)
        for pair in scoring_queries.pairs(everyday)
    }
    stored = Score.objects.values_list("references_sha256", "prediction_sha256", "value")
    assert {(references, text): value for references, text, value in stored} == expected


def planned_answers(job):
    return [pk for chunk in job.chunks.all() for pk in chunk.params["answers"]]


def test_short_answers_come_first_so_that_a_models_batch_wastes_little(study, tmp_path):
    everyday = create_demo_dataset(study, "alder", "dogwood")
    job = score_job(everyday, "sas", tiny_models.cross_encoder(tmp_path / "tiny"), chunk_size=10)
    execution.plan(job, execution.handler_of(job))

    texts = dict(Answer.objects.values_list("pk", "text"))
    lengths = [len(texts[pk].strip()) for pk in planned_answers(job)]
    assert lengths == sorted(lengths)


def test_a_measure_takes_the_answers_to_one_reference_together(study):
    everyday = create_demo_dataset(study, "alder", "dogwood")
    job = score_job(everyday, "f1", chunk_size=10)
    execution.plan(job, execution.handler_of(job))

    keys = {pair.answer_id: pair.key for pair in scoring_queries.pairs(everyday)}
    planned = [keys[pk] for pk in planned_answers(job)]
    assert len(planned) > 20
    assert planned == sorted(planned)


def test_many_answers_to_few_turns_are_read_by_their_turns(study, monkeypatch):
    monkeypatch.setattr("scoring.jobs.ANSWERS_A_TURN", 1)
    everyday = create_demo_dataset(study, "alder", "birch", "dogwood")
    job = score_job(everyday, "f1", chunk_size=20)
    handler = execution.handler_of(job)
    execution.plan(job, handler)
    chunk = execution.lease(job, "one")
    turns = set(
        Answer.objects.filter(pk__in=chunk.params["answers"]).values_list("turn_id", flat=True)
    )
    assert len(turns) < 20

    with CaptureQueriesContext(connection) as captured:
        scores = handler.compute(job, chunk.params, lambda: None)

    assert set(chunk.params["on_turns"]) == turns
    assert len(scores) == 20
    assert not [each["sql"] for each in captured if '"corpus_answer"."id" IN' in each["sql"]]


def test_no_chunk_scans_the_index_of_all_answers(study):
    everyday = create_demo_dataset(study, "alder", "dogwood")
    job = score_job(everyday, "f1", chunk_size=10)
    handler = execution.handler_of(job)
    execution.plan(job, handler)
    chunk = execution.lease(job, "one")

    with CaptureQueriesContext(connection) as captured:
        handler.compute(job, chunk.params, lambda: None)

    reads = [query["sql"] for query in captured if 'FROM "corpus_answer"' in query["sql"]]
    # By primary key with the text, not by a join of a covering index; and the references by turn.
    assert len(reads) == 2
    assert all('"corpus_answer"."text"' in sql for sql in reads)


def test_a_pair_that_another_job_scored_meanwhile_stays_as_it_is(dataset, tmp_path):
    job = score_job(dataset, "f1", chunk_size=1)
    execution.plan(job, execution.handler_of(job))
    elsewhere = create_dataset(StudyFactory(), tmp_path, TURNS)
    create_run(elsewhere, tmp_path, ANSWERS)
    score(elsewhere, "f1")
    before = list(Score.objects.values_list("pk", flat=True))

    execution.run(job)

    assert len(before) == 2
    assert list(Score.objects.values_list("pk", flat=True)) == before


# Similarity


def test_a_model_is_named_by_its_folder(dataset, tiny):
    job = score(dataset, "sas", tiny)

    scorer = Scorer.objects.get()
    model = sas.load(str(tiny))
    pairs = [("a dark stone", "a dark stone"), ("it is green", "it is black")]
    values = dict(zip(pairs, model.similarities(pairs), strict=True))
    expected = {text_sha256(answer): value for (answer, _), value in values.items()}
    assert job.result["n_scored"] == 2
    assert (scorer.metric, scorer.name, scorer.version) == ("sas", "tiny", model.identity.version)
    assert scorer.identity["kind"] == "cross-encoder"
    assert by_text(scorer) == pytest.approx(expected, abs=1e-5)


def test_of_several_references_the_most_similar_counts(dataset, tiny):
    second_reference(dataset, 2, "it is green")

    score(dataset, "sas", tiny)

    model = sas.load(str(tiny))
    alike = model.similarities([("it is green", "it is black"), ("it is green", "it is green")])
    stored = by_text(Scorer.objects.get())[text_sha256("it is green")]
    assert stored == pytest.approx(max(alike), abs=1e-5)


def test_another_model_of_the_same_name_is_another_scorer(dataset, tiny, tmp_path):
    score(dataset, "sas", tiny)
    other = tiny_models.cross_encoder(tmp_path / "tiny", seed=1)

    assert score(dataset, "sas", other).result["n_scored"] == 2
    assert Scorer.objects.filter(name="tiny").count() == 2


def test_a_copy_of_the_model_elsewhere_is_the_same_scorer(dataset, tiny, tmp_path):
    score(dataset, "sas", tiny)
    copy = tiny_models.cross_encoder(tmp_path / "tiny")

    assert score(dataset, "sas", copy).result["n_scored"] == 0


def test_bfloat16_is_another_scorer(dataset, tiny):
    score(dataset, "sas", tiny)

    assert score(dataset, "sas", tiny, bf16=True).result["n_scored"] == 2
    assert Scorer.objects.filter(version__contains="bfloat16").count() == 1


@pytest.mark.parametrize("name", ["ti#ny", "tiny ", "t" * 201])
def test_a_model_whose_folder_cannot_be_a_scorers_name_fails_the_job_in_words(
    dataset, tmp_path, name
):
    folder = tiny_models.cross_encoder(tmp_path / name)

    with pytest.raises(JobFailedError, match=r"cannot be called so: .* Rename its folder"):
        score(dataset, "sas", folder)

    assert not Scorer.objects.exists()


def test_exact_match_and_f1_are_scored_without_loading_a_models_library(tmp_path):
    """In a fresh interpreter, from the import to the scores."""
    program = f"""
import sys
import django; django.setup()
from django.core.management import call_command as call
here = ("--study", "stones")
call("import_dataset", {str(DEMO / "truth.json")!r}, *here, name="everyday")
call("import_run", {str(DEMO / "runs" / "alder.json")!r}, *here, dataset="everyday", name="alder")
call("score", *here, "--metric", "em", "f1", dataset="everyday")
from scoring.models import Score
import sampling.jobs
heavy = {{"torch", "transformers", "sentence_transformers"}} & set(sys.modules)
sys.exit(f"{{Score.objects.count()}} scores, {{heavy}}" if heavy or not Score.objects.exists() else 0)
"""
    with installed(tmp_path) as installation:
        done = subprocess.run(
            [sys.executable, "-c", program],
            env=installation.environment,
            capture_output=True,
            text=True,
        )

    assert done.returncode == 0, done.stderr


def test_a_model_that_is_not_there_fails_the_job_in_words(dataset):
    job = score_job(dataset, "sas", "./nowhere")

    with pytest.raises(JobFailedError, match=r"There is no folder \./nowhere"):
        execution.run(job)

    job.refresh_from_db()
    assert job.state == JobState.FAILED
    assert not job.chunks.exists()


def test_a_worker_with_another_version_of_the_model_does_not_mix_its_scores_in(
    dataset, tmp_path, alice
):
    folder = tiny_models.cross_encoder(tmp_path / "tiny")
    job = score_job(dataset, "sas", folder, chunk_size=1)
    execution.plan(job, execution.handler_of(job))
    execution.do_chunk(job, execution.handler_of(job), execution.lease(job, "one"))
    tiny_models.cross_encoder(folder, seed=1)
    similarity.model.cache_clear()

    with pytest.raises(JobFailedError, match="the job was begun with another version"):
        execution.run(job)

    assert Score.objects.count() == 1


def test_the_end_of_a_job_names_the_scorer_that_it_was_done_with(dataset, tmp_path):
    folder = tiny_models.cross_encoder(tmp_path / "tiny")
    job = score_job(dataset, "sas", folder)
    handler = execution.handler_of(job)
    execution.plan(job, handler)
    while chunk := execution.lease(job, "dies before the end"):
        execution.do_chunk(job, handler, chunk)
    scorer = Scorer.objects.get()
    tiny_models.cross_encoder(folder, seed=1)
    similarity.model.cache_clear()

    assert execution.run(job).result["scorer"] == scorer.short


def test_a_model_that_gives_no_number_fails_the_job_in_words(dataset, tmp_path, monkeypatch):
    folder = tiny_models.cross_encoder(tmp_path / "tiny")
    job = score_job(dataset, "sas", folder)

    class Broken:
        identity = similarity.model(str(folder)).identity

        def similarities(self, pairs):
            raise sas.ModelError("The model tiny gives no finite number for 2 of 2 pairs.")

    monkeypatch.setattr(similarity, "model", lambda name, *, bf16=False: Broken())
    with pytest.raises(JobFailedError, match="no finite number"):
        execution.run(job)

    assert not Score.objects.exists()


def test_a_worker_gives_the_model_back_when_it_leaves_the_job(dataset, tmp_path):
    folder = str(tiny_models.cross_encoder(tmp_path / "tiny"))
    job = score_job(dataset, "sas", folder, chunk_size=1)
    loaded = weakref.ref(similarity.model(folder).model)

    assert work_on(job.pk) == 2

    assert loaded() is None


def test_torch_threads_wait_without_a_loop(tmp_path):
    """In an interpreter whose torch only says what it would read when it is loaded."""
    stand_in = "import os; print(os.environ['OMP_WAIT_POLICY']); raise SystemExit(0)"
    (tmp_path / "torch.py").write_text(stand_in, encoding="utf-8")
    env = {name: value for name, value in os.environ.items() if name != "OMP_WAIT_POLICY"}
    found = subprocess.run(
        [sys.executable, "-c", "import scoring.sas"],
        check=True,
        capture_output=True,
        text=True,
        env=env | {"PYTHONPATH": str(tmp_path)},
    )
    assert found.stdout.strip() == "PASSIVE"


SHARING = ("em", "f1", "rouge_l")


def start_together(dataset, alice, metrics=SHARING):
    return score_jobs.score(dataset=dataset, metrics=metrics, model="", by=alice)


def n_scores_by_metric():
    counts = Scorer.objects.annotate(n=Count("scores")).order_by("metric")
    return dict(counts.values_list("metric", "n"))


@pytest.fixture
def measured(monkeypatch):
    """Every text whose words are split from here on."""
    real, texts = overlap.words, []
    monkeypatch.setattr(overlap, "words", lambda text: [texts.append(text), real(text)][1])
    overlap._words.cache_clear()
    return texts


@pytest.mark.parametrize("planned_before", [False, True], ids=["one by one", "planned before"])
def test_measures_of_the_same_texts_started_together_split_each_text_once(
    dataset, alice, measured, planned_before
):
    started = start_together(dataset, alice)
    for job in started if planned_before else ():
        execution.plan(job, execution.handler_of(job))

    results = [execution.run(job).result["n_scored"] for job in started]

    assert len(measured) == len(set(measured))
    assert results == [2, 0, 0]
    assert n_scores_by_metric() == dict.fromkeys(SHARING, 2)


def test_measures_started_together_have_the_values_that_each_has_alone(dataset, alice):
    for job in start_together(dataset, alice):
        execution.run(job)
    together = {metric: by_text(Scorer.objects.get(metric=metric)) for metric in SHARING}
    Score.objects.all().delete()

    for metric in SHARING:
        score(dataset, metric)
        assert by_text(Scorer.objects.get(metric=metric)) == together[metric]


def test_a_measure_that_nobody_asked_for_of_this_data_set_is_not_computed(
    dataset, alice, study, tmp_path
):
    other = create_dataset(study, tmp_path, [turn(1, "moss")], name="other")
    start_together(other, alice, ["rouge_1"])
    f1, _ = start_together(dataset, alice, ["f1", "length"])

    execution.run(f1)

    assert n_scores_by_metric() == {"f1": 2}
