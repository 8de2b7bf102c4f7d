"""Scores that were computed elsewhere."""

import pytest
from django.core.exceptions import ValidationError

from audit.models import Event
from corpus.problems import ImportProblems
from scoring.actions import score_imports
from scoring.actions.score_imports import ScoresChangedError
from scoring.models import ImportedScore, Scorer
from tests.corpus.imports import answer, create_dataset, create_run, turn
from tests.parts import part

ROWS = ["1_1,alder,0.9", "1_2,alder,0.25", "1_1,birch,-0.1"]


@part
def dataset(study, folder):
    dataset = create_dataset(study, folder, [turn(1, "a dark stone"), turn(2, "it is black")])
    create_run(dataset, folder, [answer(1, "a stone"), answer(2, "black")], name="alder")
    create_run(dataset, folder, [answer(1, "a pebble")], name="birch")
    return dataset


@pytest.fixture
def save(dataset, tmp_path):
    def save(rows, *, metric="sas", scorer="paper", **options):
        path = tmp_path / "scores.csv"
        path.write_text("\n".join([f"id,run,{metric}", *rows]) + "\n", encoding="utf-8")
        return score_imports.save(
            dataset=dataset,
            metric=metric,
            scorer=scorer,
            records=score_imports.read(path, metric=metric),
            file=path.name,
            by=dataset.created_by,
            **options,
        )

    return save


def stored():
    scores = ImportedScore.objects.select_related("answer__run").order_by("pk")
    return [(each.answer.run.name, each.answer.text, each.value) for each in scores]


def test_scores_are_attached_to_their_answers(save, study):
    imported = save(ROWS)

    scorer = Scorer.objects.get()
    assert (scorer.metric, scorer.name, scorer.version) == ("sas", "paper", "imported")
    assert scorer.study == study
    assert (imported.n_new, imported.n_unchanged, imported.n_left_out) == (3, 0, 0)
    assert stored() == [
        ("alder", "a stone", 0.9),
        ("alder", "black", 0.25),
        ("birch", "a pebble", -0.1),
    ]


def test_an_import_leaves_an_event(save):
    save(ROWS)

    event = Event.objects.get(verb="imported scores")
    assert event.details == {"scorer": "paper", "metric": "sas", "n_scores": 3}


def test_the_same_values_again_change_nothing(save):
    save(ROWS)

    again = save(list(reversed(ROWS)))

    assert (again.n_new, again.n_unchanged) == (0, 3)
    assert len(stored()) == 3
    assert Event.objects.filter(verb="imported scores").count() == 1


def test_new_values_join_those_that_are_there(save):
    save(ROWS[:2])

    joined = save(ROWS)

    assert (joined.n_new, joined.n_unchanged) == (1, 2)
    assert Scorer.objects.count() == 1


def test_other_values_are_refused_and_nothing_is_written(save):
    save(ROWS[:2])

    with pytest.raises(ScoresChangedError, match="other values for 1 of these answers"):
        save(["1_1,alder,0.91", *ROWS[1:]])

    assert len(stored()) == 2


def test_other_values_may_come_under_another_name(save):
    save(ROWS)
    save(["1_1,alder,0.91"], scorer="mine")

    assert len(stored()) == 4


def test_another_metric_is_another_scorer(save):
    save(ROWS)
    save(["1_1,alder,0.5"], metric="rouge")

    assert set(Scorer.objects.values_list("metric", flat=True)) == {"sas", "rouge"}


def test_scores_of_answers_that_are_not_there_are_refused_each_with_its_row(save):
    with pytest.raises(ImportProblems) as caught:
        save([*ROWS, "1_2,birch,0.5", "1_9,alder,0.5", "1_1,elm,0.5"])

    assert str(caught.value).splitlines() == [
        "scores.csv: row 5: id: 1_2 of the run birch has no answer",
        "scores.csv: row 6: id: 1_9 of the run alder has no answer",
        "scores.csv: row 7: id: 1_1 of the run elm has no answer",
    ]
    assert not Scorer.objects.exists()


def test_scores_of_answers_that_are_not_there_are_left_out_on_request_and_counted(save):
    imported = save([*ROWS, "1_9,alder,0.5"], leave_out_unknown=True)

    assert (imported.n_new, imported.n_left_out) == (3, 1)


def test_the_references_have_no_imported_scores(save):
    with pytest.raises(ImportProblems, match="1_1 of the run reference has no answer"):
        save(["1_1,reference,1.0"])


def test_a_file_with_a_problem_gives_nothing(save):
    with pytest.raises(ImportProblems, match=r"row 3: sas: .*is not a number"):
        save(["1_1,alder,0.9", "1_2,alder,high"])

    assert stored() == []


@pytest.mark.parametrize(
    ("metric", "name"), [("sas", "all-MiniLM-L6-v2"), ("f1", "squad"), ("em", "squad")]
)
def test_what_is_computed_here_keeps_its_name_to_itself(save, metric, name):
    with pytest.raises(ValidationError, match=f"{name} is what scores computed here are called"):
        save(ROWS, metric=metric, scorer=name)

    assert not Scorer.objects.exists()
    assert save(ROWS, metric=metric, scorer=f"{name}-imported").n_new == 3


@pytest.mark.parametrize("name", ["a#b", "x" * 201, "", " ", "a\nb", "paper "])
def test_a_name_that_cannot_be_one_is_refused(save, name):
    with pytest.raises(ValidationError):
        save(ROWS, scorer=name)

    assert not Scorer.objects.exists()


@pytest.mark.parametrize(
    "value", ["0.1", "1e-300", "0.30000000000000004", "-0", "123456789.123456789"]
)
def test_a_value_comes_back_to_the_last_digit(save, value):
    save([f"1_1,alder,{value}"])

    assert stored()[0][2] == float(value)
    assert save([f"1_1,alder,{value}"]).n_unchanged == 1
