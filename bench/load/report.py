"""The figures as tables in Markdown."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bench.load.runs import Dry, Load, Size

SMALL, REAL, LARGEST = 499, 16_451, 1_000_000
TITLES = {"sqlite": "Touchstone, SQLite", "postgresql": "Touchstone, PostgreSQL"}

# Measured on a machine of the same kind, two judgements an item, 16,451 items where no number is given.
PEERS = ("Label Studio 1.23", "doccano 1.8", "Potato 2.12")


@dataclass(frozen=True)
class _Figures:
    """What was measured on one database."""

    sizes: Sequence[Size]
    dries: Sequence[Dry]

    def at(self, n_items: int, n_annotators: int, figure: Callable[[Load], str]) -> str:
        """Return the figure of one load; a dash if it was not run."""
        found = [
            figure(load)
            for size in self.sizes
            if size.n_items == n_items
            for load in size.loads
            if load.n_annotators == n_annotators
        ]
        return found[0] if found else "-"

    def growth(self, to: int) -> str:
        """Return the growth of one annotator's p50 since the smallest study."""
        p50 = {
            size.n_items: load.pace.p50
            for size in self.sizes
            for load in size.loads
            if load.n_annotators == 1
        }
        before, after = p50.get(SMALL), p50.get(to)
        return f"{after / before:.2f} x" if before and after else "-"

    def until_dry(self, figure: Callable[[Dry], int]) -> str:
        return next((str(figure(each)) for each in self.dries), "-")

    def judgements_per_second(self) -> str:
        return " / ".join(self.at(REAL, n, _per_second) for n in (1, 8, 32))


# The rows of the main table: what, the figures of PEERS, that of Touchstone, what is to be reached.
MAIN_ROWS: tuple[tuple[str, tuple[str, str, str], Callable[[_Figures], str], str], ...] = (
    (
        "judgements/s, 1 / 8 / 32 annotators",
        ("4.0 / 6.5 / 2.9", "9.6 / 14.9 / 9.6", "8.2 / 12.2 / 14.6"),
        _Figures.judgements_per_second,
        "150 at 32",
    ),
    (
        "next item p50 / p95, one annotator, ms",
        ("132 / 172", "66 / 81", "79 / 104"),
        lambda figures: figures.at(REAL, 1, _p50_p95),
        "10 / 20",
    ),
    (
        "p50 growth from 499 to 16,451 items",
        ("1.65 x", "2.5 x", "4.2 x"),
        lambda figures: figures.growth(REAL),
        "1.1 x",
    ),
    (
        "p50 growth from 499 to 1,000,000 items",
        ("", "", ""),
        lambda figures: figures.growth(LARGEST),
        "1.5 x",
    ),
    (
        "p95 of next + submit at 32 annotators, ms",
        ("over 16,000", "over 3,000", "over 2,500"),
        lambda figures: figures.at(REAL, 32, _p95),
        "400",
    ),
    (
        "errors at 32 annotators: replies other than 200 / lines in the log",
        ("528 in the log", "0", "HTTP 500s"),
        lambda figures: figures.at(REAL, 32, _errors),
        "0 / 0",
    ),
    (
        "items judged more often than asked, 100 items until dry",
        ("14", "no limit exists", "8"),
        lambda figures: figures.until_dry(lambda dry: dry.items.n_too_often),
        "0",
    ),
    (
        "items left unjudged, 100 items until dry",
        ("", "", ""),
        lambda figures: figures.until_dry(lambda dry: dry.items.n_unjudged),
        "0",
    ),
    (
        "data requests per judgement",
        ("3", "8", "38 (reload)"),
        lambda figures: figures.at(REAL, 1, _requests),
        "1",
    ),
)


def tables(sizes: Sequence[Size], dries: Sequence[Dry]) -> str:
    return "\n\n".join([_main(sizes, dries), _loads(sizes), _processes(sizes)])


def _main(sizes: Sequence[Size], dries: Sequence[Dry]) -> str:
    databases = list(dict.fromkeys(each.database for each in sizes))
    measured = [
        _Figures(
            [size for size in sizes if size.database == name],
            [dry for dry in dries if dry.database == name],
        )
        for name in databases
    ]
    rows = [
        [what, *peers, *(figure(each) for each in measured), wanted]
        for what, peers, figure, wanted in MAIN_ROWS
    ]
    return _table(["", *PEERS, *(TITLES[each] for each in databases), "to reach"], rows)


def _loads(sizes: Sequence[Size]) -> str:
    rows = [
        [
            size.database,
            f"{size.n_items:,}",
            str(load.n_annotators),
            f"{load.n_judgements:,}" + (" (dry)" if load.is_dry else ""),
            _short(load.pace.per_second),
            " / ".join(_short(each) for each in (load.pace.p50, load.pace.p95, load.pace.p99)),
            f"{_short(load.first_pages.p50)} / {_short(load.first_pages.longest)}",
            _errors(load),
            f"{load.items.n_too_often} / {load.items.n_overassigned} / {load.items.n_miscounted}",
            f"{load.kept.n_lost} / {load.kept.n_doubled} / {load.kept.n_changed + load.kept.n_untold}",
            f"{load.server_ms:.1f} / {load.database_ms:.1f} / {load.generator_ms:.2f}",
            f"{load.others_share:.0%}",
        ]
        for size in sizes
        for load in size.loads
    ]
    head = (
        "database|items|annotators|judgements|a second|p50 / p95 / p99, ms|"
        "page opened by all at once: p50 / longest, ms|not 200 / lines in log|"
        "items judged too often / overassigned / miscounted|judgements lost / doubled / otherwise wrong|"
        "CPU a judgement, ms: server / database / generator|"
        "of the machine taken by others"
    )
    return _table(head.split("|"), rows)


def _processes(sizes: Sequence[Size]) -> str:
    rows = [
        [
            size.database,
            f"{size.n_items:,}",
            f"{size.fill_seconds:.0f}",
            f"{size.resident_mb:.0f}",
            ", ".join(size.heavy) or "none",
            f"{sum(part.n_bytes for part in size.first_load) / 1000:.1f}",
        ]
        for size in sizes
    ]
    head = (
        "database|items|made in, s|largest web process, MB|torch, pandas, scipy, sklearn loaded|"
        "first load, KB"
    )
    return _table(head.split("|"), rows)


def _per_second(load: Load) -> str:
    return _short(load.pace.per_second)


def _p95(load: Load) -> str:
    return _short(load.pace.p95)


def _p50_p95(load: Load) -> str:
    return f"{_short(load.pace.p50)} / {_short(load.pace.p95)}"


def _errors(load: Load) -> str:
    return f"{sum(load.not_200.values())} / {len(load.log)}"


def _requests(load: Load) -> str:
    return f"{load.n_data_requests / load.n_judgements:.2f}" if load.n_judgements else "-"


def _short(value: float | None) -> str:
    if value is None:
        return "-"
    return f"{value:,.1f}" if value < 100 else f"{value:,.0f}"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    ruled = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(row)} |" for row in ruled)
