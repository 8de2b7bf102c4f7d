"""score, import_scores."""

import pytest

from jobs.models import JobState
from jobs.tasks import work_on
from scoring.models import ImportedScore, Score, Scorer
from tests.commands.command_calls import command_error, run_command
from tests.corpus.imports import answer, create_dataset, create_run, turn
from tests.corpus.reader_files import write_file
from tests.parts import part
from tests.scoring import tiny_models
from tests.scoring.stand_in_models import NoisyCrossEncoder, many_answers, use_model


@part
def options(study, folder):
    dataset = create_dataset(study, folder, [turn(1, "a stone"), turn(2, "black")])
    create_run(dataset, folder, [answer(1, "a dark stone"), answer(2, "")], name="alder")
    return "--study", study.slug, "--dataset", "touch"


def test_score_gives_every_metric_with_its_scorer(options, tiny):
    said = run_command("score", *options, "--scorer", tiny)

    sas = Scorer.objects.get(name="tiny")
    assert said == {
        "dataset": "touch@1",
        "metrics": [
            {"metric": "em", "scorer": "squad#1", "n_scored": 2},
            {"metric": "f1", "scorer": "squad#1", "n_scored": 0},  # with em, by its job
            {"metric": "sas", "scorer": sas.short, "n_scored": 1},
        ],
    }
    assert Score.objects.count() == 5


def test_score_scores_nothing_twice(options, tiny):
    run_command("score", *options, "--scorer", tiny)

    again = run_command("score", *options, "--scorer", tiny)

    assert [each["n_scored"] for each in again["metrics"]] == [0, 0, 0]


@pytest.mark.parametrize("named", [("f1", "em"), ("f1", "--metric", "em")])
def test_score_computes_only_the_metrics_that_are_named(options, named):
    said = run_command("score", *options, "--metric", *named)

    assert [each["metric"] for each in said["metrics"]] == ["f1", "em"]


def test_score_in_bfloat16_is_a_scorer_of_its_own(options, tiny):
    run_command("score", *options, "--metric", "sas", "--scorer", tiny)
    run_command("score", *options, "--metric", "sas", "--scorer", tiny, "--bf16")

    assert Scorer.objects.filter(name="tiny").count() == 2


def test_score_in_the_background_tells_a_worker_elsewhere_where_the_model_lies(
    options, study, tmp_path, monkeypatch
):
    woken = []
    monkeypatch.setattr(work_on, "delay", woken.append)
    tiny_models.cross_encoder(tmp_path / "small")
    monkeypatch.chdir(tmp_path)

    said = run_command("score", *options, "--metric", "sas", "--scorer", "small", "--background")

    monkeypatch.chdir("/")
    job = study.jobs.get()
    assert said["metrics"] == [{"job": job.pk, "state": JobState.WAITING}]
    assert job.params["scorer"] == str(tmp_path / "small")
    assert work_on(*woken) == 1
    assert Scorer.objects.get().name == "small"


def test_score_by_default_uses_the_embedded_model(options, study, monkeypatch):
    monkeypatch.setattr(work_on, "delay", lambda job_id: None)

    run_command("score", *options, "--metric", "sas", "--background")

    assert study.jobs.get().params["scorer"] == "all-MiniLM-L6-v2"


def test_score_in_two_stages_says_how_the_band_did(study, tmp_path, tiny, monkeypatch):
    many_answers(study, tmp_path, alder=1, birch=2, cedar=3)
    use_model(monkeypatch, tiny, NoisyCrossEncoder(tiny))
    options = ("score", "--study", study.slug, "--dataset", "touch", "--metric", "sas")
    about = ("--scorer", tiny, "--about", 0.5, "--wrong", 0.05, "--sample", 140)

    (said,) = run_command(*options, *about)["metrics"]

    scorer = Scorer.objects.get(name="two-stage:tiny")
    assert (said["metric"], said["scorer"]) == ("sas", scorer.short)
    assert said["n_scored"] == scorer.scores.count() > 0
    assert (said["two_stages"]["threshold"], said["two_stages"]["n_tried"]) == (0.5, 70)
    assert said["two_stages"]["upper"] <= 0.05
    assert run_command(*options, *about)["metrics"][0]["n_scored"] == 0


def test_score_in_two_stages_in_the_background_leaves_the_calibration_to_a_worker(
    options, study, tiny, monkeypatch
):
    monkeypatch.setattr(work_on, "delay", lambda job_id: None)

    run_command(
        *("score", *options, "--metric", "sas", "--scorer", tiny, "--about", 0.5, "--background")
    )

    job = study.jobs.get()
    assert (job.kind, job.params["threshold"], job.params["first"]) == (
        "calibrate",
        0.5,
        "all-MiniLM-L6-v2",
    )


def test_score_refuses_what_cannot_be(options, study, tiny, monkeypatch):
    assert "There is no folder ./nowhere" in command_error(
        "score", *options, "--scorer", "./nowhere"
    )
    about = ("score", *options, "--scorer", tiny, "--about")
    assert "--about: Ensure this value is less" in command_error(*about, 1.5)
    assert "none is not a number" in command_error(*about, 0.5, "--wrong", "none")
    assert "--about: Two stages need a cross-encoder" in command_error(*about[:-3], "--about", 0.5)
    assert "invalid choice: 'bleu'" in command_error("score", *options, "--metric", "bleu")
    assert "has no dataset slate" in command_error(
        "score", "--study", study.slug, "--dataset", "slate"
    )


def test_score_refuses_to_join_a_job_with_other_parameters(options, tiny, monkeypatch):
    monkeypatch.setattr(work_on, "delay", lambda job_id: None)
    command = ("score", *options, "--metric", "sas", "--scorer", tiny)
    run_command(*command, "--background")

    assert "was started with other parameters: cancel it first" in command_error(*command, "--bf16")


def scores(folder, *rows, metric="sas"):
    return write_file(folder, "\n".join([f"id,run,{metric}", *rows]) + "\n", "scores.csv")


def test_import_scores_attaches_and_counts(options, tmp_path):
    file = scores(tmp_path, "1_1,alder,0.9", "1_9,alder,0.5")
    command = ("import_scores", *options, "--metric", "sas", "--scorer", "paper", file)

    assert command_error(*command) == "scores.csv: row 3: id: 1_9 of the run alder has no answer"
    said = run_command(*command, "--leave-out-unknown")
    assert said == {"scorer": "paper#imported", "n_new": 1, "n_unchanged": 0, "n_left_out": 1}
    assert run_command(*command, "--leave-out-unknown")["n_unchanged"] == 1


def test_import_scores_refuses_what_cannot_be(options, tmp_path):
    command = ("import_scores", *options, "--metric", "sas", "--scorer")
    run_command(*command, "paper", scores(tmp_path, "1_1,alder,0.9"))
    other = scores(tmp_path, "1_1,alder,0.8")

    assert "has other values for 1 of these answers" in command_error(*command, "paper", other)
    assert (
        command_error(*command, "a#b", other)
        == "--scorer: The name of a scorer has no #: it begins the version."
    )
    assert "--scorer: holds U+000A" in command_error(*command, "mi\nne", other)
    assert "all-MiniLM-L6-v2 is what scores computed here are called" in command_error(
        *command, "all-MiniLM-L6-v2", other
    )
    assert 'column "sas" is not in the header' in command_error(
        *command, "mine", scores(tmp_path, "1_1,alder,0.8", metric="f1")
    )
    assert "there is no file" in command_error(*command, "mine", tmp_path / "nowhere.csv")
    assert ImportedScore.objects.count() == 1
