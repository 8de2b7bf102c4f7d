"""Whatever people or files say is text: shown as it is, run by nobody, and refused where it cannot be kept."""

import csv
import re
from dataclasses import dataclass
from pathlib import Path

import pytest
from django.test import override_settings
from django.urls import URLPattern, resolve

from jobs.models import Job
from tests.annotation.desk_pages import address, client_of
from tests.crawling import Crawler, Reply, body_of, methods_of, patterns, without_contexts
from tests.hostile import strings
from tests.hostile.forms import Form, forms_of, unholdable
from tests.hostile.pages import harms, turned
from tests.hostile.strings import BRACES
from tests.hostile.world import World, build
from tests.parts import part
from tests.seeds import first_of
from tests.undone import undone

NUL = "a\0b"
ENDLESS = "x" * 100_000
# Hidden: which rows the sampling desk's form is about, or which item to go back to; what is none of them means the
# newest, or the list. And a switch, which is on whatever its value is. Hidden too: which answers are accepted where a
# team is left out, and the pool and the late run of a top-up, which are not found; and which background questions were shown.
KEYS = ("dataset", "scorer", "item", "hides", "tier", "redraw", "shown", "pool", "run")
# Where what is wrong is said: in the form that comes back, or on the page that follows.
SAID = re.compile(r'class="errorlist|class="(error|warning)"')


@dataclass(frozen=True)
class Made:
    world: World
    settings: dict[str, object]


@dataclass(frozen=True)
class Seen:
    replies: dict[str, tuple[Reply, ...]]  # to everybody
    forms: dict[str, tuple[Form, ...]]  # that they saw, one for each place that it is sent to


def crawled(world: World) -> dict[str, Crawler]:
    """Each has seen everything that leads on from where they start."""
    study = f"/studies/{world.study.slug}/"
    starts = {
        "requester": ["/", study, f"{study}consent/", f"{study}history/", "/account/"],
        "adjudicator": ["/", f"{study}flags/"],
        "administrator": ["/", "/house/"],
        "@SUM": ["/", f"{study}consent/"],
        "nobody": [world.join, "/sign-in/"],
    }
    browsers = {}
    for who, hrefs in starts.items():
        person = Crawler(world.people.get(who), follows=lambda href: "sort=" not in href)
        if who == "@SUM":
            person.post(address("desk_guidelines", world.batches[-1]))
        person.crawl(hrefs)
        browsers[who] = person
    return browsers


@part
def made(folder: Path) -> Made:
    """The folder is an empty one for files."""
    about = {
        "UPLOADS": folder / "uploads",
        "RELEASES": folder / "releases",
    }
    (folder / "uploads").mkdir()
    with override_settings(**about):
        return Made(build(), about)


@part
def seen(made: Made) -> Seen:
    with override_settings(**made.settings):
        replies = {who: tuple(each.replies) for who, each in crawled(made.world).items()}
    return Seen(replies, {who: forms_in(each) for who, each in replies.items()})


def forms_in(replies: tuple[Reply, ...]) -> tuple[Form, ...]:
    found = {
        (resolve(form.action.partition("?")[0]).url_name, tuple(form.written)): form
        for reply in replies
        if reply.html
        for form in forms_of(reply.html, reply.asked.partition(" ")[2])
    }
    return tuple(found.values())


@pytest.fixture
def world(made, settings) -> World:
    for name, value in made.settings.items():
        setattr(settings, name, value)
    return made.world


@pytest.fixture
def pages(seen) -> list[Reply]:
    return [reply for replies in seen.replies.values() for reply in replies]


@pytest.fixture
def forms(world, seen) -> list[tuple[Crawler, Form]]:
    """Every form, with the browser of who saw it."""
    return [
        (person, form)
        for who, found in seen.forms.items()
        for person in [Crawler(world.people.get(who))]
        for form in found
    ]


@pytest.mark.each_landing
def test_what_was_imported_or_typed_is_shown_and_runs_nowhere(world, pages):
    found, texts = [], []
    for reply in pages:
        if reply.html:
            found += harms(reply)
            texts.append(reply.read.text)
    shown = "\n".join(texts)

    assert found == []
    assert [str(reply) for reply in pages if reply.status not in (200, 302, 405)] == []
    assert {mark for mark in world.marks if mark not in shown} == set()
    assert BRACES in shown


def test_a_name_that_turns_the_line_round_turns_nothing_beside_it(pages):
    """But in the questions that come before an act: they are sentences of one piece."""
    read = [reply for reply in pages if reply.html and 'class="consequences"' not in reply.html]
    assert [said for reply in read for said in turned(reply)] == []


def test_no_cell_of_a_table_is_a_formula_to_a_spreadsheet(world):
    job = Job.objects.get(result__found_problems=True)
    table = client_of(world.people["requester"]).get(world.href("job_problems", job=job.pk))

    rows = csv.reader(body_of(table).decode().splitlines())
    cells = [cell for row in rows for cell in row]

    assert any(cell.startswith("'=1+1") for cell in cells)  # the file was called so
    assert [cell for cell in cells if cell.startswith(("=", "+", "-", "@"))] == []


