from argparse import ArgumentParser
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from accounts.commands import TouchstoneCommand
from accounts.commands.summaries import table
from exports.comparison import summary_table
from exports.releases import reader
from exports.releases.reader import FolderFiles
from exports.results.wording import MEASURES, group_sentences, unequal_draw_note
from exports.rows.earlier_answers import accepted_in_files

BATCH_COLUMNS = (
    "batch",
    "question",
    "items",
    "decided",
    "disputed",
    "set aside",
    "judgements",
    "raw agreement",
    "alpha",
)
RUN_COLUMNS = (
    "run",
    "kind",
    "n_answers",
    "drawn",
    "plausible",
    "implausible",
    "malformed",
    "disputed",
    "faithful",
    "unfaithful",
    "irrelevant",
    "no_evidence",
    "not_asked",
    "gold",
    "silver",
)
REHEARSAL = "REHEARSAL: simulated people judged, right or wrong at random. Use it for nothing."


class Command(TouchstoneCommand):
    help = "Print the tables of a release: agreement, runs, accepted answers."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", metavar="DIR")

    def handle(self, *args: Any, **options: Any) -> None:
        folder = Path(options["folder"])
        if not folder.is_dir():
            raise CommandError(f"there is no folder {folder}")
        files = FolderFiles(folder)
        try:
            if reader.is_comparison(files):
                self.show_comparison(reader.read_comparison(files), folder)
                return
            release = reader.read(files)
        except reader.BrokenReleaseError as error:
            raise CommandError(str(error)) from error
        self.show_head(release)
        self.show("Batches", BATCH_COLUMNS, batches(release.report))
        runs = [[row[column] for column in RUN_COLUMNS] for row in release.per_run]
        self.show("Runs", RUN_COLUMNS, runs)
        self.stdout.write("  Other columns are in per_run.csv; columns.md says what each holds.")
        self.show_compared(release.report)
        self.show_accepted(release)
        self.show_precision(release.report)
        self.show_files(release.manifest, folder)

    def show_comparison(self, release: reader.ComparisonContents, folder: Path) -> None:
        manifest = release.manifest
        if manifest["is_rehearsal"]:
            self.stdout.write(REHEARSAL)
        number = f"Release {manifest['release']}" if "release" in manifest else "A comparison"
        self.stdout.write(
            f"{number} of the study {manifest['study']}: systems compared by"
            f" {manifest['n_judgements']} judgements"
        )
        names = summary_table.setup_names(release.figures["setups"])
        for at, name in enumerate(names):
            rows = [
                [row.run, row.kind, *(comparison_figure(cell) for cell in row.cells[at])]
                for row in summary_table.rows(release.figures)
                if row.cells[at]
            ]
            header = ("run", "kind", *(column.head for column in summary_table.COLUMNS))
            self.show(f"Runs: {name}", header, rows)
        self.show_files(manifest, folder)

    def show_files(self, manifest: dict[str, Any], folder: Path) -> None:
        self.stdout.write(f"\nFiles in {folder}:")
        for name in sorted([*manifest["files"], reader.MANIFEST]):
            self.stdout.write(f"  {name}")

    def show_head(self, release: reader.ReleaseContents) -> None:
        manifest = release.manifest
        if manifest["is_rehearsal"]:
            self.stdout.write(REHEARSAL)
        dataset = f"{manifest['dataset']['name']}@{manifest['dataset']['version']}"
        n_accepted = accepted_in_files(release.report)
        self.stdout.write(
            f"Release {manifest['release']} of the study {manifest['study']}, data set {dataset}:"
            f" {n_accepted['gold']} gold and {n_accepted['silver']} silver answers"
        )

    def show_compared(self, report: dict[str, Any]) -> None:
        """Print the rates of the runs, and the groups that are not distinguishable, if the release
        has them.
        """
        measures = report.get("runs", {}).get("measures", {})
        if not measures:
            return
        of_run = zip(*(measures[name]["rates"] for name in MEASURES), strict=True)
        rows = [[rates[0]["run"], *map(figure, rates)] for rates in of_run]
        self.show("Rates of the runs", ("run", *MEASURES), rows)
        if note := unequal_draw_note(report["runs"]):
            self.stdout.write(f"  {note}")
        for sentence in group_sentences(measures["plausible"]):
            self.stdout.write(f"  By the plausible rate: {sentence}")

    def show_precision(self, report: dict[str, Any]) -> None:
        """Print the shares of accepted answers that hold, if the release has precision audits."""
        rows = [
            [
                str(audit["audit"]),
                tier,
                str(figures["n_accepted"]),
                str(figures["n_judged"]),
                share(figures),
            ]
            for audit in report.get("precision", [])
            for tier, figures in [
                *((each["tier"], each) for each in audit["tiers"]),
                ("all", audit),
            ]
        ]
        if rows:
            header = ("audit", "tier", "accepted", "judged", "share that holds")
            self.show("Precision audits", header, rows)

    def show_accepted(self, release: reader.ReleaseContents) -> None:
        """Print the gold answers or, if there are none, the silver ones."""
        header = ("turn", "answer", "runs")
        gold, silver = accepted(release.gold.records()), accepted(release.silver.records())
        if gold or not silver:
            self.show("Accepted answers (gold)", header, gold)
        else:
            self.show("Accepted answers (silver; there are no gold ones)", header, silver)

    def show(self, title: str, header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        self.stdout.write(f"\n{title}")
        widths = [max(map(len, column)) for column in zip(header, *rows, strict=True)]
        for line in table([header, ["-" * width for width in widths], *rows], indent="  "):
            self.stdout.write(line)


def batches(report: dict[str, Any]) -> list[list[str]]:
    """A row for each batch and question, with its agreement."""
    return [
        [
            batch["batch"],
            question,
            str(batch["n_items"]),
            str(sum(batch["verdicts"].values())),
            str(batch["n_disputed"]),
            str(sum(batch["set_aside"].values())),
            str(batch["n_judgements"]["counted"]),
            figure(agreement["raw"]),
            figure(agreement["alpha"]),
        ]
        for batch in report["batches"]
        for question, agreement in batch["agreement"].items()
    ]


def figure(agreement: dict[str, Any]) -> str:
    """A value with its interval, or why it is undefined."""
    value, interval = agreement["value"], agreement["interval"]
    if value is None:
        return f"undefined: {agreement['reason']}"
    if interval["low"] is None:
        return f"{value:.2f}"
    return f"{value:.2f} [{interval['low']:.2f}, {interval['high']:.2f}]"


def comparison_figure(cell: summary_table.Cell) -> str:
    """The value of a cell, or a dash where there is none."""
    value = cell.figure["value"] if cell.figure else None
    return "-" if value is None else f"{value:.2f}"


def share(figures: dict[str, Any]) -> str:
    """The share that holds, with its limits."""
    return figure(figures["share"] | {"interval": figures["share"]})


def accepted(records: Iterable[dict[str, Any]]) -> list[list[str]]:
    return [
        [
            f"{record['Conversation_no']}_{record['Turn_no']}",
            shortened(answer["answer"]),
            ", ".join(answer["runs"]),
        ]
        for record in records
        for answer in record["Truth_answers_alternative"]
    ]


def shortened(text: str, most: int = 70) -> str:
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[: most - 1]}…"
