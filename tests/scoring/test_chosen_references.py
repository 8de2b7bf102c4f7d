"""What is promised of scores against chosen references."""

import pytest
from django.core.management import CommandError
from django.urls import reverse

from corpus.models import References, Turn
from jobs.actions import execution
from jobs.actions.jobs import JobStateError
from jobs.models import Job
from scoring import score_queries
from scoring.actions import run_measures, run_tables, score_jobs, similarity
from scoring.actions.calibration import TwoStages
from scoring.models import Score, Scorer
from scoring.thresholds import DEFAULT_SCORER
from tests.corpus.imports import answer, create_dataset, create_run, turn
from tests.corpus.release_folders import accepted, released, write_release
from tests.jobs.clients import client_of
from tests.parts import part
from tests.scoring.stand_in_models import OverlapBiEncoder
from tests.whole_way import touchstone

pytestmark = pytest.mark.django_db

ACCEPTED = (accepted("A dark slab."), accepted("Some rock.", "silver"))


@part
def first(study, folder):
    made = create_dataset(study, folder, [turn(1, "Slate."), turn(2, "Black.")])
    create_run(made, folder, [answer(1, "A dark slab."), answer(2, "Green.")], name="alder")
    create_run(made, folder, [answer(1, "Some rock.")], name="birch")
    return made


@part
def second(study, first, folder):
    """The next version, with a gold and a silver answer to the first turn."""
    records = [released(1, "Slate.", *ACCEPTED), released(2, "Black.")]
    at = write_release(folder / "release", records)
    options = ("--study", study.slug, "--name", "touch", "--format", "release", "--new-version")
    touchstone("import_dataset", *options, at)
    return study.datasets.by_name("touch")


def score(dataset, metric, references):
    options = ("--dataset", dataset, "--metric", metric, "--references", references)
    return touchstone("score", "--study", dataset.study.slug, *options)


def by_run(dataset, metric, references):
    """The value of each run on the first turn."""
    (scorer,) = Scorer.objects.filter(metric=metric, references=references)
    values = score_queries.values(dataset, scorer)
    answers = dataset.runs.get(name="alder").answers, dataset.runs.get(name="birch").answers
    return [values[each.order_by("turn").first().pk] for each in answers]


@pytest.mark.parametrize(
    ("references", "expected"),
    [("truth", [0, 0]), ("gold", [1, 0]), ("silver", [1, 1])],
)
@pytest.mark.parametrize("metric", ["em", "f1", "rouge_l", "sas", "bertscore"])
def test_of_the_chosen_references_the_best_counts(
    second, monkeypatch, metric, references, expected
):
    stand_in = OverlapBiEncoder()
    monkeypatch.setattr(stand_in, "similarities", lambda pairs: [one == two for one, two in pairs])
    monkeypatch.setattr(similarity, "model", lambda name, *, bf16=False: stand_in)
    monkeypatch.setattr(
        similarity,
        "bert_scores",
        lambda metrics, pairs: {
            name: [float(pair.prediction in pair.references) for pair in pairs] for name in metrics
        },
    )

    score(second, metric, references)

    assert by_run(second, metric, references) == expected


def test_scores_against_other_references_are_another_scorers(second):
    for references in References.values:
        score(second, "em", references)

    found = run_measures.scorers(second)
    assert [(str(each), each.label) for each in found] == [
        ("squad#1", "EM"),
        ("squad#1+gold", "EM (gold)"),
        ("squad#1+silver", "EM (silver)"),
    ]
    assert [run_tables.table_scorer(each).version for each in found] == ["1", "1+gold", "1+silver"]
    assert Scorer.objects.by_name("squad#1+gold", "em").references == "gold"


def test_a_scorer_named_without_a_version_measures_against_the_truth(second):
    score(second, "em", "truth")
    score(second, "em", "gold")

    assert Scorer.objects.by_name("squad", "em").references == "truth"


def test_the_version_before_has_no_such_scores_though_it_has_the_same_texts(first, second):
    score(second, "em", "gold")

    assert run_measures.scorers(first) == []


def test_the_values_on_a_turn_are_each_against_the_scorers_own_references(second):
    for references in References.values:
        score(second, "em", references)
        score(second, "length", references)

    found = score_queries.values_on_turn(second, Turn.objects.of(second).get(number=1))

    by_label = {
        scorer.label: [values[pk] for pk in sorted(values)]
        for scorer, values in found
        if scorer.metric == "em"
    }
    assert by_label == {"EM": [0, 0], "EM (gold)": [1, 0], "EM (silver)": [1, 1]}
    assert len([scorer for scorer, _ in found if scorer.metric == "length"]) == 1


def test_the_page_of_a_question_names_the_references_of_each_score(second, alice):
    score(second, "em", "truth")
    score(second, "em", "gold")
    turn = Turn.objects.of(second).get(number=1)

    page = client_of(alice).get(reverse("question", args=[second.study.slug, turn.pk]))

    rows = {answer.run.name: values for answer, values in page.context["scored"]}
    assert [each.label for each in page.context["scorers"]] == ["EM", "EM (gold)"]
    assert rows == {"alder": [0, 1], "birch": [0, 0]}
    assert "accepted answers of the tier gold" in page.text


def test_the_page_of_a_question_has_no_score_against_references_that_its_version_lacks(
    first, second, alice
):
    score(second, "em", "truth")
    score(second, "em", "gold")
    turn = Turn.objects.of(first).get(number=2)

    found = score_queries.values_on_turn(first, turn)

    assert [scorer.label for scorer, _ in found] == ["EM"]


def test_scores_against_the_truth_are_not_computed_again_for_the_new_version(first, second):
    score(first, "em", "truth")
    n_before = Score.objects.count()

    score(second, "em", "truth")

    assert Score.objects.count() == n_before


def test_what_is_not_measured_against_references_has_one_scorer(second):
    score(second, "length", "gold")

    assert [each.references for each in run_measures.scorers(second)] == ["truth"]


def test_without_accepted_answers_the_choice_is_refused(first):
    with pytest.raises((CommandError, JobStateError), match="has no accepted answers"):
        score(first, "em", "gold")


def test_two_stages_are_calibrated_on_the_truth_alone(second, alice):
    with pytest.raises(JobStateError, match="calibrated on the truth"):
        score_jobs.score(
            dataset=second,
            metrics=["sas"],
            model=DEFAULT_SCORER,
            two_stages=TwoStages(0.5),
            references=References.GOLD,
            by=alice,
        )


def test_the_page_asks_for_the_references(second, study, alice):
    client = client_of(alice)
    sent = {"dataset": second.pk, "metrics": ["em"], "references": "gold"}

    client.post(reverse("score_start", args=[study.slug]), sent)

    job = Job.objects.filter(kind="score").get()
    execution.run(job)
    assert [str(each) for each in run_measures.scorers(second)] == ["squad#1+gold"]
