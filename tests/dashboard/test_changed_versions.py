"""The home page leads from a version of which turns changed to scores, a pool and a batch of these turns."""

from dataclasses import replace

import pytest
from django.urls import reverse

from dashboard import progress
from tests.annotation.pools import launched
from tests.corpus.imports import save_dataset
from tests.exports.judged_batches import release
from tests.jobs.clients import client_of
from tests.sampling.scored_dataset import ANSWERS, PASSAGES, RULE, TURNS, draw_pool, import_scores

MENDED = [{**TURNS[0], "Truth_answer": "A touchstone is a dark slab."}, *TURNS[1:]]


@pytest.fixture
def new_version(faithfulness, study, tmp_path):
    """Return a maker of versions after one that was judged and released."""
    release(faithfulness, tmp_path / "before")

    def make(turns, **settings):
        settings = {"passages": PASSAGES} | settings
        save_dataset(study, tmp_path, turns, as_new_version=True, **settings)
        return study.datasets.by_name("touch")

    return make


def next_step(study, by):
    """Return the step, and the address of its button, which is on the home page."""
    found = progress.study_progress(study)
    address = reverse(found.next_action.page, args=[study.slug]) + found.next_action.query
    home = client_of(by).get(reverse("study", args=[study.slug])).text
    assert f'href="{address}"' in home
    assert found.next_action.why in home
    return found.next_step, address


def test_it_leads_to_scores_a_pool_and_a_batch_of_the_turns_that_changed(
    new_version, study, alice, tmp_path
):
    assert progress.study_progress(study).next_step == "done"
    second = new_version(MENDED)
    about = f"?dataset={second.pk}"

    assert next_step(study, alice) == ("scores", reverse("score_start", args=[study.slug]) + about)
    home = client_of(alice).get(reverse("study", args=[study.slug])).text
    assert "1 turn of touch@2 changed or is new: score its answers" in home

    import_scores(second, tmp_path, {run: [("1_1", of[0][1])] for run, of in ANSWERS.items()})
    assert next_step(study, alice) == ("pool", reverse("pool_new", args=[study.slug]) + about)

    pool = draw_pool(second, replace(RULE, leaves_out_standing=True), name="changed")
    address = reverse("batch_new", args=[study.slug]) + f"?pool={pool.pk}"
    assert next_step(study, alice) == ("acceptance", address)

    batch = launched(pool, name="changed")
    assert progress.study_progress(study).next_action.why != ""
    assert "touch@2 changed" not in progress.study_progress(study).next_action.why
    assert progress.study_progress(study).batches[-1].batch == batch


def test_a_version_that_only_lost_turns_needs_nothing(new_version, study):
    new_version(TURNS[:2])

    assert progress.study_progress(study).next_step == "done"


def test_a_version_that_was_released_needs_nothing(new_version, study):
    second = new_version(MENDED)
    study.releases.update(dataset=second)

    assert progress.study_progress(study).next_step == "done"
