"""Means of scores cut by questions, runs and evaluators: the page, its files and the command."""

import csv
import io
from xml.etree import ElementTree

import pytest
from django.urls import reverse

from corpus.actions import runs
from corpus.models import Dataset, Turn
from corpus.readers import ragas as ragas_reader
from exports.question_results import figures, latex, queries
from exports.question_results.cuts import Choice
from exports.question_results.figures import Scored
from scoring.actions import ragas_scores
from scoring.models import ImportedScore, Scorer
from tests.commands.command_calls import StudyCommands
from tests.corpus.imports import create_dataset, turn
from tests.corpus.made_questions import made_dataset, passage, question
from tests.corpus.reader_files import write_file
from tests.corpus.test_readers_answers_jsonl import jsonl as answers
from tests.markup import one_line
from tests.parts import part
from tests.scoring.ragas_files import ragas

pytestmark = pytest.mark.django_db

# The two cases of PermitQA on which evaluators differ: a refusal, and a right answer.
REFUSED = "It cannot be answered from the given source."
RIGHT = "The ramp was built by JR Boehrs."
CASES = {"gpt-4": (0.194, 0.703), "gemini-1.5-pro": (0.813, 0.2)}


@part
def dataset(study, folder):
    """Two questions on two documents, answered by one run and scored by two evaluators."""
    count = passage("p1", text="152 sites were surveyed.", document="a.pdf", title="")
    built = passage("p2", text="JR Boehrs built the ramp.", document="b.pdf", title="")
    made = made_dataset(
        study,
        folder,
        question("q1", question="How many?", answer="152", proof="", passage=count),
        question(
            "q2",
            question="Who?",
            answer="JR Boehrs",
            proof="",
            type="open",
            section="",
            passage=built,
        ),
    )
    file = write_file(
        folder,
        answers({"id": "q1", "answer": REFUSED}, {"id": "q2", "answer": RIGHT}),
        "claude.jsonl",
    )
    by = study.created_by
    read = runs.read(dataset=made, path=file)
    runs.save(dataset=made, name="claude", read=read, by=by)
    for evaluator, (refused, right) in CASES.items():
        rows = (("How many?", REFUSED, "152", refused), ("Who?", RIGHT, "JR Boehrs", right))
        table = ragas_reader.read(write_file(folder, ragas(*rows), f"{evaluator}.csv"))
        ragas_scores.save(dataset=made, table=table, scorer=evaluator, run="claude", by=by)
    return made


@pytest.fixture
def page(client, study, alice, dataset):
    client.force_login(alice, backend="accounts.backends.RealPeopleBackend")

    def got(**query):
        return client.get(reverse("question_results", args=[study.slug]), query)

    return got


@pytest.fixture
def table(study, dataset):
    """What the command prints, as rows."""
    commands = StudyCommands(study.slug)
    options = ("--dataset", "made", "--measure", "answer_correctness")

    def rows(cut, *more):
        return commands.run("question_results", *options, "--cut", cut, *more)["rows"]

    rows.error = lambda *more: commands.error("question_results", *options, *more)
    return rows


def test_two_evaluators_rank_a_refusal_and_a_right_answer_the_other_way_round(table):
    found = {(row["type"], row["evaluator"]): row["mean"] for row in table("type,evaluator")}

    assert found == {
        ("closed", "gpt-4"): 0.194,
        ("closed", "gemini-1.5-pro"): 0.813,
        ("open", "gpt-4"): 0.703,
        ("open", "gemini-1.5-pro"): 0.2,
    }


def test_intervals_are_over_documents_and_few_values_are_marked(table):
    row = next(row for row in table("run,evaluator") if row["evaluator"] == "gpt-4")

    assert (row["n"], row["n_clusters"], row["cluster"]) == (2, 2, "document")
    assert row["is_few"]
    assert row["mean"] == pytest.approx((0.194 + 0.703) / 2)
    assert (row["low"], row["high"]) == (0.194, 0.703)
    (alone,) = [row for row in table("document", "--evaluator", "gpt-4") if row["mean"] > 0.5]
    assert alone["interval_undefined"] == "a single document"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--cut", "model"], "maker (the model that made the question) or run"),
        (["--cut", "tpye"], "tpye is nothing to cut by: there are type, section, kind"),
        (["--cut", "part,part"], "the same cut is there twice"),
        (["--cut", "type"], "gpt-4 have scores of answer_correctness: name one, or cut by"),
        (["--cut", "type", "--evaluator", "x"], "x has no scores of answer_correctness"),
        (["--cut", "type", "--measure", "em"], "there are no scores of em: there are answer_corr"),
    ],
)
def test_what_cannot_be_cut_is_said(table, options, message):
    assert message in table.error(*options)


