"""The pages of runs: how they compare, and what one answers where."""

import pytest
from django.test import Client
from django.urls import reverse

from accounts.actions import studies
from tests.corpus.imports import answer, create_dataset, create_run, passage_table, turn
from tests.parts import part

HOSTILE = '<script>alert("x")</script>'
TURNS = [turn(n, f"Reference {n}.", rewrite=f"Question {n}?") for n in range(1, 41)]


@pytest.fixture
def client(alice):
    client = Client()
    client.force_login(alice, backend="accounts.backends.RealPeopleBackend")
    return client


@part
def dataset(study, folder):
    return create_dataset(
        study, folder, TURNS, passages=passage_table(("1_1", "p1", "It is a dark stone."))
    )


def runs_page(client, study, **query):
    return client.get(reverse("runs", args=[study.slug]), query).content.decode()


def page(client, run, **query):
    return client.get(reverse("run", args=[run.dataset.study.slug, run.pk]), query).content.decode()


def row_of(text, name):
    start = text.index(f">{name}<")
    return text[start : text.index("</tr>", start)]


def citing(number, passages, quote=None):
    fields = {"Model_passages": passages}
    if quote:
        fields["Model_evidence"] = {"passage_id": next(iter(passages)), "text": quote}
    return answer(number, f"Answer {number}.", **fields)


def test_without_a_data_set_the_list_leads_to_one(client, study):
    text = runs_page(client, study)

    assert "there is none yet" in text
    assert reverse("dataset_import", args=[study.slug]) in text


def test_without_a_run_the_list_leads_to_the_import(client, dataset):
    text = runs_page(client, dataset.study)

    assert "There is no run yet" in text
    assert reverse("run_import", args=[dataset.study.slug]) in text


def test_the_list_counts_answers_empty_ones_and_those_with_citations(client, dataset, tmp_path):
    answers = [citing(1, {"p1": 1.0, "p2": 0.5}), answer(2, " \u2003\n"), answer(3, "x")]
    create_run(dataset, tmp_path, answers, team="Quarry", setup="original")

    row = row_of(runs_page(client, dataset.study), "alder")

    numbers = [part.partition("<")[0] for part in row.split('<td class="number">')[1:]]
    assert numbers == ["3", "1", "1"]
    assert "Quarry" in row
    assert "original" in row


def test_runs_with_the_same_answers_are_flagged(client, dataset, tmp_path):
    for name in ("alder", "birch"):
        create_run(dataset, tmp_path, [answer(1, "Stone.")], name=name)
    cedar = create_run(dataset, tmp_path, [answer(1, "Slate.")], name="cedar")

    text = runs_page(client, dataset.study)

    assert 'same answers as <span dir="auto">birch</span>' in row_of(text, "alder")
    assert "same answers as" not in row_of(text, "cedar")
    assert "gives the same answers" in page(client, dataset.runs.get(name="alder"))
    assert "gives the same answers" not in page(client, cedar)


def test_the_list_asks_as_often_for_thirty_as_for_three(
    client, dataset, tmp_path, django_assert_num_queries, django_assert_max_num_queries
):
    for n in range(3):
        create_run(dataset, tmp_path, [answer(1, "Stone.")], name=f"run{n}")
    with django_assert_max_num_queries(12) as asked:
        runs_page(client, dataset.study)
    for n in range(3, 30):
        create_run(dataset, tmp_path, [answer(1, "Stone.")], name=f"run{n}")

    with django_assert_num_queries(len(asked)):
        runs_page(client, dataset.study)


def test_the_list_can_be_narrowed_and_sorted(client, dataset, tmp_path):
    create_run(dataset, tmp_path, [answer(1, "a"), answer(2, "b")], name="alder", team="Quarry")
    create_run(dataset, tmp_path, [answer(1, "c")], name="birch", kind="baseline")

    assert ">birch<" not in runs_page(client, dataset.study, q="quarry")
    assert ">alder<" not in runs_page(client, dataset.study, kind="baseline")
    text = runs_page(client, dataset.study, sort="answers")
    assert text.index(">birch<") < text.index(">alder<")


def test_a_run_shows_each_answer_with_question_reference_and_citations(client, dataset, tmp_path):
    alder = create_run(
        dataset, tmp_path, [citing(1, {"p1": 2.5, "p2": 1.0}, "dark stone"), answer(2, " ")]
    )

    text = page(client, alder)

    for shown in ("Question 1?", "Answer 1.", "Reference 1.", "p1", "2.5", "p2", "empty answer"):
        assert shown in text
    assert "quote usable" in text
    assert "dark stone" in text


def test_a_quote_that_is_not_usable_is_said_with_why_and_can_be_looked_for(
    client, dataset, tmp_path
):
    answers = [
        citing(1, {"p1": 1.0}, "bright stone"),
        citing(2, {"p1": 1.0}, "dark"),
        answer(3, "x"),
    ]
    alder = create_run(dataset, tmp_path, answers)

    text = page(client, alder, citing="unusable")

    assert "quote not usable: not in passage" in text
    assert "Answer 2." not in text
    assert "Answer 1." not in page(client, alder, citing="none")
    assert "Answer 2." in page(client, alder, citing="quote")
    assert "No answer matches" in page(client, alder, citing="some", q="nothing")


def test_answers_are_searched_by_text_question_and_turn(client, dataset, tmp_path):
    alder = create_run(dataset, tmp_path, [answer(n, f"Answer {n}.") for n in range(1, 41)])

    for query in ("answer 31", "question 31", "1_31"):
        text = page(client, alder, q=query)
        assert "Answer 31." in text
        assert "Answer 30." not in text


def test_a_run_asks_as_often_for_many_answers_as_for_few(
    client, dataset, tmp_path, django_assert_num_queries, django_assert_max_num_queries
):
    few = create_run(dataset, tmp_path, [citing(n, {"p1": 1.0}) for n in range(1, 4)], name="few")
    with django_assert_max_num_queries(17) as asked:
        page(client, few)
    answers = [citing(n, {f"p{m}": 1.0 / m for m in range(1, 9)}) for n in range(1, 31)]
    many = create_run(dataset, tmp_path, answers, name="many")

    with django_assert_num_queries(len(asked)):
        text = page(client, many)
    assert "8 passages" in text


@pytest.mark.parametrize("pk", [0, 10**6, 10**30])
def test_a_run_that_is_not_there_is_not_found(client, study, pk):
    assert client.get(reverse("run", args=[study.slug, pk])).status_code == 404


def test_a_run_of_another_study_is_not_found(client, study, mallory, tmp_path):
    other = studies.create_study(slug="bridges", title="Bridges", requester=mallory)
    theirs = create_run(create_dataset(other, tmp_path, TURNS), tmp_path, [answer(1, "x")])

    assert client.get(reverse("run", args=[study.slug, theirs.pk])).status_code == 404


def test_hostile_texts_are_shown_and_not_run(client, dataset, tmp_path):
    quoting = answer(
        1,
        HOSTILE,
        Model_passages={HOSTILE: 1.0},
        Model_evidence={"passage_id": HOSTILE, "text": HOSTILE},
    )
    about = {"name": "x" + HOSTILE.replace("/", ""), "team": HOSTILE, "system": HOSTILE}
    alder = create_run(dataset, tmp_path, [quoting], setup=HOSTILE, **about)

    for text in (page(client, alder), runs_page(client, dataset.study)):
        assert "<script>alert" not in text
        assert "&lt;script&gt;alert" in text
