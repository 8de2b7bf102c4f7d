"""Figures in words."""

from django import template

from corpus.models import Dataset
from jobs.models import Job
from pages.templatetags.numbers import with_minus_signs
from scoring.actions import derived_relevance
from scoring.figures import SETUPS, Figure

register = template.Library()


@register.filter
def interval(figure: Figure) -> str:
    """Return the interval, [.200, .300], or why there is none. "" if the figure is undefined."""
    if figure.value is None:
        return ""
    if figure.low is None or figure.high is None:
        return f"no interval: {figure.interval_reason}"
    return with_minus_signs(f"[{figure.low:.3f}, {figure.high:.3f}]")


@register.filter
def counts(figure: Figure) -> str:
    """Return the counts that the mean is over: n = 66 (3 missing)."""
    missing = [
        f"{n:,} {what}"
        for n, what in ((figure.n_not_given, "missing"), (figure.n_not_scored, "not scored"))
        if n
    ]
    text = f"n = {figure.n_turns:,}"
    return f"{text} ({', '.join(missing)})" if missing else text


@register.filter
def questions(setup: str) -> str:
    """The questions that runs of a setup were given."""
    if setup in SETUPS:
        return f"{setup.capitalize()} questions"
    return setup or "Setup not specified"


@register.simple_tag
def underived(job: Job) -> derived_relevance.MissingRelevance | None:
    """The turns for which a job that derives relevance has not derived it."""
    if not job.params.get("derives_relevance"):
        return None
    dataset = Dataset.objects.filter(pk=job.params["dataset"]).first()
    return derived_relevance.missing_relevance(dataset) if dataset else None
