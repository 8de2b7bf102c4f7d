"""The desk under load: judgements a second, time to the next item, lost and duplicate judgements.

    python -m bench.load [--quick] [--json FILE]
        [--sizes 499,16451,1000000] [--annotators 1,8,32] [--databases sqlite,postgresql]
        [--seconds 20] [--seed 1] [--folder DIR] [--serve "--threads 4"]
        [--server "gunicorn config.wsgi --workers 2 --threads 4 --bind 127.0.0.1:{port}"]

Everything is made for the run and removed afterwards: a folder, a database, a server on a free port
of 127.0.0.1. The exit code is 1 if a judgement was lost, doubled or too many, a request refused, or
a complaint logged.
"""

import argparse
import json
import os
import shlex
import signal
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NoReturn

from bench.load import report, runs
from bench.load.places import KINDS, UnavailableError
from bench.load.runs import Dry, Options, Size
from bench.load.wire import HOST

QUICK = {"sizes": [499], "annotators": [8], "databases": ["sqlite"], "seconds": 5.0}
FULL = {
    "sizes": [report.SMALL, report.REAL, report.LARGEST],
    "annotators": [1, 8, 32],
    "databases": list(KINDS),
    "seconds": 20.0,
}
LONGEST = 600  # seconds of one load


def main() -> None:
    options = parsed(sys.argv[1:])
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, _stop)
    wanted = Options(
        options.annotators, options.seconds, options.seed, options.serve, options.server
    )
    load = ", ".join(f"{each:.1f}" for each in os.getloadavg())
    print(f"{os.cpu_count()} cores, load average before {load}", flush=True)
    sizes: list[Size] = []
    dries: list[Dry] = []
    is_whole = True
    for database in options.databases:
        try:
            for n_items in options.sizes:
                found = _size(options.folder, database, n_items, wanted)
                sizes.append(found)
            dries.append(_dry(options.folder, database, wanted))
        except UnavailableError as error:
            print(f"{database} is left out: {error}", flush=True)
        except KeyboardInterrupt:
            print("stopped: what follows was measured until then", flush=True)
            is_whole = False
            break
    print(f"\n{report.tables(sizes, dries)}")
    if options.json:
        written = json.dumps(runs.as_json(sizes, dries), indent=2)
        options.json.write_text(f"{written}\n", encoding="utf-8")
    if wrong := list(_wrong(sizes, dries)):
        sys.exit("\n" + "\n".join(wrong))
    if not (is_whole and sizes):
        sys.exit("not all was measured")


def _stop(number: int, frame: object) -> NoReturn:
    """Act like Ctrl-C, once, so that the server and the scratch database end properly."""
    for each in (signal.SIGTERM, signal.SIGINT):
        signal.signal(each, signal.SIG_IGN)
    raise KeyboardInterrupt


def parsed(words: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.load", description="the desk under load")
    parser.add_argument("--quick", action="store_true", help="a smoke run: ten seconds")
    parser.add_argument("--sizes", type=_numbers, help="items of the studies")
    parser.add_argument("--annotators", type=_numbers, help="at the same time")
    parser.add_argument("--databases", type=lambda text: text.split(","), help=", ".join(KINDS))
    parser.add_argument("--seconds", type=float, help="of each load")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path, help="where the scratch folders are made")
    parser.add_argument("--serve", type=shlex.split, default=[], help="more options for serve")
    parser.add_argument("--server", default="", help="another server in its place, to compare them")
    parser.add_argument("--json", type=Path, help="write all figures into this file")
    options = parser.parse_args(words)
    for name, value in (QUICK if options.quick else FULL).items():
        if getattr(options, name) is None:
            setattr(options, name, value)
    if unknown := set(options.databases) - set(KINDS):
        parser.error(f"no such database: {', '.join(sorted(unknown))}")
    if any(word.startswith("--ho") for word in options.serve):
        parser.error("the bench loads 127.0.0.1 and no other host")
    if options.server and not (HOST in options.server and "{port}" in options.server):
        parser.error(f"--server: say {HOST}, and {{port}} where the port stands")
    if not 0 < options.seconds <= LONGEST:
        parser.error(f"--seconds: above 0, at most {LONGEST}")
    return options


def _numbers(text: str) -> list[int]:
    numbers = [int(each) for each in text.split(",")]
    if min(numbers) < 1:
        raise ValueError(text)
    return numbers


def _size(folder: Path | None, database: str, n_items: int, wanted: Options) -> Size:
    print(f"{database}, {n_items:,} items:", end=" ", flush=True)
    with (
        tempfile.TemporaryDirectory(prefix="touchstone-load-", dir=folder) as scratch,
        KINDS[database](Path(scratch)) as place,
    ):
        found = runs.size(place, database, n_items, wanted)
    paces = (f"{each.pace.per_second:.0f}/s by {each.n_annotators}" for each in found.loads)
    print(", ".join(paces), flush=True)
    return found


def _dry(folder: Path | None, database: str, wanted: Options) -> Dry:
    with (
        tempfile.TemporaryDirectory(prefix="touchstone-load-", dir=folder) as scratch,
        KINDS[database](Path(scratch)) as place,
    ):
        found = runs.dry(place, database, wanted)
    items = found.items
    print(
        f"{database}, {runs.N_DRY} items until dry: {items.n_too_often} judged more often than asked,"
        f" {items.n_unjudged} left unjudged",
        flush=True,
    )
    return found


def _wrong(sizes: Sequence[Size], dries: Sequence[Dry]) -> Iterator[str]:
    """Yield sentences about faults; slowness is not one."""
    for size in sizes:
        for load in size.loads:
            where = f"{size.database}, {size.n_items:,} items, {load.n_annotators} annotators"
            yield from _wrong_of(where, load)
        if size.heavy:
            yield f"{size.database}: the web process has loaded {', '.join(size.heavy)}"
    for dry in dries:
        where = f"{dry.database}, until dry"
        yield from _wrong_of(where, dry)
        if dry.items.n_unjudged:
            yield f"{where}: {dry.items.n_unjudged} items left unjudged"


def _wrong_of(where: str, seen: runs.Load | Dry) -> Iterator[str]:
    for words, n in seen.not_200.items():
        yield f"{where}: {n} x {words}"
    for line in seen.log[:5]:
        yield f"{where}, the log: {line}"
    counts = {**seen.items._asdict(), **seen.kept._asdict()}
    for name in ("n_unjudged", "n_told"):
        counts.pop(name)
    for name, n in counts.items():
        if n:
            yield f"{where}: {name} = {n}"


if __name__ == "__main__":
    main()
