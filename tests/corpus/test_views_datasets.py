"""The pages of data sets: what is in them, turn by turn."""

import pytest
from django.test import Client
from django.urls import reverse

from accounts.actions import studies
from tests.corpus.imports import answer, create_dataset, create_run, passage_table, turn

HOSTILE = '<script>alert("x")</script>'
TURNS = [turn(1, "A stone."), turn(2), turn(1, "It is dark.", conversation=2)]


@pytest.fixture
def client(alice):
    client = Client()
    client.force_login(alice, backend="accounts.backends.RealPeopleBackend")
    return client


def datasets_page(client, study, **query):
    return client.get(reverse("datasets", args=[study.slug]), query).content.decode()


def address(dataset):
    return reverse("dataset", args=[dataset.study.slug, dataset.name, dataset.version])


def page(client, dataset, **query):
    return client.get(address(dataset), query).content.decode()


def test_no_data_set_is_a_sentence_and_the_way_to_one(client, study):
    text = datasets_page(client, study)

    assert "There is no data set yet" in text
    assert reverse("dataset_import", args=[study.slug]) in text


def test_the_list_counts_what_is_in_each(client, study, tmp_path):
    dataset = create_dataset(
        study, tmp_path, TURNS, passages=passage_table(("1_1", "p1", "x"), ("1_2", "p1", "x"))
    )
    create_run(dataset, tmp_path, [answer(1, "Stone.")])

    text = datasets_page(client, study)

    row = text[text.index("touch@1") : text.index("</tr>", text.index("touch@1"))]
    numbers = [part.partition("<")[0] for part in row.split('<td class="number">')[1:]]
    assert numbers == ["2", "3", "2", "1", "1"]


def test_the_list_asks_as_often_for_thirty_as_for_three(
    client, study, tmp_path, django_assert_num_queries, django_assert_max_num_queries
):
    for n in range(3):
        create_dataset(study, tmp_path, TURNS, name=f"touch{n}")
    with django_assert_max_num_queries(10) as asked:
        datasets_page(client, study)
    for n in range(3, 30):
        create_dataset(study, tmp_path, TURNS, name=f"touch{n}")

    with django_assert_num_queries(len(asked)):
        datasets_page(client, study)


def test_the_page_tells_where_the_data_set_is_from(client, study, tmp_path):
    dataset = create_dataset(study, tmp_path, TURNS, licence="CC0", citation="Us,\n2026")

    text = page(client, dataset)

    for part in ("CC0", "Us,\n2026", dataset.digest, "truth.json", dataset.files[0]["sha256"]):
        assert part in text


def test_the_page_shows_turns_with_question_rewrite_reference_and_passages(client, study, tmp_path):
    asked = [{"Conversation_no": 1, "Turn_no": 1, "Question": "And that?"}]
    offered = passage_table(("1_1", "p1", "x"), ("1_1", "p2", "y"))
    dataset = create_dataset(study, tmp_path, TURNS, questions=asked, passages=offered)

    text = page(client, dataset)

    for part in ("And that?", "What is it?", "A stone.", "no reference", "1_1", "2_1"):
        assert part in text
    assert '<td class="number">2</td>' in text


def test_turns_can_be_searched_by_text_and_by_id(client, study, tmp_path):
    turns = [turn(n, f"Reference {n}.", rewrite=f"Question {n}?") for n in range(1, 13)]
    dataset = create_dataset(study, tmp_path, turns)

    assert "Reference 7." in page(client, dataset, q="question 7")
    assert "Reference 8." not in page(client, dataset, q="question 7")
    assert "Reference 12." in page(client, dataset, q="1_12")
    assert "No turn matches" in page(client, dataset, q="nothing")


def test_the_page_asks_as_often_for_many_turns_as_for_few(
    client, study, tmp_path, django_assert_num_queries, django_assert_max_num_queries
):
    few = create_dataset(study, tmp_path, TURNS, name="few")
    with django_assert_max_num_queries(15) as asked:
        page(client, few)
    turns = [turn(n, "R.", conversation=c) for n in range(1, 7) for c in range(1, 6)]
    passages = passage_table(
        *((f"{c}_{n}", f"p{c}{n}", "x") for n in range(1, 7) for c in range(1, 6))
    )
    many = create_dataset(study, tmp_path, turns, name="many", passages=passages)

    with django_assert_num_queries(len(asked)):
        page(client, many)


def test_an_older_version_leads_to_the_newest(client, study, tmp_path):
    old = create_dataset(study, tmp_path, TURNS)
    new = create_dataset(study, tmp_path, TURNS[:1], as_new_version=True)

    assert address(new) in page(client, old)
    assert "There is a newer version" not in page(client, new)


@pytest.mark.parametrize(("name", "version"), [("touch", 2), ("touch", 10**30), ("other", 1)])
def test_a_data_set_that_is_not_there_is_not_found(client, study, tmp_path, name, version):
    create_dataset(study, tmp_path, TURNS)

    assert client.get(reverse("dataset", args=[study.slug, name, version])).status_code == 404


def test_a_data_set_of_another_study_is_not_found(client, study, mallory, tmp_path):
    other = studies.create_study(slug="bridges", title="Bridges", requester=mallory)
    create_dataset(other, tmp_path, TURNS)

    assert client.get(reverse("dataset", args=[study.slug, "touch", 1])).status_code == 404


def test_hostile_texts_are_shown_and_not_run(client, study, tmp_path):
    turns = [turn(1, HOSTILE, rewrite=HOSTILE)]
    asked = [{"Conversation_no": 1, "Turn_no": 1, "Question": HOSTILE + "?"}]
    about = {"name": HOSTILE, "licence": HOSTILE, "citation": HOSTILE}
    dataset = create_dataset(study, tmp_path, turns, questions=asked, **about)

    for text in (page(client, dataset), datasets_page(client, study)):
        assert "<script>alert" not in text
        assert "&lt;script&gt;alert" in text
