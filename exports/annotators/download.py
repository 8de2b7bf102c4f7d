"""The stored figures of annotators as one table, for a spreadsheet. Plain Python."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any


def lines(rows: Sequence[Mapping[str, Any]]) -> Iterator[list[Any]]:
    """The header, then a line a person, with every number that the page rounds."""
    known = sorted(
        {(e["known_by"], e["asked"], e["label"]) for row in rows for e in row["recalls"]}
    )
    yield [
        *("rank", "annotator", "name", "is_paused", "items", "judgements", "sessions"),
        *("active_seconds", "words", "words_per_minute", "median_seconds", "seconds_per_word"),
        *("speed_z", "agreement", "agreement_low", "agreement_high", "agreement_pairs"),
        *("leave_one_out", "leave_one_out_items", "leave_one_out_tied"),
        *("longest_run_label", "longest_run"),
        *(
            f"recall_{'_'.join(key)}_{end}"
            for key in known
            for end in ("found", "n", "low", "high")
        ),
        *("smallest_p", "reasons"),
    ]
    for row in rows:
        speed, share, others = row["speed"], row["agreement"], row["leave_one_out"]
        yield [
            *(row["rank"], row["annotator"], row["name"], row["is_paused"], row["n_items"]),
            *(speed["n_judgements"], row["n_sessions"], speed["active_seconds"]),
            *(speed["n_words"], speed["words_per_minute"], speed["median_seconds"]),
            *(speed["per_word"], speed["beside"]["z"]),
            *(share["value"], share["low"], share["high"], share["n"]),
            *(others["value"], others["n"], row["n_tied"]),
            *(row["run_label"], row["run_length"]),
            *_recalled(row, known),
            *(row["least"], "; ".join(row["reasons"])),
        ]


def _recalled(row: Mapping[str, Any], known: Sequence[tuple[str, str, str]]) -> Iterator[Any]:
    own = {(e["known_by"], e["asked"], e["label"]): e for e in row["recalls"]}
    for key in known:
        for end in ("found", "n", "low", "high"):
            yield own[key][end] if key in own else None
