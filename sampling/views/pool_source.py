"""The source of a pool, a data set and a scorer, and the address of the desk with a rule."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from django.http import Http404, QueryDict
from django.urls import reverse

from accounts.models import Study
from corpus.models import Dataset, RunKind
from corpus.versions import with_work_first
from sampling.actions import pool_draws
from sampling.actions.pools import PoolError
from sampling.pools.rule import Rule
from scoring import score_queries
from scoring.models import Metric, Scorer

Row = TypeVar("Row", Dataset, Scorer)


@dataclass(frozen=True)
class MissingSource:
    """The reason why nothing can be drawn yet, the page that changes that, and the data sets to choose from."""

    sentence: str
    name: str  # of the address
    button: str
    datasets: Sequence[Dataset] = ()
    dataset: Dataset | None = None

    @property
    def query(self) -> str:
        """Return the query by which the page is about the chosen data set."""
        return "" if self.dataset is None else f"?dataset={self.dataset.pk}"


@dataclass(frozen=True)
class DatasetWithRuns:
    """The study's data sets, and one of them with its runs."""

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


def requested_choice(study: Study, query: QueryDict) -> Choice | MissingSource:
    """Return the choice in the query. Raises Http404 if its data set or scorer does not exist."""
    choice = choice_or_default(study, query)
    if isinstance(choice, Choice):
        for field, row in (("dataset", choice.dataset), ("scorer", choice.scorer)):
            if query.get(field, str(row.pk)) != str(row.pk):
                raise Http404(f"the {field} that was chosen is not there")
    return choice


def choice_or_default(study: Study, query: QueryDict) -> Choice | MissingSource:
    """Return the choice in the query.

    If it is missing or unknown, the newest data set and scorer.
    """
    source = dataset_with_runs(study, query)
    if isinstance(source, MissingSource):
        return source
    dataset = source.dataset
    scorers = score_queries.scorers(dataset, Metric.SAS)
    if not scorers:
        return MissingSource(
            f"Answers are drawn by their SAS, and those to {dataset} have none yet.",
            "score_start",
            "Score the answers",
            source.datasets,
            dataset,
        )
    # Of those against the truth, if there are any.
    newest = max(scorers, key=lambda each: (not each.marks, each.pk))
    scorer = _row_of_pk(scorers, query.get("scorer", "")) or newest
    return Choice(
        study, source.datasets, dataset, source.runs, scorers, scorer, _scorer_name(scorer, dataset)
    )


def dataset_with_runs(study: Study, query: QueryDict) -> DatasetWithRuns | MissingSource:
    """The data set in the query, else the newest with runs, with its systems and baselines."""
    datasets = list(with_work_first(study.datasets.counting().select_related("study")))
    if not datasets:
        return MissingSource(
            "Pools are drawn from the runs of a data set, and there is none yet.",
            "dataset_import",
            "Import a data set",
        )
    dataset = _row_of_pk(datasets, query.get("dataset", "")) or datasets[0]
    runs = dataset.runs.counting().exclude(kind=RunKind.REFERENCE).order_by("name")
    names = list(runs.values_list("name", flat=True))
    if not names:
        return MissingSource(
            f"The data set {dataset} has no runs to draw from.",
            "run_import",
            "Import runs",
            datasets,
            dataset,
        )
    return DatasetWithRuns(datasets, dataset, names)


def _row_of_pk(rows: Sequence[Row], pk: str) -> Row | None:
    return next((each for each in rows if str(each.pk) == pk), None)


def _scorer_name(scorer: Scorer, dataset: Dataset) -> str:
    """The scorer's name, with its version if another scorer has the name, too."""
    for name in (scorer.name, scorer.short):
        try:
            if pool_draws.scorer_by_name(name, dataset) == scorer:
                return name
        except PoolError:
            continue  # the name means two
    return str(scorer)


def address(dataset: Dataset, scorer_id: int, rule: Rule, **more: str) -> str:
    """Return the address of the desk with this rule."""
    query = QueryDict(mutable=True)
    query["dataset"], query["scorer"] = str(dataset.pk), str(scorer_id)
    if dataset.continues_id is not None and not rule.leaves_out_standing:
        query["asks_again"] = "on"
    for name, value in rule.to_dict().items():
        if name == "runs":
            query.setlist("runs", value or [])
        elif name not in ("scorer", "leaves_out_standing") and value is not None:
            query[name] = str(value)
    query.update(more)
    return f"{reverse('pool_new', kwargs={'study': dataset.study.slug})}?{query.urlencode()}"
