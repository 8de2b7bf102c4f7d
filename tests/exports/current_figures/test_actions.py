"""Figures on closed batches are computed anew without anybody asking for it."""

from unittest.mock import patch

import pytest
from django.utils import timezone

from accounts.models import User
from annotation.actions import archived_studies, reviews
from audit.models import Event
from exports.agreement.stored_figures import AgreementFigures
from exports.current_figures.actions import MOST_AT_ONCE, QUIET, SETTLED_FOR, CountedEvents, Watch
from exports.results.stored_figures import RunsFigures
from exports.tasks import keep_figures_current
from jobs.actions import execution, jobs
from jobs.models import Job, JobState
from stats.aggregation import rule_simulation
from tests.annotation.pools import launched
from tests.corpus.imports import save_dataset
from tests.exports.judged_batches import close_batch, judge_batch, settle_batch
from tests.parts import part
from tests.sampling.scored_dataset import PASSAGES, TURNS

OF_FIRST_TURN = "".join(line for line in PASSAGES.splitlines(keepends=True) if "1_2" not in line)


@pytest.fixture
def watch() -> Watch:
    return Watch()


def look(watch: Watch) -> list[Job]:
    return watch.look(timezone.now() + QUIET)


@part
def kinds_computed(plausibility) -> set[str]:
    """All figures are computed: the kinds of the jobs."""
    return compute_all(Watch())


def compute_all(watch: Watch) -> set[str]:
    """Let the worker look and work until nothing is left; return the kinds of the jobs."""
    return compute_all_but(watch)


def test_when_a_batch_is_closed_its_figures_are_computed(pool, bob, dora, watch):
    batch = judge_batch(launched(pool), bob, dora)
    assert look(watch) == []  # people still judge
    close_batch(batch)

    kinds = compute_all(watch)

    assert {"agreement", "annotators_of_batch", "annotators_of_study", "compare_rules"} <= kinds
    assert AgreementFigures(batch.study, batch).result is not None


def test_when_it_is_settled_and_settled_again_everything_is_computed_anew(
    plausibility, kinds_computed, watch, carol
):
    assert {"agreement", "results"} <= kinds_computed
    compute_all(watch)
    dataset = plausibility.pool.dataset
    assert RunsFigures(plausibility.study, dataset).since == ""

    settle_batch(plausibility, rule="majority")
    item = plausibility.items.first()
    reviews.adjudicate(item=item, label="malformed", reason="It is cut off.", by=carol)
    assert RunsFigures(plausibility.study, dataset).since != ""
    compute_all(watch)

    assert RunsFigures(plausibility.study, dataset).since == ""
    assert AgreementFigures(plausibility.study, plausibility).since == ""


def test_between_two_decisions_of_one_sitting_nothing_is_computed(plausibility, watch):
    just_now = timezone.now()
    Event.objects.update(at=just_now)

    assert watch.look(just_now + QUIET / 2) == []
    assert watch.look(just_now + QUIET) != []


def test_an_archived_study_is_left_alone_and_stops_no_other(
    pool, alice, bob, dora, watch, django_assert_num_queries
):
    archived = close_batch(judge_batch(launched(pool), bob, dora)).study
    archived_studies.archive(study=archived, by=alice)

    assert look(watch) == []
    with django_assert_num_queries(2):
        assert look(watch) == []

    archived_studies.bring_back(study=archived, by=alice)
    assert look(watch) != []


def test_where_nothing_changed_nothing_is_looked_at(
    plausibility, kinds_computed, watch, django_assert_num_queries
):
    compute_all(watch)

    with django_assert_num_queries(2):
        assert look(watch) == []


def test_what_is_at_work_while_something_changes_is_computed_once_more(
    plausibility, kinds_computed, watch, carol
):
    compute_all(watch)
    item = plausibility.items.first()
    reviews.adjudicate(item=item, label="malformed", reason="It is cut off.", by=carol)
    figures = RunsFigures(plausibility.study, plausibility.pool.dataset)
    slow = jobs.start(
        study=figures.study,
        kind="results",
        key=figures.key,
        params=figures.params,
        by=plausibility.created_by,
    )
    assert "results" not in compute_all_but(watch, slow)

    execution.run(slow)
    other = plausibility.items.last()
    reviews.adjudicate(item=other, label="malformed", reason="It is cut off.", by=carol)

    assert "results" in compute_all(watch)


