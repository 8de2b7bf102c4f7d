from argparse import ArgumentParser
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from accounts.commands.summaries import table
from corpus.commands import DATASET
from exports.leave_one_team_out.stored_figures import LeftOutFigures
from exports.leave_one_team_out.tables import MEASURES
from exports.rows.tiers import GOLD, TIERS
from jobs.actions import jobs
from jobs.commands import JobCommand
from jobs.handlers import JobFailedError

HEADER = ("run", "team", "all", "left out", "bias", "unique share", "rank", "change of rank")


class Command(JobCommand):
    help = (
        "Score each run without the accepted answers that its own team alone gave, to see whether the data set"
        " is fair to a system that comes later."
    )
    named: ClassVar = (DATASET,)

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--tier",
            choices=TIERS,
            default=GOLD,
            help="accepted are gold answers, or silver ones too",
        )
        parser.add_argument(
            "--redraw",
            action="store_true",
            help="draw the pools anew without the team; slower; default: the answers that only its"
            " runs gave are left out",
        )

    def act(self, **options: Any) -> Mapping[str, Any]:
        dataset = options["dataset"]
        figures = LeftOutFigures(
            options["study"], dataset, options["tier"], is_redrawn=options["redraw"]
        )
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
            "tier": options["tier"],
            "is_redrawn": options["redraw"],
            **{name: result[name] for name in ("is_rehearsal", "n_accepted", "n_without_team")},
            "measures": result["measures"],
        }

    def lines(self, summary: Mapping[str, Any]) -> Iterator[str]:
        if "measures" not in summary:
            yield from super().lines(summary)
            return
        if summary["is_rehearsal"]:
            yield "REHEARSAL: simulated people judged. The numbers say nothing about the answers."
        if n := summary["n_without_team"]:
            yield f"{n} of the runs have no team: each is left out by itself"
        for measure, found in summary["measures"].items():
            yield f"{MEASURES[measure]}, {found['n_questions']} questions:"
            yield from table([HEADER, *(cells(run) for run in found["runs"])], indent="  ")
            if found["mean_bias"] is not None:
                yield f"  mean bias {found['mean_bias']:.3f}, largest {found['largest_bias']:.3f}"
            if late := [run["run"] for run in found["runs"] if run["is_late"]]:
                yield f"  came later, ranked but in no mean: {', '.join(late)}"
            yield (
                f"  tau b {in_words(found['kendall_tau_b'], 3)}, tau AP {in_words(found['tau_ap'], 3)},"
                f" greatest fall {found['greatest_fall']:g} {', '.join(found['fallen'])}".rstrip()
            )


def cells(run: Mapping[str, Any]) -> tuple[str, ...]:
    return (
        *(run["run"], run["team"] or "-", f"{run['full']:.3f}", f"{run['left_out']:.3f}"),
        in_words(run["bias"], 3),
        in_words(run["unique_share"], 2),
        f"{run['place']:g}",
        in_words(run["change"], 1),
    )


def in_words(estimate: Mapping[str, Any], digits: int) -> str:
    """Return a figure with its interval, or why it is undefined."""
    if estimate["value"] is None:
        return f"undefined: {estimate['reason']}"
    low, high = estimate["interval"]["low"], estimate["interval"]["high"]
    ends = "" if low is None else f" [{low:.{digits}f}, {high:.{digits}f}]"
    return f"{estimate['value']:.{digits}f}{ends}"
