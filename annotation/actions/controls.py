"""Control items of a batch: items with a known label, made of a settled batch or of a file of keys.

docs/adr/0064-hidden-controls-and-repeats.md is the design.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from django.db import transaction

from accounts import permissions
from accounts.errors import ActionError
from accounts.models import Role, User
from annotation import control_keys_csv, schemes
from annotation.actions import batches, locks, reviews
from annotation.actions.batches import BatchError
from annotation.control_keys_csv import KeyRow
from annotation.design import control_choice, screens
from annotation.design.screens import Screen
from annotation.models import Batch, BatchState, Item, Key
from annotation.queries import completion, control_sources, own_controls
from annotation.schemes import Shows, VerdictScheme, payloads
from audit import events
from corpus.models import Turn
from corpus.problems import Report
from sampling.models import Candidate

# Behind every position of an item: opening a draft numbers its items from 1.
FIRST_POSITION = 2**30


class ControlError(ActionError):
    """The control items cannot be added or taken out; the message says why."""


@dataclass(frozen=True)
class Added:
    """What was added. `n_by_label` counts the labels of what is there now; `warnings` are sentences."""

    n_added: int
    n_by_label: dict[str, int]
    warnings: list[str]


@dataclass(frozen=True)
class _NewKey:
    """A key to be made. `verdict` is the primary key of the verdict that its label was taken from."""

    label: str
    explanation: str = ""
    verdict: int | None = None


def add_from_batch(*, batch: Batch, source: Batch, n: int, seed: int, by: User) -> Added:
    """Make control items of at most `n` items of a closed and settled batch of the same scheme.

    Their verdict was unanimous with at least two judgements, or adjudicated. Left out are questions that the batch
    asks about itself or has a control item of. Raises ControlError, also if no item is left.
    """
    permissions.require(by, batch.study, Role.REQUESTER)
    with transaction.atomic():
        locked, scheme = _locked(batch)
        if objection := control_sources.objection(locked, source):
            raise ControlError(objection)
        settled = control_sources.usable_items(locked, source)
        rows = control_choice.chosen([each.settled for each in settled], n, seed)
        if not rows:
            raise ControlError(
                f"no item of the batch {source.name} can be used: an item can if its verdict is unanimous with at least"
                f" two judgements or adjudicated, and if the batch {locked.name} neither asks about its question nor"
                " has a control item of it"
            )
        by_item = {each.settled.item: each for each in settled}
        found = [by_item[row.item] for row in rows]
        like = _like(locked, source)
        made = screens.answer_screens(like, [each.candidate for each in found])
        keys = [_NewKey(each.settled.label, verdict=each.verdict) for each in found]
        return _added(locked, scheme, made, keys, by, source=source.name, seed=seed)


def add_from_file(*, batch: Batch, path: Path, by: User) -> Added:
    """Make control items of a file of keys (annotation.control_keys_csv). Raises as `add_from_rows` does."""
    permissions.require(by, batch.study, Role.REQUESTER)
    report = Report(path.name, "row")
    labels = schemes.verdict_scheme(batch.scheme).labels
    rows = control_keys_csv.read(path, labels, report)
    report.finish()
    return add_from_rows(batch=batch, rows=rows, report=report, by=by)


def add_from_rows(*, batch: Batch, rows: Sequence[KeyRow], report: Report, by: User) -> Added:
    """Make control items of the rows of a file of keys. Raises ControlError, and ImportProblems with those of all
    rows, in which case nothing is added. `report` is that of the file.
    """
    permissions.require(by, batch.study, Role.REQUESTER)
    with transaction.atomic():
        locked, scheme = _locked(batch)
        if scheme.shows_evidence:
            raise ControlError(
                f"the scheme {scheme.name} shows evidence, which a file of keys does not have: take control items"
                " from a settled batch"
            )
        turns = {turn.key: turn for turn in Turn.objects.of(locked.pool.dataset)}
        asked = control_sources.questions_of(locked)
        for row in rows:
            turn = turns.get(row.turn)
            if turn is None:
                report.add("is no question of the data set", index=row.number, field="turn")
            elif turn.pk in asked:
                problem = "the batch asks about this question, or has a control item of it"
                report.add(problem, index=row.number, field="turn")
        report.finish()
        answers = [Candidate(turn=turns[row.turn], text=row.answer) for row in rows]
        made = screens.answer_screens(locked, answers)
        keys = [_NewKey(row.label, row.explanation) for row in rows]
        return _added(locked, scheme, made, keys, by, source=report.file)


def _locked(batch: Batch) -> tuple[Batch, VerdictScheme]:
    """The batch, locked, with its scheme. Raises BatchError and ControlError."""
    states = (BatchState.DRAFT, BatchState.OPEN, BatchState.PAUSED)
    locked = batches.locked_in_state(batch, *states)
    scheme = schemes.get(locked.scheme)
    if not isinstance(scheme, VerdictScheme) or scheme.shows != Shows.ANSWER:
        raise ControlError(
            f"the scheme {scheme.name} has no control items: its items have no label"
        )
    if locked.is_rehearsal:
        raise ControlError(f"the batch {locked.name} is a rehearsal: nobody real works on it")
    is_without = locked.control_every is None and not locked.is_training
    if is_without and locked.state != BatchState.DRAFT:
        raise ControlError(
            f"the batch {locked.name} was opened without control items: its draft said that none is handed out"
        )
    return locked, scheme


def _like(batch: Batch, source: Batch) -> Batch:
    """A batch, not saved, that shows the pool of the source as this batch shows its own."""
    return Batch(
        study=batch.study,
        name=batch.name,
        scheme=batch.scheme,
        pool=source.pool,
        shows_context=batch.shows_context,
        seed=batch.seed,
    )


def _added(
    batch: Batch,
    scheme: VerdictScheme,
    made: Sequence[Screen],
    keys: Sequence[_NewKey],
    by: User,
    **how: object,
) -> Added:
    last = Item.objects.filter(batch=batch, key__isnull=False).order_by("position").last()
    first = FIRST_POSITION if last is None else last.position + 1
    items = Item.objects.bulk_create(
        Item(
            batch=batch,
            turn=screen.turn,
            position=position,
            payload=screen.payload,
            payload_sha256=payloads.sha256(screen.payload),
            n_wanted=None,
        )
        for position, screen in enumerate(made, start=first)
    )
    Key.objects.bulk_create(
        Key(
            item=item,
            label=key.label,
            explanation=key.explanation,
            from_verdict_id=key.verdict,
            created_by=by,
        )
        for item, key in zip(items, keys, strict=True)
    )
    events.record(
        study=batch.study, by=by, verb="added controls", target=batch, n_items=len(items), **how
    )
    own = Key.objects.filter(item__batch=batch, item__is_excluded=False)
    labels = list(own.values_list("label", flat=True))
    counts = Counter(labels)
    return Added(
        n_added=len(items),
        n_by_label={label: counts[label] for label in scheme.labels},
        warnings=_warnings(batch, labels, scheme),
    )


def _warnings(batch: Batch, labels: Sequence[str], scheme: VerdictScheme) -> list[str]:
    rare = control_choice.rare_labels(labels, scheme.labels)
    found = [
        f"{n} control items are {label}: a recall of this label needs {control_choice.LEAST_OF_A_LABEL}"
        for label, n in rare.items()
    ]
    if batch.control_every is None and not batch.is_training:
        found.append("the draft says that no control item is handed out: change it before it opens")
    people = completion.people_of(batch)
    if n := len(own_controls.without_any(batch, people)):
        found.append(
            f"{n} of the {len(people)} people who can work on the batch have seen all of these questions, and get no"
            " control item"
        )
    return found


@transaction.atomic
def take_out(*, key: Key, reason: str, by: User) -> None:
    """Exclude the control item of an opened batch; in a draft, where nobody was handed it, remove it.

    Raises ReviewError as reviews.exclude().
    """
    permissions.require(by, key.item.batch.study, Role.REQUESTER)
    batch = locks.locked_batch(key.item.batch_id)
    if batch.state != BatchState.DRAFT:
        reviews.exclude(item=key.item, reason=reason, by=by)
        return
    item = key.item
    events.record(study=batch.study, by=by, verb="removed", target=item, reason=reason)
    key.delete()
    item.delete()


def remove_all(draft: Batch) -> None:
    """Delete the control items of a locked draft, in which nobody was handed any."""
    items = Item.objects.filter(batch=draft, key__isnull=False)
    keys = list(items.values_list("pk", flat=True))
    Key.objects.filter(item__in=keys).delete()
    Item.objects.filter(pk__in=keys).delete()


def require_unchanged_screens(draft: Batch, fields: dict[str, object]) -> None:
    """Raise BatchError if these new values of a draft change what its control items show, or what it asks about."""
    made_for = ("scheme", "pool", "shows_context", "purpose")
    if all(getattr(draft, name) == fields.get(name, getattr(draft, name)) for name in made_for):
        return
    if Key.objects.filter(item__batch=draft).exists():
        raise BatchError(
            f"the draft {draft.name} has control items for its scheme, its pool, the earlier questions that it"
            " shows and its purpose: take them out before these change"
        )
