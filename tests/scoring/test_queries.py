"""Answers with their references, and the values they have."""

import re

import pytest

from corpus.models import RunKind
from scoring import queries as scoring_queries
from scoring import score_queries
from scoring.actions import score_imports
from scoring.models import Metric, Score, Scorer
from scoring.text_hashes import references_sha256, text_sha256
from tests.corpus.imports import answer, create_dataset, create_run, turn
from tests.factories import RunFactory, StudyFactory
from tests.scoring.score_jobs import score

TURNS = [turn(1, " a dark stone\n"), turn(2, "it is black"), turn(3)]
ANSWERS = [answer(1, " a dark stone "), answer(2, ""), answer(3, "no truth here")]


@pytest.fixture
def dataset(study, tmp_path):
    return create_dataset(study, tmp_path, TURNS)


def turn_numbers(dataset):
    return {turn.pk: turn.number for turn in dataset.conversations.get().turns.all()}


def add_reference(dataset, number, text, name):
    other = RunFactory(dataset=dataset, kind=RunKind.REFERENCE, name=name)
    other.answers.create(turn=dataset.conversations.get().turns.get(number=number), text=text)


def test_references_are_stripped_and_turns_without_any_left_out(dataset):
    numbers = turn_numbers(dataset)

    found = {numbers[pk]: texts for pk, texts in scoring_queries.references(dataset).items()}

    assert found == {1: ("a dark stone",), 2: ("it is black",)}


def test_several_references_come_sorted_and_each_once(dataset):
    for name, text in enumerate(["slate", "basalt", "a dark stone  ", "jasper", "onyx", " \n"]):
        add_reference(dataset, 1, text, f"reference {name}")

    texts = next(texts for texts in scoring_queries.references(dataset).values() if len(texts) > 1)
    assert texts == ("a dark stone", "basalt", "jasper", "onyx", "slate")


def test_pairs_are_answers_of_systems_and_baselines_on_turns_with_truth(dataset, tmp_path):
    create_run(dataset, tmp_path, ANSWERS, name="alder")
    create_run(dataset, tmp_path, ANSWERS[:1], name="echo", kind=RunKind.BASELINE)

    pairs = scoring_queries.pairs(dataset)

    assert [(pair.prediction, pair.references) for pair in pairs] == [
        ("a dark stone", ("a dark stone",)),
        ("", ("it is black",)),
        ("a dark stone", ("a dark stone",)),
    ]
    assert pairs[0].key == pairs[2].key
    assert pairs[0].key == (references_sha256(["a dark stone"]), text_sha256("a dark stone"))


def test_pairs_of_named_answers_are_those_alone(dataset, tmp_path):
    create_run(dataset, tmp_path, ANSWERS)
    second = scoring_queries.pairs(dataset)[-1]

    assert scoring_queries.pairs(dataset, [second.answer_id]) == [second]
    assert scoring_queries.pairs(dataset, []) == []


def test_values_are_one_for_each_answer_that_has_one(dataset, tmp_path):
    create_run(dataset, tmp_path, ANSWERS, name="alder")
    score(dataset, "em")
    create_run(dataset, tmp_path, [answer(1, "slate"), answer(2, " ")], name="birch")

    values = score_queries.values(dataset, Scorer.objects.get())

    given = {pair.answer_id: pair.prediction for pair in scoring_queries.pairs(dataset)}
    assert sorted((given[pk], value) for pk, value in values.items()) == [
        ("", 0.0),
        ("", 0.0),
        ("a dark stone", 1.0),
    ]


def test_values_of_an_imported_scorer_are_those_of_its_answers_alone(dataset, tmp_path):
    create_run(dataset, tmp_path, ANSWERS, name="alder")
    create_run(dataset, tmp_path, ANSWERS, name="birch", system="the same texts")
    (tmp_path / "sas.csv").write_text("id,run,sas\n1_1,alder,0.7\n")
    score_imports.save(
        dataset=dataset,
        metric="sas",
        scorer="paper",
        records=score_imports.read(tmp_path / "sas.csv", metric="sas"),
        file="sas.csv",
        by=dataset.created_by,
    )

    assert list(score_queries.values(dataset, Scorer.objects.get(name="paper")).values()) == [0.7]


