"""The two cases of PermitQA on which evaluators differ: in the slice of refusals, and in the list of differences."""

import csv
import io

import pytest
from django.urls import reverse

from corpus.models import Dataset
from exports.question_results.differences import greatest
from exports.question_results.queries import Source
from scoring.models import ImportedScore, Scorer
from tests.cases import all_cases
from tests.commands.command_calls import StudyCommands
from tests.exports.question_results.test_question_results import (  # noqa: F401  fixtures
    REFUSED,
    RIGHT,
    dataset,
    page,
    table,
)
from tests.markup import one_line

pytestmark = pytest.mark.django_db

PAIR = ("gpt-4", "gemini-1.5-pro")


@pytest.fixture
def differences(study, dataset):  # noqa: F811
    """What the command prints, as rows."""
    commands = StudyCommands(study.slug)
    options = ("--dataset", "made", "--measure", "answer_correctness")

    def rows(*pair):
        return commands.run("question_results", *options, "--differences", *pair)["rows"]

    rows.error = lambda *more: commands.error("question_results", *options, *more)
    return rows


def test_the_slice_of_refusals_has_the_refusal_alone(table):  # noqa: F811
    rows = table("refusal,evaluator")

    assert {(row["refusal"], row["evaluator"]): (row["mean"], row["n"]) for row in rows} == {
        ("refusal", "gpt-4"): (0.194, 1),
        ("refusal", "gemini-1.5-pro"): (0.813, 1),
        ("answer", "gpt-4"): (0.703, 1),
        ("answer", "gemini-1.5-pro"): (0.2, 1),
    }


def test_the_list_has_both_cases_the_greatest_difference_first(differences):
    rows = differences(*PAIR)

    assert [
        (row["answer"], row["reference"], row["is_refusal"], row["first"], row["second"])
        for row in rows
    ] == [(REFUSED, "152", True, 0.194, 0.813), (RIGHT, "JR Boehrs", False, 0.703, 0.2)]
    assert [row["difference"] for row in rows] == pytest.approx([-0.619, 0.503])
    turned = differences(*reversed(PAIR))
    assert [row["difference"] for row in turned] == pytest.approx([0.619, -0.503])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ([], "name what to --cut by, or the two scorers of --differences"),
        (["--differences", "gpt-4", "gpt-4"], "name two evaluators"),
        (["--differences", "gpt-4", "x"], "x has no scores of answer_correctness"),
        (["--differences", *PAIR, "--cut", "type"], "--differences goes with --measure alone"),
    ],
)
def test_what_no_list_can_be_made_of_is_said(differences, options, message):
    assert message in differences.error(*options)


def test_the_page_lists_them_below_the_table_with_a_file(page, client, study):  # noqa: F811
    text = one_line(page(by="refusal", evaluator="gpt-4").content.decode())

    assert text.index(REFUSED) < text.index(RIGHT)
    assert "claude</bdi> · refusal" in text
    assert '<th scope="row" dir="auto">refusal</th>' in text
    assert "\N{MINUS SIGN}0.619" in text
    file = reverse("question_results_file", args=[study.slug, "differences.csv"])
    contents = client.get(file, {"evaluator": "gpt-4"}).getvalue().decode()
    rows = list(csv.DictReader(io.StringIO(contents)))
    assert [(row["first_evaluator"], row["first"]) for row in rows] == [
        ("gpt-4", "0.194"),
        ("gpt-4", "0.703"),
    ]


def test_of_three_evaluators_two_are_chosen_and_the_file_has_the_same_two(page, client, study):  # noqa: F811
    third = Scorer.objects.create(
        study=study, metric="answer_correctness", name="claude-3", version="imported"
    )
    scored = ImportedScore.objects.filter(scorer__name="gpt-4")
    for each in scored:
        ImportedScore.objects.create(scorer=third, answer=each.answer, value=each.value + 0.1)

    reply = page(by=["type", "evaluator"], evaluator="gpt-4", against="claude-3")

    found = reply.context["differences"]
    assert (found.first, found.second, found.n_both) == ("gpt-4", "claude-3", 2)
    query = reply.context["asked"].query
    assert "evaluator=gpt-4" in query
    assert "against=claude-3" in query
    assert '<select name="against">' in reply.content.decode()


@pytest.mark.parametrize(
    ("left", "said"),
    [
        ({"scorer__name": "gpt-4"}, "of another evaluator to see where the two differ"),
        ({"answer__turn__conversation__key": "q1"}, None),
    ],
)
def test_one_evaluator_alone_differs_from_nobody(page, left, said):  # noqa: F811
    ImportedScore.objects.exclude(**left).delete()

    text = one_line(page().content.decode())

    assert (said or REFUSED) in text
    assert ("Greatest differences" in text) is (said is None)


def test_without_answers_of_both_or_without_a_difference_that_is_said(page, dataset):  # noqa: F811
    ImportedScore.objects.update(value=0.5)
    assert "that both scored the same score" in one_line(page().content.decode())

    ImportedScore.objects.filter(
        scorer__name="gpt-4", answer__turn__conversation__key="q1"
    ).delete()
    ImportedScore.objects.filter(
        scorer__name="gemini-1.5-pro", answer__turn__conversation__key="q2"
    ).delete()
    assert "No answer has scores of both" in one_line(page().content.decode())


def test_the_file_of_differences_counts_no_means_and_reads_not_too_many(
    page,  # noqa: F811
    client,
    study,
    monkeypatch,
):
    file = reverse("question_results_file", args=[study.slug, "differences.csv"])
    monkeypatch.setattr("exports.question_results.queries.results", None)
    assert REFUSED in client.get(file).getvalue().decode()

    monkeypatch.setattr("scoring.queries.MOST_ANSWERS_AT_ONCE", 3)
    assert client.get(file, {"by": "nonsense"}).status_code == 404
    reply = page(by="nonsense")
    assert reply.context["differences"] is None
    assert "question_results --differences" in reply.content.decode()


@all_cases(
    ("asked", "pair"),
    [
        (("", ""), ("A", "B")),
        (("", "B"), ("A", "B")),
        (("", "A"), ("B", "A")),
        (("x", "C"), ("A", "C")),
        (("C", ""), ("C", "A")),
        (("A", "A"), ("A", "B")),
        (("C", "B"), ("C", "B")),
    ],
)
def test_each_of_two_evaluators_stays_in_the_place_where_it_is_named(asked, pair):
    scorers = {name: Scorer(name=name) for name in "ABC"}
    source = Source(Dataset(), {}, (), {"em": scorers})

    assert source.pair("em", *asked) == pair


def test_the_rounding_of_numbers_is_no_difference():
    assert greatest([(1, 0.1 + 0.2 - 0.3), (2, 1e-8), (3, -1e-9)], None) == [2]


def test_equal_scores_are_no_difference_and_of_equal_differences_the_first_stays_first():
    assert greatest([(1, 0.0), (2, 0.2), (3, -0.5), (4, -0.2)], None) == [3, 2, 4]
    assert greatest([(1, 0.1), (2, 0.2), (3, -0.5)], 1) == [3]
