"""The file of simulated people, in TOML: its groups, or every problem in it. Imports no Django.

    [[group]]
    name = "careful"
    share = 0.7                # of the people; or count = 14
    accuracy = 0.9             # or a confusion by true label, whose rows add up to 1
    seconds = { median = 25, spread = 1.6 }

    [[group]]
    name = "one key"
    share = 0.3
    one_key_after = 0

Wrong: a group with neither accuracy nor confusion that is not blind from the start; it says nothing of its labels.
"""

import tomllib
from collections.abc import Mapping, Sequence
from math import isclose
from pathlib import Path
from typing import Any, TypeGuard

from annotation.rehearsal import people
from annotation.rehearsal.people import Habits
from corpus.problems import Report, json_excerpt
from corpus.readers import encoding

MOST_PEOPLE = 1_000
MOST_BYTES = 1_000_000
LONGEST_NAME = 100
FIELDS = (
    *("name", "count", "share", "accuracy", "confusion", "seconds", "random", "haste"),
    *("haste_after", "one_key_after", "one_key", "leaves_after", "bad"),
)
# Sums of shares as they are written, such as a third as .333.
SUMS_TO_ONE = 1e-3


def read(
    path: Path, *, prevalence: Mapping[str, float], n_people: int | None, report: Report
) -> list[Habits]:
    """Return the habits of each person, in the order of the groups. Problems are added to the report, with the number
    of the group and its field; of a file that is no TOML, with its line.

    prevalence  the labels of the scheme, with how common they are
    n_people    how many people shares are of; None where the groups have counts
    """
    groups = _groups(path, report)
    found = [
        (number, _group(group, prevalence, _Place(report, number)))
        for number, group in enumerate(groups, start=1)
    ]
    counts = _counts(groups, n_people, report) if groups and not report.n else []
    return [
        habits for (_, habits), n in zip(found, counts, strict=False) if habits for _ in range(n)
    ]


def shared_out(n: int, shares: Sequence[float]) -> list[int]:
    """Return whole numbers of these shares that add up to n: each rounded down, then the largest remainders up.

    >>> shared_out(10, [0.7, 0.2, 0.1])
    [7, 2, 1]
    """
    wanted = [round(n * share, 9) for share in shares]
    numbers = [int(each) for each in wanted]
    by_remainder = sorted(range(len(shares)), key=lambda at: (numbers[at] - wanted[at], at))
    for at in by_remainder[: max(n - sum(numbers), 0)]:
        numbers[at] += 1
    return numbers


class _Place:
    """One group of the file, to which problems are added."""

    def __init__(self, report: Report, number: int) -> None:
        self._report, self._number = report, number

    def problem(self, field: str, message: str, value: object = None) -> None:
        excerpt = "" if value is None else json_excerpt(_plain(value))
        self._report.add(message, index=self._number, field=field, value=excerpt)


def _plain(value: object) -> object:
    """The value, or as text what JSON has not: TOML has dates and times."""
    return value if isinstance(value, (bool, int, float, str, list, dict)) else str(value)


def _groups(path: Path, report: Report) -> list[dict[str, Any]]:
    if path.stat().st_size > MOST_BYTES:
        report.add(f"the file has more than {MOST_BYTES:,} bytes")
        return []
    if not encoding.is_utf8(path, report):
        return []
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except (tomllib.TOMLDecodeError, RecursionError) as error:  # which names line and column
        report.add(f"the file is no TOML: {error}")
        return []
    for name in sorted(set(content) - {"group"}):
        report.add("is no field of this file: it consists of [[group]]", field=name)
    groups = content.get("group")
    if not isinstance(groups, list) or not all(isinstance(each, dict) for each in groups):
        report.add("the file has no [[group]]")
        return []
    if not groups:
        report.add("the file has no [[group]]")
    return groups


def _group(group: Mapping[str, Any], prevalence: Mapping[str, float], at: _Place) -> Habits | None:
    """The habits of the group; None where a field is wrong, which is added."""
    labels = tuple(prevalence)
    for name in sorted(set(group) - set(FIELDS)):
        at.problem(name, f"is no field of a group; it has {', '.join(FIELDS)}")
    title = group.get("name")
    if not isinstance(title, str) or not title.strip() or "\0" in title:
        at.problem("name", "a group has a name in words")
    elif len(title) > LONGEST_NAME:
        at.problem("name", f"has more than {LONGEST_NAME} characters")
    median, spread = _seconds(group.get("seconds", people.MEDIAN_SECONDS), at)
    random = _share(group, "random", at)
    haste = _share(group, "haste", at)
    haste_after = _whole(group, "haste_after", 1, at)
    one_key_after = _whole(group, "one_key_after", 0, at)
    leaves_after = _whole(group, "leaves_after", 0, at)
    one_key = group.get("one_key", "")
    if "one_key" in group and one_key not in labels:
        at.problem("one_key", f"is none of {', '.join(labels)}", one_key)
    if "one_key" in group and "one_key_after" not in group:
        at.problem("one_key", "goes with one_key_after, which says from when on")
    is_blind = random == 1 or one_key_after == 0
    is_bad = group.get("bad", random >= people.BAD_RANDOM or one_key_after is not None)
    if not isinstance(is_bad, bool):
        at.problem("bad", "is neither true nor false", is_bad)
    confusion = _confusion(group, labels, is_blind, at)
    if confusion is None:
        return None
    return Habits(
        name=str(title),
        labels=labels,
        commonest=max(labels, key=lambda label: prevalence[label]),
        confusion=confusion,
        median_seconds=median,
        spread=spread,
        random=random,
        haste=haste,
        haste_after=people.HASTE_AFTER if haste_after is None else haste_after,
        one_key_after=one_key_after,
        one_key=str(one_key),
        leaves_after=leaves_after,
        is_bad=bool(is_bad),
    )


