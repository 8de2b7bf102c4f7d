"""What is promised of the page of reserved items, of its commands and its API, and of what annotators see of it."""

import json
from html import unescape

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse
from django.utils.html import strip_tags

from annotation.actions import batches, returned_drafts
from annotation.models import Batch, GuidelineReading, Reservation
from annotation.queries import reservations as queries
from tests.annotation.actions.test_reservations import claim, items, reassign, reserve
from tests.annotation.desk import after, submit
from tests.annotation.desk_pages import client_of
from tests.annotation.trust import grant, open_batch, qualification, revoke
from tests.cases import all_cases

BY_LIST = {"what": "list", "n": "", "share": "", "seed": "1"}


@pytest.fixture
def batch(study, bob, dora) -> Batch:
    return open_batch(study, None, n_items=6, prefetch_depth=50)


@pytest.fixture
def organiser(alice):
    return client_of(alice)


def text_of(response) -> str:
    """The words of a page, without its tags."""
    return " ".join(unescape(strip_tags(response.content.decode())).split())


def address(name: str, batch: Batch, *more: object) -> str:
    return reverse(name, args=[batch.study.slug, batch.pk, *more])


def test_a_batch_without_reserved_items_says_so(organiser, batch):
    page = text_of(organiser.get(address("batch_reserved", batch)))

    assert "Nothing is reserved" in page
    assert "Reserve items" in page
    shown = text_of(organiser.get(address("batch", batch)))
    assert "Reserved items none" in " ".join(shown.split())


def test_items_are_reserved_on_the_page_and_it_says_how_far_everybody_is(organiser, batch, bob):
    names = "\n".join(str(item.public_id) for item in items(batch, 2, 4))

    done = organiser.post(
        address("batch_reserved", batch), {**BY_LIST, "person": bob.pk, "names": names}, follow=True
    )

    assert "Reserved for bob: 2 items of 2 questions. Their part is 2 items now." in text_of(done)
    submit(claim(batch, bob)[0], now=after(5))
    (line,) = organiser.get(address("batch_reserved", batch)).context["lines"]
    assert (line.part.n, line.part.n_judged, line.part.n_left) == (2, 1, 1)
    part = text_of(
        organiser.get(address("reserved_part", batch, batch.study.memberships.get(user=bob).pk))
    )
    assert "1 of 2 items judged, 0 skipped, 0 on the desk, 1 left" in " ".join(part.split())


@pytest.mark.parametrize(
    ("form", "n"),
    [({"what": "number", "n": "2"}, 2), ({"what": "share", "share": "50"}, 3)],
)
def test_items_are_drawn_on_the_page(organiser, batch, bob, form, n):
    organiser.post(address("batch_reserved", batch), {"person": bob.pk, "seed": "1", **form})

    assert Reservation.objects.count() == n


def test_what_is_wrong_in_the_list_is_said_with_its_line_and_nothing_is_reserved(
    organiser, batch, bob
):
    names = f"{items(batch, 2)[0].public_id}\n\nnothing\n"

    refused = organiser.post(
        address("batch_reserved", batch), {**BY_LIST, "person": bob.pk, "names": names}
    )

    assert refused.status_code == 400
    assert 'line 3: turn: "nothing" is no question of the batch' in text_of(refused)
    assert not Reservation.objects.exists()


@pytest.mark.parametrize("what", ["number", "share", "list"])
def test_which_items_has_to_be_said(organiser, batch, bob, what):
    refused = organiser.post(address("batch_reserved", batch), {"person": bob.pk, "what": what})

    assert refused.status_code == 400
    assert "Say which items." in text_of(refused)


def test_what_is_left_of_ticked_people_is_reassigned_with_a_reason(organiser, batch, bob, dora):
    reserve(batch, bob, 1, 2)
    form = {"person": [bob.pk], "to": dora.pk}

    refused = organiser.post(address("batch_reassign", batch), {**form, "reason": ""})
    nobody = organiser.post(address("batch_reassign", batch), {"to": dora.pk, "reason": "ill"})
    done = organiser.post(address("batch_reassign", batch), {**form, "reason": "ill"}, follow=True)

    assert (refused.status_code, nobody.status_code) == (400, 400)
    assert "Nobody is ticked" in text_of(nobody)
    assert "2 items are reserved for dora now." in text_of(done)
    assert "2 items of bob, by alice: ill" in text_of(done)
    assert [each.user for each in queries.parts(batch)] == [dora]


