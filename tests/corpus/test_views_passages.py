"""The passages of a data set can be searched and read."""

import pytest
from django.test import Client
from django.urls import reverse

from tests.corpus.imports import answer, create_dataset, create_run, passage_table, turn
from tests.markup import one_line

LONG = " ".join(f"word{n}" for n in range(80))
PASSAGES = passage_table(
    ("1_1", "p1", "It is a dark stone."),
    ("1_2", "p1", "It is a dark stone."),
    ("1_2", "p2", LONG),
)


@pytest.fixture
def client(alice):
    client = Client()
    client.force_login(alice, backend="accounts.backends.RealPeopleBackend")
    return client


@pytest.fixture
def dataset(study, tmp_path):
    turns = [turn(1, "A stone.", rewrite="What is it?"), turn(2, "Dark.", rewrite="How dark?")]
    return create_dataset(study, tmp_path, turns, passages=PASSAGES)


def listed(client, dataset, **query):
    href = reverse("passages", args=[dataset.study.slug, dataset.pk])
    return one_line(client.get(href, query).content.decode())


def page_of(client, passage):
    href = reverse("passage", args=[passage.dataset.study.slug, passage.pk])
    return one_line(client.get(href).content.decode())


def test_the_data_set_leads_to_its_passages(client, dataset):
    href = reverse("dataset", args=[dataset.study.slug, "touch", 1])
    page = client.get(href).content.decode()

    assert (
        f'<a href="{reverse("passages", args=[dataset.study.slug, dataset.pk])}">2 passages</a>'
        in page
    )


def test_the_list_counts_turns_and_answers(client, dataset, tmp_path):
    create_run(dataset, tmp_path, [answer(1, "Black.", Model_passages={"p1": 1, "p9": 1})])

    text = listed(client, dataset)

    assert "It is a dark stone." in text
    assert '<td class="number">2 turns</td><td class="number">1 answer</td>' in text
    assert ">p9</a>" not in text  # of which no text is known


def test_passages_are_searched_by_words_of_their_text(client, dataset):
    assert ">p1</a>" not in listed(client, dataset, q="word79")
    assert ">p2</a>" in listed(client, dataset, q="word79")
    assert "No passage matches." in listed(client, dataset, q="slate")
    assert "No passage matches." in listed(client, dataset, offered="no")


def test_a_passage_is_shown_whole_with_the_turns_that_it_is_offered_for(client, dataset):
    text = page_of(client, dataset.passages.get(docid="p2"))

    assert LONG in text
    assert "How dark?" in text
    assert "What is it?" not in text


def test_a_passage_of_which_no_text_is_known_says_so(client, dataset, tmp_path):
    create_run(dataset, tmp_path, [answer(1, "Black.", Model_passages={"p9": 1})])

    text = page_of(client, dataset.passages.get(docid="p9"))

    assert "its text is not known" in text
    assert "It is offered for no turn." in text


def test_a_data_set_without_passages_says_so(client, study, tmp_path):
    empty = create_dataset(study, tmp_path, [turn(1, "A stone.")], name="empty")

    assert "The data set has no passages with a text." in listed(client, empty)
