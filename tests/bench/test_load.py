"""What the command line takes, what a first load is made of, and what is reported."""

import json
import os

import pytest

from bench.load import processes, report, runs
from bench.load.__main__ import parsed
from bench.load.counted import Items
from bench.load.figures import Differences, Pace, Waits
from bench.load.first_load import Part, leads_to
from bench.load.places import UnavailableError, postgresql


def test_a_quick_run_is_small_and_what_is_said_besides_stands():
    options = parsed(["--quick", "--seconds", "2", "--serve", "--threads 4"])

    assert (options.sizes, options.annotators, options.databases) == ([499], [8], ["sqlite"])
    assert (options.seconds, options.serve) == (2.0, ["--threads", "4"])


@pytest.mark.parametrize(
    "words",
    [
        ["--serve", "--host 0.0.0.0"],
        ["--serve", "--host=example.org"],
        ["--serve", "--hos ::"],
        ["--server", "gunicorn config.wsgi --bind 0.0.0.0:{port}"],
        ["--server", "gunicorn config.wsgi --bind 127.0.0.1:8000"],
        ["--databases", "oracle"],
        ["--sizes", "0"],
        ["--seconds", "100000"],
    ],
)
def test_what_cannot_be_meant_is_refused(words, capsys):
    with pytest.raises(SystemExit):
        parsed(words)


def test_a_database_of_another_machine_is_not_measured(monkeypatch, tmp_path):
    monkeypatch.setenv("BENCH_DATABASE_URL", "postgres://u@db.example.org/postgres")

    with pytest.raises(UnavailableError, match="another machine"), postgresql(tmp_path):
        pass


@pytest.mark.parametrize(
    ("kind", "text", "expected"),
    [
        (
            "text/html; charset=utf-8",
            '<link rel="icon" href="i.svg"><link rel="stylesheet" href="/a.css"><script src="b.js"></script>',
            ["/a.css", "b.js"],
        ),
        ("text/javascript", 'import { x } from "./x.js"; await import("./y.js");', ["./x.js", "./y.js"]),
        ("text/css", "a { b: url(f.woff2) } c { d: url('data:,x') } e { f: url(#g) }", ["f.woff2"]),
        ("image/svg+xml", "url(x.png)", []),
    ],
)  # fmt: skip
def test_a_first_load_follows_what_a_browser_fetches_at_once(kind, text, expected):
    assert leads_to(kind, text) == expected


def load(n_annotators: int, p50: float) -> runs.Load:
    return runs.Load(
        n_annotators=n_annotators,
        pace=Pace(20.0, 4000, 200.0, p50, 2 * p50, 3 * p50),
        first_pages=Waits(300.0, 900.0),
        n_data_requests=4004,
        n_judgements=4000,
        bytes_per_reply=1900.0,
        outcomes={"saved": 4000},
        not_200={"500": 2},
        log=["ERROR x"],
        items=Items(0, 0, 0, 9),
        kept=Differences(4000, 0, 0, 0, 0),
        is_dry=False,
        server_ms=4.0,
        database_ms=1.0,
        generator_ms=0.1,
        others_share=0.0,
    )


def size(n_items: int, p50: float) -> runs.Size:
    return runs.Size(
        database="sqlite",
        n_items=n_items,
        fill_seconds=3.0,
        loads=[load(1, p50), load(32, 40 * p50)],
        resident_mb=90.0,
        heavy=[],
        loaded=["numpy"],
        n_processes=1,
        first_load=[Part("/desk/", 9000, "gzip"), Part("/a.css", 3000, "br")],
    )


def lines(text: str) -> dict[str, list[str]]:
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines()]
    return {row[0]: row[1:] for row in rows}


def test_the_table_names_the_figures_of_the_sizes_that_were_asked_for():
    dry = runs.Dry("sqlite", 32, Items(0, 0, 0, 3), Differences(200, 0, 0, 0, 0), {}, [])

    found = lines(report.tables([size(499, 5.0), size(16_451, 6.0)], [dry]))

    assert found["judgements/s, 1 / 8 / 32 annotators"][3] == "200 / - / 200"
    assert found["p50 growth from 499 to 16,451 items"][3] == "1.20 x"
    assert found["p50 growth from 499 to 1,000,000 items"][3] == "-"
    assert found["next item p50 / p95, one annotator, ms"][3] == "6.0 / 12.0"
    assert found["p95 of next + submit at 32 annotators, ms"][3] == "480"
    assert found["items left unjudged, 100 items until dry"][3] == "3"


def test_each_load_says_how_long_those_waited_who_opened_the_page_at_once():
    table = report.tables([size(16_451, 6.0)], [])

    assert "| 240 / 480 / 720 | 300 / 900 | 2 / 1 |" in table


def test_the_figures_are_written_with_their_names():
    written = json.loads(json.dumps(runs.as_json([size(499, 5.0)], [])))

    assert written["sizes"][0]["loads"][0]["pace"]["p95"] == 10.0
    assert written["sizes"][0]["first_load"][1]["encoding"] == "br"


def test_the_kernel_tells_of_this_process():
    here = [os.getpid()]

    assert os.getpid() in processes.in_session(os.getsid(0))
    assert processes.cpu_seconds(here) > 0
    assert processes.resident_mb(here) > 10
    assert "psycopg_binary" in processes.loaded(here)
