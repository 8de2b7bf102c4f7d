"""The measurements: loads on a study of one size, and a small study until nothing is left."""

import asyncio
import json
import os
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from bench.load import annotators, counted, first_load, processes
from bench.load.annotators import Desk
from bench.load.figures import Differences, Pace, Waits, differences, pace, waits
from bench.load.first_load import Part
from bench.load.places import Place
from bench.load.serving import HEAVY, Server, serving

# In a study as large as this the loads share one batch: they hardly wear it. In others each has its own.
LARGE = 100_000
N_DRY = 100  # items of the dry run
LONGEST_DRY = 60  # seconds


@dataclass(frozen=True)
class Load:
    """The figures of so many annotators for some seconds."""

    n_annotators: int
    pace: Pace
    first_pages: Waits  # of the annotators' page, all of them opening it at once
    n_data_requests: int
    n_judgements: int  # that were answered, also after the time was over
    bytes_per_reply: float
    outcomes: dict[str, int]
    not_200: dict[str, int]
    log: list[str]  # what the server complained of meanwhile
    items: counted.Items
    kept: Differences
    is_dry: bool
    # Processor time a judgement, milliseconds.
    server_ms: float
    database_ms: float
    generator_ms: float
    others_share: float  # of the machine's processor time, that went to what is not ours


@dataclass(frozen=True)
class Size:
    """All loads on a study of one size."""

    database: str
    n_items: int
    fill_seconds: float
    loads: list[Load]
    resident_mb: float
    heavy: list[str]  # of the modules that no web process may load
    loaded: list[str]  # packages with compiled parts that it has loaded
    n_processes: int
    first_load: list[Part]


@dataclass(frozen=True)
class Dry:
    database: str
    n_annotators: int
    items: counted.Items
    kept: Differences
    not_200: dict[str, int]
    log: list[str]


@dataclass(frozen=True)
class Options:
    """The options of the command line."""

    annotators: Sequence[int]
    seconds: float
    seed: int
    serve: Sequence[str]  # options
    server: str  # another one than `serve`


def size(place: Place, database: str, n_items: int, wanted: Options) -> Size:
    shares = n_items >= LARGE
    n_batches = 1 if shares else len(wanted.annotators)
    began = time.perf_counter()
    made = fill_database(place, n_items, n_batches, max(wanted.annotators), wanted.seed)
    fill_seconds = time.perf_counter() - began
    with serving(place, wanted.serve, wanted.server) as server:
        loads = [
            _load(place, server, made, made["batches"][0 if shares else n], many, wanted.seconds)
            for n, many in enumerate(wanted.annotators)
        ]
        desk = desk_of(server, made, made["batches"][-1])
        parts = asyncio.run(first_load.measure(desk, made["sessions"][-1]))
        pids = server.pids()
        loaded = processes.loaded(pids)
        return Size(
            database=database,
            n_items=n_items,
            fill_seconds=fill_seconds,
            loads=loads,
            resident_mb=processes.resident_mb(pids),
            heavy=sorted(HEAVY & set(loaded)),
            loaded=loaded,
            n_processes=len(pids),
            first_load=parts,
        )


def dry(place: Place, database: str, wanted: Options) -> Dry:
    n = max(wanted.annotators)
    made = fill_database(place, N_DRY, 1, n, wanted.seed)
    batch = made["batches"][0]
    with serving(place, wanted.serve, wanted.server) as server:
        desk = desk_of(server, made, batch)
        seen = asyncio.run(annotators.work(desk, made["sessions"], LONGEST_DRY))
    return Dry(
        database=database,
        n_annotators=n,
        items=counted.items(place.rows, batch),
        kept=differences(seen.told, counted.judgements(place.rows, batch)),
        not_200=dict(seen.not_200),
        log=server.complaints(),
    )


def fill_database(
    place: Place, n_items: int, n_batches: int, n_annotators: int, seed: int
) -> dict[str, Any]:
    place.run("manage.py", "migrate", "--verbosity", "0")
    numbers = {"items": n_items, "batches": n_batches, "annotators": n_annotators, "seed": seed}
    options = [f"--{name}={value}" for name, value in numbers.items()]
    made: dict[str, Any] = json.loads(place.run("-m", "bench.load.fill", *options))
    return made


def desk_of(server: Server, made: dict[str, Any], batch: int) -> Desk:
    return Desk(
        port=server.port,
        path=f"/studies/{made['slug']}/desk/{batch}/",
        session_cookie=made["session_cookie"],
        scheme=made["scheme"],
        labels=made["labels"],
        depth=made["depth"],
    )


def _load(
    place: Place, server: Server, made: dict[str, Any], batch: int, many: int, seconds: float
) -> Load:
    last = counted.last_judgement(place.rows)
    n_complaints = len(server.complaints())
    before = _clocks(place, server)
    desk = desk_of(server, made, batch)
    seen = asyncio.run(annotators.work(desk, made["sessions"][:many], seconds))
    after = _clocks(place, server)
    n = len(seen.answered)
    server_cpu, database_cpu, machine_cpu, lasted = (
        now - then for now, then in zip(after, before, strict=True)
    )
    others = machine_cpu - server_cpu - database_cpu - seen.generator_cpu
    return Load(
        n_annotators=many,
        pace=pace(seen.answered, min(seconds, seen.dry_at or seconds)),
        first_pages=waits(seen.first_pages),
        n_data_requests=seen.n_data_requests,
        n_judgements=n,
        bytes_per_reply=seen.n_bytes / max(seen.n_data_requests, 1),
        outcomes=dict(seen.outcomes),
        not_200=dict(seen.not_200),
        log=server.complaints()[n_complaints:],
        items=counted.items(place.rows, batch),
        kept=differences(seen.told, counted.judgements(place.rows, batch, after=last)),
        is_dry=seen.dry_at is not None,
        server_ms=1000 * server_cpu / max(n, 1),
        database_ms=1000 * database_cpu / max(n, 1),
        generator_ms=1000 * seen.generator_cpu / max(n, 1),
        others_share=max(others, 0.0) / (lasted * (os.cpu_count() or 1)),
    )


def _clocks(place: Place, server: Server) -> tuple[float, float, float, float]:
    """Return processor times so far, and the time.

    They are those of the web server, of the database's processes that serve it, and of the whole
    machine.
    """
    database = processes.of_database(place.database_name) if "postgres" in place.database else []
    return (
        processes.cpu_seconds(server.pids()),
        processes.cpu_seconds(database),
        processes.machine_seconds(),
        time.perf_counter(),
    )


def as_json(sizes: Sequence[Size], dries: Sequence[Dry]) -> dict[str, Any]:
    return {"sizes": [_plain(each) for each in sizes], "dry": [_plain(each) for each in dries]}


def _plain(figures: Size | Dry) -> dict[str, Any]:
    """Return named tuples as mappings too."""
    return {name: _named(value) for name, value in asdict(figures).items()}


def _named(value: Any) -> Any:
    if hasattr(value, "_asdict"):
        return {name: _named(each) for name, each in value._asdict().items()}
    if isinstance(value, dict):
        return {name: _named(each) for name, each in value.items()}
    if isinstance(value, list):
        return [_named(each) for each in value]
    return value
