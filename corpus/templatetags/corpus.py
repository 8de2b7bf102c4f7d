"""Tags and filters for data sets, runs and the jobs that import them."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import template
from django.urls import reverse
from django.utils import timezone

from corpus.actions.checked_imports import WORTH_IT, runs_to_import
from corpus.actions.run_descriptions import KINDS
from corpus.models import Dataset, Run
from corpus.queries import runs_by_name_at
from jobs.models import Job

register = template.Library()


@register.simple_tag
def dataset_href(study: str, dataset: object) -> str:
    """Return the address of a data set, given as one or as NAME@VERSION."""
    name, _, version = str(dataset).rpartition("@")
    return reverse("dataset", kwargs={"study": study, "name": name, "version": version})


@register.simple_tag
def dataset_of(job: Job) -> Dataset | None:
    return job.study.datasets.filter(pk=job.params["dataset"]).first()


@register.simple_tag
def runs_of(job: Job) -> list[tuple[Run | None, dict[str, Any]]]:
    """Return each run that a job imported, with the result of its import."""
    results: list[dict[str, Any]] = job.result.get("runs", [job.result])
    dataset = dataset_of(job)
    ended = job.finished_at or timezone.now()
    by_name = runs_by_name_at(dataset, ended) if dataset else {}
    return [(by_name.get(result["name"]), result) for result in results]


@register.simple_tag
def descriptions(job: Job) -> list[dict[str, Any]]:
    """Return what was said of each run that an import would add: its place in the check, and fields."""
    return [
        {"place": place, "kinds": KINDS, **run["settings"]} for place, run in runs_to_import(job)
    ]


@register.filter
def n_to_import(checked: Sequence[Mapping[str, Any]]) -> int:
    """Return the number of checked runs that an import would add."""
    return sum(each["outcome"] in WORTH_IT for each in checked)


@register.filter
def changed_turns(changed: Mapping[str, Sequence[str]]) -> list[str]:
    """Return each turn that changed with what changed: "3_1: reference"."""
    return [f"{turn}: {' and '.join(parts)}" for turn, parts in changed.items()]


@register.filter
def short(number: float) -> str:
    """Return a score of any scale in at most five significant figures: 11.3, 0.00012."""
    return f"{number:.5g}"


@register.filter
def of(values: Mapping[Any, Any], key: Any) -> Any:
    return values.get(key)
