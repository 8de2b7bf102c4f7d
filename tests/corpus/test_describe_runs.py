"""Runs are described by commands as by pages: one run, or a table."""

import json

import pytest
from django.core.management import CommandError, call_command

from tests.corpus.imports import answer, create_dataset, create_run, turn


@pytest.fixture
def alder(study, tmp_path):
    dataset = create_dataset(study, tmp_path, [turn(1, "A stone.")])
    return create_run(dataset, tmp_path, [answer(1, "Black.")], name="alder")


def call(command, *args, study, **options):
    call_command(command, *args, study=study.slug, dataset="touch", json=True, **options)


def test_one_run_is_described(alder, study, capsys):
    call("describe_run", "alder", study=study, name="ultron", team="Quarry")

    alder.refresh_from_db()
    assert (alder.name, alder.team) == ("ultron", "Quarry")
    summary = json.loads(capsys.readouterr().out)
    assert summary == {"run": "ultron", "changed": ["name", "team"]}


def test_a_run_that_is_not_there_and_no_value_are_said(alder, study):
    with pytest.raises(CommandError, match="has no run birch"):
        call("describe_run", "birch", study=study, team="x")
    with pytest.raises(CommandError, match="nothing to change"):
        call("describe_run", "alder", study=study)


def test_the_table_is_written_and_read_back(alder, study, tmp_path, capsys):
    table = tmp_path / "runs.csv"
    call("describe_runs", study=study, to=str(table))
    assert table.read_text() == "run,new_name,team,system,setup,kind\nalder,,,,,system\n"
    table.write_text("run,new_name,team\nalder,ultron,Quarry\n")

    capsys.readouterr()
    call("describe_runs", study=study, table=str(table), check=True)
    assert json.loads(capsys.readouterr().out)["n_changed"] == 1
    alder.refresh_from_db()
    assert alder.name == "alder"

    call("describe_runs", study=study, table=str(table))
    alder.refresh_from_db()
    assert (alder.name, alder.team) == ("ultron", "Quarry")


def test_a_table_that_is_there_is_not_overwritten(alder, study, tmp_path):
    with pytest.raises(CommandError, match="cannot be written"):
        call("describe_runs", study=study, to=str(tmp_path / "alder.json"))


def test_problems_of_a_table_have_their_rows(alder, study, tmp_path):
    table = tmp_path / "runs.csv"
    table.write_text("run,kind\nalder,boat\n")

    with pytest.raises(
        CommandError, match=r"runs\.csv: row 2: kind: “boat” is not system or baseline"
    ):
        call("describe_runs", study=study, table=str(table))
