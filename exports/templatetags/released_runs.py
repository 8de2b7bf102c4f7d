"""Which releases have a run, for the pages on which its name is changed."""

from django import template

from corpus.models import Dataset, Run
from exports.rows import released_runs as queries
from exports.rows.released_runs import Released

register = template.Library()


@register.simple_tag
def released_runs(dataset: Dataset) -> dict[int, Released]:
    return queries.released_runs(dataset)


@register.simple_tag
def released_run(run: Run) -> Released | None:
    return queries.released_runs(run.dataset).get(run.pk)
