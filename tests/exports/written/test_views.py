"""The pages of written answers: figures, pairs side by side, the archive, and the pilot on the same questions."""

import io
import zipfile

import pytest
from django.urls import reverse

from annotation.models import Batch, Item, Judgement
from exports.written import actions
from exports.written.jobs import BOOTSTRAP
from jobs.actions import execution
from jobs.models import Job
from tests.annotation.desk_pages import client_of
from tests.exports.judged_batches import reject
from tests.exports.written import rounds

HOSTILE = "<script>alert(1)</script> \u202e=1+1 مرحبا"


@pytest.fixture
def client(alice):
    return client_of(alice)


def address(name, of):
    return reverse(name, args=[of.study.slug, of.pk])


def text_of(client, name, of):
    reply = client.get(address(name, of))
    assert reply.status_code == 200
    return reply.content.decode()


def compute(client, dataset):
    client.post(address("written_start", dataset))
    execution.run(Job.objects.get(kind="written_answers"))


def test_before_anybody_writes_the_pages_say_what_is_to_be_done(study, client, tmp_path):
    dataset = rounds.lights(study, tmp_path)
    assert "No batch of written answers was opened" in text_of(client, "written", dataset)

    pool = rounds.draw_writing(dataset)
    batch = rounds.launched(pool, scheme="writing", judgements_per_item=2)
    assert "Nobody has written anything yet" in text_of(client, "written", dataset)
    assert "No question has answers of two people yet" in text_of(client, "batch_written", batch)
    assert client.get(address("written_zip", dataset)).status_code == 404


def test_figures_are_computed_by_a_job_and_pairs_that_differ_stand_side_by_side(client, lights):
    compute(client, lights)

    page = text_of(client, "written", lights)
    assert "7: 5 of several people, 1 of one, 1 only skipped" in " ".join(page.split())
    assert "0.750" in page
    assert "It burnt <mark>oil.</mark>" in page
    assert "It burnt <mark>oil and gas.</mark>" in page
    assert "Up to date" in page


def test_texts_of_people_are_escaped_and_have_their_own_direction(client, lights):
    differing = Judgement.objects.get(response__answer="It burnt oil and gas.")
    Judgement.objects.filter(pk=differing.pk).update(
        response=differing.response | {"answer": HOSTILE}
    )
    gas = Judgement.objects.filter(response__answer="Gas.").first()
    Judgement.objects.filter(pk=gas.pk).update(response=gas.response | {"answer": HOSTILE})
    compute(client, lights)

    for name, of in (("written", lights), ("batch_written", Batch.objects.get(name="pilot"))):
        page = text_of(client, name, of)
        assert "alert(1)&lt;/script&gt;" in page
        assert "<script>alert(1)" not in page


def test_a_pair_that_counts_no_more_is_not_shown_and_the_page_says_that_figures_are_old(
    client, lights
):
    compute(client, lights)
    reject(Judgement.objects.get(response__answer="It burnt oil."))

    page = text_of(client, "written", lights)
    assert "Out of date" in page
    assert "None of these counts any more" in page


def test_the_archive_has_the_files_of_the_command(client, lights, tmp_path):
    compute(client, lights)
    actions.export(
        dataset=lights,
        batches=[],
        out=tmp_path / "out",
        bootstrap=BOOTSTRAP,
        by=lights.study.created_by,
    )

    reply = client.get(address("written_zip", lights))
    with zipfile.ZipFile(io.BytesIO(reply.content)) as archive:
        packed = {name: archive.read(name) for name in archive.namelist()}
    assert packed == {
        f"written-lights-1/{path.relative_to(tmp_path / 'out')}": path.read_bytes()
        for path in (tmp_path / "out").rglob("*")
        if path.is_file()
    }


def test_the_page_of_a_pilot_has_each_question_with_all_answers(client, lights):
    compute(client, lights)

    page = text_of(client, "batch_written", Batch.objects.get(name="pilot"))
    assert page.count("Gas.") == 2
    assert "1.000" in page
    assert "question 7" in page
    assert address("batch_written", Batch.objects.get(name="pilot")) in text_of(
        client, "written", lights
    )


def test_more_pairs_take_no_more_queries(client, lights, bob, dora, django_assert_max_num_queries):
    first, second = (Batch.objects.get(name=name) for name in ("R1", "R2"))
    for key in ("5", "6"):
        item = rounds.item_of(first, key)
        item.assignments.first().judgements.all().delete()
        item.assignments.all().delete()
        Item.objects.filter(pk=item.pk).update(n_open=1, n_counted=0)
        made = rounds.judge(item, bob, rounds.answered("One.", 1))
        rounds.judge(
            rounds.second_item(second, made), dora, rounds.answered("Two.", 2, kept="modify")
        )
    compute(client, lights)

    with django_assert_max_num_queries(30):
        assert text_of(client, "written", lights).count("written-pair") == 3
