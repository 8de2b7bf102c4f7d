"""Jobs as people read them."""

from django import template

from jobs.models import Job, JobState
from pages.words import name_in_words

register = template.Library()


@register.filter
def kind_in_words(kind: str) -> str:
    """import_dataset: Import data set."""
    return name_in_words(kind).capitalize()


@register.filter
def state_in_words(job: Job) -> str:
    """A check that found its files wrong is done as a job, and yet no good news."""
    if job.state == JobState.DONE and job.result.get("found_problems"):
        return "problems found"
    return job.get_state_display().lower()


@register.filter
def tens(job: Job) -> int:
    """The per cent that are done, in steps of ten: what is said aloud must not be said each second.

    The job comes from with_progress() and is planned.
    """
    return 10 * (10 * job.n_done // job.n_units)


@register.filter
def failure(job: Job) -> str:
    """Why a job failed; where its problems stand below by row, without the list of them."""
    return job.message.partition("\n")[0] if job.n_errors else job.message
