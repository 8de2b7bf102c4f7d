"""The list of a batch's items: every item can be come to, and nothing is told that is hidden until it is settled."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from annotation.actions import batches as acts
from annotation.actions import judgements, reviews, settlement
from annotation.models import Item, SetAside
from tests.annotation.desk import claim_one, judge
from tests.cases import all_cases
from tests.factories import BatchFactory, ItemFactory, RunFactory
from tests.parts import part

HOSTILE = "<script>alert('x')</script>"


def signed_in(user) -> Client:
    client = Client()
    client.force_login(user, backend="accounts.backends.RealPeopleBackend")
    return client


@pytest.fixture
def client(alice) -> Client:
    return signed_in(alice)


def address(name: str, batch) -> str:
    return reverse(name, kwargs={"study": batch.study.slug, "batch": batch.pk})


def listed_positions(client, batch, **query) -> list[int]:
    """The positions of the items that the list shows."""
    page = client.get(address("batch_items", batch), query)
    assert page.status_code == 200
    return [item.position for item in page.context["listing"].page]


@part
def settled(study, alice, bob, dora, carol):
    """One plausible, one in dispute, one judged once, one that carol decided, one excluded."""
    batch = BatchFactory(pool__dataset__study=study, name="first round")
    for position in range(1, 6):
        ItemFactory(batch=batch, position=position)
    for label in ("plausible", "plausible", "plausible", "plausible", "plausible"):
        judge(batch, bob, label)
    judge(batch, dora, "plausible")
    judge(batch, dora, "malformed")
    judgements.skip(assignment=claim_one(batch, dora), reason="not my language", by=dora)
    judge(batch, dora, "malformed")
    acts.close(batch=batch, by=alice)
    settlement.settle(batch=batch, rule="unanimous", by=alice)
    reviews.adjudicate(item=batch.items.get(position=4), label="implausible", reason="r", by=carol)
    reviews.exclude(item=batch.items.get(position=5), reason="no question", by=alice)
    return batch


def test_each_row_leads_to_its_item(client, settled):
    page = client.get(address("batch_items", settled)).text

    for item in settled.items.all():
        href = reverse("item", kwargs={"study": settled.study.slug, "item": item.public_id})
        assert f'href="{href}"' in page
        assert item.payload["answers"][0]["text"] in page


@all_cases(
    ("query", "positions"),
    [
        ({}, [1, 2, 3, 4, 5]),
        ({"verdict": "plausible"}, [1]),
        ({"verdict": "implausible"}, [4]),
        ({"verdict": "disputed"}, [2]),
        ({"verdict": SetAside.TOO_FEW.value}, [3]),
        ({"verdict": SetAside.EXCLUDED.value}, [5]),
        ({"verdict": "none"}, []),
        ({"verdict": "nonsense"}, [1, 2, 3, 4, 5]),
        ({"by": "adjudication"}, [4]),
        ({"by": "decision"}, [5]),
        ({"judged": "missing"}, [3]),
        ({"judged": "none"}, []),
        ({"judged": "held"}, []),
        ({"sort": "-place"}, [5, 4, 3, 2, 1]),
        ({"sort": "judgements"}, [3, 5, 1, 2, 4]),
        ({"sort": "ending", "by": "consensus"}, [1, 2, 3]),
    ],
)
def test_it_can_be_narrowed_and_sorted(client, settled, query, positions):
    assert listed_positions(client, settled, **query) == positions


def test_an_answer_can_be_searched_for(client, settled):
    second = settled.items.get(position=2).payload["answers"][0]["text"]

    assert listed_positions(client, settled, q=second.upper()) == [2]
    assert "No item matches" in client.get(address("batch_items", settled), {"q": "%"}).text


def test_what_waits_for_judgements_is_found(client, bob, dora, batch, items):
    judge(batch, bob)
    claim_one(batch, bob)

    assert listed_positions(client, batch, judged="missing") == [1, 2, 3]
    assert listed_positions(client, batch, judged="held") == [2]
    assert listed_positions(client, batch, judged="none") == [2, 3]
    assert listed_positions(client, batch, verdict="none") == [1, 2, 3]


def test_every_row_of_the_verdicts_leads_to_as_many_items(client, settled):
    page = client.get(address("batch", settled)).text

    rows = re.findall(
        r'<td><a id="ended-\d+" href="([^"]+)">([^<]+)</a></td>\s*<td class="number">(\d+)</td>',
        page,
    )

    assert {words for _, words, _ in rows} == {
        *("plausible", "implausible", "in dispute"),
        *("set aside: too few judgements", "set aside: excluded"),
    }
    for href, _, n in rows:
        assert client.get(href).context["listing"].page.paginator.count == int(n)


def test_an_adjudicator_comes_to_it_from_an_item(carol, settled):
    client = signed_in(carol)
    item = settled.items.get(position=3)

    page = client.get(reverse("item", args=[settled.study.slug, item.public_id])).text

    assert address("batch_items", settled) in page
    assert listed_positions(client, settled) == [1, 2, 3, 4, 5]


def test_it_tells_nobodys_name_and_nothing_that_stands_behind_an_answer(carol, settled):
    RunFactory(dataset=settled.pool.dataset, name="sentinel-run")

    page = signed_in(carol).get(address("batch_items", settled)).text.split("<main")[1]

    for secret in ("bob", "dora", "sentinel-run", "score"):
        assert secret not in page


def test_control_items_are_not_told_from_the_others_by_it(client, settled):
    Item.objects.filter(batch=settled, position=1).update(n_wanted=None, n_open=0, n_counted=0)

    assert listed_positions(client, settled) == [2, 3, 4, 5]


def test_a_draft_has_no_items_yet(client, study):
    draft = BatchFactory(pool__dataset__study=study, state="draft")

    assert "A draft has no items yet" in client.get(address("batch_items", draft)).text


def test_another_studys_batch_is_none(client):
    other = BatchFactory()
    href = reverse("batch_items", kwargs={"study": "lighthouses", "batch": other.pk})

    assert client.get(href).status_code == 404


def test_hostile_texts_are_shown_harmlessly(client, batch, item):
    item.payload = {"question": HOSTILE, "context": [], "answers": [{"text": HOSTILE}]}
    item.save(update_fields=["payload"])

    assert HOSTILE not in client.get(address("batch_items", batch)).text


def test_it_asks_as_much_of_the_database_for_three_as_for_thirty(
    client, batch, items, django_assert_num_queries, django_assert_max_num_queries
):
    with django_assert_max_num_queries(9) as asked:
        client.get(address("batch_items", batch))
    for position in range(4, 34):
        ItemFactory(batch=batch, position=position)

    with django_assert_num_queries(len(asked)):
        client.get(address("batch_items", batch))


# What was flagged


def test_the_number_of_flags_leads_to_the_flags_of_the_batch(client, study, batch, items, bob):
    judgements.flag(assignment=claim_one(batch, bob), message="Odd.", by=bob)
    other = BatchFactory(pool__dataset__study=study, claim_seconds=600)
    ItemFactory(batch=other)
    judgements.flag(assignment=claim_one(other, bob), message="Elsewhere.", by=bob)

    page = client.get(address("batch", batch)).text
    (href,) = re.findall(r'href="([^"]+)"\s+aria-label="1 flag by bob', page)
    shown = client.get(href).text

    assert "Odd." in shown
    assert "Elsewhere." not in shown
    assert "Elsewhere." in client.get(reverse("flags", args=[study.slug])).text


def test_a_flag_is_shown_with_the_question_and_the_answer(client, study, batch, item, bob):
    judgements.flag(assignment=claim_one(batch, bob), message="Odd.", by=bob)

    page = client.get(reverse("flags", args=[study.slug])).text

    assert item.payload["question"] in page
    assert item.payload["answers"][0]["text"] in page


def test_the_list_has_the_reasons_of_those_who_skipped_an_item(client, batch, items, bob, dora):
    judgements.skip(assignment=claim_one(batch, bob), reason="not my language", by=bob)
    held = claim_one(batch, dora)
    judgements.skip(assignment=held, choice="Offensive", reason="a slur", by=dora)

    page = client.get(address("batch_items", batch)).text

    assert page.count("not my language") == 1
    assert "Offensive: a slur" in page
    assert listed_positions(client, batch, judged="skipped") == [items[0].position]
