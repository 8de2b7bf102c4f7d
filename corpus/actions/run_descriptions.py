"""Names and descriptions of runs, changed after the import. Their answers never change."""

import secrets
from collections import Counter
from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass
from hashlib import sha256

from django.core.exceptions import ValidationError
from django.db import transaction

from accounts import permissions
from accounts.actions.locks import lock_study
from accounts.errors import ActionError
from accounts.models import Role, User
from audit import events
from corpus import names
from corpus.models import COMPETING, Dataset, Run, RunChange

FIELDS = ("name", "team", "system", "setup", "kind")
KINDS = tuple(kind.value for kind in COMPETING)

Values = Mapping[str, str]


@dataclass(frozen=True)
class Flaw:
    """What is wrong with a wanted value of a run; `field` is empty if it is the run as a whole."""

    run: int
    field: str
    value: str
    message: str


@dataclass(frozen=True)
class Change:
    """A run as it is, and its fields that change, before and after."""

    run: Run
    before: dict[str, str]
    after: dict[str, str]


@dataclass(frozen=True)
class Plan:
    """What would change, or what is wrong. With a flaw nothing is changed."""

    changes: tuple[Change, ...]
    flaws: tuple[Flaw, ...]


class DescriptionError(ActionError):
    """Nothing was changed: `flaws` has every reason, which the message lists."""

    def __init__(self, flaws: tuple[Flaw, ...], runs: Mapping[int, str]) -> None:
        self.flaws = flaws
        lines = [
            ": ".join(filter(None, [runs.get(each.run, ""), each.field, in_words(each)]))
            for each in flaws
        ]
        super().__init__("nothing was changed\n" + "\n".join(lines))


class RunsAtWorkError(ActionError):
    """Runs cannot be renamed now, because a job reads them by name; the message says which."""


def in_words(flaw: Flaw) -> str:
    return f"“{flaw.value}” {flaw.message}" if flaw.value else flaw.message


def fingerprint(run: Run) -> str:
    """Return a digest of the name and the description, which tells whether somebody changed them."""
    return sha256("\0".join(getattr(run, field) for field in FIELDS).encode()).hexdigest()[:16]


def plan(
    *, dataset: Dataset, wanted: Mapping[int, Values], seen: Mapping[int, str] | None = None
) -> Plan:
    """Return what would change if the runs had the wanted values; fields that are left out stay.

    `seen` has the fingerprints of the runs as whoever wants it saw them.
    """
    runs = {run.pk: run for run in dataset.runs.competing()}
    flaws: list[Flaw] = []
    changes = []
    for pk, values in wanted.items():
        run = runs.get(pk)
        if run is None:
            flaws.append(Flaw(pk, "", "", f"is no run of {dataset} that can be changed"))
            continue
        after = {
            field: values[field].strip()
            for field in FIELDS
            if field in values and values[field].strip() != getattr(run, field)
        }
        if not after:
            continue
        if seen is not None and seen.get(pk) != fingerprint(run):
            flaws.append(Flaw(pk, "", "", _changed_meanwhile(run)))
        flaws += _flaws_of_values(run, after)
        changes.append(Change(run, {field: getattr(run, field) for field in after}, after))
    flaws += _names_taken(dataset, changes)
    return Plan(tuple(changes), tuple(flaws))


def _changed_meanwhile(run: Run) -> str:
    now = ", ".join(f"{field} {getattr(run, field) or 'not specified'}" for field in FIELDS)
    return f"was changed meanwhile and now has: {now}. Check it, and save again"


def _flaws_of_values(run: Run, after: Values) -> list[Flaw]:
    planned = copy(run)
    for field, value in after.items():
        setattr(planned, field, value)
    others = {field.name for field in Run._meta.fields} - after.keys()
    flaws = []
    if "kind" in after and after["kind"] not in KINDS:
        flaws.append(Flaw(run.pk, "kind", after["kind"], f"is not {' or '.join(KINDS)}"))
    if "name" in after and (flaw := _flaw_of_name(after["name"])):
        flaws.append(Flaw(run.pk, "name", after["name"], flaw))
    known = {flaw.field for flaw in flaws}
    try:
        planned.clean_fields(exclude=others | known)
    except ValidationError as error:
        flaws += [
            Flaw(run.pk, field, after[field][:60], "; ".join(messages))
            for field, messages in error.message_dict.items()
        ]
    return flaws


def _flaw_of_name(name: str) -> str:
    return names.flaw_of_run(name) if name else "a run needs a name"


def _names_taken(dataset: Dataset, changes: list[Change]) -> list[Flaw]:
    """Return a flaw for each run whose new name another run would have too."""
    final = dict(dataset.runs.values_list("pk", "name"))
    final |= {each.run.pk: each.after["name"] for each in changes if "name" in each.after}
    times = Counter(final.values())
    return [
        Flaw(each.run.pk, "name", each.after["name"], "is the name of another run of the data set")
        for each in changes
        if "name" in each.after and each.after["name"] and times[each.after["name"]] > 1
    ]


@transaction.atomic
def describe(
    *,
    dataset: Dataset,
    wanted: Mapping[int, Values],
    by: User,
    seen: Mapping[int, str] | None = None,
) -> tuple[Change, ...]:
    """Change names and descriptions of runs, all or none, and return what changed.

    Raises DescriptionError, and RunsAtWorkError for a new name while a job reads the data set.
    """
    permissions.require(by, dataset.study, Role.REQUESTER)
    lock_study(dataset.study)
    found = plan(dataset=dataset, wanted=wanted, seen=seen)
    if found.flaws:
        raise DescriptionError(found.flaws, dict(dataset.runs.values_list("pk", "name")))
    renamed = [each for each in found.changes if "name" in each.after]
    if renamed:
        _require_no_job(dataset)
    # Two runs may change names with each other: no name is taken while all are free.
    for each in renamed:
        Run.objects.filter(pk=each.run.pk).update(name=f"renamed {secrets.token_hex(16)}")
    for each in found.changes:
        _write(dataset, each, by)
    return found.changes


def _require_no_job(dataset: Dataset) -> None:
    job = dataset.study.jobs.unfinished().filter(params__dataset=dataset.pk).first()
    if job is not None:
        raise RunsAtWorkError(
            f"the job {job} is running on the data set {dataset} and uses the names of its runs:"
            " rename them when it has ended"
        )


def _write(dataset: Dataset, change: Change, by: User) -> None:
    Run.objects.filter(pk=change.run.pk).update(**change.after)
    RunChange.objects.create(
        run=change.run, before=change.before, after=change.after, changed_by=by
    )
    events.record(
        study=dataset.study,
        by=by,
        verb="changed the description of",
        target=change.run,
        dataset=str(dataset),
        before=change.before,
        after=change.after,
    )
