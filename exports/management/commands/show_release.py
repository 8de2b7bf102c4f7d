import csv
import json
from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

BATCH_COLUMNS = ("batch", "question", "items", "judgements", "raw agreement", "alpha")
RUN_COLUMNS = (
    "run",
    "n_answers",
    "represented",
    "plausible",
    "implausible",
    "malformed",
    "disputed",
    "faithful",
    "unfaithful",
    "no_evidence",
    "gold",
    "silver",
)


class Command(BaseCommand):
    help = "Print the tables of a release: how its batches agreed, its runs, its accepted answers."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", metavar="DIR")

    def handle(self, *args: Any, **options: Any) -> None:
        folder = Path(options["folder"])
        if not (folder / "manifest.json").is_file():
            raise CommandError(f"{folder} is no release: there is no manifest.json in it")
        report = json.loads((folder / "report.json").read_text(encoding="utf-8"))
        with (folder / "per_run.csv").open(encoding="utf-8", newline="") as file:
            runs = [[row[column] for column in RUN_COLUMNS] for row in csv.DictReader(file)]
        gold = json.loads((folder / "gold.json").read_text(encoding="utf-8"))
        self.show("Batches", BATCH_COLUMNS, batches(report))
        self.show("Runs", RUN_COLUMNS, runs)
        self.show("Accepted answers (gold)", ("turn", "answer", "runs"), accepted(gold))
        self.stdout.write(f"\nFiles in {folder}:")
        for path in sorted(folder.iterdir()):
            self.stdout.write(f"  {path.name}")

    def show(self, title: str, header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        self.stdout.write(f"\n{title}")
        widths = [max(map(len, column)) for column in zip(header, *rows, strict=True)]
        for row in (header, ["-" * width for width in widths], *rows):
            cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
            self.stdout.write("  " + "  ".join(cells).rstrip())


def batches(report: dict[str, Any]) -> list[list[str]]:
    """One row for each batch and question asked, with the agreement on it."""
    return [
        [
            batch["batch"],
            question,
            str(batch["n_items"]),
            str(batch["n_judgements"]["counted"]),
            figure(agreement["raw"]),
            figure(agreement["alpha"]),
        ]
        for batch in report["batches"]
        for question, agreement in batch["agreement"].items()
    ]


def figure(agreement: dict[str, Any]) -> str:
    """A value with its interval, or why there is none."""
    value, interval = agreement["value"], agreement["interval"]
    if value is None:
        return f"undefined: {agreement['reason']}"
    if interval["low"] is None:
        return f"{value:.2f}"
    return f"{value:.2f} [{interval['low']:.2f}, {interval['high']:.2f}]"


def accepted(records: list[dict[str, Any]]) -> list[list[str]]:
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
