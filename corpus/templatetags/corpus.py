"""What templates ask of data sets and runs, also those of the jobs that import them."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import template
from django.urls import reverse

from corpus.actions.checked_imports import WORTH_IT
from corpus.models import Dataset, Run
from jobs.models import Job

register = template.Library()


@register.simple_tag
def dataset_href(study: str, called: object) -> str:
    """The page of a data set, or of the one that is called NAME@VERSION."""
    name, _, version = str(called).rpartition("@")
    return reverse("dataset", kwargs={"study": study, "name": name, "version": version})


@register.simple_tag
def dataset_of(job: Job) -> Dataset | None:
    return job.study.datasets.filter(pk=job.params["dataset"]).first()


@register.simple_tag
def runs_of(job: Job) -> list[tuple[Run | None, dict[str, Any]]]:
    """What became of each run that a job imported, with the run."""
    results: list[dict[str, Any]] = job.result.get("runs", [job.result])
    names = [result["name"] for result in results]
    runs = Run.objects.filter(dataset=job.params["dataset"], name__in=names)
    by_name = {run.name: run for run in runs}
    return [(by_name.get(result["name"]), result) for result in results]


@register.filter
def n_to_import(checked: Sequence[Mapping[str, Any]]) -> int:
    """Of the runs that were checked, those that an import would bring in."""
    return sum(each["outcome"] in WORTH_IT for each in checked)


@register.filter
def short(number: float) -> str:
    """A score of any scale, in at most five figures: 11.3, 0.00012."""
    return f"{number:.5g}"


@register.filter
def of(values: Mapping[Any, Any], key: Any) -> Any:
    return values.get(key)
