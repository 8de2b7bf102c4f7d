"""Sentences of evidence become runs: from the pool's page by the form and its job to their page, in a browser."""

import pytest
from playwright.sync_api import expect

from jobs.actions import execution
from sampling.actions import reference_evidence
from sampling.actions.reference_evidence import ReferenceEvidenceRule
from sampling.models import Pool
from tests.browser import axe
from tests.browser.conftest import PHONE
from tests.corpus.uploads import run_newest_job
from tests.sampling.scored_dataset import begin_evidence, create_scored_dataset, draw_pool


@pytest.fixture
def dataset(study, tmp_path):
    return create_scored_dataset(study, tmp_path)


@pytest.fixture
def evidence(dataset):
    execution.run(begin_evidence(draw_pool(dataset)))
    return Pool.objects.get(name="evidence")


def test_the_pools_page_leads_to_runs_of_its_sentences(page, sign_in, evidence, alice):
    sign_in(alice)
    page.goto(f"/studies/{evidence.study.slug}/pools/{evidence.pk}/")
    page.get_by_role("link", name="Ask about its sentences").click()
    assert axe.violations(page) == []

    page.get_by_label("Name of the runs").fill("spans")
    page.get_by_label("Sentences of a question at most").fill("1")
    page.get_by_role("button", name="Make the runs").click()
    page.wait_for_url("**/jobs/*/")
    run_newest_job()

    expect(page.get_by_text("2 sentences to 2 questions, in 1 run: spans.")).to_be_visible()
    assert axe.violations(page) == []
    page.get_by_role("link", name="The runs").click()
    expect(page.get_by_role("row", name="spans")).to_contain_text("extracted")


def test_the_evidence_of_references_is_read_on_a_phone(page, sign_in, dataset, alice):
    rule = ReferenceEvidenceRule("none", None)
    job = reference_evidence.begin(
        dataset=dataset, name="references", rule=rule, model="none", by=alice
    )
    execution.run(job)
    found = Pool.objects.get(name="references")
    sign_in(alice)
    page.set_viewport_size(PHONE)

    page.goto(f"/studies/{dataset.study.slug}/pools/{found.pk}/")

    expect(page.get_by_text("A touchstone is a small dark tablet.")).to_be_visible()
    assert axe.violations(page) == []
    width = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
    assert width <= 0
