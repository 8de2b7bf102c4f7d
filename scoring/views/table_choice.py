"""Which table of runs and scorers an address asks for, and its figures."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db.models import Case, FloatField, Value, When
from django.http import HttpRequest
from django.urls import reverse

from accounts.models import Study
from corpus.models import Dataset, Run
from jobs.models import Job
from pages.listing import Column, Listing
from scoring.actions import run_measures, run_tables
from scoring.denominators import Denominator
from scoring.figures import Comparison, Figure
from scoring.models import Scorer
from scoring.presenter import Shown

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
    """The figures, and the runs in the order and to the extent that the address asks for.

    `job` counted them; None where they were counted just now.
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

    def shown(self) -> Shown:
        """The rows of all pages."""
        choice = self.choice
        return run_tables.shown(
            choice.dataset, choice.scorers, choice.denominator, self.comparison, self.listing.rows
        )


def chosen(request: HttpRequest, study: Study) -> Choice | None:
    """What is asked for, as far as it is there: else the newest data set, over all turns."""
    datasets = list(study.datasets.select_related("study").order_by("-created_at", "-pk"))
    if not datasets:
        return None
    asked = request.GET.get("dataset", "")
    dataset = next((each for each in datasets if str(each.pk) == asked), datasets[0])
    over = DENOMINATORS.get(request.GET.get("over", ""), Denominator.ALL_TURNS)
    return Choice(datasets, dataset, run_measures.scorers(dataset), over)


def table(request: HttpRequest, choice: Choice) -> Table | None:
    """Counted now, or by the newest job, which may be of another day; None where no job has counted."""
    job = None
    if run_measures.is_at_once(choice.dataset, choice.scorers):
        found = run_measures.compared(choice.dataset, choice.scorers, choice.denominator)
    else:
        job = run_measures.counted(choice.dataset)
        if job is None:
            return None
        found = run_measures.comparison_of(job, choice.denominator)
    of_runs = list(run_tables.runs(choice.dataset).values_list("setup", "team"))
    has_teams = any(team for _, team in of_runs)
    setups = tuple(dict.fromkeys(setup for setup, _ in of_runs))
    listing = _listing(request, choice, found, [NAME, TEAM] if has_teams else [NAME])
    return Table(choice, found, listing, setups, has_teams, job)


def _listing(
    request: HttpRequest, choice: Choice, found: Comparison, columns: Sequence[Column]
) -> Listing:
    keys = [f"mean_{scorer.pk}" for scorer in choice.scorers]
    labels = _headings(choice.scorers)
    means = (
        Column(key, name, (key,), is_number=True) for key, name in zip(keys, labels, strict=True)
    )
    return Listing(
        request,
        run_tables.runs(choice.dataset).annotate(**_sort_key(request, choice.scorers, found)),
        columns=(*columns, *means),
        search=("name", "team", "system", "setup"),
        groups=("place", "setup"),
        path=reverse("scores", args=[choice.dataset.study.slug]),
    )


def _headings(scorers: Sequence[Scorer]) -> list[str]:
    """Measure and scorer, with the version where another one is called the same."""
    names = [f"{scorer.label} {scorer.name}" for scorer in scorers]
    return [
        name if names.count(name) == 1 else f"{scorer.label} {scorer.short}"
        for name, scorer in zip(names, scorers, strict=True)
    ]


def _sort_key(
    request: HttpRequest, scorers: Sequence[Scorer], found: Comparison
) -> dict[str, Case]:
    """The means of the one scorer that the list is sorted by."""
    asked = request.GET.get("sort", "").removeprefix("-")
    scorer = next((each.pk for each in scorers if f"mean_{each.pk}" == asked), None)
    if scorer is None:
        return {}
    means = [
        When(pk=run, then=Value(figure.value))
        for (run, of), figure in found.figures.items()
        if of == scorer and figure.value is not None
    ]
    return {asked: Case(*means, default=Value(LOWEST), output_field=FloatField())}
