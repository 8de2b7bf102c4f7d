"""A comparison on its pages: what is asked and counted, what is refused, and what was drawn."""

import re
from urllib.parse import parse_qs, urlsplit

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from corpus.models import Answer, Turn
from jobs.actions import execution
from jobs.models import Job
from sampling.actions import comparisons
from sampling.comparisons.rule import ComparisonRule
from sampling.models import Pool
from tests.corpus.imports import create_dataset as shared_task
from tests.corpus.imports import turn
from tests.factories import PoolFactory
from tests.parts import part
from tests.sampling.comparison_dataset import add_run, create_comparison_dataset, draw_comparison

ASKED = {
    "name": "gold",
    "setup": "gold",
    "references": "on",
    "answerable": 2,
    "unanswerable": 1,
    "strata": ["part"],
    "allocation": "equal",
    "answered_by": "all",
    "seed": 1,
}


@pytest.fixture
def client(alice):
    client = Client()
    client.force_login(alice, backend="accounts.backends.RealPeopleBackend")
    return client


@part
def dataset(study, folder):
    return create_comparison_dataset(study, folder)


def address_of(study) -> str:
    return reverse("comparison_new", args=[study.slug])


def words(reply) -> str:
    return " ".join(re.sub(r"<[^>]*>", " ", reply.text).split())


def page(client, pool, **query):
    return client.get(reverse("pool", args=[pool.study.slug, pool.pk]), query)


# What is asked


def test_the_pools_page_leads_to_the_form_with_and_without_pools(client, study, dataset):
    pools = reverse("pools", args=[study.slug])

    assert address_of(study) in client.get(pools).text
    PoolFactory(dataset=dataset)
    assert address_of(study) in client.get(pools).text


def test_the_form_begins_with_the_papers_design_and_counts_what_is_eligible(client, dataset):
    reply = client.get(address_of(dataset.study))

    assert "40 answerable and 10 unanswerable questions to which each run has an answer" in words(
        reply
    )
    assert "answerable, dev.jsonl 2 2" in words(reply)
    assert "unanswerable, test.jsonl 1 1" in words(reply)
    assert "40 answerable questions are asked for: 4 are eligible, and drawn." in words(reply)


def test_what_is_changed_is_counted_anew_and_htmx_gets_the_counts_alone(client, dataset):
    without = {"setup": "retrieved", "top": 2, "answerable": "", "unanswerable": "", "strata": []}
    rule = {key: value for key, value in (ASKED | without).items() if key != "name"}

    reply = client.get(address_of(dataset.study), rule, headers={"HX-Request": "true"})

    assert reply.text.lstrip().startswith('<section id="outlook"')
    assert "4 questions of 4 that are eligible" in words(reply)
    assert "2 questions are left out: the setup has no passage with text for it." in words(reply)
    assert "HX-Request" in reply.headers["Vary"]


def test_a_rule_that_cannot_be_meant_is_said_instead_of_counts(client, dataset):
    asked = {key: value for key, value in ASKED.items() if key != "name"}

    both = client.get(address_of(dataset.study), asked | {"n_questions": 9})
    no_top = client.get(address_of(dataset.study), asked | {"setup": "retrieved"})
    two_of_one = client.get(
        address_of(dataset.study), asked | {"runs": "alder", "answered_by": "two"}
    )

    assert "another number than the quotas" in words(both)
    assert "top is None, but has to be 1 or more" in words(no_top)
    assert "One run is chosen: no question can be answered by two." in words(two_of_one)


def test_count_counts_and_draws_nothing(client, dataset):
    reply = client.post(address_of(dataset.study), ASKED | {"dataset": dataset.pk, "preview": "1"})

    assert (reply.status_code, Pool.objects.exists()) == (200, False)
    assert "3 questions of 6 that are eligible" in words(reply)
    assert 'value="gold"' in reply.text  # the name stays


def test_a_press_draws_and_leads_to_the_pool(client, dataset):
    reply = client.post(address_of(dataset.study), ASKED | {"dataset": dataset.pk}, follow=True)

    pool = Pool.objects.get()
    assert reply.redirect_chain[-1][0] == reverse("pool", args=[dataset.study.slug, pool.pk])
    assert "The comparison gold was drawn." in reply.text
    assert pool.rule["quotas"] == {"answerable": 2, "unanswerable": 1}
    assert pool.rule["strata"] == ["part"]
    listed = words(client.get(reverse("pools", args=[dataset.study.slug])))
    assert "gold comparison waves@1" in listed


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"name": ""}, "Give the pool a name."),
        ({"name": "taken"}, "There is a pool taken already"),
        ({"setup": "silver"}, "silver is not one of the available choices"),
        ({"answerable": -1}, "greater than or equal to 0"),
        ({"answerable": 0, "unanswerable": 0}, "a comparison of no question says nothing"),
        ({"runs": ["oak"]}, "The data set has no run oak"),
        ({"answerable": "", "unanswerable": "", "n_questions": 0}, "n_questions is 0"),
    ],
)
def test_what_cannot_be_drawn_is_refused_in_words(client, dataset, changed, said):
    PoolFactory(dataset=dataset, name="taken")

    reply = client.post(address_of(dataset.study), ASKED | {"dataset": dataset.pk} | changed)

    assert reply.status_code == 400
    assert said in words(reply)
    assert Pool.objects.count() == 1


@pytest.mark.parametrize(("chosen", "kept"), [("on", True), ("first", "first"), ("", False)])
def test_all_the_first_or_no_reference_answers_are_shown_as_chosen(client, dataset, chosen, kept):
    client.post(address_of(dataset.study), ASKED | {"dataset": dataset.pk, "references": chosen})

    assert Pool.objects.get().rule["references"] == kept


