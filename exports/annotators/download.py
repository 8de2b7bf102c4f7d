"""The stored figures of annotators as the columns of a table for a spreadsheet."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

Row = Mapping[str, Any]
RecallKey = tuple[str, str, str]  # known by control or adjudication, question, label


def columns(rows: Sequence[Row]) -> dict[str, Callable[[Row], Any]]:
    """Return the columns: every number that the page rounds, and each label's recall that some row
    has.
    """
    known = sorted({key for row in rows for key in _recalls(row)})
    return {
        "rank": lambda row: row["rank"],
        "annotator": lambda row: row["annotator"],
        "name": lambda row: row["name"],
        "is_paused": lambda row: row["is_paused"],
        "items": lambda row: row["n_items"],
        "judgements": lambda row: row["speed"]["n_judgements"],
        "sessions": lambda row: row["n_sessions"],
        "active_seconds": lambda row: row["speed"]["active_seconds"],
        "words": lambda row: row["speed"]["n_words"],
        "words_per_minute": lambda row: row["speed"]["words_per_minute"],
        "median_seconds": lambda row: row["speed"]["median_seconds"],
        "seconds_per_word": lambda row: row["speed"]["per_word"],
        "speed_z": lambda row: row["speed"]["beside"]["z"],
        "agreement": lambda row: row["agreement"]["value"],
        "agreement_low": lambda row: row["agreement"]["low"],
        "agreement_high": lambda row: row["agreement"]["high"],
        "agreement_pairs": lambda row: row["agreement"]["n"],
        "leave_one_out": lambda row: row["leave_one_out"]["value"],
        "leave_one_out_items": lambda row: row["leave_one_out"]["n"],
        "leave_one_out_tied": lambda row: row["n_tied"],
        "repeats": lambda row: row["own"].n,
        "repeats_same": lambda row: row["own"].n_same,
        "self_agreement": lambda row: row["own"].value,
        "self_agreement_low": lambda row: row["own"].low,
        "self_agreement_high": lambda row: row["own"].high,
        "longest_run_label": lambda row: row["run_label"],
        "longest_run": lambda row: row["run_length"],
        **{
            f"recall_{'_'.join(key)}_{part}": _recall(key, part)
            for key in known
            for part in ("found", "n", "low", "high")
        },
        "smallest_p": lambda row: row["least"],
        "reasons": lambda row: "; ".join(row["reasons"]),
    }


def _recall(key: RecallKey, part: str) -> Callable[[Row], Any]:
    return lambda row: _recalls(row).get(key, {}).get(part)


def _recalls(row: Row) -> dict[RecallKey, Row]:
    return {(each["known_by"], each["asked"], each["label"]): each for each in row["recalls"]}
