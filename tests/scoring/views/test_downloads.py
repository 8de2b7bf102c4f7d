"""The tables as files: what the page shows, the same bytes each time, and no name that a spreadsheet runs."""

import csv
import io

import pytest
from django.test import Client
from django.urls import reverse

from corpus.models import Run
from scoring import latex, score_queries
from scoring import presenter as scoring_presenter
from scoring import queries as scoring_queries
from scoring.actions import run_measures, score_imports
from tests.corpus.imports import answer, create_dataset, create_run, turn
from tests.corpus.uploads import run_newest_job
from tests.parts import part
from tests.scoring.score_jobs import score

HOSTILE = '=HYPERLINK("http://x")'
FILES = ("scores_csv", "scores_latex", "rankings_csv")


@pytest.fixture
def client(alice):
    client = Client()
    client.force_login(alice, backend="accounts.backends.RealPeopleBackend")
    return client


@part
def dataset(study, folder):
    turns = [turn(1, f"stone {n}", conversation=n) for n in range(1, 5)]
    made = create_dataset(study, folder, turns)
    for place, name in enumerate(("alder", "birch", "cedar"), start=1):
        said = [
            answer(1, f"stone {n}" if n <= place else "slate", conversation=n)
            for n in range(1, 4 if name == "alder" else 5)
        ]
        setup = "rewritten" if name == "cedar" else "original"
        create_run(made, folder, said, name=name, setup=setup, team="rare", system=name)
    score(made, "em")
    score(made, "f1")
    return made


def got(client, study, name, **query):
    reply = client.get(reverse(name, args=[study.slug]), query)
    assert reply.status_code == 200
    return reply.getvalue()


def rows(client, study, name="scores_csv", **query):
    text = got(client, study, name, **query).decode()
    return list(csv.DictReader(io.StringIO(text)))


def test_the_csv_has_a_row_for_each_figure_with_what_it_rests_on(client, dataset, study):
    found = rows(client, study)

    assert len(found) == 3 * 2
    assert list(found[0]) == list(scoring_presenter.FIGURE_COLUMNS)
    alder = next(each for each in found if each["run"] == "alder" and each["metric"] == "em")
    assert (alder["data_set"], alder["denominator"], alder["setup"]) == (
        "touch@1",
        "all turns",
        "original",
    )
    assert (alder["mean"], alder["n_turns"], alder["n_not_given"]) == ("0.25", "4", "1")
    assert (alder["scorer"], alder["version"], alder["source"]) == ("squad", "1", "computed")
    assert float(alder["low"]) <= 0.25 <= float(alder["high"])
    assert (alder["n_conversations"], alder["undefined"]) == ("4", "")


def test_the_csv_is_in_the_order_and_to_the_extent_that_the_page_has(client, dataset, study):
    column = f"mean_{score_queries.scorers(dataset)[0].pk}"

    def runs(**query):
        return list(dict.fromkeys(each["run"] for each in rows(client, study, **query)))

    assert runs(sort=column) == ["alder", "birch", "cedar"]
    assert runs(sort=f"-{column}") == ["birch", "alder", "cedar"]  # rewritten questions last
    assert runs(q="ced") == ["cedar"]
    assert {each["denominator"] for each in rows(client, study, over="evaluator")} == {
        "as evaluator"
    }


@pytest.mark.parametrize("name", FILES)
def test_the_same_rows_are_the_same_bytes(client, dataset, study, name):
    assert got(client, study, name) == got(client, study, name)


@pytest.mark.parametrize("name", FILES)
def test_what_a_job_counted_is_the_same_file(client, dataset, study, monkeypatch, alice, name):
    score(dataset, "length")  # which stands after the others, and not between them
    at_once = got(client, study, name)
    monkeypatch.setattr(scoring_queries, "MOST_ANSWERS_AT_ONCE", 2)
    run_measures.begin(dataset=dataset, by=alice)
    run_newest_job()

    assert got(client, study, name) == at_once


def test_the_latex_is_of_the_same_rows(client, dataset, study):
    said = got(client, study, "scores_latex").decode()

    assert said.index("alder &") < said.index("birch &") < said.index("cedar &")
    assert r"\textit{original}" in said
    assert r"F1 by squad\#1 (computed)" in said


def test_the_rankings_have_every_pair_of_scorers_whichever_is_compared(client, dataset, study):
    em, f1 = score_queries.scorers(dataset)

    found = rows(client, study, "rankings_csv", against=f1.pk)

    assert list(found[0]) == list(scoring_presenter.CORRELATION_COLUMNS)
    assert [(each["setup"], each["metric"], each["other_metric"]) for each in found] == [
        ("original", "em", "f1"),
        ("original", "em", "f1"),
    ]
    assert [each["coefficient"] for each in found] == ["kendall_tau_b", "pearson"]
    assert [float(each["value"]) for each in found] == pytest.approx([1, 1])
    assert {each["n_runs"] for each in found} == {"2"}
    assert em != f1


def test_names_that_a_spreadsheet_would_run_are_text_in_every_file(client, study, tmp_path):
    made = create_dataset(study, tmp_path, [turn(1, "A stone.")], name="+1")
    create_run(
        made, tmp_path, [answer(1, "A stone.")], name="-1", team=HOSTILE, system="@x", setup="=1"
    )
    Run.objects.filter(name="-1").update(name=HOSTILE)
    scores = tmp_path / "s.csv"
    scores.write_text(f'id,run,+a\n1_1,"{HOSTILE.replace(chr(34), chr(34) * 2)}",0.5\n')
    for scorer in ("=one", "@two"):
        score_imports.save(
            dataset=made,
            metric="+a",
            scorer=scorer,
            records=score_imports.read(scores, metric="+a"),
            file="s.csv",
            by=study.created_by,
        )
    create_run(made, tmp_path, [answer(1, "A stone.")], name="-2", setup="=1")

    cells = [
        cell
        for name in ("scores_csv", "rankings_csv")
        for row in rows(client, study, name)
        for cell in row.values()
    ]

    assert [cell for cell in cells if cell.startswith(("=", "+", "-", "@"))] == []
    assert f"'{HOSTILE}" in cells
    assert "'=one" in cells
    assert latex.escaped(HOSTILE) in got(client, study, "scores_latex").decode()


@pytest.mark.parametrize("name", FILES)
def test_without_a_table_one_is_led_to_what_is_missing(client, study, tmp_path, monkeypatch, name):
    def said():
        reply = client.get(reverse(name, args=[study.slug]), follow=True)
        assert reply.redirect_chain == [(reverse("scores", args=[study.slug]), 302)]
        return "There is no table to download yet" in reply.content.decode()

    assert said()
    made = create_dataset(study, tmp_path, [turn(1, "A stone.")])
    assert said()
    create_run(made, tmp_path, [answer(1, "Slate.")])
    assert said()
    score(made, "em")
    monkeypatch.setattr(scoring_queries, "MOST_ANSWERS_AT_ONCE", 0)
    assert said()
