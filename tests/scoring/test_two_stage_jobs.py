"""Two stages as jobs: calibrated on a sample, then scored as by any other scorer, and nothing twice."""

import pytest

from jobs.actions import execution, jobs
from jobs.handlers import JobFailedError
from jobs.models import Job
from scoring import queries as scoring_queries
from scoring import score_queries
from scoring.actions import calibration as calibration_actions
from scoring.actions import score_jobs
from scoring.actions.calibration import TwoStages
from scoring.models import Metric, Score, Scorer
from scoring.thresholds import DEFAULT_SCORER
from tests.corpus.imports import answer, create_dataset, create_run, turn
from tests.parts import part
from tests.scoring import tiny_models
from tests.scoring.score_jobs import score
from tests.scoring.stand_in_models import (
    NoisyCrossEncoder,
    OverlapBiEncoder,
    many_answers,
    texts,
    use_model,
)

THRESHOLD = 0.5


@part
def dataset(study, folder):
    return many_answers(study, folder, alder=1, birch=2, cedar=3)


@pytest.fixture
def second_model(tiny, monkeypatch):
    """The cross-encoder that is at hand beside the bi-encoder."""
    return use_model(monkeypatch, tiny, NoisyCrossEncoder(tiny))


def begin_calibration(dataset, tiny, alice, **wanted):
    asked = {"threshold": THRESHOLD, "most_wrong": 0.05, "n_sample": 140, **wanted}
    (job,) = score_jobs.score(
        dataset=dataset, metrics=["sas"], model=str(tiny), by=alice, two_stages=TwoStages(**asked)
    )
    return job


def score_in_two_stages(dataset, tiny, alice, **wanted):
    calibration = execution.run(begin_calibration(dataset, tiny, alice, **wanted))
    return calibration, execution.run(Job.objects.get(pk=calibration.result["job"]))


def two_stage():
    return Scorer.objects.get(name="two-stage:tiny")


def test_scores_are_the_cross_encoder_s_in_the_band_and_on_its_side_elsewhere(
    dataset, tiny, alice, second_model
):
    calibration, job = score_in_two_stages(dataset, tiny, alice)

    scorer = two_stage()
    band = calibration_actions.calibration_of(scorer)
    pairs = {pair.answer_id: pair for pair in scoring_queries.pairs(dataset)}
    values = score_queries.values(dataset, scorer)
    first = score_queries.values(dataset, Scorer.objects.get(name=DEFAULT_SCORER))
    assert values.keys() == pairs.keys() == first.keys()
    near = [pk for pk, cosine in first.items() if band.is_in_band(cosine)]
    assert 0 < len(near) < len(pairs) / 2
    flat = [(pairs[pk].prediction, *pairs[pk].references) for pk in near]
    assert [values[pk] for pk in near] == pytest.approx(second_model.similarities(flat), abs=1e-5)
    for pk in values.keys() - set(near):
        assert values[pk] == band.value(first[pk])
        assert (values[pk] > THRESHOLD) == (first[pk] > band.high)
    assert job.result["n_scored"] == Score.objects.filter(scorer=scorer).count()
    assert calibration.result["scorer"] == job.result["scorer"] == scorer.short


def test_the_cross_encoder_is_asked_about_the_sample_and_the_band_only(
    dataset, tiny, alice, second_model
):
    job = execution.run(begin_calibration(dataset, tiny, alice))
    n_sampled = len(second_model.asked)

    execution.run(Job.objects.get(pk=job.result["job"]))

    scorer = two_stage()
    band = calibration_actions.calibration_of(scorer)
    stored = Score.objects.filter(scorer__name=DEFAULT_SCORER)
    n_near = sum(band.is_in_band(each.value) for each in stored)
    assert n_sampled == 140
    assert len(second_model.asked) - n_sampled == n_near
    # Of the answers near the threshold alone it has no score of its own: their mean would be taken for the run's.
    assert not Score.objects.filter(scorer__name="tiny").exists()


