"""What is promised of the page of control items, and that the desk does not tell which they are."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.urls import reverse

from accounts.models import Role
from annotation.forms.controls import LARGEST_KEYS_MB
from annotation.models import Batch, GuidelineReading, Item, Key
from pages.middleware import MB
from tests.annotation.batches_with_controls import full_pool, open_batch, settled_batch, work
from tests.annotation.desk_pages import client_of
from tests.annotation.views.desk.test_sync import sync_desk
from tests.conftest import member
from tests.factories import TurnFactory
from tests.parts import part


@part
def source(study, alice, bob, dora) -> Batch:
    return settled_batch(study, [bob, dora], alice)


@part
def batch(study, alice, source) -> Batch:
    return open_batch(full_pool(study), alice, None, shows_context=False)


def page(batch):
    return reverse("batch_controls", args=[batch.study.slug, batch.pk])


def keys_page(batch):
    return reverse("batch_control_keys", args=[batch.study.slug, batch.pk])


def test_control_items_are_added_listed_with_answers_and_taken_out(study, batch, source, alice):
    client = client_of(alice)

    client.post(page(batch), {"source": source.pk, "n": 9, "seed": 1})
    fay = member(study, "fay", Role.ANNOTATOR, by=alice)
    work(batch, fay, label="malformed")
    shown = client.get(page(batch))

    assert shown.status_code == 200
    lines = shown.context["lines"]
    assert len(lines) == 9
    answered = [line for line in lines if line.n]
    assert answered
    assert all((line.n_right == 1) == (line.key.label == "malformed") for line in answered)
    out = reverse("control_out", args=[study.slug, batch.pk, lines[0].key.pk])
    client.post(out, {"reason": ""})
    assert not Item.objects.get(pk=lines[0].key.item_id).is_excluded
    client.post(out, {"reason": "wrong"})
    assert Item.objects.get(pk=lines[0].key.item_id).is_excluded


def test_what_is_wrong_is_said_beside_the_form(batch, source, alice):
    client = client_of(alice)
    client.post(page(batch), {"source": source.pk, "n": 500, "seed": 1})

    again = client.post(page(batch), {"source": source.pk, "n": 9, "seed": 1})

    assert again.status_code == 400
    assert "Nothing was added" in again.content.decode()


def sent_keys(batch, content: bytes):
    return {"keys": SimpleUploadedFile("keys.csv", content)}


def test_a_file_of_keys_adds_its_rows_with_their_explanations(study, batch, alice):
    turn = TurnFactory(conversation__dataset=batch.pool.dataset)
    row = f"{turn.key},The guild.,plausible,The guild built it.\n"
    content = f"turn,answer,label,explanation\n{row}".encode()

    answer = client_of(alice).post(keys_page(batch), sent_keys(batch, content), follow=True)

    (line,) = answer.context["lines"]
    assert (line.key.label, line.key.explanation) == ("plausible", "The guild built it.")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"turn,answer,label\n", "the header lacks explanation"),
        (b"turn,answer,label,explanation\n9_9,A.,plausible,\n", "is no question of the data set"),
        (b"turn,answer,label,explanation\n9_9,A.,good,<b>\n", "is none of plausible"),
        (b"\xff\xfe", "UTF-8"),
        (b"", "The file is empty"),
    ],
    ids=["column", "turn", "label", "encoding", "empty"],
)
def test_a_file_with_something_wrong_adds_nothing_and_says_where(batch, alice, content, said):
    answer = client_of(alice).post(keys_page(batch), sent_keys(batch, content))

    assert answer.status_code == 400
    assert said in answer.content.decode()
    assert not Key.objects.filter(item__batch=batch).exists()


def test_a_file_that_is_too_large_or_missing_is_refused(batch, alice):
    client = client_of(alice)
    large = sent_keys(batch, b"x" * (LARGEST_KEYS_MB * MB + 1))

    assert b"at most 5 MB" in client.post(keys_page(batch), large).content
    assert b"Choose a CSV file first" in client.post(keys_page(batch)).content


def test_the_command_adds_them_from_a_batch(study, batch, source, capsys):
    call_command("add_controls", batch.name, "--study", study.slug, "--from", source.name, "--json")

    assert Key.objects.filter(item__batch=batch).count() == 20
    assert '"n_added": 20' in capsys.readouterr().out


def test_the_desk_sends_control_items_as_it_sends_others(study, batch, source, alice):
    """The same fields, ids and times of the same form, and HTML that differs in question and answer only."""
    client_of(alice).post(page(batch), {"source": source.pk, "n": 20, "seed": 1})
    Batch.objects.filter(pk=batch.pk).update(prefetch_depth=20)
    fay = member(study, "fay", Role.ANNOTATOR, by=alice)
    GuidelineReading.objects.create(guideline=batch.guideline, read_by=fay)

    sent = sync_desk(client_of(fay), batch, wanted=20)["items"]

    forms: dict[bool, set[object]] = {True: set(), False: set()}
    for each in sent:
        item = Item.objects.get(assignments__public_id=each["assignment"])
        html = each["html"].replace(each["assignment"], "ID")
        for text in (item.payload["question"], item.payload["answers"][0]["text"]):
            html = html.replace(text, "TEXT").replace(text.replace("'", "&#x27;"), "TEXT")
        lengths = tuple((name, len(str(value))) for name, value in each.items() if name != "html")
        forms[item.n_wanted is None].add((html, lengths))
    assert forms[True]
    assert len(forms[True] | forms[False]) == 1
