"""The navigation of a study marks the section that a page belongs to, wherever its address lies."""

import re

from django.urls import reverse

from tests.cases import all_cases
from tests.factories import BatchFactory
from tests.jobs.clients import client_of

SECTIONS = {
    "people": "People",
    "invitations": "People",
    "qualifications": "People",
    "qualification_new": "People",
    "batches": "Batches",
    "planning": "Batches",
    "study_agreement": "Batches",
    "quality_annotators": "Batches",
    "results_of_study": "Results",
    "compared_study": "Results",
    "search": "Search",
    "history": None,
}


@all_cases(("name", "section"), SECTIONS.items())
def test_the_section_of_the_page_is_marked_and_no_other(name, section, study, alice):
    page = client_of(alice).get(reverse(name, args=[study.slug]), follow=True).text

    navigation = page.partition('class="study-nav"')[2].partition("</nav>")[0]
    marked = re.findall(r'aria-current="\w+">([^<]*)<', navigation)
    assert marked == ([section] if section else [])


def test_an_adjudicator_without_batches_in_the_navigation_is_among_the_disputes(study, carol):
    batch = BatchFactory(pool__dataset__study=study)
    page = client_of(carol).get(reverse("batch_items", args=[batch.study.slug, batch.pk])).text

    navigation = page.partition('class="study-nav"')[2].partition("</nav>")[0]
    assert re.findall(r'aria-current="\w+">([^<]*)<', navigation) == ["Disputes"]
