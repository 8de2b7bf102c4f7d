"""What a pool is drawn from: a data set and a scorer, and the address of the desk with a rule on them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from django.http import Http404, QueryDict
from django.urls import reverse

from accounts.models import Study
from corpus.models import Dataset, RunKind
from sampling.actions import pools
from sampling.actions.pools import PoolError
from sampling.pools.rule import Rule
from scoring import queries as scoring_tables
from scoring.models import Metric, Scorer

Row = TypeVar("Row", Dataset, Scorer)


@dataclass(frozen=True)
class Missing:
    """Why nothing can be drawn yet, and where to go for it."""

    sentence: str
    name: str  # of the address
    button: str


@dataclass(frozen=True)
class Answered:
    """A data set that has runs, among all of the study's."""

    datasets: Sequence[Dataset]
    dataset: Dataset
    runs: Sequence[str]


@dataclass(frozen=True)
class Choice:
    study: Study
    datasets: Sequence[Dataset]
    dataset: Dataset
    runs: Sequence[str]
    scorers: Sequence[Scorer]
    scorer: Scorer
    scorer_name: str  # what a rule calls the scorer


def named(study: Study, given: QueryDict) -> Choice | Missing:
    """Exactly what is asked for. Raises Http404 where its data set or scorer is not there."""
    choice = chosen(study, given)
    if isinstance(choice, Choice):
        for field, row in (("dataset", choice.dataset), ("scorer", choice.scorer)):
            if given.get(field, str(row.pk)) != str(row.pk):
                raise Http404(f"the {field} that was chosen is not there")
    return choice


def chosen(study: Study, given: QueryDict) -> Choice | Missing:
    """What is asked for, as far as it is there: else the newest data set, and its newest scorer."""
    found = answered(study, given)
    if isinstance(found, Missing):
        return found
    dataset = found.dataset
    scorers = scoring_tables.scorers(dataset, Metric.SAS)
    if not scorers:
        return Missing(
            f"Answers are drawn by their SAS, and those to {dataset} have none yet.",
            "score_start",
            "Score the answers",
        )
    newest = max(scorers, key=lambda each: each.pk)
    scorer = _asked(scorers, given.get("scorer", "")) or newest
    return Choice(
        study, found.datasets, dataset, found.runs, scorers, scorer, _called(scorer, dataset)
    )


def answered(study: Study, given: QueryDict) -> Answered | Missing:
    """The data set that is asked for, or else the newest, with its systems and baselines."""
    datasets = list(study.datasets.select_related("study").order_by("-created_at", "-pk"))
    if not datasets:
        return Missing(
            "Pools are drawn from the runs of a data set, and there is none yet.",
            "dataset_import",
            "Import a data set",
        )
    dataset = _asked(datasets, given.get("dataset", "")) or datasets[0]
    runs = dataset.runs.exclude(kind=RunKind.REFERENCE).order_by("name")
    names = list(runs.values_list("name", flat=True))
    if not names:
        return Missing(
            f"The data set {dataset} has no runs to draw from.", "run_import", "Import runs"
        )
    return Answered(datasets, dataset, names)


def _asked(rows: Sequence[Row], pk: str) -> Row | None:
    return next((each for each in rows if str(each.pk) == pk), None)


def _called(scorer: Scorer, dataset: Dataset) -> str:
    """Its name, or more of it where another one bears the name too."""
    for name in (scorer.name, scorer.short):
        try:
            if pools.scorer_called(name, dataset) == scorer:
                return name
        except PoolError:
            continue  # the name means two
    return str(scorer)


def address(study: Study, dataset_id: int, scorer_id: int, rule: Rule, **more: str) -> str:
    """The desk with this rule."""
    query = QueryDict(mutable=True)
    query["dataset"], query["scorer"] = str(dataset_id), str(scorer_id)
    for name, value in rule.to_dict().items():
        if name == "runs":
            query.setlist("runs", value or [])
        elif name != "scorer" and value is not None:
            query[name] = str(value)
    query.update(more)
    return f"{reverse('pool_new', kwargs={'study': study.slug})}?{query.urlencode()}"