def compute_all_but(watch: Watch, unfinished: Job | None = None) -> set[str]:
    """What is computed matters here, and not from how many simulations."""
    kinds: set[str] = set()
    with patch.object(rule_simulation, "MOST_REPLICATES", 5):
        while started := [job for job in look(watch) if job != unfinished]:
            for job in started:
                execution.run(job)
                kinds.add(job.kind)
    return kinds


def test_few_are_at_work_at_once_so_that_a_person_s_job_does_not_wait(plausibility, watch):
    assert len(look(watch)) == MOST_AT_ONCE
    assert look(watch) == []


def test_a_job_that_failed_is_not_started_again_until_something_changes(
    plausibility, kinds_computed, watch, carol
):
    compute_all(watch)
    item = plausibility.items.first()
    reviews.adjudicate(item=item, label="malformed", reason="It is cut off.", by=carol)
    for job in look(watch):
        jobs.fail(job=job, message="no")
    compute_all(watch)
    n_jobs = Job.objects.count()
    assert look(watch) == []

    other = plausibility.items.last()
    reviews.adjudicate(item=other, label="malformed", reason="It is cut off.", by=carol)

    assert look(watch) != []
    assert Job.objects.count() > n_jobs


def test_the_jobs_are_a_requester_s_and_marked_as_started_by_nobody(plausibility, watch, alice):
    n_events = Event.objects.count()

    job = look(watch)[0]

    assert (job.created_by, job.is_automatic, job.state) == (alice, True, JobState.WAITING)
    assert Event.objects.count() == n_events


def test_without_an_active_requester_nothing_is_started(plausibility, watch, alice):
    type(alice).objects.filter(pk=alice.pk).update(is_active=False)

    assert look(watch) == []


def test_the_worker_s_task_hands_the_jobs_to_workers(plausibility, monkeypatch):
    handed: list[int] = []
    monkeypatch.setattr("exports.tasks.work_on.delay", handed.append)
    monkeypatch.setattr("exports.current_figures.actions.WATCH", Watch())
    Event.objects.update(at=timezone.now() - QUIET)

    assert keep_figures_current() == len(handed) == MOST_AT_ONCE


def test_figures_of_a_version_that_only_continues_one_are_kept_current(
    plausibility, watch, tmp_path
):
    study = plausibility.study
    save_dataset(study, tmp_path, TURNS[:1], as_new_version=True, passages=OF_FIRST_TURN)

    compute_all(watch)

    assert RunsFigures(study, study.datasets.by_name("touch")).result is not None


def test_a_study_whose_requesters_cannot_sign_in_is_not_looked_at_until_one_can(
    plausibility, alice, watch, django_assert_num_queries
):
    User.objects.filter(pk=alice.pk).update(is_active=False)

    look(watch)  # events of long ago are counted once

    with django_assert_num_queries(3):
        assert look(watch) == []

    User.objects.filter(pk=alice.pk).update(is_active=True)
    assert look(watch) != []


def test_events_of_long_ago_are_counted_once_and_later_ones_at_each_look(study, alice):
    now = timezone.now()
    Event.objects.filter(study=study.slug).delete()
    about = {"study": study.slug, "actor": alice.username, "verb": "tested", "target": "it"}
    old = Event.objects.create(at=now - 3 * SETTLED_FOR, **about)
    Event.objects.create(at=now - QUIET, **about)
    events = CountedEvents()
    first = events.by_study(now)[study.slug]

    old.delete()
    Event.objects.create(at=now, **about)
    second = events.by_study(now)[study.slug]

    assert (first.n, first.last) == (2, now - QUIET)
    assert (second.n, second.last) == (3, now)


@pytest.mark.parametrize("are_recent", [True, False])
def test_an_event_that_is_added_later_with_an_older_time_is_counted(study, alice, are_recent):
    now = timezone.now()
    Event.objects.filter(study=study.slug).delete()
    about = {"study": study.slug, "actor": alice.username, "verb": "tested", "target": "it"}
    Event.objects.create(at=now - 3 * SETTLED_FOR, **about)
    last = now - (QUIET if are_recent else 2 * SETTLED_FOR)
    Event.objects.create(at=last, **about)
    events = CountedEvents()
    events.by_study(now)

    Event.objects.create(at=now - 4 * SETTLED_FOR, **about)  # as where a clock was set back

    for later in (now, now + 9 * SETTLED_FOR):
        found = events.by_study(later)[study.slug]
        assert (found.n, found.last) == (3, last)
