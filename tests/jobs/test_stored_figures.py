"""Figures that a job computed: which result is shown, what came since, and how a page says so."""

from dataclasses import dataclass
from datetime import timedelta

import pytest
from django.template import engines
from django.urls import reverse
from django.utils import timezone

from jobs.basis import Basis
from jobs.models import Chunk, Job, JobState
from jobs.stored_figures import Result, StoredFigures, read_together
from tests.times import without_time_elements

NOW = timezone.now()
THREE = Basis({"stone": 3}, [])


@dataclass(eq=False)
class Carvings(StoredFigures[Result]):
    kind = "carve"
    version = 2

    key: str = "a stone"
    basis: Basis = THREE
    obstacle: str = ""

    @property
    def params(self):
        return {}


@pytest.fixture
def figures(study):
    return Carvings(study)


@pytest.fixture
def create_ended_job(study, alice):
    """A job that has ended, each a minute after the one before."""
    minutes = iter(range(1, 9))

    def end(state=JobState.DONE, *, key="a stone", version=2, n=3):
        basis = {"counts": {"stone": n}, "batches": []}
        return Job.objects.create(
            study=study,
            kind="carve",
            key=key,
            state=state,
            result={"version": version, "basis": basis} if state == JobState.DONE else {},
            finished_at=NOW + timedelta(minutes=next(minutes)),
            created_by=alice,
        )

    return end


@pytest.fixture
def create_job(study, alice):
    def begin_one(key="a stone"):
        job = Job.objects.create(study=study, kind="carve", key=key, created_by=alice)
        for number in range(2):
            state = "waiting" if number else "done"
            Chunk.objects.create(job=job, number=number, state=state)
        return job

    return begin_one


@pytest.fixture
def render_figures(rf, study):
    def rendered(figures, options="", **headers):
        source = "{% load components %}{% compute stored '/start'" + options
        template = engines["django"].from_string(source + " %}<a>More</a>{% endcompute %}")
        request = rf.get("/", headers=headers)
        request.study = study
        return " ".join(template.render({"request": request, "stored": figures}).split())

    return rendered


def test_before_any_job_there_is_nothing_but_something_to_compute(figures):
    assert (figures.result, figures.computed_at, figures.since) == (None, None, "")
    assert figures.is_due
    assert not figures.is_empty


def test_without_anything_to_compute_from_it_is_empty(figures):
    figures.obstacle = "There are no stones."

    assert figures.is_empty
    assert not figures.is_due


def test_the_newest_job_that_is_done_has_the_result(figures, create_ended_job):
    create_ended_job(n=1)
    newest = create_ended_job()
    failed = create_ended_job(JobState.FAILED)

    assert figures.newest_done == newest
    assert figures.computed_at == newest.finished_at
    assert figures.computed_from == THREE
    assert figures.failed == failed
    assert not figures.is_due


def test_what_came_since_makes_it_due(figures, create_ended_job):
    create_ended_job(n=1)

    assert figures.since == "Since then 2 stones came in."
    assert figures.is_due


def test_a_failure_is_forgotten_once_it_was_computed(figures, create_ended_job):
    create_ended_job(JobState.FAILED)
    create_ended_job()

    assert figures.failed is None


def test_a_result_of_another_version_counts_as_not_computed(figures, create_ended_job):
    create_ended_job(version=1)

    assert figures.result is None
    assert figures.is_due


def test_a_result_of_a_version_that_is_still_shown_is_due(study, create_ended_job):
    class Newer(Carvings):
        version = 3
        shown_versions = frozenset({2})

    create_ended_job(version=2)

    assert Newer(study).result["version"] == 2
    assert Newer(study).is_due


def test_a_result_from_before_there_were_versions_counts_as_not_computed(figures, create_ended_job):
    job = create_ended_job()
    Job.objects.filter(pk=job.pk).update(result={"stones": 3})

    assert figures.result is None


def test_an_older_job_that_was_resumed_is_the_one_at_work(figures, create_job, create_ended_job):
    job = create_job()
    create_ended_job(n=1)

    assert figures.unfinished == job
    assert (figures.unfinished.n_done, figures.unfinished.n_units) == (1, 2)
    assert not figures.is_due


def test_what_the_job_leaves_is_read_back(figures, create_ended_job):
    job = create_ended_job(n=1)
    Job.objects.filter(pk=job.pk).update(result=figures.stamp())

    assert figures.computed_from == THREE
    assert figures.since == ""