def test_a_data_set_that_is_not_there_is_not_drawn_from(client, dataset):
    assert client.post(address_of(dataset.study), ASKED | {"dataset": 0}).status_code == 404
    assert client.post(address_of(dataset.study), ASKED).status_code == 404


def test_many_answers_are_not_counted_but_left_to_a_job(client, dataset, monkeypatch):
    monkeypatch.setattr(comparisons, "is_at_once", lambda dataset, rule: False)

    assert "too many answers to count while you wait" in client.get(address_of(dataset.study)).text
    reply = client.post(address_of(dataset.study), ASKED | {"dataset": dataset.pk})

    job = Job.objects.get(kind="draw_comparison")
    assert reply.url == reverse("job", args=[dataset.study.slug, job.pk])
    execution.run(job)
    pool = Pool.objects.get(name="gold")
    assert reverse("pool", args=[dataset.study.slug, pool.pk]) in client.get(reply.url).text


def test_without_data_or_runs_the_page_leads_to_their_import(client, study, tmp_path):
    assert reverse("dataset_import", args=[study.slug]) in client.get(address_of(study)).text
    shared_task(study, tmp_path, [turn(1, "Up.")])
    assert reverse("run_import", args=[study.slug]) in client.get(address_of(study)).text


def test_of_several_data_sets_one_can_be_chosen(client, study, dataset, tmp_path):
    other = shared_task(study, tmp_path, [turn(1, "Up.")])
    add_run(other, tmp_path, "cedar", {"1": ("So.", [])})

    newest = client.get(address_of(study)).text
    asked = client.get(address_of(study), {"dataset": dataset.pk}).text

    assert f'<option value="{other.pk}" selected>' in newest
    assert f'<option value="{dataset.pk}" selected>' in asked


# What was drawn


def test_the_pools_page_shows_strata_runs_questions_and_passages(client, dataset):
    pool = draw_comparison(
        dataset, ComparisonRule(setup="retrieved", top=2, strata=("answerable",))
    )

    reply = page(client, pool)

    said = words(reply)
    assert "the retrieved passages, at most 2, by the best rank" in said
    assert "4 of 4 that were eligible" in said
    assert "7, 1.8 a question" in said
    assert "answerable 3 3" in said
    assert "alder 4 0 0" in said
    assert "reference 3 0 not counted" in said
    assert "2 questions are left out" in said
    assert re.search(r"1_1 what is a tide .*One\. alder, reference .*w2 .*w3", said)
    assert f"{reverse('batch_new', args=[dataset.study.slug])}?pool={pool.pk}" in reply.text


def test_empty_answers_and_missing_passages_are_said_of_their_question(client, dataset):
    rule = ComparisonRule(setup="retrieved", top=2, keeps_without_passages=True)

    said = words(page(client, draw_comparison(dataset, rule), q="5_1"))

    assert "Empty: alder, birch" in said
    assert "There is no passage for this question." in said
    assert "2 questions without any; 1 more passed over, because it has no text" in said


@pytest.mark.parametrize(
    ("query", "turns"),
    [
        ({"answerable": "no"}, ["3_1", "6_1"]),
        ({"part": "test.jsonl"}, ["4_1", "5_1", "6_1"]),
        ({"q": "wave"}, ["4_1"]),
        ({"q": "2_1"}, ["2_1"]),
        ({"sort": "-turn", "answerable": "no"}, ["6_1", "3_1"]),
        ({"q": "nothing of the kind"}, []),
    ],
)
def test_the_questions_can_be_narrowed(client, dataset, query, turns):
    reply = page(client, draw_comparison(dataset), **query)

    assert re.findall(r'<h3[^>]*><span class="small quiet">([^<]*)<', reply.text) == turns
    assert turns or "No question matches." in reply.text


def test_the_rule_can_be_taken_up_again(client, dataset):
    rule = ComparisonRule(
        setup="retrieved",
        top=2,
        runs=("alder", "birch"),
        quotas={"answerable": 2, "unanswerable": 0},
        strata=("part", "length"),
        answered_by="two",
        keeps_without_passages=True,
        seed=4,
    )
    pool = draw_comparison(dataset, rule)
    (href,) = re.findall(r'href="([^"]*compare/\?[^"]*)"', page(client, pool).text)

    sent = parse_qs(urlsplit(href.replace("&amp;", "&")).query) | {"name": ["again"]}
    client.post(address_of(dataset.study), sent)

    again = Pool.objects.get(name="again")
    assert (again.rule, again.counts) == (pool.rule, pool.counts)


def test_a_comparison_is_not_audited(client, dataset):
    pool = draw_comparison(dataset)
    audit = reverse("pool_audit", args=[dataset.study.slug, pool.pk])

    reply = client.get(audit, follow=True)

    assert "Only a pool that was drawn by a rule can be audited." in reply.text
    assert audit not in page(client, pool).text


def test_no_query_is_asked_for_each_question(client, dataset):
    one = draw_comparison(dataset, ComparisonRule(setup="gold", n_questions=1), name="one")
    page(client, one)

    everything = draw_comparison(dataset, name="all")
    page(client, everything)  # numbers that never change are counted once
    with CaptureQueriesContext(connection) as few:
        page(client, one)
    with CaptureQueriesContext(connection) as many:
        page(client, everything)

    assert len(many) == len(few)


def test_what_was_imported_is_shown_as_it_is_and_does_nothing(client, dataset):
    hostile = '<img src=x onerror="alert(1)">'
    Turn.objects.update(question=hostile, part=hostile)
    Answer.objects.filter(text="Both.").update(text=hostile)
    pool = draw_comparison(dataset, ComparisonRule(setup="gold", strata=("part",)))

    assert hostile not in page(client, pool).text
    assert hostile not in client.get(address_of(dataset.study)).text
