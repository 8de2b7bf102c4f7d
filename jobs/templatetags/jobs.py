"""Jobs in words."""

from django import template

from audit.wording import kind_of_job_in_words
from jobs.models import Job, JobState

register = template.Library()


@register.filter
def kind_in_words(kind: str) -> str:
    """Return the kind in words: `import_dataset` becomes "Import data set"."""
    return kind_of_job_in_words(kind).capitalize()


@register.filter
def state_in_words(job: Job) -> str:
    """Return the state in words; "problems found" for a finished check that found errors."""
    if job.state == JobState.DONE and job.result.get("found_problems"):
        return "problems found"
    return job.get_state_display().lower()


@register.filter
def tens(job: Job) -> int:
    """Return the per cent done, rounded down to tens, so that screen readers speak less often.

    The job comes from with_progress() and is planned.
    """
    return 10 * (10 * job.n_done // job.n_units)


@register.filter
def failure(job: Job) -> str:
    """Return why a job failed, without the list of problems where these are listed by row."""
    return (
        job.message_for_requesters.partition("\n")[0]
        if job.n_errors
        else job.message_for_requesters
    )