# Forms


def sent(person: Crawler, form: Form, changed: dict[str, str]) -> Reply:
    """What comes of sending it, at the end of the way that it leads."""
    method = person.client.post if form.method == "post" else person.client.get
    with without_contexts():
        response = method(form.action, form.data() | changed, follow=True)
    reply = Reply(f"{form.method} {form.action} {[*changed]}", response.status_code, "")
    body = body_of(response).decode("utf-8", "replace")
    return Reply(reply.asked, reply.status, body, html=body)


@pytest.mark.rotates
def test_no_form_takes_a_nul_or_breaks_on_it(forms):
    """PostgreSQL has no text with a NUL in it, and says so with an error."""
    n_sent = 0
    for person, form in forms:
        for name in form.written:
            with undone(), unholdable() as asked:
                reply = sent(person, form, {name: NUL})
                n_sent += 1
            assert asked == [], reply
            assert reply.status in (200, 400, 404, 410), reply
            assert name in KEYS or form.method == "get" or SAID.search(reply.html), reply
    assert n_sent > 50  # the forms were found


@pytest.mark.rotates
def test_no_form_breaks_on_a_hundred_thousand_characters(forms):
    for person, form in forms:
        for name in form.written if form.method == "post" else ():
            with undone():
                reply = sent(person, form, {name: ENDLESS})
            assert reply.status in (200, 400, 404, 410), reply


def test_what_a_form_gives_back_with_its_errors_runs_no_more(forms):
    for person, form in forms:
        for name in form.written:
            with undone():
                reply = sent(person, form, {name: strings.text("again")})
            assert reply.status in (200, 400, 404, 410), reply
            assert harms(reply) == []


# Addresses


PARTS = {
    "PathConverter": ("a%00b", "%ED%A0%80", "<script>alert(1)</script>", "x" * 3000),
    "StringConverter": ("a%00b", "%ED%A0%80", "<script>alert(1)<script>", "x" * 3000),
    "IntConverter": ("0", "9" * 30, "1", "2"),
    "SlugConverter": ("lighthouses",) * 4,
    "UUIDConverter": ("00000000-0000-0000-0000-000000000000",) * 4,
}


def address_with(pattern: URLPattern, choice: int) -> str:
    """The address with one of what its parts may be."""
    href = str(pattern.pattern)
    for name, converter in pattern.pattern.converters.items():
        given = PARTS[type(converter).__name__][choice]
        href = re.sub(rf"<(\w+:)?{name}>", given, href)
    return f"/{href}"


@pytest.mark.rotates
@pytest.mark.parametrize("who", ["requester", "@SUM", "administrator"])
def test_no_address_breaks_on_what_no_database_holds(world, who):
    """A part of an address may be anything: a NUL, half a character, a number that no column holds."""
    person = Crawler(world.people[who])
    methods = {
        address_with(each, choice): methods_of(each) for each in patterns() for choice in range(4)
    }

    for href in methods:
        with unholdable() as asked:
            reply = person.get(href) if "GET" in methods[href] else person.post(href)
        assert asked == [], href
        assert reply.status < 500 or href == "/health/", href  # where no worker is heard of
        assert harms(reply) == []


PARAMETERS = (
    *("q", "page", "sort", "state", "kind", "batch", "dataset", "scorer", "pool", "item", "tier"),
    *("who", "role", "next", "token", "list", "show", "threshold", "runs", "poll", "bag", "near"),
    *("setup", "top", "answerable", "part", "strata", "seed", "without", "is_rehearsal", "only"),
)
LISTS = (
    *(
        "study",
        "search",
        "consent",
        "people",
        "background_answers",
        "qualifications",
        "invitations",
        "jobs",
        "history",
        "datasets",
        "runs",
        "scores",
        "question_results",
    ),
    *(
        "pools",
        "pool_new",
        "comparison_new",
        "writing_new",
        "curation_new",
        "reference_evidence_new",
        "batches",
        "batch_new",
        "flags",
        "disputes",
        "releases",
        "release_new",
        "release_changes",
        "compared_study_release",
    ),
    *("dataset_import", "run_import", "score_start", "scores_import"),
)


@pytest.mark.rotates
@pytest.mark.parametrize(
    "said", first_of(NUL, strings.name("again"), "9" * 30, "-1", "\N{SUPERSCRIPT TWO}")
)
def test_no_parameter_of_an_address_breaks_a_page(world, said):
    hrefs = ["/", "/house/", "/work/", "/sign-in/", "/first-steps/"]
    of_study = [world.href(view) for view in LISTS]
    for who, asked_for in (
        ("requester", [*hrefs, *of_study]),
        ("administrator", hrefs),
        ("nobody", [*hrefs, of_study[0]]),
    ):
        person = Crawler(world.people.get(who))
        for href in asked_for:
            with without_contexts(), unholdable() as asked:
                response = person.client.get(href, dict.fromkeys(PARAMETERS, said), follow=True)
            reply = Reply(href, response.status_code, "", html=response.content.decode())
            assert asked == [], href
            assert reply.status in (200, 404), href
            assert harms(reply) == []
