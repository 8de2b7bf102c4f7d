"""Before a release, runs that an earlier version has and this one has not are named."""

import pytest
from django.urls import reverse

from corpus.actions import withdrawn_runs
from exports.releases import check
from exports.releases.choice import Choice
from jobs.actions import execution, jobs
from sampling.actions import top_ups
from tests.annotation.pools import launched
from tests.exports.judged_batches import judge_and_settle
from tests.exports.releases.test_versions import mended, new_version, released  # noqa: F401
from tests.jobs.clients import client_of
from tests.sampling.late_runs import create_late_run

OTHER_QUESTION = mended(3, Truth_rewrite="Who then invented it?")


@pytest.fixture
def second(plausibility, new_version, tmp_path, bob, dora, alice):  # noqa: F811
    """A released version; then a late run came to the first one, and its top-up was judged there."""
    made = new_version(OTHER_QUESTION)
    released(made, tmp_path / "before")
    first = plausibility.pool.dataset
    run = create_late_run(first, tmp_path, "gale")
    top_up = top_ups.draw(pool=plausibility.pool, run=run, name="top-up", by=alice)
    judge_and_settle(launched(top_up, name="top-up of gale"), bob, dora)
    return made


def said(dataset):
    return check.summary(Choice(dataset), set_aside_disputes=False)


def effect(dataset, by):
    """The part of the page of a new release that says what it would change."""
    where = reverse("release_changes", args=[dataset.study.slug])
    return client_of(by).get(where, headers={"HX-Request": "true"}).text


def carry_over(dataset, by):
    params = {"dataset": dataset.pk}
    return execution.run(
        jobs.start(study=dataset.study, kind="carry_over", key=str(dataset), params=params, by=by)
    )


def test_a_check_names_the_run_that_the_version_lacks_until_it_is_carried_over(second, alice):
    before = said(second)
    carry_over(second, alice)
    after = said(second)

    assert "top-up of gale" in before["batches"]
    assert before["left_behind"] == [
        "The run gale is in touch@1 and not in touch@2, where what people decided of it alone does not count:"
        " carry_over --dataset touch@2 takes it along."
    ]
    assert before["left_behind"][0] in check.lines(before)
    assert (before["added"], len(after["added"]), after["left_behind"]) == ([], 2, [])


def test_the_page_names_it_and_leads_to_where_it_is_taken_along(second, alice):
    study = second.study

    page = effect(second, alice)

    assert "The run gale is in touch@1 and not in touch@2" in page
    assert reverse("dataset", args=[study.slug, "touch", 2]) in page


def test_a_run_that_was_withdrawn_is_not_missed(second, alice):
    run = second.continues.runs.get(name="gale")
    withdrawn_runs.withdraw(run=run, reason="wrong file", by=alice)

    assert said(second)["left_behind"] == []


def test_a_run_is_missed_where_the_chain_of_versions_breaks(
    second,
    alice,
    tmp_path,
    new_version,  # noqa: F811
):
    carry_over(second, alice)
    third = new_version(mended(3, Truth_rewrite="Who made the first one?"))
    assert said(third)["left_behind"] == []

    create_late_run(second.continues, tmp_path, "hazel")

    page = effect(third, alice)
    [sentence] = said(third)["left_behind"]
    assert reverse("dataset", args=[third.study.slug, "touch", 2]) in page
    assert sentence.startswith("The run hazel is in touch@1 and not in touch@2")