def test_the_scorer_names_both_models_the_threshold_and_the_band(
    dataset, tiny, alice, second_model
):
    score_in_two_stages(dataset, tiny, alice)

    scorer = two_stage()
    band, trial = calibration_actions.calibration_of(scorer), calibration_actions.trial_of(scorer)
    first, cross = OverlapBiEncoder.identity.version, second_model.identity.version
    assert scorer.version.startswith(
        f"{first} then {cross}, threshold 0.5, band {band.low:g} to {band.high:g}, calibration "
    )
    assert scorer.identity["kind"] == "two-stage"
    assert scorer.threshold == THRESHOLD
    assert trial.n_tried == 70
    assert trial.upper <= 0.05


def test_the_result_says_how_the_band_did_and_what_it_spares(dataset, tiny, alice, second_model):
    calibration, _ = score_in_two_stages(dataset, tiny, alice)

    trial = calibration_actions.trial_of(two_stage())
    said = calibration.result
    assert (said["threshold"], said["most_wrong"], said["upper"]) == (0.5, 0.05, trial.upper)
    assert said["near"] == trial.n_near / 70
    assert said["n_pairs"] == len({pair.key for pair in scoring_queries.pairs(dataset)})
    assert said["hours"] > 0
    assert said["hours_by_cross_encoder"] > 0


def test_asked_again_it_goes_on_with_the_same_scorer_and_scores_only_what_is_new(
    dataset, tiny, alice, second_model, tmp_path
):
    score_in_two_stages(dataset, tiny, alice)
    second_model.asked.clear()

    again, scored = score_in_two_stages(dataset, tiny, alice)

    assert again.result["scorer"] == two_stage().short
    assert not again.chunks.parts().exists()
    assert scored.result["n_scored"] == 0
    create_run(
        dataset, tmp_path, [answer(1, "a stone of slate"), answer(2, texts(1)[1])], name="dogwood"
    )
    _, later = score_in_two_stages(dataset, tiny, alice)
    assert later.result["n_scored"] == 1
    assert len(second_model.asked) <= 1
    assert Scorer.objects.filter(name="two-stage:tiny").count() == 1


@pytest.mark.parametrize("other", [{"threshold": 0.6}, {"seed": 2}, {"most_wrong": 0.1}])
def test_two_stages_that_are_wanted_otherwise_are_another_scorer(
    dataset, tiny, alice, second_model, other
):
    score_in_two_stages(dataset, tiny, alice)

    score_in_two_stages(dataset, tiny, alice, **other)

    one, two = Scorer.objects.filter(name="two-stage:tiny").order_by("pk")
    assert one.version != two.version
    assert one.scores.count() == two.scores.count()


def test_what_either_model_has_said_before_is_not_asked_again(dataset, tiny, alice, second_model):
    score(dataset, "sas", DEFAULT_SCORER)
    score(dataset, "sas", tiny)
    job = execution.run(begin_calibration(dataset, tiny, alice))
    n_scores = Score.objects.count()
    second_model.asked.clear()

    scored = execution.run(Job.objects.get(pk=job.result["job"]))

    assert second_model.asked == []
    assert Score.objects.count() == n_scores + scored.result["n_scored"]


def test_the_sample_does_not_depend_on_the_order_of_runs(dataset, study, tmp_path):
    again = many_answers(study, tmp_path, "again", cedar=3, alder=1, birch=2)

    one, n = calibration_actions.sample(dataset, 50, seed=1)
    other, m = calibration_actions.sample(again, 50, seed=1)
    elsewhere, _ = calibration_actions.sample(dataset, 50, seed=2)

    assert [pair.key for pair in one] == [pair.key for pair in other]
    assert {pair.key for pair in one} != {pair.key for pair in elsewhere}
    assert n == m == len({pair.key for pair in scoring_queries.pairs(dataset)})


