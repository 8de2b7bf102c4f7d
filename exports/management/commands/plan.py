from argparse import ArgumentParser
from collections.abc import Iterator, Mapping
from dataclasses import asdict, fields
from typing import Any, ClassVar

from django.core.management.base import CommandError

from accounts import permissions
from accounts.commands import FormCommand, Named, Option, StudyCommand
from accounts.commands.summaries import table
from accounts.models import Role
from annotation.commands import batch_called
from exports.planning import figures, presenter
from exports.planning.figures import PlanRow
from exports.planning.forms import DEFAULTS, DIFFERENCE, ONE_RUN, PlanForm
from exports.planning.queries import defaults_of
from pages import spreadsheet
from pages.csv_lines import Cell
from sampling import pay

COLUMNS = tuple(field.name for field in fields(PlanRow))
HEADER = (
    "design",
    "questions",
    "annotators",
    "each",
    "half-width",
    "detectable",
    "all pairs",
    "judgements",
)


class Command(FormCommand, StudyCommand):
    help = (
        "Print how exact the figures of runs will be, and the minimum detectable difference, by"
        " number of questions and annotators."
    )

    named: ClassVar = (
        Named(
            "--batch",
            batch_called,
            metavar="NAME",
            help="a batch whose figure, numbers and price are the defaults",
        ),
        Named(
            "--pilot",
            batch_called,
            metavar="NAME",
            help="a batch whose judgements give the standard deviations; default: assumed ones (docs/comparing.md)",
        ),
    )
    form_class = PlanForm
    form_options: ClassVar = {
        "pilot": None,
        **{
            name: Option(
                help=f"{str(of_form.label).lower()}; default: {DEFAULTS[name]}", is_required=False
            )
            for name, of_form in PlanForm.base_fields.items()
            if name in DEFAULTS
        },
        "measure": Option(help="the figure; default: both, which is F+A", is_required=False),
        "price": Option(metavar="AMOUNT", help="price of one judgement; default: unpaid"),
        **{
            name: Option(
                metavar="SD",
                help="standard deviation, "
                f"{str(PlanForm.base_fields[name].label).lower()}; default: the pilot's or the assumed one",
            )
            for name in (*DIFFERENCE, *ONE_RUN)
        },
    }

    def add_options(self, parser: ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument(
            "--csv",
            action="store_true",
            help="print the two tables as CSV, in the unit of the figure: points of the scale, or shares",
        )

    def act(self, **options: Any) -> Mapping[str, Any]:
        if options["csv"] and options["json"]:
            raise CommandError("--json is not CSV: leave one out")
        study = options["study"]
        permissions.require_reader(options["by"], study, Role.REQUESTER)
        batch, of_pilot = options["batch"], options["pilot"]
        values = dict(defaults_of(batch)) if batch else {}
        form = self.form(
            options, values | ({"pilot": str(of_pilot.pk)} if of_pilot else {}), study=study
        )
        found = form.pilot_figures()
        self.plan = form.plan(found)
        self.spreads = presenter.spreads(self.plan)
        self.rows = figures.options(self.plan)
        self.grid = [row for rows in figures.grid(self.plan) for row in rows]
        self.as_csv = options["csv"]
        return {
            "study": study.slug,
            "measure": self.plan.measure.name,
            "runs": self.plan.n_runs,
            "items_per_question": self.plan.items_per_question,
            "pilot": found.batch.name if found else None,
            "pilot_judgements": found.n_judgements if found else None,
            "standard_deviations": {line.of: asdict(line.spread) for line in self.spreads},
            "undefined_in_pilot": {
                line.of: line.estimate.reason
                for line in self.spreads
                if line.estimate and line.estimate.reason
            },
            "options": [_json(row) for row in self.rows],
            "by_number": [_json(row) for row in self.grid],
        }

    def lines(self, summary: Mapping[str, Any]) -> Iterator[str]:
        rows = [*self.rows, *self.grid]
        if self.as_csv:
            cells = ([_cell(getattr(row, name)) for name in COLUMNS] for row in rows)
            yield "".join(spreadsheet.lines(COLUMNS, cells)).rstrip("\n")
            return
        measure = self.plan.measure
        source = f"from the batch {summary['pilot']}" if summary["pilot"] else "assumed"
        yield f"{measure.words}, {self.plan.n_runs} runs; standard deviations {source}:"
        for line in self.spreads:
            reason = summary["undefined_in_pilot"].get(line.of)
            yield (
                f"  {line.of}: between questions {line.spread.questions:.2f}, between annotators"
                f" {line.spread.people:.2f}, rest {line.spread.rest:.2f}"
                + (f" (assumed: {reason})" if reason else "")
            )
        for title, part in (
            ("One more annotator or 20 more questions?", self.rows),
            ("By number of questions and of annotators", self.grid),
        ):
            yield from ("", title)
            yield from table([HEADER, *map(self.cells, part)], indent="  ")

    def cells(self, row: PlanRow) -> tuple[str, ...]:
        def words(value: float | None) -> str:
            return "-" if value is None else presenter.in_words(value, self.plan.measure)

        cost = f", {pay.Money(row.cost, row.currency)}" if row.cost is not None else ""
        return (
            *(row.design, str(row.n_questions), str(row.n_people), str(row.per_question)),
            *(words(row.half_width), words(row.detectable), words(row.detectable_of_pairs)),
            f"{row.n_judgements}{cost}",
        )


def _json(row: PlanRow) -> dict[str, Any]:
    return asdict(row) | {"cost": None if row.cost is None else str(row.cost)}


def _cell(value: Any) -> Cell:
    return "" if value is None else value if isinstance(value, int | float) else str(value)
