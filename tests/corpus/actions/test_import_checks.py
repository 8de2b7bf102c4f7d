"""What an import would do, told before: nothing is written, and the import then does just that."""

import pytest
from django.core.exceptions import ValidationError

from corpus.actions import datasets, import_checks, runs
from corpus.actions.datasets import ChangedError
from corpus.actions.import_checks import Outcome
from corpus.readers import scai
from tests.corpus.imports import answer, create_dataset, create_run, passage_table, turn
from tests.corpus.reader_files import write_file
from tests.corpus.row_counts import n_rows

TURNS = [turn(1, "A stone."), turn(2, "It is dark."), turn(1, conversation=2)]
OTHER_TURNS = [turn(1, "A stone."), turn(2, "It is black."), turn(1, conversation=2)]
PASSAGES = passage_table(("1_1", "p1", "It is a dark stone."), ("1_2", "p1", "It is a dark stone."))
QUOTING = answer(
    1, "Stone.", Model_passages={"p1": 1.0}, Model_evidence={"passage_id": "p1", "text": "bright"}
)
ABOUT = {"kind": "", "team": "", "system": "", "setup": ""}


def read(folder, turns, passages=PASSAGES):
    return scai.read(
        truth=write_file(folder, turns, "truth.json"),
        passages_file=write_file(folder, passages, "passages.tsv"),
    )


def forecast(study, folder, turns, **settings):
    said = {"name": "touch", "licence": "", "citation": "", "as_new_version": False} | settings
    return import_checks.dataset(study=study, read=read(folder, turns), **said)


def imported(study, folder, turns, **settings):
    return datasets.save(
        study=study, name="touch", read=read(folder, turns), by=study.created_by, **settings
    )


def test_a_new_data_set_is_foreseen_as_it_comes(study, tmp_path):
    before = n_rows()

    foreseen = forecast(study, tmp_path, TURNS)

    assert n_rows() == before
    came = imported(study, tmp_path, TURNS)
    assert foreseen.outcome == Outcome.NEW
    assert (foreseen.name, foreseen.counts) == (came.name, came.counts)
    assert foreseen.counts == {
        "n_conversations": 2, "n_turns": 3, "n_references": 2, "n_passages": 1,
    }  # fmt: skip


def test_the_same_again_is_foreseen_to_change_nothing(study, tmp_path):
    came = imported(study, tmp_path, TURNS, licence="CC0")

    foreseen = forecast(study, tmp_path, TURNS, licence="CC0")

    assert (foreseen.outcome, foreseen.name) == (Outcome.SAME, came.name)


def test_what_is_said_anew_of_the_same_is_foreseen(study, tmp_path):
    imported(study, tmp_path, TURNS, licence="CC0")

    foreseen = forecast(study, tmp_path, TURNS, licence="CC BY 4.0", citation="")

    assert foreseen.outcome == Outcome.DESCRIBED
    assert foreseen.warnings == ("its licence becomes CC BY 4.0, and is CC0",)


def test_licence_and_citation_are_foreseen_also_those_that_a_next_version_keeps(study, tmp_path):
    first = {"licence": "CC0", "citation": "Us, 2026"}
    assert forecast(study, tmp_path, TURNS, **first).description == first
    imported(study, tmp_path, TURNS, **first)

    foreseen = forecast(study, tmp_path, OTHER_TURNS, citation="You, 2027")

    assert foreseen.description == {"licence": "CC0", "citation": "You, 2027"}


def test_another_data_set_of_the_name_is_foreseen_to_be_refused_with_the_difference(
    study, tmp_path
):
    imported(study, tmp_path, TURNS)

    foreseen = forecast(study, tmp_path, OTHER_TURNS)

    assert (foreseen.outcome, foreseen.name) == (Outcome.REFUSED, "touch@1")
    assert foreseen.difference == "1 changed (turn 1_2: reference in 1)"
    with pytest.raises(ChangedError, match=r"1 changed \(turn 1_2: reference in 1\)"):
        imported(study, tmp_path, OTHER_TURNS)


def test_the_next_version_is_foreseen_with_the_difference(study, tmp_path):
    imported(study, tmp_path, TURNS)

    foreseen = forecast(study, tmp_path, OTHER_TURNS, as_new_version=True)

    came = imported(study, tmp_path, OTHER_TURNS, as_new_version=True)
    assert (foreseen.outcome, foreseen.name) == (Outcome.NEXT_VERSION, came.name)
    assert "reference in 1" in foreseen.difference


@pytest.mark.parametrize("name", ["touch@2", "a\nb", "n" * 101])
def test_a_data_set_that_cannot_be_called_so_is_foreseen(study, tmp_path, name):
    with pytest.raises(ValidationError):
        forecast(study, tmp_path, TURNS, name=name)


@pytest.fixture
def dataset(study, tmp_path):
    return create_dataset(study, tmp_path, TURNS, passages=PASSAGES)


def forecast_of_run(dataset, folder, answers, name="alder", leave_out_unknown=True, **about):
    path = write_file(folder, answers, f"{name}.json")
    read = runs.read(dataset=dataset, path=path, leave_out_unknown=leave_out_unknown)
    return import_checks.run(dataset=dataset, read=read, name=name, about=ABOUT | about), read


def test_a_new_run_is_foreseen_with_the_warnings_that_it_will_have(dataset, tmp_path):
    create_run(dataset, tmp_path, [answer(1, "Stone."), answer(2, " ")], name="birch")
    unheard = {"Model_passages": {"p9": 1.0, "p1": 0.5}}
    answers = [QUOTING, answer(2, "", **unheard), answer(7, "Unknown.")]
    before = n_rows()

    foreseen, read = forecast_of_run(dataset, tmp_path, answers)

    assert n_rows() == before
    came = runs.save(dataset=dataset, name="alder", read=read, by=dataset.created_by)
    assert foreseen.outcome == Outcome.NEW
    assert foreseen.warnings == came.warnings
    assert len(came.warnings) == 3
    assert foreseen.counts == came.counts | {"n_unanswered": 1}


def test_a_run_counts_its_answers_when_it_comes(dataset, tmp_path):
    came = create_run(dataset, tmp_path, [QUOTING, answer(2, " \n")])

    assert (came.n_answers, came.n_empty, came.n_citing) == (2, 1, 1)
    assert dataset.runs.get(name="reference").n_answers == 2


def test_the_same_run_again_is_foreseen_to_change_nothing(dataset, tmp_path):
    create_run(dataset, tmp_path, [QUOTING])

    assert forecast_of_run(dataset, tmp_path, [QUOTING])[0].outcome == Outcome.SAME


@pytest.mark.parametrize(
    ("answers", "about", "why"),
    [
        ([answer(1, "Slate.")], {}, "1 changed"),
        ([QUOTING], {"team": "Quarry"}, "its team is not specified, not Quarry"),
    ],
)
def test_another_run_of_the_name_is_foreseen_to_be_refused(dataset, tmp_path, answers, about, why):
    create_run(dataset, tmp_path, [QUOTING])

    foreseen, _ = forecast_of_run(dataset, tmp_path, answers, **about)

    assert foreseen.outcome == Outcome.REFUSED
    assert why in foreseen.difference


def test_a_run_that_cannot_be_called_so_is_foreseen(dataset, tmp_path):
    with pytest.raises(ValidationError):
        forecast_of_run(dataset, tmp_path, [QUOTING], name="a|b")
