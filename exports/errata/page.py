"""`ERRATA.md` of a release: what is wrong in the releases before it. Without Django."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from exports.rows.earlier_answers import NAME

JSON, PAGE = "errata.json", "ERRATA.md"
# For the README of a release that has them.
FILES = {
    PAGE: "errors found in earlier releases of the data set, and whether this one accepts the answers",
    JSON: "the same, to be read by programs",
}


def errata_page(errata: Sequence[Mapping[str, Any]]) -> str:
    """Return the page, from rows in the order of their releases."""
    return "\n".join(_lines(errata)) + "\n"


def _lines(errata: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    yield "# Errata\n"
    yield "What was found wrong in earlier releases of this data set after they were made. They stay as they are."
    for (number, version), rows in groupby(errata, lambda row: (row["release"], row["version"])):
        yield f"\n## Release {number}{f', version {version}' if version else ''}\n"
        yield from (_line(row) for row in rows)


def _line(row: Mapping[str, Any]) -> str:
    now = f"accepted ({row['tier']})" if row["tier"] else "not accepted"
    if row["by_earlier"]:
        now += f", as in the release that the data set has read (`{NAME}`)"
    return (
        f"- `{row['answer_id']}`, {_plain(row['answer'])}\n"
        f"  - {_plain(row['reason'])} ({row['noted_at'][:10]})\n"
        f"  - in this release: {now}"
    )


def _plain(text: str) -> str:
    """The text in one line, without what HTML would take for its own."""
    return " ".join(text.split()).replace("<", "&lt;")
