"""The memory that reading and checking an import takes, by the size of its files.

    python -m bench.import_memory [--megabytes N]

Each format is read in a process of its own, as a worker's check of an upload does. What is
reported is the largest resident size less that of the process before, and its ratio to the file.
"""

import argparse
import contextlib
import json
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from corpus import digests
from corpus.problems import ImportProblems
from corpus.readers import answers_jsonl, passages, scai_run, scai_truth
from corpus.records import Record

MB = 1_000_000
SENTENCE = "The keeper of the lighthouse wrote down the weather at noon and again at midnight. "


def main() -> None:
    parser = argparse.ArgumentParser(description="memory of reading and checking an import")
    parser.add_argument("--megabytes", type=int, default=50)
    parser.add_argument("--measure", nargs=2, metavar=("FORMAT", "FILE"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.measure:
        _measure(*options.measure)
        return
    print(f"{'format':12}{'file, MB':>10}{'memory, MB':>12}{'ratio':>8}")
    with tempfile.TemporaryDirectory() as folder:
        for name, write in FILES.items():
            path = Path(folder) / name
            write(path, options.megabytes * MB)
            command = [sys.executable, "-m", "bench.import_memory", "--measure", name, str(path)]
            grown = int(subprocess.run(command, check=True, capture_output=True).stdout)
            size = path.stat().st_size
            print(f"{name:12}{size / MB:10.0f}{grown / MB:12.0f}{grown / size:8.1f}")
            path.unlink()


def _peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def _measure(name: str, path: str) -> None:
    read: dict[str, Callable[[Path], tuple[Record, ...]]] = {
        "truth": scai_truth.read,
        "run": scai_run.read,
        "run, emoji": scai_run.read,
        "nonsense": scai_run.read,
        "answers": answers_jsonl.read,
        "passages": passages.read,
    }
    before = _peak()
    with contextlib.suppress(ImportProblems):  # of nonsense, the first thousand and a count
        digests.digest(read[name](Path(path)))
    print(_peak() - before)


def _write_list(path: Path, records: Iterator[object]) -> None:
    with path.open("w", encoding="utf-8") as file:
        for index, record in enumerate(records):
            file.write(("[\n" if index == 0 else ",\n") + json.dumps(record, ensure_ascii=False))
        file.write("]\n")


def _write_lines(path: Path, records: Iterator[object]) -> None:
    with path.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(record) + "\n" for record in records)


def _until(size: int, record: Callable[[int], object]) -> Iterator[object]:
    n, written = 0, 0
    while written < size:
        n += 1
        made = record(n)
        written += len(json.dumps(made)) + 2
        yield made


def _turn(n: int) -> dict[str, object]:
    return {"Conversation_no": n // 10 + 1, "Turn_no": n % 10 + 1}


def _truth(n: int) -> object:
    passages = [f"lighthouse_{n}_p{k}" for k in range(3)]
    answer = SENTENCE + str(n)
    return _turn(n) | {
        "Truth_rewrite": SENTENCE[:50] + str(n),
        "Truth_passages": passages,
        "Truth_answer": answer,
    }


def _run(n: int) -> dict[str, object]:
    passages = {f"lighthouse_{n}_p{k}": 20.5 - k / n for k in range(10)}
    return _turn(n) | {"Model_answer": SENTENCE + str(n), "Model_passages": passages}


FILES: dict[str, Callable[[Path, int], None]] = {
    "truth": lambda path, size: _write_list(path, _until(size, _truth)),
    "run": lambda path, size: _write_list(path, _until(size, _run)),
    # One character outside of the BMP: Python keeps each character of a text that has one in four bytes.
    "run, emoji": lambda path, size: _write_list(
        path,
        _until(
            size, lambda n: _run(n) | ({"Model_rewrite": "\N{GRINNING FACE}"} if n == 1 else {})
        ),
    ),
    "nonsense": lambda path, size: _write_list(
        path, _until(size, lambda n: {"n": n, "text": SENTENCE})
    ),
    "answers": lambda path, size: _write_lines(
        path,
        _until(size, lambda n: {"id": str(n), "answer": SENTENCE + str(n)}),
    ),
    "passages": lambda path, size: _write_lines(
        path, _until(size, lambda n: {"id": f"lighthouse_{n}", "contents": SENTENCE * 8 + str(n)})
    ),
}


if __name__ == "__main__":
    main()
