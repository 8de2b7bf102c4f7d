"""Search in the texts of a study: what is found, by whom, and that nothing is counted."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import Role
from annotation.actions import batches as acts
from annotation.models import Item
from corpus.models import Run
from dashboard import search_queries
from tests.annotation.pools import pool_of
from tests.factories import AnswerFactory, RunFactory


def client_of(user) -> Client:
    client = Client()
    client.force_login(user, backend="accounts.backends.RealPeopleBackend")
    return client


@pytest.fixture
def pool(study):
    return pool_of(study)


@pytest.fixture
def batch(study, pool, alice):
    return acts.create_and_launch(
        study=study, name="first round", scheme="plausibility", pool=pool, by=alice
    )


@pytest.fixture
def run(pool) -> Run:
    run = RunFactory(dataset=pool.dataset, name="birch")
    for turn in pool.dataset.conversations.get().turns.all():
        AnswerFactory(run=run, turn=turn, text=f"The Guild of keepers, {turn.number}.")
    return run


def page(user, study, **query):
    return client_of(user).get(reverse("search", args=[study.slug]), query)


def found(user, study, **query) -> dict[str, int]:
    """How many lines there are of each kind."""
    context = page(user, study, **query).context
    return {group.kind: len(group.lines) for group in context.get("groups", [])}


def test_questions_answers_and_items_with_all_words_are_found(study, batch, run, alice):
    assert found(alice, study, q="lighthouse") == {"questions": 1, "answers": 0, "items": 2}
    assert found(alice, study, q="keepers GUILD") == {"questions": 0, "answers": 3, "items": 0}
    assert found(alice, study, q="guild lighthouse")["answers"] == 0
    assert found(alice, study, q="ANSWER lighthouse")["items"] == 2


def test_an_item_is_found_by_words_of_its_question_and_of_its_answer_together(study, batch, alice):
    item = Item.objects.get(answers__candidate__text__startswith="Answer 2 to When")

    text = page(alice, study, q="rewritten 2 when").text

    assert reverse("item", args=[study.slug, item.public_id]) in text
    assert found(alice, study, q="rewritten 2 when")["items"] == 1


def test_what_was_found_is_marked_and_says_where_it_is(study, batch, run, alice):
    text = page(alice, study, q="guild").text

    assert "The <mark>Guild</mark> of keepers, 1." in text
    assert f"{reverse('run', args=[study.slug, run.pk])}?q=7_1" in text
    assert "birch" in text


def test_nothing_of_another_study_or_of_drafts_is_found(study, pool, run, alice):
    acts.create(study=study, name="draft", scheme="plausibility", pool=pool, by=alice)
    RunFactory(name="elsewhere")
    AnswerFactory(text="The guild elsewhere.")

    assert found(alice, study, q="guild") == {"questions": 0, "answers": 3, "items": 0}


def test_adjudicators_find_items_and_no_run(study, batch, run, carol):
    assert carol.memberships.get().grants.get().role == Role.ADJUDICATOR
    assert found(carol, study, q="lighthouse") == {"items": 2}
    assert found(carol, study, q="guild", kind="answers") == {"items": 0}
    text = page(carol, study, q="lighthouse").text
    assert "birch" not in text
    assert reverse("runs", args=[study.slug]) not in text


def test_an_adjudicator_does_not_find_what_would_tell_a_label_to_be_given_again(
    study, batch, carol, monkeypatch
):
    first, second, *_ = Item.objects.order_by("position")
    second.came_from = first
    second.save()
    hidden = Item.objects.filter(pk__in=[first.pk, second.pk])
    monkeypatch.setattr(
        search_queries.adjudication_access, "items_hidden_from", lambda reader, study: hidden
    )

    assert found(carol, study, q="answer") == {"items": 5}


def test_the_first_of_many_are_shown_and_the_others_are_a_page_away(study, pool, alice):
    turn = pool.dataset.conversations.get().turns.first()
    for number in range(60):
        AnswerFactory(run=RunFactory(dataset=pool.dataset), turn=turn, text=f"Slate {number}.")

    text = page(alice, study, q="slate").text
    assert "(the first 10 are shown)" in text
    assert "?q=slate&amp;kind=answers&amp;page=1" in text
    assert found(alice, study, q="slate", kind="answers") == {"answers": 50}
    assert found(alice, study, q="slate", kind="answers", page="2") == {"answers": 10}
    last = page(alice, study, q="slate", kind="answers", page="2")
    assert "51\u201360" in last.text
    assert not last.context["next_href"]


@pytest.mark.parametrize("number", ["0", "-1", "x", "9" * 5000, "٣", "1001"])
def test_a_page_that_is_none_is_no_error(study, run, alice, number):
    assert page(alice, study, q="guild", kind="answers", page=number).status_code == 200


@pytest.mark.parametrize("text", ["", " ", "\0"])
def test_without_words_nothing_is_searched(study, run, alice, text):
    assert found(alice, study, q=text) == {}


def test_signs_of_patterns_stand_for_themselves(study, run, alice):
    for text in ("%", "_", "*", "\\", "gu.ld", "gu_ld"):
        assert sum(found(alice, study, q=text).values()) == 0, text


@pytest.mark.database
@pytest.mark.parametrize("typed", ["ärger", "ÄRGER", "Ärger", "žilina", "ŽILINA"])
def test_letters_beyond_ascii_are_found_in_small_ones_and_in_capitals(study, pool, alice, typed):
    turns = pool.dataset.conversations.get().turns
    turn = turns.first()
    turn.question = "Wo liegt Žilina, und warum der Ärger?"
    turn.save()

    assert found(alice, study, q=typed)["questions"] == 1


def test_html_in_what_was_found_is_shown_as_text(study, pool, alice):
    run = RunFactory(dataset=pool.dataset)
    turn = pool.dataset.conversations.get().turns.first()
    AnswerFactory(run=run, turn=turn, text="<b>slate</b> & <i>slate")

    text = page(alice, study, q="slate").text

    assert "&lt;b&gt;<mark>slate</mark>&lt;/b&gt; &amp; &lt;i&gt;<mark>slate</mark>" in text


def test_of_a_long_text_the_part_with_the_word_is_shown():
    text = f"{'x ' * 500}slate{' y' * 500}"

    shown = search_queries.excerpt(text, ["slate"])

    assert shown.startswith("…x x")
    assert "<mark>slate</mark>" in shown
    assert shown.endswith("…")
    assert len(shown) < 400


def test_nothing_is_counted_and_no_row_costs_a_query(study, batch, run, alice):
    client = client_of(alice)
    address = reverse("search", args=[study.slug])

    def asked(q: str) -> list[str]:
        with CaptureQueriesContext(connection) as queries:
            client.get(address, {"q": q})
        return [each["sql"] for each in queries]

    assert not [sql for sql in asked("guild") if "COUNT(" in sql and "LIKE" in sql]
    assert len(asked("e")) == len(asked("answer 2 when"))
    assert all("LIMIT 11" in sql for sql in asked("guild") if "LIKE" in sql)
