"""What `release --check` says of a release that is not made."""

from collections.abc import Iterator, Mapping
from typing import Any

from corpus.actions import later_carry_over
from exports.releases import conflict_queries, queries
from exports.releases.changes import KINDS, Changes, gained_sentence
from exports.releases.choice import Choice
from exports.releases.preconditions import n_disputes, ready_batches
from exports.writers.errors import ReleaseError
from jobs.transactions import snapshot

# Rows of a list as text; --json has all.
SHOWN = 50


def summary(choice: Choice, *, set_aside_disputes: bool) -> dict[str, Any]:
    """Return what the release would take, what it would change, and why it would be refused.

    Raises ReleaseError where the files of the release before cannot be read.
    """
    with snapshot():
        batches = list(choice.batches())
        try:
            found = queries.changes(choice)
        except (OSError, ValueError) as error:
            raise ReleaseError(f"the release before cannot be compared: {error}") from error
        return {
            "dataset": str(choice.dataset),
            "is_rehearsal": choice.is_rehearsal,
            "batches": [batch.name for batch in batches],
            "left_out": list(choice.left_out),
            "left_behind": [each.sentence for each in later_carry_over.left_behind(choice.dataset)],
            "refused": _refusal(choice, set_aside_disputes=set_aside_disputes),
            **_changed(found),
            "conflicts": [
                {
                    "scheme": each.scheme,
                    "turn": each.turn,
                    "answer": each.answer,
                    "verdicts": [
                        {"batch": of.batch, "verdict": of.verdict, "counts": of.is_newest}
                        for of in each.verdicts
                    ],
                }
                for each in conflict_queries.conflicts(batches, choice.dataset)
            ],
        }


def _changed(found: Changes) -> dict[str, Any]:
    return {
        "since": found.since,
        "withdrawn_releases": list(found.withdrawn),
        "accepted": dict(found.accepted),
        "gained": dict(found.gained),
        "sentence": gained_sentence(found),
        **{
            kind: [
                {
                    "turn": each.turn,
                    "answer": each.answer,
                    "before": each.before,
                    "after": each.after,
                    "why": each.why,
                }
                for each in found.of_kind(kind)
            ]
            for kind in KINDS
        },
    }


def _refusal(choice: Choice, *, set_aside_disputes: bool) -> str:
    """Return why the release would be refused now; "" if it would not."""
    try:
        batches = ready_batches(choice)
    except ReleaseError as error:
        return str(error)
    n_disputed = n_disputes(choice.dataset, batches)
    if n_disputed and not set_aside_disputes:
        return f"{n_disputed} items are in dispute: adjudicate them, or have them set aside"
    return ""


def lines(found: Mapping[str, Any]) -> Iterator[str]:
    """Yield the summary as text, long lists cut."""
    rehearsal = ", rehearsed batches" if found["is_rehearsal"] else ""
    yield f"A release of {found['dataset']}{rehearsal}; nothing is written."
    yield f"Batches: {', '.join(found['batches']) or 'none'}"
    if found["left_out"]:
        yield f"Left out: {', '.join(found['left_out'])}"
    yield from found["left_behind"]
    if found["refused"]:
        yield f"It would be refused now: {found['refused']}"
    yield found["sentence"]
    for kind, (_, heading) in KINDS.items():
        rows = [f"{_named(each)}: {each['why']}" for each in found[kind]]
        yield from _list(heading, rows)
    rows = [f"{_named(each)}: {_labels(each['verdicts'])}" for each in found["conflicts"]]
    yield from _list("Decided differently by several batches", rows)


def _list(heading: str, rows: list[str]) -> Iterator[str]:
    if rows:
        yield f"{heading} ({len(rows)}):"
        yield from (f"  {row}" for row in rows[:SHOWN])
    if len(rows) > SHOWN:
        yield f"  ... and {len(rows) - SHOWN} more; --json lists all"


def _named(each: Mapping[str, Any]) -> str:
    text = " ".join(each["answer"].split())
    return f"{each['turn']} {text if len(text) <= 70 else text[:69] + '…'}"


def _labels(verdicts: list[dict[str, Any]]) -> str:
    return ", ".join(
        f"{each['verdict']} in “{each['batch']}”{' (counts)' if each['counts'] else ''}"
        for each in verdicts
    )