def test_single_items_are_released_from_the_list_of_a_person(organiser, batch, bob):
    reserve(batch, bob, 1, 2)
    (first,) = items(batch, 1)
    page = address("reserved_part", batch, batch.study.memberships.get(user=bob).pk)

    nothing = organiser.post(page, {"to": "everybody", "reason": "r"})
    organiser.post(page, {"item": [str(first.public_id)], "to": "everybody", "reason": "r"})

    assert "No item is ticked" in text_of(nothing)
    left = Reservation.objects.standing()
    assert [each.item.position for each in left] == [2]


def test_the_page_of_the_batch_says_that_somebody_cannot_go_on(study, organiser, bob, dora):
    trusted = qualification(study)
    grant(trusted, bob, dora)
    full = open_batch(study, trusted, name="full")
    reserve(full, bob, 1)
    before = text_of(organiser.get(address("batch", full)))

    revoke(trusted, bob)

    shown = text_of(organiser.get(address("batch", full)))
    assert "reserved item waits for people who are assigned nothing" not in before
    assert "1 reserved item waits for people who are assigned nothing" in shown
    part = text_of(organiser.get(address("batch_reserved", full)))
    assert "stuck does not hold the qualification trusted" in part


def test_annotators_read_their_part_at_the_desk_and_on_my_work(batch, bob):
    reserve(batch, bob, 3, 4)
    GuidelineReading.objects.create(guideline=batch.guideline, read_by=bob)
    annotator = client_of(bob)

    desk = text_of(annotator.get(address("desk", batch)))
    work = text_of(annotator.get(reverse("work")))

    assert "your part: 0 of 2" in desk
    assert "your part: 0 of 2" in work


def test_a_batch_that_returns_to_draft_forgets_what_was_reserved(batch, bob, alice):
    reserve(batch, bob, 1)
    reassign(batch, bob)
    reserve(batch, bob, 2)

    draft = returned_drafts.return_to_draft(batch=batch, by=alice)

    assert draft.state == "draft"
    assert not Reservation.objects.exists()


def run(capsys, batch, *options: str):
    call_command("assign", batch.name, "--study", batch.study.slug, *options, "--json")
    return json.loads(capsys.readouterr().out)


def test_the_command_reserves_reassigns_releases_and_lists(capsys, batch, bob, dora, tmp_path):
    file = tmp_path / "part.csv"
    file.write_text(
        "item\n" + "\n".join(str(item.public_id) for item in items(batch, 2, 3)), "utf-8"
    )

    made = run(capsys, batch, "--to", "bob", "--items", str(file))
    drawn = run(capsys, batch, "--to", "dora", "--share", "50%", "--seed", "3")
    moved = run(capsys, batch, "--from", "bob", "--release", "--reason", "ill")
    listed = run(capsys, batch)

    assert made == {
        "batch": batch.name,
        "annotator": "bob",
        "n_items": 2,
        "n_questions": 2,
        "n_part": 2,
    }
    assert drawn["n_items"] == 3
    assert moved == {"batch": batch.name, "n_items": 2, "n_held": 0}
    assert listed["parts"] == ["dora: 3 reserved, 0 judged, 0 skipped, 0 on the desk, 3 left"]


