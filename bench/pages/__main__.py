"""Every page of an organiser in a study of the shared task's size, while people judge.

    python -m bench.pages [--database sqlite|postgresql] [--items N] [--runs N] [--people 8]
        [--rounds N] [--folder DIR] [--json FILE] [--before FILE]

Builds the study (see README.md), follows every link as its requester, and asks for each address in a
random order, so often, while eight people judge one item a second each. With `--folder` a study on
SQLite is kept there and used again. The exit code is 1 if a reply was no page, not if it was slow.
"""

import argparse
import json
import os
import sys
import tempfile
import timeit
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from bench.load.places import KINDS, Place
from bench.load.serving import serving
from bench.pages import asking, building, report
from bench.pages.asking import Asked

N_LOOP = 5_000_000


def main() -> None:
    options = parsed(sys.argv[1:])
    load = ", ".join(f"{each:.1f}" for each in os.getloadavg())
    print(f"{os.cpu_count()} cores, load average before {load}", flush=True)
    print(f"a loop of {N_LOOP:,} additions takes {reference_ms():.0f} ms", flush=True)
    size = building.Size.for_items(options.items, options.runs, options.seed)
    with tempfile.TemporaryDirectory(prefix="touchstone-pages-") as scratch:
        folder = options.folder or Path(scratch)
        with building.study(folder.resolve(), options.database, size) as place:
            survey, asked = measured(place, options.people, options.rounds)
    print(f"after the pages the loop takes {reference_ms():.0f} ms", flush=True)
    found = report.figures(asked.pages, survey)
    print(f"\n{report.pages(found)}\n\n{report.downloads(asked.downloads, survey)}\n")
    if options.before:
        before = json.loads(options.before.read_text("utf-8"))["pages"]
        print(f"{report.compared(found, before)}\n")
    print(
        f"{sum(each.p50 > report.MOST_MS for each in found)} of {len(found)} pages are above 200 ms at p50"
    )
    n, seconds = asked.n_judged, asked.seconds
    print(f"{n / seconds:.1f} judgements a second by {options.people} people for {seconds:.0f} s")
    pages_mb, all_mb = asked.resident_mb
    print(
        f"largest web process: {pages_mb:.0f} MB after the pages, {all_mb:.0f} MB after the downloads"
    )
    if options.json:
        written = {
            "pages": [asdict(each) for each in found],
            "downloads": [e._asdict() for e in asked.downloads],
        }
        options.json.write_text(
            json.dumps(written | {"resident_mb": asked.resident_mb}, indent=1), encoding="utf-8"
        )
    if wrong := list(_wrong(asked)):
        sys.exit("\n".join(wrong))


def reference_ms() -> float:
    """How fast the machine is now: the same one may take twice as long an hour later."""
    return 1_000 * min(timeit.repeat(lambda: sum(range(N_LOOP)), number=1, repeat=5))


def measured(place: Place, n_people: int, n_rounds: int) -> tuple[dict[str, Any], Asked]:
    place.run("manage.py", "collectstatic", "--noinput", "--verbosity", "0")
    survey = json.loads(place.run("-m", "bench.pages.survey"))
    with serving(place, [], "") as server:
        asked = asking.ask_all(server, survey, n_people, n_rounds)
    return survey, asked


def _wrong(asked: Asked) -> Iterator[str]:
    """Yield sentences about replies that are no pages, and about people who could not judge."""
    for answer in (*asked.pages, *asked.downloads):
        if answer.status not in report.GOOD:
            yield f"{answer.path}: {answer.status}"
    for what, n in Counter(asked.people.not_200).items():
        yield f"while people judged: {n} x {what}"


def parsed(words: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m bench.pages", description="every organiser's page"
    )
    parser.add_argument("--database", choices=list(KINDS), default="sqlite")
    parser.add_argument("--items", type=int, default=16_450, help="of the large batches")
    parser.add_argument("--runs", type=int, default=29)
    parser.add_argument("--people", type=int, default=8, help="who judge meanwhile, 8 at most")
    parser.add_argument("--rounds", type=int, default=5, help="how often each page is asked for")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path, help="where the study is kept, to be used again")
    parser.add_argument("--json", type=Path, help="write the figures into this file")
    parser.add_argument("--before", type=Path, help="such a file, to print both beside each other")
    options = parser.parse_args(words)
    for name in ("items", "runs", "people", "rounds"):
        if getattr(options, name) < 1:
            parser.error(f"--{name}: 1 or more")
    if options.people > 8:
        parser.error("--people: 8 at most")
    return options


if __name__ == "__main__":
    main()
