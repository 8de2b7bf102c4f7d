"""The figures of bench.pages as tables in Markdown."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from bench.load.figures import percentile
from bench.pages.asking import Answer

GOOD = (200, 302)
MOST_MS = 200.0


@dataclass(frozen=True)
class PageFigures:
    """A page: `p50` and `p95` are of the slowest of its addresses, milliseconds."""

    name: str
    path: str  # the slowest one
    n_addresses: int
    p50: float
    p95: float
    longest: float
    n_queries: int
    cpu_ms: float
    n_bytes: int


def figures(answers: Iterable[Answer], survey: Mapping[str, Any]) -> list[PageFigures]:
    """Return the figures of every page, the slowest first."""
    known = {each["path"]: each for each in survey["addresses"]}
    times: dict[str, list[float]] = defaultdict(list)
    for answer in answers:
        times[answer.path].append(answer.ms)
    by_name: dict[str, list[str]] = defaultdict(list)
    for path in times:
        by_name[known[path]["name"]].append(path)
    found = []
    for name, paths in by_name.items():
        path = max(paths, key=lambda each: _at(times[each], 0.5))
        about = known[path]
        found.append(
            PageFigures(
                name=name,
                path=path,
                n_addresses=len(paths),
                p50=_at(times[path], 0.5),
                p95=_at(times[path], 0.95),
                longest=max(max(times[each]) for each in paths),
                n_queries=about["n_queries"],
                cpu_ms=about["cpu_ms"],
                n_bytes=about["n_bytes"],
            )
        )
    return sorted(found, key=lambda each: -each.p50)


def _at(values: Sequence[float], share: float) -> float:
    return percentile(values, share) or 0.0


def pages(found: Sequence[PageFigures]) -> str:
    head = "page | addresses | p50, ms | p95 | longest | queries | CPU, ms | size, KB"
    rows = [
        f"{each.name} | {each.n_addresses} | {each.p50:.0f} | {each.p95:.0f} | {each.longest:.0f}"
        f" | {each.n_queries} | {each.cpu_ms:.0f} | {each.n_bytes / 1000:.1f}"
        for each in found
    ]
    return _table(head, rows)


def compared(found: Sequence[PageFigures], before: Sequence[Mapping[str, Any]]) -> str:
    """Return p50 and p95 of all pages before and now."""
    then = {each["name"]: each for each in before}
    rows = []
    for each in sorted(found, key=lambda each: -then.get(each.name, asdict(each))["p50"]):
        old = then.get(each.name)
        was = f"{old['p50']:.0f} / {old['p95']:.0f}" if old else "-"
        rows.append(f"{each.name} | {was} | {each.p50:.0f} / {each.p95:.0f}")
    return _table("page | before: p50 / p95, ms | now: p50 / p95, ms", rows)


def downloads(answers: Sequence[Answer], survey: Mapping[str, Any]) -> str:
    names = {each["path"]: each["name"] for each in survey["addresses"]}
    rows = [
        f"{names[each.path]}: `{each.path.rpartition('/')[2]}` | {each.first_ms:.0f} | {each.ms:.0f}"
        f" | {each.n_bytes / 1e6:.2f}"
        for each in sorted(answers, key=lambda each: -each.first_ms)
    ]
    return _table("download | first byte, ms | whole, ms | size, MB", rows)


def _table(head: str, rows: Sequence[str]) -> str:
    n = head.count("|") + 1
    return "\n".join(f"| {row} |" for row in [head, " | ".join(["---"] * n), *rows])
