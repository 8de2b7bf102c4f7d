from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, ClassVar

from django.core.management.base import CommandError

from accounts.commands import existing_file, whole_number
from accounts.models import User
from annotation import reserved_items_csv
from annotation.actions import reassignments, reservations
from annotation.actions.batches import BatchError
from annotation.actions.reserved_places import ReservationError
from annotation.commands import BATCH_FIRST, BatchCommand, member_called
from annotation.models import Batch
from annotation.queries import reservations as queries
from annotation.reserved_items_csv import MOST_ROWS
from annotation.review_decisions import ReviewError
from corpus.problems import ImportProblems, Report


def share(text: str) -> float:
    """The share that is written as 20% or 0.2."""
    try:
        value = float(text[:-1]) / 100 if text.endswith("%") else float(text)
    except ValueError as error:
        raise ArgumentTypeError(f"{text} is not a share: write 20% or 0.2") from error
    if not 0 < value <= 1:
        raise ArgumentTypeError(f"{text}: a share is above 0% and at most 100%")
    return value


class Command(BatchCommand):
    help = "Reserve items of a batch for a person, reassign what is left of somebody's, release it, or list who has what."
    expected: ClassVar = (BatchError, ReservationError, ReviewError, ImportProblems)
    named: ClassVar = (BATCH_FIRST,)

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--to",
            metavar="NAME",
            help="for whom; without --to and --from: who has what, and how far they are",
        )
        what = parser.add_mutually_exclusive_group()
        what.add_argument(
            "--items",
            metavar="FILE.csv",
            help="with a column item (ids) or turn (questions, for all of their items); of --from:"
            " only these items, by their ids",
        )
        what.add_argument(
            "--share",
            type=share,
            help="of the items, such as 20%% or 0.2, drawn at random; rounded up to whole items",
        )
        what.add_argument(
            "--n",
            type=whole_number(1, MOST_ROWS),
            help="so many items, drawn at random; --to needs one of these three",
        )
        parser.add_argument(
            "--seed", type=whole_number(0, 2**31 - 1), default=1, help="of the draw"
        )
        parser.add_argument(
            "--from",
            dest="owners",
            action="append",
            metavar="NAME",
            help="whose items go, with --to or --release; several times for several people",
        )
        parser.add_argument(
            "--release", action="store_true", help="what is left goes back to everybody"
        )
        parser.add_argument("--reason", help="of --from, required there; kept in the history")

    def act(self, **options: Any) -> Mapping[str, Any]:
        batch = options["batch"]
        if options["owners"]:
            done: Mapping[str, Any] = _reassign(batch, options)
        elif options["release"] or options["reason"]:
            raise CommandError("--release and --reason go with --from")
        elif options["to"]:
            done = _reserve(batch, options)
        elif any(options[name] for name in ("items", "share", "n")):
            raise CommandError("--to is missing: for whom")
        else:
            done = {"parts": [_line(each) for each in queries.parts(batch)]}
        return {"batch": batch.name, **done}


def _line(each: queries.PartOfPerson) -> str:
    part = each.part
    states = f"{part.n_judged} judged, {part.n_skipped} skipped, {part.n_held} on the desk, {part.n_left} left"
    obstacle = f" ({each.obstacle})" if each.obstacle else ""
    return f"{each.user.username}: {part.n} reserved, {states}{obstacle}"


def _reserve(batch: Batch, options: Mapping[str, Any]) -> Mapping[str, Any]:
    person = member_called(options["to"], options["study"])
    whose = {"batch": batch, "person": person, "by": options["by"]}
    if options["items"]:
        report = Report(options["items"], "row")
        rows = reserved_items_csv.read(existing_file(options["items"]), report)
        report.finish()
        made = reservations.reserve_named(rows=rows, report=report, **whose)
    elif options["share"] or options["n"]:
        drawn = {name: options[name] for name in ("share", "n", "seed")}
        made = reservations.reserve_drawn(**drawn, **whose)
    else:
        raise CommandError("say which items: --items, --share or --n")
    return {"annotator": person.username, **asdict(made)}


def _reassign(batch: Batch, options: Mapping[str, Any]) -> Mapping[str, Any]:
    if bool(options["to"]) == options["release"]:
        raise CommandError("--from needs --to NAME or --release, one of the two")
    if any(options[name] for name in ("share", "n")):
        raise CommandError("--from takes all that is left, or the items of --items")
    if not options["reason"]:
        raise CommandError("--from needs --reason")
    to = member_called(options["to"], options["study"]) if options["to"] else None
    done = reassignments.reassign(
        batch=batch,
        people=[_owner(name, batch) for name in options["owners"]],
        to=to,
        reason=options["reason"],
        by=options["by"],
        items=_ids_in(options["items"]) if options["items"] else None,
    )
    return asdict(done)


def _owner(name: str, batch: Batch) -> User:
    """The person, a member or not any more. Raises CommandError if nothing is reserved for them."""
    person = queries.people_with_parts(batch).filter(username=name).first()
    if person is None:
        raise CommandError(f"nothing of the batch {batch.name} is reserved for {name}")
    return person


def _ids_in(path: str) -> list[Any]:
    """The ids of the items in the file. Raises ImportProblems."""
    report = Report(path, "row")
    rows = reserved_items_csv.read(existing_file(path), report)
    ids = []
    for row in rows:
        found = (
            reserved_items_csv.as_uuid(row.value) if row.field == reserved_items_csv.ITEM else None
        )
        if found is None:
            report.add("is no id of an item", index=row.number, field=row.field, value=row.value)
        else:
            ids.append(found)
    report.finish()
    return ids