@all_cases(
    ("options", "why"),
    [
        (["--to", "bob"], "say which items"),
        (["--n", "3"], "--to is missing"),
        (["--to", "nobody", "--n", "1"], "nobody is not in the study"),
        (["--to", "bob", "--n", "7"], "7 items are asked for, and 6"),
        (["--to", "bob", "--share", "0%"], "above 0% and at most 100%"),
        (["--to", "bob", "--share", "few"], "few is not a share"),
        (["--to", "bob", "--n", "0"], "0 is not between 1"),
        (
            ["--from", "bob", "--release"],
            "nothing of the batch .* is reserved for bob|needs --reason",
        ),
        (["--from", "bob", "--reason", "r"], "--to NAME or --release"),
        (["--release"], "go with --from"),
        (["--to", "bob", "--items", "missing.csv"], "there is no file missing.csv"),
    ],
)
def test_the_command_says_what_is_wrong(batch, bob, options, why):
    with pytest.raises(CommandError, match=why):
        call_command("assign", batch.name, "--study", batch.study.slug, *options)
    assert not Reservation.objects.exists()


@pytest.mark.parametrize(
    ("content", "problems"),
    [
        ("item\n", ["there is no row below the header"]),
        ("name\nx\n", ["row 1: the header has to have one of the columns item and turn"]),
        ("item,turn\nx,y\n", ["row 1: the header has to have one of the columns item and turn"]),
        ("item,more\nx,1\n,2\n", ["row 3: item: is empty"]),
        ("turn\n7_1\n7_1\n", ['row 3: turn: "7_1" stands in row 2 already']),
        ('item\n"x\n', ["the file is no CSV"]),
    ],
)
def test_a_file_with_mistakes_reserves_nothing_and_names_each(
    batch, bob, tmp_path, content, problems
):
    file = tmp_path / "part.csv"
    file.write_text(content, "utf-8")

    with pytest.raises(CommandError) as raised:
        call_command(
            "assign", batch.name, "--study", batch.study.slug, "--to", "bob", "--items", str(file)
        )

    for problem in problems[-1:]:
        assert problem in str(raised.value)
    assert not Reservation.objects.exists()


def post(client, name: str, batch: Batch, data: dict):
    return client.post(address(name, batch), json.dumps(data), content_type="application/json")


def test_the_api_reserves_lists_and_reassigns(organiser, batch, bob, dora):
    names = [str(item.public_id) for item in items(batch, 1, 2)]

    made = post(organiser, "api:api_batch_reservations", batch, {"person": "bob", "items": names})
    listed = organiser.get(address("api:api_batch_reservations", batch)).json()
    moved = post(
        organiser,
        "api:api_batch_reassign",
        batch,
        {"people": ["bob"], "to": "dora", "reason": "ill", "items": names[:1]},
    )

    assert (made.status_code, made.json()) == (201, {"n_items": 2, "n_questions": 2, "n_part": 2})
    (part,) = listed["parts"]
    assert (part["username"], part["n_reserved"], part["n_left"]) == ("bob", 2, 2)
    assert moved.json() == {"n_items": 1, "n_held": 0}
    again = {"people": ["bob"], "to": None, "reason": "ill", "items": names[:1]}
    assert post(organiser, "api:api_batch_reassign", batch, again).status_code == 409


@pytest.mark.parametrize(
    ("data", "field"),
    [
        ({"person": "bob"}, "one way"),
        ({"person": "bob", "n": 1, "share": 0.5}, "one way"),
        ({"person": "nobody", "n": 1}, "nobody is not in the study"),
        ({"person": "bob", "items": ["x"]}, "entry 1"),
        ({"person": "bob", "turns": ["9_9"]}, "entry 1"),
    ],
)
def test_the_api_says_what_is_wrong(organiser, batch, bob, data, field):
    refused = post(organiser, "api:api_batch_reservations", batch, data)

    assert refused.status_code == 422
    assert field in refused.content.decode()
    assert not Reservation.objects.exists()


def test_a_closed_batch_reserves_nothing_more_and_says_so(organiser, batch, bob, alice):
    reserve(batch, bob, 1)
    batches.close(batch=batch, by=alice)

    page = text_of(organiser.get(address("batch_reserved", batch)))

    assert "The batch is closed" in page
    assert "Reassign what is left" not in page
    assert (
        post(organiser, "api:api_batch_reservations", batch, {"person": "bob", "n": 1}).status_code
        == 409
    )
