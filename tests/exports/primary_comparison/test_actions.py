"""A study names its primary comparison; every file of the comparison says which it is, and since when."""

import csv
import json

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.urls import reverse

from audit.models import Event
from corpus.models import Run
from exports.comparison import actions as comparison_actions
from exports.comparison.stored_figures import ComparisonFigures
from exports.jobs import BOOTSTRAP
from exports.primary_comparison import queries
from exports.primary_comparison.actions import PrimaryComparisonError, name_primary
from tests.exports import compared_runs
from tests.jobs.clients import client_of


def name(study, pool, measure="both", pairs=()):
    return name_primary(study=study, pool=pool, measure=measure, pairs=pairs, by=study.created_by)


def write(study, out, *batches):
    comparison_actions.write(
        study=study, batches=batches, out=out, bootstrap=BOOTSTRAP, by=study.created_by
    )
    return out


def families(folder):
    with (folder / "pairs.csv").open(encoding="utf-8", newline="") as file:
        return {
            (row["measure"], row["one"], row["other"]): row["family"]
            for row in csv.DictReader(file)
        }


def test_it_is_in_every_file_with_its_time_and_that_it_came_before_the_judgements(
    study, gold, annotators, tmp_path
):
    name(study, gold, pairs=[("cedar", "alder")])
    batch = compared_runs.open_batch(gold, "rating")
    compared_runs.judge_batch(batch, annotators, compared_runs.ratings)

    folder = write(study, tmp_path / "out")

    found = families(folder)
    assert [key for key, family in found.items() if family == "primary"] == [
        ("both", "alder", "cedar")
    ]
    figures = json.loads((folder / "figures.json").read_text("utf-8"))
    assert figures["primary_comparison"]["pairs"] == [["alder", "cedar"]]
    assert figures["primary_comparison"]["n_judgements"] == 0
    for file in ("README.md", "table7.tex"):
        text = (folder / file).read_text("utf-8")
        assert "Primary comparison: F+A, pool gold, alder and cedar." in text, file
        assert "before any judgement on its pool" in text, file
        assert "All other tests of differences are exploratory." in text, file
        assert "Not closed yet: rating gold." in text, file


def test_figures_of_some_of_its_batches_have_no_primary_test(
    study, gold, rated, annotators, tmp_path
):
    name(study, gold)
    more = compared_runs.open_batch(gold, "rating", name="more")
    compared_runs.judge_batch(more, annotators, compared_runs.ratings)

    some, everything = write(study, tmp_path / "some", rated.name), write(study, tmp_path / "all")

    assert {*families(some).values()} == {"exploratory"}
    assert "It rests on more than is here, on more" in (some / "README.md").read_text("utf-8")
    assert "primary" in families(everything).values()


def test_without_one_every_file_says_that_all_is_exploratory(study, rated, tmp_path):
    folder = write(study, tmp_path / "out")

    assert {*families(folder).values()} == {"exploratory"}
    for file in ("README.md", "table7.tex", "figures.json"):
        assert "No primary comparison was named" in (folder / file).read_text("utf-8"), file


def test_named_after_judgements_came_in_it_says_after_how_many(study, rated):
    row = name(study, rated.pool)

    assert row.n_judgements == 9
    assert queries.primary_comparison(study)["n_judgements"] == 9


def test_another_one_replaces_it_and_the_first_stays_recorded(study, gold):
    name(study, gold, "faithful")
    name(study, gold, "preference")

    found = queries.primary_comparison(study)

    assert found["measure"] == "preference"
    assert [each["measure"] for each in found["earlier"]] == ["faithful"]
    assert Event.objects.filter(verb="named the primary comparison").count() == 2


def test_a_renamed_run_stays_named(study, gold):
    name(study, gold, pairs=[("alder", "birch")])

    Run.objects.filter(name="alder").update(name="oak")

    assert queries.primary_comparison(study)["pairs"] == [["oak", "birch"]]


def test_figures_computed_before_it_was_named_are_out_of_date(study, rated):
    before = ComparisonFigures(study).basis

    name(study, rated.pool)

    assert (
        ComparisonFigures(study).basis.since(before)
        == "Since then 1 primary comparison was recorded."
    )


def test_what_is_not_compared_cannot_be_named(study, gold, pool):
    with pytest.raises(PrimaryComparisonError, match="has no such two runs: alder and oak"):
        name(study, gold, pairs=[("alder", "oak")])
    with pytest.raises(PrimaryComparisonError, match="is no comparison of runs"):
        name(study, pool)
    with pytest.raises(PrimaryComparisonError, match="there is no measure luck"):
        name(study, gold, "luck")
    assert queries.primary_comparison(study) is None


def test_the_organiser_names_it_on_its_page_which_says_so(study, gold, alice):
    client, address = client_of(alice), reverse("compared_study_primary", args=[study.slug])
    one, other = queries.pairs(gold)[0]
    sent = {"pool": gold.pk, "measure": "both", "pairs": [f"{gold.pk}-{one.pk}-{other.pk}"]}

    text = client.post(address, sent, follow=True).text

    assert "Primary comparison: F+A, pool gold, alder and birch." in text
    assert client.post(address, {**sent, "measure": "luck"}).status_code == 400


def test_the_page_warns_where_judgements_are_in_already(study, rated, alice):
    text = client_of(alice).get(reverse("compared_study_primary", args=[study.slug])).text

    assert "has 9 judgements." in " ".join(text.replace("<bdi>", "").replace("</bdi>", "").split())


def test_the_command_names_it(study, gold, capsys):
    arguments = ["--study", study.slug, "--pool", "gold", "--measure", "both", "--json"]

    call_command("name_primary_comparison", *arguments, "--pair", "birch", "alder")

    assert json.loads(capsys.readouterr().out)["pairs"] == [["alder", "birch"]]
    with pytest.raises(CommandError, match="has no pool silver"):
        call_command("name_primary_comparison", *arguments[:3], "silver", *arguments[4:])
