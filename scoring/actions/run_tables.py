"""The runs of a data set under its scorers as a table is shown: on the page, in its files, by the command."""

from collections.abc import Iterable, Sequence

from django.db.models import Case, IntegerField, QuerySet, Value, When

from accounts import permissions
from accounts.models import Role, User
from corpus.models import Dataset, Run, RunKind
from jobs.actions import execution
from scoring.actions import run_measures
from scoring.denominators import Denominator
from scoring.figures import ORIGINAL, REWRITTEN, Comparison, Figure
from scoring.models import Scorer
from scoring.presenter import Shown, ShownRun, ShownScorer

# Of a run or a scorer that has come since a job counted.
UNCOUNTED = Figure(None, "not counted yet", None, None, "", 0, 0, 0, 0)


def runs(dataset: Dataset) -> QuerySet[Run]:
    """Those that compete, by what they were asked: original questions, rewritten ones, others, unsaid."""
    places = Case(
        When(setup=ORIGINAL, then=Value(0)),
        When(setup=REWRITTEN, then=Value(1)),
        When(setup="", then=Value(3)),
        default=Value(2),
        output_field=IntegerField(),
    )
    competing = dataset.runs.exclude(kind=RunKind.REFERENCE)
    return competing.annotate(place=places).order_by("place", "setup", "name")


def figures_of(run: Run, scorers: Iterable[Scorer], comparison: Comparison) -> list[Figure]:
    """One for each scorer, in their order."""
    return [comparison.figures.get((run.pk, scorer.pk), UNCOUNTED) for scorer in scorers]


def shown(
    dataset: Dataset,
    scorers: Sequence[Scorer],
    denominator: Denominator,
    comparison: Comparison,
    rows: Iterable[Run],
) -> Shown:
    return Shown(
        dataset=str(dataset),
        denominator=denominator,
        n_clusters=comparison.n_clusters,
        scorers=[shown_scorer(scorer) for scorer in scorers],
        rows=[
            (
                ShownRun(run.name, run.kind, run.team, run.system, run.setup),
                figures_of(run, scorers, comparison),
            )
            for run in rows
        ],
    )


def shown_scorer(scorer: Scorer) -> ShownScorer:
    return ShownScorer(
        metric=scorer.metric,
        label=scorer.label,
        name=scorer.name,
        version=scorer.version,
        short=scorer.short,
        source="computed" if scorer.study_id is None else "imported",
    )


def compared(
    dataset: Dataset, scorers: Sequence[Scorer], denominator: Denominator, *, by: User
) -> Comparison:
    """As the page has it: counted here, or where that is too much for a page, by its job, which is done now
    unless one has counted just this. Raises NothingToCountError, JobStateError, JobFailedError.
    """
    permissions.require(by, dataset.study, Role.REQUESTER)
    if run_measures.is_at_once(dataset, scorers):
        return run_measures.compared(dataset, scorers, denominator)
    job = run_measures.counted(dataset)
    if job is None or job.params != run_measures.basis(dataset, scorers):
        job = execution.run(run_measures.begin(dataset=dataset, by=by))
    return run_measures.comparison_of(job, denominator)
