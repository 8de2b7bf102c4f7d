"""Builds the study in a folder, step by step; a folder that has it already is used as it is."""

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from bench.load.places import KINDS, Place
from bench.pages.steps import VOLUME, after_the_volume
from bench.volume import files
from bench.volume.__main__ import STEPS, words_of

DONE = "built.json"  # the names of the steps that are done


@dataclass(frozen=True)
class Size:
    n_turns: int
    n_runs: int
    n_sample: int  # of the answers that evidence is looked for
    seed: int

    @classmethod
    def for_items(cls, n_items: int, n_runs: int, seed: int) -> "Size":
        """Return the size with so many items: one turn in five has five answers above the threshold, so there are as many turns."""
        return cls(n_items, n_runs, n_sample=min(2_000, n_items // 4), seed=seed)


@contextmanager
def study(folder: Path, database: str, size: Size) -> Iterator[Place]:
    """Yield the built study. On SQLite it stays in the folder; a database of PostgreSQL is dropped at the end."""
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / "scores.csv").exists():
        files.write(folder, n_turns=size.n_turns, n_runs=size.n_runs, seed=size.seed)
    if database == "sqlite":
        yield _built(Place(folder, f"sqlite:///{folder / 'volume.sqlite3'}"), size, folder / DONE)
        return
    with KINDS[database](folder) as place:
        yield _built(place, size, None)


def _built(place: Place, size: Size, kept: Path | None) -> Place:
    done: list[str] = json.loads(kept.read_text("utf-8")) if kept and kept.exists() else []
    for name in (*VOLUME, *after_the_volume(place.folder, size.n_sample)):
        if name in done:
            continue
        began = time.perf_counter()
        for command in STEPS[name] if name in VOLUME else []:
            place.run("manage.py", *words_of(command, place.folder))
        if name not in VOLUME:
            place.run("-m", "bench.pages.fill", name, str(place.folder), str(size.n_sample))
        print(f"{name}: {time.perf_counter() - began:.0f} s", flush=True)
        done.append(name)
        if kept:
            kept.write_text(json.dumps(done), encoding="utf-8")
    return place
