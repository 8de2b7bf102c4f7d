"""The table of a data set's runs: edited on the page or as CSV, saved as a whole or not at all."""

import csv
import io

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from corpus.actions import run_descriptions
from corpus.models import RunChange
from tests.cases import all_cases
from tests.corpus.imports import answer, create_dataset, create_run, save_dataset, turn
from tests.markup import one_line
from tests.parts import part

HEADER = "run,new_name,team,system,setup,kind\n"


@pytest.fixture
def client(alice):
    client = Client()
    client.force_login(alice, backend="accounts.backends.RealPeopleBackend")
    return client


@part
def dataset(study, folder):
    dataset = create_dataset(study, folder, [turn(1, "A stone.")])
    for name in ("alder", "birch"):
        create_run(dataset, folder, [answer(1, name)], name=name)
    return dataset


def address(dataset, view="run_table"):
    return reverse(view, args=[dataset.study.slug, dataset.pk])


def fields_of(client, dataset):
    """What the form of the page would send as it is."""
    page = client.get(address(dataset))
    fields = {}
    for row in page.context["rows"]:
        fields |= {bound.html_name: bound.value() for bound in row.form}
    return fields


def check(client, dataset, text, name="runs.csv"):
    file = SimpleUploadedFile(name, text.encode() if isinstance(text, str) else text)
    return client.post(address(dataset, "run_table_check"), {"table": file})


def save_checked(client, dataset, checked):
    wanted = {"wanted": checked.context["wanted"]}
    return client.post(address(dataset, "run_table_save"), wanted, follow=True)


def words(response):
    return one_line(response.content.decode())


def run(dataset, name):
    return dataset.runs.get(name=name)


def test_runs_are_edited_in_one_table(client, dataset):
    alder, birch = run(dataset, "alder"), run(dataset, "birch")
    sent = fields_of(client, dataset) | {
        f"run-{alder.pk}-name": "ultron",
        f"run-{birch.pk}-team": "Quarry",
        f"run-{birch.pk}-kind": "baseline",
    }
    page = client.post(address(dataset), sent, follow=True)

    assert "2 runs changed." in words(page)
    assert run(dataset, "ultron").pk == alder.pk
    assert (run(dataset, "birch").team, run(dataset, "birch").kind) == ("Quarry", "baseline")
    text = words(client.get(reverse("run", args=[dataset.study.slug, alder.pk])))
    assert "Name: alder → ultron" in text


def test_an_error_stands_at_its_row_and_nothing_is_saved(client, dataset):
    alder, birch = run(dataset, "alder"), run(dataset, "birch")
    sent = fields_of(client, dataset) | {
        f"run-{alder.pk}-name": "birch",
        f"run-{birch.pk}-team": "Quarry",
    }
    page = client.post(address(dataset), sent)

    assert page.status_code == 400
    of_alder, of_birch = (row.form.errors for row in page.context["rows"])
    assert of_alder == {"name": ["“birch” is the name of another run of the data set."]}
    assert not of_birch
    assert 'value="Quarry"' in words(page)
    assert not RunChange.objects.exists()


def test_a_run_that_somebody_else_changed_is_not_overwritten(client, dataset, alice):
    alder = run(dataset, "alder")
    sent = fields_of(client, dataset) | {f"run-{alder.pk}-team": "Pit"}
    run_descriptions.describe(dataset=dataset, wanted={alder.pk: {"team": "Quarry"}}, by=alice)

    page = client.post(address(dataset), sent)

    assert "changed meanwhile and now has: name alder, team Quarry" in words(page)
    assert run(dataset, "alder").team == "Quarry"


def test_the_downloaded_table_changes_nothing(client, dataset, alice):
    wanted = {
        run(dataset, "alder").pk: {"name": "-a", "team": "'=1", "system": "=x", "setup": 'a,"b'}
    }
    run_descriptions.describe(dataset=dataset, wanted=wanted, by=alice)
    table = b"".join(client.get(address(dataset, "run_table_csv"))).decode()

    assert next(csv.reader(io.StringIO(table))) == HEADER.strip().split(",")
    assert "every run has these values already" in words(check(client, dataset, table))


def test_a_table_is_checked_before_it_is_saved(client, dataset):
    checked = check(client, dataset, HEADER + "alder,ultron,Quarry,,original,system\n")

    text = words(checked)
    assert "1 run would be changed. Nothing is saved yet." in text
    assert "<strong>ultron</strong>" in text
    assert not RunChange.objects.exists()
    assert "1 run changed." in words(save_checked(client, dataset, checked))
    ultron = run(dataset, "ultron")
    assert (ultron.team, ultron.system, ultron.setup) == ("Quarry", "", "original")


def test_columns_and_runs_that_a_table_leaves_out_stay(client, dataset, alice):
    alder = run(dataset, "alder")
    wanted = {alder.pk: {"team": "Quarry", "setup": "original"}}
    run_descriptions.describe(dataset=dataset, wanted=wanted, by=alice)

    save_checked(client, dataset, check(client, dataset, "run,team\nalder,Pit\n"))

    alder.refresh_from_db()
    assert (alder.name, alder.team, alder.setup) == ("alder", "Pit", "original")


