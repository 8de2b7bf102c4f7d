"""The form of a draft in a browser: what a scheme needs, a guideline from a file, and a deadline in local time."""

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from annotation.actions import batches as acts
from sampling.models import Purpose
from tests.annotation.pools import evidence_pool_of, pool_of
from tests.browser.conftest import WIDE
from tests.factories import PoolFactory

# Two hours before UTC all year, and named by no letters.
ZONE, SHIFT = "Atlantic/South_Georgia", "GMT-2"


@pytest.fixture
def context(browser, live_server) -> Iterator[BrowserContext]:
    opened = browser.new_context(base_url=live_server.url, viewport=WIDE, timezone_id=ZONE)
    yield opened
    opened.close()


@pytest.fixture
def form(page, sign_in, study, alice) -> Page:
    pool = pool_of(study)
    evidence_pool_of(pool)
    PoolFactory(dataset=pool.dataset, purpose=Purpose.COMPARISON)
    for scheme, text in {"plausibility": "Of sense.", "faithfulness": "Of proof."}.items():
        of = pool if scheme == "plausibility" else study.pools.get(purpose=Purpose.EVIDENCE)
        acts.create(study=study, name=scheme, scheme=scheme, pool=of, guideline=text, by=alice)
    sign_in(alice)
    page.goto(f"/studies/{study.slug}/batches/new/?pool={pool.pk}")
    return page


def test_only_what_the_scheme_needs_is_shown(form):
    opponents = form.get_by_label("Opponents of each answer")
    expect(opponents).to_be_hidden()
    expect(form.get_by_text("Yes, it answers the question")).to_be_visible()
    expect(form.locator("[name=guideline]")).to_have_value("Of sense.")

    form.locator("[name=scheme]").select_option("preference")

    expect(opponents).to_be_visible()
    expect(form.get_by_text("Yes, it answers the question")).to_be_hidden()
    expect(form.locator("[name=pool] option:checked")).to_have_attribute(
        "data-purpose", "comparison"
    )
    expect(form.locator("[name=guideline]")).to_have_value("")

    form.locator("[name=scheme]").select_option("faithfulness")

    expect(form.locator("[name=guideline]")).to_have_value("Of proof.")


def test_a_guideline_is_read_from_a_file(form):
    chosen = form.locator("#guideline-file input")

    chosen.set_input_files(
        {"name": "g.md", "mimeType": "text/markdown", "buffer": "# Grüße".encode("latin-1")}
    )
    expect(form.get_by_text("g.md was not read: it is not a text in UTF-8.")).to_be_visible()
    expect(form.locator("[name=guideline]")).to_have_value("Of sense.")

    chosen.set_input_files(
        {"name": "g.md", "mimeType": "text/markdown", "buffer": "# Grüße".encode()}
    )
    expect(form.locator("[name=guideline]")).to_have_value("# Grüße")


def test_a_deadline_is_entered_and_shown_in_the_zone_of_the_browser(form, study):
    expect(form.get_by_text(f"In the time zone {ZONE}.")).to_be_visible()
    form.get_by_label("Name").fill("dated")
    form.locator("[name=deadline]").fill("2999-01-01T23:30")

    form.get_by_role("button", name="Create the draft").click()

    expect(form.get_by_text(f"2999-01-01 23:30 {SHIFT}")).to_be_visible()
    batch = study.batches.get(name="dated")
    assert batch.deadline_at == datetime(2999, 1, 2, 1, 30, tzinfo=UTC)
    form.goto(f"/studies/{study.slug}/batches/{batch.pk}/change/")
    expect(form.locator("[name=deadline]")).to_have_value("2999-01-01T23:30")
