"""The table of runs and scorers that the page, its downloads and the command `scores` show."""

from collections.abc import Iterable, Sequence

from django.db.models import Case, IntegerField, QuerySet, Value, When

from accounts import permissions
from accounts.models import Role, User
from corpus.models import Dataset, Run
from jobs.actions import execution
from scoring.actions import run_measures
from scoring.denominators import Denominator
from scoring.figures import ORIGINAL, REWRITTEN, Comparison, Figure
from scoring.models import Scorer
from scoring.presenter import ScoresTable, TableRun, TableScorer

# Of a run or a scorer that has come since a job counted.
UNCOUNTED = Figure(None, "not counted yet", None, None, "", 0, 0, 0, 0)


def sorted_runs(dataset: Dataset) -> QuerySet[Run]:
    """Return systems and baselines, sorted by setup.

    Original questions come first, then rewritten ones, others, none given.
    """
    places = Case(
        When(setup=ORIGINAL, then=Value(0)),
        When(setup=REWRITTEN, then=Value(1)),
        When(setup="", then=Value(3)),
        default=Value(2),
        output_field=IntegerField(),
    )
    competing = dataset.runs.counting().competing()
    return competing.annotate(place=places).order_by("place", "setup", "name")


def figures_of(run: Run, scorers: Iterable[Scorer], comparison: Comparison) -> list[Figure]:
    """The run's figure under each scorer, in the order of the scorers."""
    return [comparison.figures.get((run.pk, scorer.pk), UNCOUNTED) for scorer in scorers]


def scores_table(
    dataset: Dataset,
    scorers: Sequence[Scorer],
    denominator: Denominator,
    comparison: Comparison,
    rows: Iterable[Run],
) -> ScoresTable:
    return ScoresTable(
        dataset=str(dataset),
        denominator=denominator,
        n_clusters=comparison.n_clusters,
        scorers=[table_scorer(scorer) for scorer in scorers],
        rows=[
            (
                TableRun(run.name, run.kind, run.team, run.system, run.setup),
                figures_of(run, scorers, comparison),
            )
            for run in rows
        ],
    )


def table_scorer(scorer: Scorer) -> TableScorer:
    return TableScorer(
        metric=scorer.metric,
        label=scorer.label,
        name=scorer.name,
        version=f"{scorer.version}{scorer.marks}",
        short=scorer.short,
        source="computed" if scorer.study_id is None else "imported",
    )


def current_comparison(
    dataset: Dataset, scorers: Sequence[Scorer], denominator: Denominator, *, by: User
) -> Comparison:
    """Return the comparison of the data set as it is now.

    A large one is run as the page's job, unless a finished job has the same inputs. Raises
    NothingToCountError, JobStateError, JobFailedError.
    """
    permissions.require_reader(by, dataset.study, Role.REQUESTER)
    if run_measures.is_at_once(dataset, scorers):
        return run_measures.comparison_now(dataset, scorers, denominator)
    job = run_measures.newest_job(dataset)
    if job is None or job.params != run_measures.basis(dataset, scorers):
        job = execution.run(run_measures.begin(dataset=dataset, by=by))
    return run_measures.comparison_of(job, denominator)