@all_cases(
    ("table", "problems"),
    [
        (HEADER + "cedar,,,,,\nalder,,,,,boat\n", ["row 2", "is no run", "row 3", "“boat” is not"]),
        (HEADER + "alder,birch,,,,system\n", ["row 2", "new_name", "the name of another run"]),
        (HEADER + "alder,x,,,,system\nalder,y,,,,system\n", ["row 3", "is in row 2 already"]),
        ("run;team\nalder;Pit\n", ["row 1", "separated by semicolons"]),
        ("run,colour\nalder,red\n", ["row 1", "colour", "is no column of this table"]),
        ("team\nPit\n", ["row 1", "is not in the header"]),
        (HEADER, ["there is no row under the header"]),
        ("", ["is not in the header"]),
        (b"\xff\xfer\x00", ["UTF-16"]),
        (HEADER + 'alder,"x\n', ["a quote is never closed"]),
    ],
)
def test_every_problem_of_a_table_is_named_with_its_row(client, dataset, table, problems):
    page = check(client, dataset, table)

    assert page.status_code == 400
    for problem in problems:
        assert problem in words(page)
    assert "Send a corrected table" in words(page)
    assert not RunChange.objects.exists()


def test_a_check_that_is_out_of_date_changes_nothing(client, dataset, alice):
    checked = check(client, dataset, "run,team\nalder,Pit\n")
    wanted = {run(dataset, "alder").pk: {"team": "Quarry"}}
    run_descriptions.describe(dataset=dataset, wanted=wanted, by=alice)

    assert "was changed meanwhile" in words(save_checked(client, dataset, checked))
    assert run(dataset, "alder").team == "Quarry"


@pytest.mark.parametrize("wanted", ["", "[]", "{", '{"x": {}}', '{"1": 2}', '{"1": {"team": 3}}'])
def test_what_no_check_sent_changes_nothing(client, dataset, wanted):
    reply = client.post(address(dataset, "run_table_save"), {"wanted": wanted}, follow=True)

    assert "did not arrive whole" in words(reply)


def test_without_a_file_the_table_is_asked_for(client, dataset):
    reply = client.post(address(dataset, "run_table_check"), follow=True)

    assert "Choose a CSV file first." in words(reply)


def test_sixty_runs_are_one_table(client, dataset, tmp_path):
    for n in range(60):
        create_run(dataset, tmp_path, [answer(1, f"{n}")], name=f"run {n}")
    sent = fields_of(client, dataset)
    sent |= {name: "Quarry" for name in sent if name.endswith("-team")}

    assert "62 runs changed." in words(client.post(address(dataset), sent, follow=True))


def test_it_says_which_later_versions_keep_a_copy_that_says_otherwise(
    client, dataset, study, tmp_path
):
    turns = [turn(1, "A dark stone.")]
    for _ in range(2):
        save_dataset(study, tmp_path, turns, as_new_version=True)
        turns = [turn(1, "A darker stone.")]
    second, third = study.datasets.exclude(pk=dataset.pk).order_by("version")
    second.runs.filter(name="alder").update(team="Quarry")
    alder, birch = run(dataset, "alder"), run(dataset, "birch")

    sent = fields_of(client, dataset) | {f"run-{alder.pk}-team": "Quarry"}
    text = words(client.post(address(dataset), sent, follow=True))
    assert "1 run changed." in text
    assert (
        f'Copies in later versions stay as they were: <a href="{address(third)}">touch@3</a>.'
        in text
    )

    checked = check(client, dataset, f"{HEADER}birch,,Quarry,,,system\n")
    text = words(save_checked(client, dataset, checked))
    assert (
        f'<a href="{address(second)}">touch@2</a>, <a href="{address(third)}">touch@3</a>.' in text
    )

    sent = fields_of(client, third) | {
        f"run-{run(third, name).pk}-team": "Quarry" for name in (alder.name, birch.name)
    }
    assert "Copies in later versions" not in words(client.post(address(third), sent, follow=True))


def test_a_data_set_without_runs_leads_to_the_import(client, study, tmp_path):
    empty = create_dataset(study, tmp_path, [turn(1, "A stone.")], name="empty")

    text = words(client.get(address(empty)))
    assert "The data set has no runs yet." in text
    assert reverse("run_import", args=[study.slug]) in text


def test_a_table_whose_header_never_ends_is_refused_with_a_problem(client, dataset):
    header = f'run,"{"a" * 200_000}'

    assert check(client, dataset, header).status_code == 400


def test_half_a_character_in_what_was_checked_is_refused(client, dataset):
    wanted = f'{{"{run(dataset, "alder").pk}": {{"name": "\\ud800"}}}}'

    page = client.post(address(dataset, "run_table_save"), {"wanted": wanted}, follow=True)

    assert "did not arrive whole" in words(page)


def test_a_row_whose_run_moved_to_another_page_meanwhile_is_saved(client, dataset, monkeypatch):
    monkeypatch.setattr("corpus.views.run_table.PER_PAGE", 1)
    alder = run(dataset, "alder")
    sent = fields_of(client, dataset) | {f"run-{alder.pk}-team": "Quarry"}
    dataset.runs.filter(name="birch").update(name="aaron")  # now the first of the table

    page = client.post(address(dataset), sent, follow=True)

    assert "1 run changed." in words(page)
    assert run(dataset, "alder").team == "Quarry"


def test_a_run_that_is_gone_is_named_and_nothing_is_saved(client, dataset):
    alder, birch = run(dataset, "alder"), run(dataset, "birch")
    sent = fields_of(client, dataset) | {f"run-{alder.pk}-team": "Quarry"}
    birch.answers.all().delete()
    birch.delete()

    page = client.post(address(dataset), sent, follow=True)

    assert "Nothing was saved: birch is no run of the data set any more." in words(page)
    assert run(dataset, "alder").team == ""
