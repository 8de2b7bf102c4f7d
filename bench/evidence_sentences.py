"""Sentence boundaries of ours and of syntok: against given sentences, and against each other.

    python -m bench.evidence_sentences [--examples N]

Reads the real data (TOUCHSTONE_REAL_DATA, or ../shared/data beside the checkout) and measures
nothing without it. The given sentences are those of CLAP-NQ's passages; every second passage, from
the first on, may be used to improve the rules, and the others are only measured. syntok is a
requirement of development.
"""

import argparse
import csv
import json
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path

from syntok import segmenter

from bench import pairs
from text.sentences import sentences

Splitter = Callable[[str], list[str]]
_LONGEST_PASSAGE = 1_000_000  # characters


def ours(text: str) -> list[str]:
    return [text[start:end] for start, end in sentences(text)]


def syntoks(text: str) -> list[str]:
    split = [tokens for paragraph in segmenter.analyze(text) for tokens in paragraph]
    ranges = [(each[0].offset, each[-1].offset + len(each[-1].value)) for each in split]
    return [text[start:end] for start, end in ranges]


SPLITTERS: dict[str, Splitter] = {"ours": ours, "syntok": syntoks}


def boundaries(parts: Iterable[str]) -> set[int]:
    """Return the number of characters other than white space before each end but the last."""
    ends, n = set(), 0
    for part in list(parts)[:-1]:
        n += len("".join(part.split()))
        ends.add(n)
    return ends


def clapnq_passages(folder: Path) -> list[tuple[str, list[str]]]:
    """Return the passages of CLAP-NQ with their sentences, in the order of the files."""
    return [
        (passage["text"], passage["sentences"])
        for name in ("dev_answerable.jsonl", "dev_unanswerable.jsonl")
        for line in (folder / "clapnq" / name).read_text("utf-8").splitlines()
        for passage in json.loads(line)["passages"]
    ]


def against_given(split: Splitter, passages: Iterable[tuple[str, list[str]]]) -> str:
    n_found = n_given = n_both = 0
    for text, parts in passages:
        found, wanted = boundaries(split(text)), boundaries(parts)
        n_found += len(found)
        n_given += len(wanted)
        n_both += len(found & wanted)
    return (
        f"precision {n_both / n_found:.4f} ({n_both} of {n_found}),"
        f" recall {n_both / n_given:.4f} (of {n_given}), F1 {2 * n_both / (n_found + n_given):.4f}"
    )


def why(before: str, after: str) -> str:
    """Return the kind of a boundary that only one of the two splitters sets."""
    if before.endswith("]") or after.startswith("["):
        return "at a footnote mark"
    if before.endswith((";", ")")):
        return "after a semicolon or bracket"
    if before.endswith(("…", "...")) or after.startswith(("...", "…")):
        return "at dots that leave out"
    if after[:1].isdigit():
        return "before a number"
    if not after[:1].isspace() and before[-1:].isalnum():
        return "within a word"
    if not before.endswith((".", "!", "?", '"', "”")):
        return "without a stop"
    return "else"


def _differences(texts: Iterable[str]) -> tuple[dict[str, Counter[str]], dict[str, list[str]], int]:
    """Return the kinds and places of boundaries that one splitter sets alone.

    Last comes the number of common ones.
    """
    kinds: dict[str, Counter[str]] = {name: Counter() for name in SPLITTERS}
    places: dict[str, list[str]] = {name: [] for name in SPLITTERS}
    n_both = 0
    for text in texts:
        signs = "".join(text.split())
        found = {name: boundaries(split(text)) for name, split in SPLITTERS.items()}
        n_both += len(found["ours"] & found["syntok"])
        for name, other in (("ours", "syntok"), ("syntok", "ours")):
            for end in sorted(found[name] - found[other]):
                kinds[name][why(signs[:end], signs[end:])] += 1
                places[name].append(f"{signs[max(0, end - 40) : end]} | {signs[end : end + 30]}")
    return kinds, places, n_both


def _web_passages(folder: Path) -> list[str]:
    csv.field_size_limit(_LONGEST_PASSAGE)
    with (folder / "scai-qrecc" / "passages.tsv").open(encoding="utf-8", newline="") as lines:
        return [row["passage"] for row in csv.DictReader(lines, delimiter="\t")]


def main() -> None:
    parser = argparse.ArgumentParser(description="sentence boundaries of ours and of syntok")
    parser.add_argument("--examples", type=int, default=0, help="so many of the differences")
    options = parser.parse_args()
    folder = pairs.real_data()
    if folder is None:
        print("no real data: neither TOUCHSTONE_REAL_DATA nor ../shared/data is a folder")
        return
    passages = clapnq_passages(folder)
    print(f"CLAP-NQ, {len(passages)} passages with given sentences")
    for half, name in ((passages[::2], "half to mend on"), (passages[1::2], "half to tell")):
        for splitter, split in SPLITTERS.items():
            print(f"{name:16} {splitter:7} {against_given(split, half)}")
    texts = _web_passages(folder)
    kinds, places, n_both = _differences(texts)
    print(f"the shared task, {len(texts)} web passages: {n_both} boundaries are set by both")
    for name, counted in kinds.items():
        told = ", ".join(f"{kind} {n}" for kind, n in counted.most_common())
        print(f"only {name}: {counted.total()} ({told})")
        every = max(1, len(places[name]) // max(1, options.examples))
        for place in places[name][::every][: options.examples]:
            print(f"    {place}")


if __name__ == "__main__":
    main()