def _confusion(
    group: Mapping[str, Any], labels: tuple[str, ...], is_blind: bool, at: _Place
) -> people.Confusion | None:
    if "accuracy" in group and "confusion" in group:
        at.problem("accuracy", "stands beside a confusion, which says the same in full: keep one")
        return None
    if "confusion" in group:
        return _rows(group["confusion"], labels, at)
    if "accuracy" not in group and is_blind:
        return people.of_accuracy(labels, 1 / len(labels))
    if "accuracy" not in group:
        at.problem("accuracy", "is missing: say how often they are right, or give a confusion")
        return None
    return people.of_accuracy(labels, _share(group, "accuracy", at))


def _rows(
    confusion: object, labels: tuple[str, ...], at: _Place
) -> dict[str, dict[str, float]] | None:
    if not isinstance(confusion, dict):
        at.problem("confusion", "has a row for each true label, such as a = { a = 0.9, b = 0.1 }")
        return None
    for label in sorted(set(confusion) - set(labels)):
        at.problem(f"confusion.{label}", f"is none of {', '.join(labels)}")
    found = {label: _row(confusion.get(label), label, labels, at) for label in labels}
    return {label: row for label, row in found.items() if row is not None}


def _row(row: object, true: str, labels: tuple[str, ...], at: _Place) -> dict[str, float] | None:
    """The shares of a row in the order of the labels; a label that it lacks is never given."""
    field = f"confusion.{true}"
    if not isinstance(row, dict):
        at.problem(field, "is missing: how often each label is given where this one is true")
        return None
    if unknown := sorted(set(row) - set(labels)):
        at.problem(f"{field}.{unknown[0]}", f"is none of {', '.join(labels)}")
        return None
    for label, share in row.items():
        if not _is_share(share):
            at.problem(f"{field}.{label}", "is not from 0 to 1", share)
            return None
    total = sum(row.values())
    if not isclose(total, 1, abs_tol=SUMS_TO_ONE):
        at.problem(field, f"adds up to {total:g}, not to 1")
        return None
    return {label: row[label] / total for label in labels if label in row}


def _seconds(value: object, at: _Place) -> tuple[float, float]:
    """The median and the spread: two of three judgements lie between median / spread and median * spread."""
    given = value if isinstance(value, dict) else {"median": value}
    median, spread = given.get("median"), given.get("spread", people.SPREAD)
    if unknown := sorted(set(given) - {"median", "spread"}):
        at.problem(f"seconds.{unknown[0]}", "is no field of seconds: they have median and spread")
    most = people.MOST_SECONDS
    if not _is_number(median) or not people.LEAST_SECONDS <= median <= most:
        least = people.LEAST_SECONDS
        at.problem("seconds.median", f"is not a number from {least:g} to {most:g}", median)
        median = people.MEDIAN_SECONDS
    if not _is_number(spread) or not 1 <= spread <= 10:
        at.problem("seconds.spread", "is not a number from 1 to 10", spread)
        spread = people.SPREAD
    return float(median), float(spread)


def _is_number(value: object) -> TypeGuard[float]:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _is_share(value: object) -> TypeGuard[float]:
    return _is_number(value) and 0 <= value <= 1


def _share(group: Mapping[str, Any], field: str, at: _Place) -> float:
    """The share that the field says; 0 where it is missing, and where it is none, which is added."""
    value = group.get(field, 0.0)
    if not _is_share(value):
        at.problem(field, "is not from 0 to 1", value)
        return 0.0
    return float(value)


def _whole(group: Mapping[str, Any], field: str, least: int, at: _Place) -> int | None:
    value = group.get(field)
    if value is None:
        return None
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= 10**6:
        at.problem(field, f"is not a whole number from {least} to 1,000,000", value)
        return None
    return value


def _counts(groups: Sequence[Mapping[str, Any]], n_people: int | None, report: Report) -> list[int]:
    """How many people each group has. Either all have a count, or all a share."""
    for number, group in enumerate(groups, start=1):
        at = _Place(report, number)
        if ("count" in group) == ("share" in group):
            at.problem("count", "a group has either a count or a share")
        elif ("count" in group) != ("count" in groups[0]):
            at.problem("count", "either all groups have a count, or all a share")
        elif "count" in group:
            _whole(group, "count", 0, at)
        elif not _is_share(group["share"]):
            at.problem("share", "is not from 0 to 1", group["share"])
    if report.n:
        return []
    if "share" in groups[0]:
        return _of_shares([float(each["share"]) for each in groups], n_people, report)
    counts = [int(each["count"]) for each in groups]
    if n_people is not None and n_people != sum(counts):
        report.add(f"the groups have {sum(counts)} people, and {n_people} were asked for")
    if not 1 <= sum(counts) <= MOST_PEOPLE:
        report.add(f"the groups have {sum(counts):,} people, and not 1 to {MOST_PEOPLE:,}")
    return [] if report.n else counts


def _of_shares(shares: list[float], n_people: int | None, report: Report) -> list[int]:
    if not isclose(sum(shares), 1, abs_tol=SUMS_TO_ONE):
        report.add(f"the shares of the groups add up to {sum(shares):g}, not to 1")
        return []
    if n_people is None or not 1 <= n_people <= MOST_PEOPLE:
        report.add(f"shares need a number of people (--annotators), from 1 to {MOST_PEOPLE:,}")
        return []
    return shared_out(n_people, [each / sum(shares) for each in shares])
