"""What bench.pages asks for, and how it sums up the replies."""

import pytest
from django.test import Client

from bench.pages import crawl, report
from bench.pages.__main__ import parsed
from bench.pages.asking import Answer
from bench.pages.steps import OPEN, SETTLED, after_the_volume
from tests.access import world
from tests.factories import BatchFactory, ItemFactory

SURVEY = {
    "addresses": [
        {"name": name, "path": path, "n_queries": 3, "cpu_ms": 9.0, "n_bytes": 2000}
        for name, path in (("batch", "/b/1/"), ("batch", "/b/2/"), ("home", "/"))
    ]
}


def test_options_have_the_size_of_the_shared_task_and_refuse_what_cannot_be_meant():
    options = parsed([])

    assert (options.items, options.runs, options.people, options.database) == (
        16_450,
        29,
        8,
        "sqlite",
    )
    for words in (["--people", "9"], ["--items", "0"], ["--database", "oracle"]):
        with pytest.raises(SystemExit):
            parsed(words)


def test_a_page_has_the_figures_of_its_slowest_address():
    answers = [
        Answer(path, 200, 1.0, ms, 2000)
        for path, ms in (("/", 5.0), ("/b/1/", 9.0), ("/b/2/", 80.0))
    ]

    first, second = report.figures([*answers, Answer("/b/2/", 200, 1.0, 90.0, 2000)], SURVEY)

    assert (first.name, first.path, first.n_addresses) == ("batch", "/b/2/", 2)
    assert (first.p50, first.p95, first.longest) == (80.0, 90.0, 90.0)
    assert second.name == "home"


def test_the_table_has_each_page_before_and_now():
    found = report.figures([Answer("/", 200, 1.0, 5.0, 2000)], SURVEY)

    table = report.compared(found, [{"name": "home", "p50": 50.0, "p95": 60.0}])

    assert "| home | 50 / 60 | 5 / 5 |" in table


def test_the_steps_open_a_batch_for_the_people_and_settle_another(tmp_path):
    words = [
        word
        for made in after_the_volume(tmp_path, 10).values()
        for command in made
        for word in command
    ]

    assert {OPEN, SETTLED} <= set(words)


@pytest.fixture
def found(study, settings) -> list[str]:
    settings.ALLOWED_HOSTS = ["127.0.0.1"]
    ItemFactory(batch=BatchFactory(name=SETTLED, pool=world.a_pool(study)))
    client: Client = crawl._client(study.created_by)
    return list(crawl._crawled(client, study))


def test_the_crawl_reaches_the_pages_of_a_study_and_no_acts(found):
    names = {crawl._kind(path)[0] for path in found}

    assert {"home", "study", "batch", "batch_items", "pool", "people", "history"} <= names
    assert not {"batch_agreement_start", "sign_out", "job_cancel"} & names


def test_every_address_that_answers_get_is_known_by_name():
    names = crawl._get_names()

    assert {"batch", "batch_more", "release_new", "release_zip"} <= names
    assert "sign_out" not in names
