from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from accounts.commands.summaries import table
from corpus.commands import DATASET
from exports.late_runs.stored_figures import LateFigures
from exports.late_runs.tables import WORDS
from jobs.actions import jobs
from jobs.commands import JobCommand
from jobs.handlers import JobFailedError

HEADER = ("run", "pool", *(words.lower() for words in WORDS.values()), "coverage", "accepted share")


class Command(JobCommand):
    help = "Print how the answers of runs that a pool was not drawn from stand to it, and which share of them is accepted."
    named: ClassVar = (DATASET,)

    def act(self, **options: Any) -> Mapping[str, Any]:
        dataset = options["dataset"]
        figures = LateFigures(options["study"], dataset)
        if figures.obstacle:
            raise JobFailedError(figures.obstacle)
        job = jobs.start(
            study=figures.study,
            kind=figures.kind,
            key=figures.key,
            params=figures.params,
            by=options["by"],
        )
        result = self.run(job, background=options["background"])
        if options["background"]:
            return result
        return {
            "dataset": str(dataset),
            "is_rehearsal": result["is_rehearsal"],
            "runs": result["runs"],
        }

    def lines(self, summary: Mapping[str, Any]) -> Iterator[str]:
        if "runs" not in summary:
            yield from super().lines(summary)
            return
        if summary["is_rehearsal"]:
            yield "REHEARSAL: simulated people judged. The numbers say nothing about the answers."
        yield from table([HEADER, *(cells(run) for run in summary["runs"])])


def cells(run: Mapping[str, Any]) -> tuple[str, ...]:
    standings = (str(run["standings"][name]) for name in WORDS)
    coverage = "-" if run["coverage"] is None else f"{run['coverage']:.0%}"
    return (run["run"], run["pool"], *standings, coverage, share(run))


def share(run: Mapping[str, Any]) -> str:
    """Return the estimate with its interval, if there is one, and the bounds; or why there are none."""
    if run["lower"] is None:
        return f"undefined: {run['reason']}"
    bounds = f"bounds {run['lower']:.0%} to {run['upper']:.0%}"
    value, interval = run["estimate"]["value"], run["estimate"]["interval"]
    if value is None:
        return bounds
    ends = "" if interval["low"] is None else f" [{interval['low']:.0%}, {interval['high']:.0%}]"
    return f"{value:.0%}{ends}, {bounds}"
