"""The table of runs and scorers that an address asks for, with its figures."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db.models import Case, FloatField, Value, When
from django.http import HttpRequest
from django.urls import reverse

from accounts.models import Study
from corpus.models import Dataset, Run
from corpus.versions import with_work_first
from jobs.models import Job
from pages.listing import Column, Listing
from scoring.actions import run_measures, run_tables
from scoring.denominators import Denominator
from scoring.figures import Comparison, Figure
from scoring.models import Scorer
from scoring.presenter import ScoresTable

NAME, TEAM = Column("name", "Run", ("name",)), Column("team", "Team", ("team", "name"))
DENOMINATORS = {"": Denominator.ALL_TURNS, "evaluator": Denominator.AS_EVALUATOR}
# Where an undefined mean stands: databases differ in where they put what is not known.
LOWEST = -1e308


@dataclass(frozen=True)
class Choice:
    datasets: Sequence[Dataset]
    dataset: Dataset
    scorers: Sequence[Scorer]
    denominator: Denominator


@dataclass(frozen=True)
class Table:
    """The figures, and the runs as sorted, searched and paged by the address.

    `job` computed the figures; None if this request did.
    """

    choice: Choice
    comparison: Comparison
    listing: Listing
    setups: Sequence[str]
    has_teams: bool
    job: Job | None

    def rows(self, runs: Iterable[Run]) -> list[tuple[Run, list[Figure]]]:
        scorers = self.choice.scorers
        return [(run, run_tables.figures_of(run, scorers, self.comparison)) for run in runs]

    def scores_table(self) -> ScoresTable:
        """The rows of all pages."""
        choice = self.choice
        return run_tables.scores_table(
            choice.dataset, choice.scorers, choice.denominator, self.comparison, self.listing.rows
        )


def choice_of(request: HttpRequest, study: Study) -> Choice | None:
    """Return the choice in the address.

    If it is missing or unknown, it is the newest data set with runs over all turns.
    """
    datasets = list(with_work_first(study.datasets.select_related("study")))
    if not datasets:
        return None
    requested = request.GET.get("dataset", "")
    dataset = next((dataset for dataset in datasets if str(dataset.pk) == requested), datasets[0])
    denominator = DENOMINATORS.get(request.GET.get("over", ""), Denominator.ALL_TURNS)
    return Choice(datasets, dataset, run_measures.scorers(dataset), denominator)


def table(request: HttpRequest, choice: Choice) -> Table | None:
    """The table computed now or, of a large data set, by the newest job; None if there is no such job."""
    job = None
    if run_measures.is_at_once(choice.dataset, choice.scorers):
        comparison = run_measures.comparison_now(choice.dataset, choice.scorers, choice.denominator)
    else:
        job = run_measures.newest_job(choice.dataset)
        if job is None:
            return None
        comparison = run_measures.comparison_of(job, choice.denominator)
    of_runs = list(run_tables.sorted_runs(choice.dataset).values_list("setup", "team"))
    has_teams = any(team for _, team in of_runs)
    setups = tuple(dict.fromkeys(setup for setup, _ in of_runs))
    listing = _listing(request, choice, comparison, [NAME, TEAM] if has_teams else [NAME])
    return Table(choice, comparison, listing, setups, has_teams, job)


def _listing(
    request: HttpRequest, choice: Choice, comparison: Comparison, columns: Sequence[Column]
) -> Listing:
    keys = [f"mean_{scorer.pk}" for scorer in choice.scorers]
    labels = _headings(choice.scorers)
    means = (
        Column(key, name, (key,), is_number=True) for key, name in zip(keys, labels, strict=True)
    )
    return Listing(
        request,
        run_tables.sorted_runs(choice.dataset).annotate(
            **_sort_key(request, choice.scorers, comparison)
        ),
        columns=(*columns, *means),
        search=("name", "team", "system", "setup"),
        groups=("place", "setup"),
        path=reverse("scores", args=[choice.dataset.study.slug]),
    )


def _headings(scorers: Sequence[Scorer]) -> list[str]:
    """Measure and scorer, with the version if another column has the same name."""
    names = [f"{scorer.label} {scorer.name}" for scorer in scorers]
    return [
        name if names.count(name) == 1 else f"{scorer.label} {scorer.short}"
        for name, scorer in zip(names, scorers, strict=True)
    ]


def _sort_key(
    request: HttpRequest, scorers: Sequence[Scorer], comparison: Comparison
) -> dict[str, Case]:
    """The annotation with the means of the scorer that the list is sorted by."""
    requested = request.GET.get("sort", "").removeprefix("-")
    scorer = next((scorer.pk for scorer in scorers if f"mean_{scorer.pk}" == requested), None)
    if scorer is None:
        return {}
    means = [
        When(pk=run, then=Value(figure.value))
        for (run, scorer_pk), figure in comparison.figures.items()
        if scorer_pk == scorer and figure.value is not None
    ]
    return {requested: Case(*means, default=Value(LOWEST), output_field=FloatField())}