def test_computed_keys_are_those_of_one_scorer(dataset, tmp_path):
    create_run(dataset, tmp_path, ANSWERS)
    score(dataset, "em")
    score(dataset, "f1")
    Score.objects.filter(scorer__metric="f1").first().delete()

    em, f1 = Scorer.objects.order_by("metric")
    assert (len(score_queries.computed_keys(em)), len(score_queries.computed_keys(f1))) == (
        2,
        1,
    )


# Scorers by name


def scorer(name="tiny", version="1", study=None, metric=Metric.SAS):
    return Scorer.objects.create(name=name, version=version, study=study, metric=metric)


def test_a_name_means_the_newest_version_unless_it_names_one(db):
    first, second = scorer(version="1"), scorer(version="2")

    assert Scorer.objects.by_name("tiny", "sas") == second
    assert Scorer.objects.by_name("tiny#1", "sas") == first
    assert str(first) == "tiny#1"


@pytest.mark.parametrize(("name", "metric"), [("tiny#3", "sas"), ("tin", "sas"), ("tiny", "f1")])
def test_a_scorer_that_is_not_there_is_not_found(db, name, metric):
    scorer()

    with pytest.raises(Scorer.DoesNotExist, match=f"no scorer {name} for the metric {metric}"):
        Scorer.objects.by_name(name, metric)


def test_a_computed_scorer_is_shown_in_short_and_found_by_it(db):
    first = scorer(
        version="tiny@0123456789abcdef:cross-encoder:float32:sentence-transformers-6.2.0"
    )
    second = scorer(
        version="tiny@0123456789abcdef:cross-encoder:bfloat16:sentence-transformers-6.2.0"
    )
    Scorer.objects.update(identity={"kind": "cross-encoder"})
    first, second = Scorer.objects.get(pk=first.pk), Scorer.objects.get(pk=second.pk)

    assert re.fullmatch(r"tiny#[0-9a-f]{8}", first.short)
    assert first.short != second.short
    assert Scorer.objects.by_name(first.short, "sas") == first
    assert Scorer.objects.by_name(str(first), "sas") == first
    assert Scorer.objects.by_name(second.short, "sas") == second


def calibrated(version, on):
    made = scorer(name="two-stage:tiny", version=version)
    made.identity = {"asked": {"dataset": on}, "calibration": {"threshold": 0.5}}
    made.save()
    return made


def test_of_scorers_in_two_stages_a_name_means_the_newest_that_was_calibrated_on_the_data_set(db):
    calibrated("1", on=7)
    here, elsewhere = calibrated("2", on=7), calibrated("3", on=8)

    assert Scorer.objects.by_name("two-stage:tiny", "sas", 7) == here
    assert Scorer.objects.by_name("two-stage:tiny", "sas", 8) == elsewhere
    assert Scorer.objects.by_name(elsewhere.short, "sas", 7) == elsewhere
    with pytest.raises(Scorer.DoesNotExist):
        Scorer.objects.by_name("two-stage:tiny", "sas", 9)


def test_a_scorer_that_is_no_model_is_shown_with_its_version(study):
    assert scorer(version="1").short == "tiny#1"
    assert scorer(version="imported", study=study).short == "tiny#imported"


def test_a_name_that_is_an_imported_and_a_computed_scorers_has_to_be_made_clear(study):
    computed, imported = scorer(), scorer(version="imported", study=study)

    with pytest.raises(
        Scorer.MultipleObjectsReturned, match="tiny is tiny#1 or tiny#imported: say"
    ):
        Scorer.objects.by_name("tiny", "sas")

    assert Scorer.objects.by_name("tiny#1", "sas") == computed
    assert Scorer.objects.by_name("tiny#imported", "sas") == imported


def test_a_computed_and_an_imported_scorer_may_bear_one_name(study):
    assert scorer() != scorer(study=study) != scorer(study=StudyFactory())