def test_many_are_read_together_as_each_alone(
    study, create_job, create_ended_job, django_assert_num_queries
):
    create_ended_job(n=1)
    create_ended_job(JobState.FAILED)
    create_ended_job(key="another")
    create_job("another")
    many = [Carvings(study, key) for key in ("a stone", "another", "a third")]

    with django_assert_num_queries(2):
        read_together(many)
        found = [(each.result, each.newest) for each in many]

    alone = [Carvings(study, each.key) for each in many]
    assert found == [(each.result, each.newest) for each in alone]
    assert [bool(each.failed) for each in many] == [True, False, False]
    assert [bool(each.unfinished) for each in many] == [False, True, False]


def test_what_is_not_computed_has_a_button(figures, render_figures):
    html = render_figures(figures, " label='Carve'")

    assert (
        '<form method="post" action="/start" hx-post="/start" hx-vals=\'{"by_itself": "yes"}\' hx-trig'
        in html
    )
    assert '<button class="primary"> Carve </button> <a>More</a>' in html
    assert "Computed" not in html
    assert 'class="primary"' not in render_figures(figures, " is_quiet=True")


def test_what_is_computed_says_when_and_from_what(figures, create_ended_job, render_figures):
    create_ended_job()

    html = render_figures(figures)

    assert f"Computed {NOW + timedelta(minutes=1):%Y-%m-%d %H:%M} UTC, from 3 stones. Up t" in (
        without_time_elements(html)
    )
    assert "<button> Compute again </button>" in html


def test_what_came_since_is_shown(figures, create_ended_job, render_figures):
    create_ended_job(n=1)
    create_ended_job(JobState.FAILED)

    html = render_figures(figures)

    assert (
        '<p class="note warn">Out of date. Since then 2 stones came in. This is not in the figures.'
        in html
    )
    assert "Up to date" not in html
    assert '<button class="primary"> Compute again </button>' in html


def test_a_failure_is_shown_with_its_job(figures, create_ended_job, render_figures, study):
    job = create_ended_job(JobState.FAILED)

    assert f'<a href="{reverse("job", args=[study.slug, job.pk])}">see why</a>' in render_figures(
        figures
    )


def test_while_a_job_is_at_work_its_progress_is_shown_and_asked_for_again(
    figures, create_job, render_figures, study
):
    where = reverse("job", args=[study.slug, create_job().pk])

    html = render_figures(figures)

    assert f'<a href="{where}">job</a>' in html
    assert f'hx-get="{where}?part=progress" hx-trigger="every 1s"' in html
    assert "1 of 2 parts" in html
    assert "htmx-2.min.js" in html
    assert "<form" not in html
    assert "htmx-2.min.js" not in render_figures(figures, **{"HX-Request": "true"})


def test_where_nothing_can_be_computed_it_is_said_why(figures, render_figures):
    figures.obstacle = "There are no stones."

    assert render_figures(figures) == (
        '<div class="computed" id="computed-carve"> <p>There are no stones.</p> </div>'
    )


def test_figures_that_are_due_start_themselves_when_the_page_is_opened(figures, create_ended_job):
    assert figures.starts_itself

    create_ended_job(n=1)
    Job.objects.update(finished_at=NOW - timedelta(minutes=2))

    assert Carvings(figures.study).starts_itself


def test_figures_of_a_moment_ago_do_not_start_themselves_again(figures, create_ended_job):
    create_ended_job(n=1)
    Job.objects.update(finished_at=timezone.now())

    assert figures.is_due
    assert not figures.starts_itself


@pytest.mark.parametrize("state", [JobState.FAILED, JobState.CANCELLED])
def test_what_did_not_end_well_does_not_start_itself_again(
    figures, create_ended_job, render_figures, state
):
    create_ended_job(state)

    assert not figures.starts_itself
    assert "hx-post" not in render_figures(figures)


def test_in_an_archived_study_no_figures_start_themselves(figures):
    figures.study.archived_at = NOW

    assert not figures.starts_itself


def test_figures_of_very_much_wait_for_the_button(figures, render_figures):
    figures.basis = Basis({"stone": 20_001})

    assert figures.is_due
    assert "hx-post" not in render_figures(figures)


def test_a_file_of_figures_that_are_out_of_date_is_named_so(figures, create_ended_job):
    create_ended_job(n=1)

    assert figures.file_name("stones.csv") == "out-of-date-stones.csv"
    assert (
        Carvings(figures.study, basis=Basis({"stone": 1})).file_name("stones.csv") == "stones.csv"
    )


def test_without_a_worker_the_page_says_so(figures, create_job, render_figures):
    create_job()
    assert "No worker" not in render_figures(figures)

    Job.objects.update(created_at=NOW - timedelta(minutes=1))

    assert "No worker seems to be running" in render_figures(Carvings(figures.study))
