"""The schema of the API, its page, and docs/api.md."""

import io
import re
import shlex
import urllib.request
from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import Client
from drf_spectacular.management.commands import spectacular

from accounts.models import Role
from annotation.actions import batches, verdicts
from annotation.models import BatchState
from config import api_reference, api_schema
from jobs.actions import jobs
from tests.access.world import a_release
from tests.api.programs import Program
from tests.conftest import member
from tests.crawling import Reader, api_patterns, body_of
from tests.factories import BatchFactory, CandidateFactory

ROOT = Path(__file__).resolve().parents[2]
DOCS = (ROOT / "docs/api.md").read_text(encoding="utf-8")
UNDOCUMENTED = {"api_reference", "api_nothing"}  # the page itself, and what is not there


def operations() -> set[str]:
    return {
        f"{method.upper()} {path}"
        for path, methods in api_schema.api_schema()["paths"].items()
        for method in methods
    }


def test_the_schema_is_valid_and_nothing_in_it_was_guessed():
    """Every warning of the generator is a failure."""
    call_command(spectacular.Command(), validate=True, fail_on_warn=True, stdout=io.StringIO())


def test_the_schema_is_openapi_3_1():
    assert api_schema.api_schema()["openapi"].startswith("3.1")


def test_every_address_is_in_the_schema_with_words_for_everything():
    schema = api_schema.api_schema()
    there = {
        "/api/v1/" + re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", str(each.pattern))
        for each in api_patterns()
        if each.name not in UNDOCUMENTED
    }

    assert set(schema["paths"]) == there
    for path, methods in schema["paths"].items():
        for each in methods.values():
            assert each["summary"], path
            assert "For: " in each["description"], path
            assert "default" in each["responses"], path
            assert {"token": []} in each["security"], path


def test_the_schema_is_answered_to_programs(alice, study):
    said = Program(alice).get("schema/").json()

    assert said["paths"].keys() == api_schema.api_schema()["paths"].keys()


def test_the_reference_shows_every_operation_and_leads_to_every_thing(alice, study):
    client = Client()
    client.force_login(alice, backend="accounts.backends.RealPeopleBackend")

    page = client.get("/api/v1/")

    read = Reader(page.text)
    ids = [tag.attributes["id"] for tag in read.tags if "id" in tag.attributes]
    assert len(ids) == len(set(ids))
    led = {tag.attributes["href"] for tag in read.tags if tag.name == "a"}
    assert {href.removeprefix("#") for href in led if href.startswith("#")} <= set(ids)
    for each in operations():
        assert each in read.text
    for kind in ("refused", "invalid", "too-many"):
        assert f"problem-{kind}" in ids
    assert "style=" not in page.text
    assert "<script>" not in page.text


def test_the_reference_says_what_a_field_is():
    schema = {
        "paths": {},
        "components": {
            "schemas": {
                "State": {"enum": ["open", "closed"], "type": "string"},
                "Thing": {
                    "description": "A thing.",
                    "required": ["id"],
                    "properties": {
                        "id": {"type": "string", "format": "uuid"},
                        "at": {"type": ["string", "null"], "format": "date-time"},
                        "states": {
                            "type": "array",
                            "items": {"$ref": "#/components/schemas/State"},
                        },
                        "way": {"enum": ["in", "out"], "type": "string"},
                        "any": {},
                    },
                },
            }
        },
    }

    (thing,) = api_reference.reference_of(schema).things

    assert thing.about == "A thing."
    assert [(each.name, each.type, each.is_required, each.thing) for each in thing.fields] == [
        ("id", "id", True, ""),
        ("at", "time or null", False, ""),
        ("states", "list of State: open, closed", False, "State"),
        ("way", "string: in, out", False, ""),
        ("any", "anything", False, ""),
    ]


# docs/api.md


def test_the_docs_list_every_address_and_no_other():
    listed = set(re.findall(r"^\| `((?:GET|POST) \S+)` \|", DOCS, re.MULTILINE))

    assert {each.replace(" ", " /api/v1") for each in listed} == operations()


def examples() -> list[str]:
    blocks = re.findall(r"^```sh\n(.*?)^```$", DOCS, re.MULTILINE | re.DOTALL)
    return [
        each
        for block in blocks
        for each in re.findall(r"^curl .+?(?=^curl |\Z)", block, re.S | re.M)
    ]


@pytest.fixture
def names(study, disputed, judged, batch, alice) -> dict[str, str]:
    """What the shell's variables are, in a world in which the examples go."""
    draft = BatchFactory(pool__dataset=batch.pool.dataset, state=BatchState.DRAFT)
    CandidateFactory(pool=draft.pool)
    jobs.start(study=study, kind="score", key="everyday", params={}, by=alice)
    a_release(study, alice)
    return {
        "STUDY": study.slug,
        "BATCH": str(batch.pk),
        "DRAFT": str(draft.pk),
        "ITEM": str(disputed.public_id),
        "ASSIGNMENT": str(judged[0].public_id),
        "ANOTHER": str(judged[1].public_id),
        "TOUCHSTONE": "/api/v1",
    }


def send_example(example: str, names: dict[str, str], program: Program):
    """What curl would send."""
    for name in sorted(names, key=len, reverse=True):
        example = example.replace(f"${name}", names[name])
    words = shlex.split(example)
    href = words[-1]
    if "--json" in words:
        body = words[words.index("--json") + 1]
        return program.client.post(
            href, body, content_type="application/json", headers=program.headers
        )
    return program.client.get(href, headers=program.headers)


def test_the_examples_of_the_docs_do_what_they_say(
    study, names, disputed, judged, batch, alice, carol
):
    """In their order, in one world; who adjudicates is not who asks again, and somebody is left to judge."""
    member(study, "eve", Role.ANNOTATOR, by=alice)
    assert len(examples()) > 20
    for example in examples():
        is_carols = any(act in example for act in ("adjudicate", "mark-correct"))
        batch.refresh_from_db()
        disputed.refresh_from_db()
        if is_carols and batch.state == BatchState.OPEN:
            batches.close(batch=batch, by=alice)  # an example before opened it
        now = {
            "SEEN": str(verdicts.current_verdict(disputed).pk),
            "N_ASKED": str(disputed.n_open + disputed.n_claimed + disputed.n_counted),
        }
        reply = send_example(example, names | now, Program(carol if is_carols else alice))

        assert reply.status_code in (200, 201), (example, getattr(reply, "text", ""))
        body_of(reply)  # a file is closed once it is read


@pytest.mark.django_db(transaction=True)
def test_a_program_elsewhere_is_answered_over_http(live_server, alice, study):
    asked = urllib.request.Request(
        f"{live_server.url}/api/v1/studies/", headers=Program(alice).headers
    )

    with urllib.request.urlopen(asked) as reply:
        said = reply.read().decode()

    assert study.slug in said
