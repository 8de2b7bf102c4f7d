"""The errata of earlier releases that a release has: which of the answers it accepts itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby
from pathlib import Path
from typing import Any

from exports.verification.crossings import answer_id
from exports.verification.findings import Findings
from exports.verification.tables import Rows, UnreadableError, read_bytes, read_json

ERRATA, ERRATA_PAGE = "errata.json", "ERRATA.md"
EARLIER_ANSWERS = "earlier.json"
ERRATA_HEADING = "What was found wrong in earlier releases of this data set after they were made. They stay as they are."
Errata = list[dict[str, Any]]


def read_errata(folder: Path) -> Errata:
    """Return the errata; none where there is no file of them. UnreadableError for another list."""
    if not (folder / ERRATA).is_file():
        return []
    found = read_json(folder, ERRATA)
    if not isinstance(found, list) or not all(isinstance(each, dict) for each in found):
        raise UnreadableError(f"{ERRATA}: is not a list of errata")
    return found


def check_errata(
    folder: Path,
    number: int,
    answers: Rows,
    earlier: Mapping[str, list[dict[str, Any]]],
    findings: Findings,
) -> None:
    """Check the errata of release `number`, and that their page says the same."""
    has_page = (folder / ERRATA_PAGE).is_file()
    if has_page != (folder / ERRATA).is_file():
        findings.complain(ERRATA_PAGE if has_page else ERRATA, "has no other of the two files")
        return
    if not has_page:
        return
    errata, tiers = read_errata(folder), _accepted_as(answers, earlier)
    read_back = _read_back(earlier)
    for at, erratum in enumerate(errata):
        path = f"{ERRATA}[{at}]"
        turn = {"turn_id": str(erratum["answer_id"]).rpartition(":")[0]}
        of_text = answer_id({**turn, "answer": str(erratum["answer"])})
        findings.compare(of_text, erratum["answer_id"], f"{path}.answer_id")
        findings.compare(tiers.get(of_text, ""), erratum["tier"], f"{path}.tier")
        findings.compare(
            of_text in read_back, erratum.get("by_earlier", False), f"{path}.by_earlier"
        )
        if not erratum["release"] < number:
            findings.complain(f"{path}.release", f"{erratum['release']} is no earlier release")
    written = read_bytes(folder, ERRATA_PAGE).decode("utf-8")
    findings.compare(list(_page_lines(errata)), written.split("\n"), ERRATA_PAGE)


def _accepted_as(answers: Rows, earlier: Mapping[str, list[dict[str, Any]]]) -> dict[str, str]:
    """Return the tier by answer; what an earlier release says stands before what this one does."""
    own = {row["answer_id"]: row["tier"] for row in answers if row["answer_id"]}
    return {**own, **_read_back(earlier)}


def _read_back(earlier: Mapping[str, list[dict[str, Any]]]) -> dict[str, str]:
    """Return the tiers of the accepted answers of an earlier release by their ids."""
    return {
        answer_id({"turn_id": turn, "answer": each["answer"]}): each["tier"]
        for turn, records in earlier.items()
        for each in records
    }


def _page_lines(errata: Errata) -> Iterator[str]:
    """Return the lines of the page; the last one is empty, as it ends with a line's end."""
    yield from ("# Errata", "", ERRATA_HEADING)
    for (number, version), rows in groupby(errata, lambda row: (row["release"], row["version"])):
        yield from ("", f"## Release {number}" + (f", version {version}" if version else ""), "")
        for row in rows:
            yield f"- `{row['answer_id']}`, {_in_one_line(row['answer'])}"
            yield f"  - {_in_one_line(row['reason'])} ({row['noted_at'][:10]})"
            state = f"accepted ({row['tier']})" if row["tier"] else "not accepted"
            if row.get("by_earlier"):
                state += f", as in the release that the data set has read (`{EARLIER_ANSWERS}`)"
            yield f"  - in this release: {state}"
    yield ""


def _in_one_line(text: str) -> str:
    return " ".join(text.split()).replace("<", "&lt;")
