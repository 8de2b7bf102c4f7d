"""Help: the documents for users beside the pages, each page with the part that is about it."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from pages import documents
from pages.help_topics import DOCUMENTS, TOPICS
from tests.access.table import PEOPLE, address_of
from tests.access.world import World, build
from tests.cases import all_cases
from tests.crawling import patterns
from tests.parts import part
from tests.test_permissions import ROWS

HELP = re.compile(r'<a href="(/help/[^"]*)">Help</a>')
# What has no page of its own to say anything about.
WITHOUT_TOPIC = {"help", "help_document", "first_steps", "join", "password_link", "sign_in"}


@part
def made() -> World:
    return build()


@pytest.fixture
def client(alice) -> Client:
    client = Client()
    client.force_login(alice, backend="accounts.backends.RealPeopleBackend")
    return client


def test_every_page_of_an_organiser_leads_to_its_part_of_help(made):
    client = Client()
    client.force_login(made.persons["requester"], backend="accounts.backends.RealPeopleBackend")
    requester = PEOPLE.index("requester")
    pages = {name: row for name, row in ROWS.items() if row.expected[requester] == 200}
    asked = 0
    for name, row in pages.items():
        if row.method != "get" or ":" in name:
            continue
        reply = client.get(address_of(name, row.options(made)), row.data(made))
        html = "" if reply.streaming else reply.content.decode(errors="replace")
        for close in reply._resource_closers:  # of a file; close() would end the connection too
            close()
        if '<header class="top">' in html and name not in WITHOUT_TOPIC:
            document, _, anchor = TOPICS[name].partition("#")
            assert HELP.findall(html) == [f"/help/{document}/#{anchor}"], name
            asked += 1
    assert asked > 50


@all_cases("topic", sorted(set(TOPICS.values())))
def test_every_part_that_a_page_leads_to_exists(topic):
    name, _, anchor = topic.partition("#")

    assert anchor in documents.document(name).anchors


def test_topics_are_of_pages_that_exist():
    assert set(TOPICS) - {"api_reference"} <= {str(each.name) for each in patterns()}


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_document_is_served_without_pictures_and_its_links_lead_somewhere(client, name):
    page = client.get(reverse("help_document", args=[name])).text

    assert "<img" not in page
    assert page.count("<h1") == 1
    ids = re.findall(r'\bid="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    for href in re.findall(r'<a [^>]*?href="([^"]*)"', page.partition("<main")[2]):
        path, _, anchor = href.partition("#")
        other = documents.document(path.removeprefix("/help/").strip("/") or name)
        assert path.startswith(("https://", "http://")) or path == "/help/" or other, href
        if anchor and not path.startswith("http"):
            assert anchor in other.anchors, href


def test_only_documents_for_users_are_served(client):
    for name in ("architecture", "adr", "0001-the-spine", "no-such"):
        assert client.get(reverse("help_document", args=[name])).status_code == 404


def test_the_list_has_every_document_that_the_readme_shows_to_users(client):
    readme = documents._path("..").parent.parent / "README.md"
    table = re.findall(r"\(docs/([a-z-]+)\.md\)", readme.read_text(encoding="utf-8"))

    assert set(table) - {"architecture"} == set(DOCUMENTS)
    page = client.get(reverse("help")).text
    assert all(reverse("help_document", args=[name]) in page for name in DOCUMENTS)


def test_an_installation_without_documents_has_no_help_link_and_no_error(
    client, study, settings, tmp_path
):
    settings.BASE_DIR = tmp_path
    documents.document.cache_clear()

    assert not HELP.search(client.get(reverse("study", args=[study.slug])).text)
    assert "not part of this installation" in client.get(reverse("help")).text
    assert client.get(reverse("help_document", args=["pages"])).status_code == 404
    documents.document.cache_clear()


def test_a_heading_and_bold_words_have_the_anchor_that_github_gives_them():
    assert documents.slug("Truth (import_dataset TRUTH.json)") == "truth-import_dataset-truthjson"


def test_html_in_a_document_is_shown_as_text(settings, tmp_path):
    (tmp_path / "docs").mkdir()
    text = "# A\n\n<script>x</script> [b](javascript:alert(1)) ![c](d.png) [e](adr/0001.md)\n"
    (tmp_path / "docs" / "pages.md").write_text(text, encoding="utf-8")
    settings.BASE_DIR = tmp_path
    documents.document.cache_clear()

    html = documents.document("pages").html

    assert "<script" not in html
    assert "<a" not in html
    documents.document.cache_clear()


@all_cases("name", DOCUMENTS)
def test_every_table_of_a_document_is_a_region_of_its_own_name(name):
    names = re.findall(r'role="region" aria-label="([^"]+)"', documents.document(name).html)

    assert len(names) == len(set(names)) == documents.document(name).html.count("<table>")
