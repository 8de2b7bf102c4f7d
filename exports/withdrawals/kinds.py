"""The kinds of things that can be withdrawn: how each is found, what rests on it, and what follows."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet
from django.urls import reverse

from accounts.models import Study
from annotation.actions import withdrawn_batches
from corpus.actions import withdrawn_runs
from corpus.models import Run, RunKind
from exports.withdrawals import actions, objections, queries


def _none(_thing: Any) -> str:
    return ""


def _quoted(thing: Any) -> str:
    return f"“{thing}”"


@dataclass(frozen=True)
class Kind:
    """A kind of thing, with the texts of its pages. `withdraw` and `bring_back` take it by its `name`.

    Addresses call it by that name, too, with the field `key`; `noun` and `called` are for people.
    `objection` and `return_objection` say why an act would be refused now, "" if it would not.
    """

    name: str
    noun: str
    rows: Callable[[Study], QuerySet[Any]]
    rests_on: Callable[[Any], list[str]]
    href: Callable[[Any], str]
    withdraw: Callable[..., Any]
    bring_back: Callable[..., Any]
    consequences: tuple[str, ...]
    return_consequences: tuple[str, ...]
    objection: Callable[[Any], str] = _none
    return_objection: Callable[[Any], str] = _none
    called: Callable[[Any], str] = _quoted
    key: str = "pk"


BATCH = Kind(
    name="batch",
    noun="batch",
    rows=lambda study: study.batches.select_related("study"),
    rests_on=queries.rests_on_batch,
    href=lambda batch: reverse("batch", args=[batch.study.slug, batch.pk]),
    withdraw=withdrawn_batches.withdraw,
    bring_back=withdrawn_batches.bring_back,
    consequences=(
        "The batch counts nowhere from now on: not in results, agreement or conflicts, and in no new release.",
        "No more items are assigned. An open or paused batch is closed; annotators can still submit the items they hold"
        " until their time is over.",
        "Every judgement stays, and stays payable. The pages of the batch stay readable.",
        "Releases that were made never change.",
    ),
    return_consequences=(
        "The batch counts again as it did. It is closed, and can be opened again.",
        "Releases that were made never change.",
    ),
    return_objection=withdrawn_batches.return_objection,
)
RUN = Kind(
    name="run",
    noun="run",
    rows=lambda study: (
        Run.objects.filter(dataset__study=study)
        .exclude(kind=RunKind.REFERENCE)
        .select_related("dataset__study")
    ),
    rests_on=queries.rests_on_run,
    href=lambda run: reverse("run", args=[run.dataset.study.slug, run.pk]),
    withdraw=withdrawn_runs.withdraw,
    bring_back=withdrawn_runs.bring_back,
    consequences=(
        "The run is out of scores, results and per-run tables, and no new pool, comparison or release has it.",
        "An answer that another run gave too stays, as that run's. An answer that only this run gave is"
        " no longer accepted.",
        "What was judged stays, and stays payable. Its name stays taken.",
        "Releases that were made never change.",
    ),
    return_consequences=(
        "The run is in scores, results and new pools, comparisons and releases again.",
        "Releases that were made never change.",
    ),
)
POOL = Kind(
    name="pool",
    noun="pool",
    rows=lambda study: study.pools.select_related("study", "dataset__study"),
    rests_on=queries.rests_on_pool,
    href=lambda pool: reverse("pool", args=[pool.study.slug, pool.pk]),
    withdraw=actions.withdraw_pool,
    bring_back=actions.bring_pool_back,
    consequences=(
        "No new batch can use the pool, and nothing can be drawn from it. Lists show it as withdrawn.",
        "Its pages stay readable, and its name stays taken.",
        "Releases that were made never change.",
    ),
    return_consequences=("The pool can be asked about in new batches again.",),
    objection=objections.of_pool,
    return_objection=objections.of_pool_return,
)
DATASET = Kind(
    name="dataset",
    noun="data set",
    rows=lambda study: study.datasets.select_related("study"),
    rests_on=queries.rests_on_dataset,
    href=lambda dataset: reverse(
        "dataset", args=[dataset.study.slug, dataset.name, dataset.version]
    ),
    withdraw=actions.withdraw_dataset,
    bring_back=actions.bring_dataset_back,
    consequences=(
        "This version is used for nothing new: no run, scores, pool, batch or release. Where a version"
        " is chosen for you, it is another one.",
        "What was judged on it stays, and stays payable. Its results stay readable, and its closed batches"
        " can be read.",
        "Other versions of the data set are not touched.",
        "Releases that were made never change.",
    ),
    return_consequences=("The version can be used for new runs, pools, batches and releases.",),
    objection=objections.of_dataset,
)
RELEASE = Kind(
    name="release",
    noun="release",
    rows=lambda study: study.releases.select_related("study"),
    rests_on=queries.rests_on_release,
    href=lambda release: reverse("release", args=[release.study.slug, release.number]),
    withdraw=actions.withdraw_release,
    bring_back=actions.bring_release_back,
    consequences=(
        "Its page, the list of releases and the API say that it is withdrawn, and why.",
        "Its files stay as they are, and can be downloaded by the people who can read it. Copies of them say nothing"
        " of it: tell whoever has one.",
        "The next release is compared with the newest one that is not withdrawn.",
    ),
    return_consequences=("Later releases are compared with it again, if it is the newest.",),
    objection=objections.of_release,
    return_objection=objections.of_release_return,
    called=lambda release: f"release {release}",
    key="number",
)
KINDS = {kind.name: kind for kind in (BATCH, RUN, POOL, DATASET, RELEASE)}