def test_the_page_shows_means_grey_where_they_are_few_and_a_dash_where_there_is_none(page):
    text = one_line(page(by=["section", "type"], evaluator="gpt-4").content.decode())

    assert '<td class="number quiet"> 0.194' in text
    assert '<td class="number quiet">\N{EN DASH}</td>' in text
    assert '<th scope="row" dir="auto">not given</th>' in text
    assert "n 1" in text
    assert "no interval: a single document" in text


def test_the_page_takes_the_first_evaluator_unless_another_is_asked_for(page):
    text = one_line(page().content.decode())

    assert "Mean answer_correctness of 2 scores by <span" in text
    assert '<option value="gemini-1.5-pro" selected>' in text


def test_a_table_by_evaluator_has_all_of_them_whichever_was_chosen_before(page):
    text = one_line(page(by=["type", "evaluator"], evaluator="gpt-4").content.decode())

    assert "4 scores" in text
    assert '<option value="">all</option>' in text


def test_what_the_address_asks_for_in_vain_is_said_and_the_form_stays(page):
    assert "n 1" in page(by="type, run").content.decode()
    assert "n 1" in page(by=" type,").content.decode()
    reply = page(by=["type", "type"])

    assert reply.status_code == 200
    assert "The same cut is there twice." in reply.content.decode()
    assert "<select" in reply.content.decode()


def test_its_files_have_what_it_shows(page, client, study):
    def file(name, **query):
        return client.get(reverse("question_results_file", args=[study.slug, name]), query)

    query = {"by": ["type", "evaluator"]}
    rows = list(csv.DictReader(io.StringIO(file("results.csv", **query).getvalue().decode())))
    tex = file("results.tex", **query).content.decode()
    svg = file("results.svg", **query).content.decode()

    assert [row["mean"] for row in rows] == ["0.813", "0.194", "0.2", "0.703"]
    assert "Type & gemini-1.5-pro & gpt-4" in tex
    assert r"\textcolor{gray}{\shortstack[r]{0.813" in tex
    assert "closed, gpt-4: 0.194 (1)" in svg
    assert file("other.csv").status_code == 404
    assert file("results.csv", by="tpye").status_code == 404


def test_the_first_cut_is_no_document_and_a_picture_is_xml_whatever_a_name_holds(
    page, client, study
):
    Turn.objects.update(meta={"document": "a.pdf", "maker": {"model": "gpt\ufffe4"}})
    file = reverse("question_results_file", args=[study.slug, "results.svg"])

    assert '<th scope="row" dir="auto">gpt' in page().content.decode()
    assert "gpt 4" in "".join(ElementTree.fromstring(client.get(file).content).itertext())


def test_an_answer_that_several_evaluators_left_out_is_one_answer(dataset):
    ImportedScore.objects.filter(answer__turn__conversation__key="q1").delete()
    by_evaluator = Choice(("evaluator",), "answer_correctness")

    assert queries.scored(queries.source(dataset), by_evaluator).n_not_scored == 1


def test_a_measure_is_called_as_by_the_evaluator_that_is_chosen():
    scorers = {"a": Scorer(metric="m"), "b": Scorer(metric="m", references="all")}
    source = queries.Source(Dataset(), {}, (), {"m": scorers})

    assert [source.label("m", each) for each in ("a", "b", "")] == ["m", "m (all)", "m, m (all)"]


def test_questions_of_no_document_are_drawn_by_conversation_and_the_caption_says_so(
    study, tmp_path
):
    source = queries.source(create_dataset(study, tmp_path, [turn(1, "A stone.")]))
    scored = Scored([("a",), ("a",)], ["1", "2"], [0.0, 1.0], 0, source.cluster)

    found = figures.results("touch 1", Choice(("part",), "m"), "m", ["e"], scored)

    assert "bootstrap over 2 conversations" in latex.table(found)


def test_a_data_set_without_metadata_says_what_is_missing(client, study, alice, tmp_path):
    client.force_login(alice, backend="accounts.backends.RealPeopleBackend")
    address = reverse("question_results", args=[study.slug])
    assert "there is no data set yet" in client.get(address).content.decode()

    create_dataset(study, tmp_path, [turn(1, "A stone.")])
    assert "Nothing tells the questions" in client.get(address).content.decode()
    made_dataset(study, tmp_path, question())
    assert "No answer has a score yet" in client.get(address).content.decode()


def test_too_many_scores_are_left_to_the_command(page, monkeypatch):
    monkeypatch.setattr("scoring.queries.MOST_ANSWERS_AT_ONCE", 1)

    assert "too many scores to be read while you wait" in page().content.decode()