def test_every_answer_is_drawn_as_often_as_any_other(dataset):
    pairs = scoring_queries.pairs(dataset)
    times = dict.fromkeys({pair.key for pair in pairs}, 0)
    for seed in range(60):
        for pair in calibration_actions.sample(dataset, len(times) // 2, seed)[0]:
            times[pair.key] += 1

    assert min(times.values()) > 10
    assert max(times.values()) < 50


def test_a_worker_that_dies_in_the_middle_of_either_job_loses_and_repeats_nothing(
    dataset, tiny, alice, second_model
):
    job = begin_calibration(dataset, tiny, alice)
    handler = execution.handler_of(job)
    execution.plan(job, handler)
    execution.do_chunk(job, handler, execution.lease(job, "dies after one part"))
    lost = execution.lease(job, "dies in the middle of another")
    lost.leased_until = execution.timezone.now() - execution.timedelta(seconds=1)
    lost.save()

    execution.run(job)

    points = [point for chunk in job.chunks.parts() for point in chunk.result["points"]]
    assert sorted(place for place, *_ in points) == list(range(140))
    assert len(second_model.asked) == 140


def test_a_worker_with_other_models_than_it_was_calibrated_with_mixes_nothing_in(
    dataset, tiny, alice, second_model, tmp_path, monkeypatch
):
    job = execution.run(begin_calibration(dataset, tiny, alice))
    other = tiny_models.cross_encoder(tmp_path / "tiny", seed=1)
    use_model(monkeypatch, tiny, NoisyCrossEncoder(other))

    with pytest.raises(JobFailedError, match=r"This worker has tiny@.* was calibrated with tiny@"):
        execution.run(Job.objects.get(pk=job.result["job"]))

    assert not two_stage().scores.exists()


def test_a_worker_with_other_models_in_the_middle_of_calibrating_fails_in_words(
    dataset, tiny, alice, second_model, tmp_path, monkeypatch
):
    job = begin_calibration(dataset, tiny, alice)
    execution.plan(job, execution.handler_of(job))
    other = tiny_models.cross_encoder(tmp_path / "tiny", seed=1)
    use_model(monkeypatch, tiny, NoisyCrossEncoder(other))

    with pytest.raises(JobFailedError, match="other versions of the models"):
        execution.run(job)


def test_models_that_agree_too_little_fail_in_words_and_nothing_is_scored(
    dataset, tiny, alice, second_model
):
    second_model.noise = 2

    with pytest.raises(JobFailedError, match="agree too little"):
        execution.run(begin_calibration(dataset, tiny, alice))

    assert not Score.objects.exists()


def test_too_small_a_sample_fails_in_words(dataset, tiny, alice, second_model):
    with pytest.raises(JobFailedError, match=r"too small to show that at most 1\.00% are wrong"):
        execution.run(begin_calibration(dataset, tiny, alice, most_wrong=0.01))


def test_models_of_the_wrong_kinds_fail_in_words(dataset, tiny, alice):
    for model, first, said in (
        (DEFAULT_SCORER, DEFAULT_SCORER, "all-MiniLM-L6-v2 is a bi-encoder"),
        (str(tiny), str(tiny), "tiny is a cross-encoder"),
    ):
        with pytest.raises(JobFailedError, match=said):
            execution.run(
                begin_calibration(dataset, model, alice, first=first, threshold=len(said) / 100)
            )


def test_a_data_set_without_answers_fails_in_words(study, tmp_path, tiny, alice, second_model):
    bare = create_dataset(study, tmp_path, [turn(1, "a stone")])

    with pytest.raises(JobFailedError, match="has no answer to compare"):
        execution.run(begin_calibration(bare, tiny, alice))


def test_scoring_that_is_under_way_is_joined(dataset, tiny, alice, second_model):
    first = execution.run(begin_calibration(dataset, tiny, alice))

    again = execution.run(begin_calibration(dataset, tiny, alice))

    assert again.result["job"] == first.result["job"]
    assert jobs.progress(again) == (0, 0)
    assert Scorer.objects.filter(metric=Metric.SAS, name__startswith="two-stage").count() == 1
