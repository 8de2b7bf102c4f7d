"""A version that is there already takes along the work on the version before it.

For versions that were imported before Touchstone did this by itself, and for runs that came to the version
before since. It may be repeated: what was taken along is not taken along again.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from django.db import transaction

from accounts import permissions
from accounts.actions.locks import lock_study
from accounts.models import Role, User
from audit import events
from corpus import digests, versions
from corpus import queries as corpus_queries
from corpus.actions import carry_over
from corpus.models import Dataset, Run, RunKind, Turn
from jobs.models import Job
from jobs.transactions import write_in_pieces


class CarryOverError(Exception):
    """There is nothing to take along; the message says why."""


@dataclass(frozen=True)
class StagedCarryOver:
    """What is written and hidden: the comparison of the turns, and copies of runs.

    `same` has, by primary key of a run of the version, the first of the runs that give the same answers
    under its name.
    """

    dataset: Dataset
    before: Dataset
    comparison: Mapping[str, Any] = field(default_factory=dict)
    runs: Sequence[Run] = ()
    same: Mapping[int, int] = field(default_factory=dict)


def before(dataset: Dataset) -> Dataset | None:
    """Return the version that this one continues, or would (corpus.versions.to_continue)."""
    earlier = Dataset.objects.filter(
        study=dataset.study_id, name=dataset.name, version__lt=dataset.version
    )
    return dataset.continues or versions.to_continue(earlier)


def is_anything_left(dataset: Dataset) -> bool:
    """Return whether there is a version before this one with something to take along."""
    found = before(dataset)
    if found is None:
        return False
    return dataset.continues is None or bool(carry_over.missing_runs(dataset, found))


class LeftBehind(NamedTuple):
    """Runs that count in the version before `dataset` and that it has not, in a sentence."""

    dataset: Dataset
    sentence: str


def left_behind(dataset: Dataset) -> list[LeftBehind]:
    """Return which runs this version, or one that it continues, lacks of the version before, oldest first.

    What was decided of their answers alone, as on a top-up, does not count in the version.
    """
    found = []
    for later in reversed(versions.lineage(dataset)):
        missing = carry_over.missing_runs(later, later.continues) if later.continues else []
        if missing:
            names = carry_over.named([run.name for run in missing])
            runs, them = ("The run", "it") if len(missing) == 1 else ("The runs", "them")
            verb = "is" if len(missing) == 1 else "are"
            sentence = (
                f"{runs} {names} {verb} in {later.continues} and not in {later}, where what people decided of"
                f" {them} alone does not count: carry_over --dataset {later} takes {them} along."
            )
            found.append(LeftBehind(later, sentence))
    return found


def stage(*, dataset: Dataset, by: User, job: Job, beat: Callable[[], None]) -> StagedCarryOver:
    """Write the rows in pieces, each after a `beat`; they count for nothing until publish().

    Raises CarryOverError if there is no version before this one.
    """
    permissions.require(by, dataset.study, Role.REQUESTER)
    earlier = before(dataset)
    if earlier is None:
        raise CarryOverError(f"there is no version before {dataset} whose work it could take along")
    comparison = dataset.comparison
    if dataset.continues is None:
        records = corpus_queries.dataset_records(dataset)
        continuation = carry_over.compare(earlier, records)
        beat()
        comparison = continuation.comparison.to_dict()
        _link_turns(dataset, continuation.same_as, beat)
    same = {run.pk: first for run, first in _same_runs(dataset, earlier)}
    runs = carry_over.stage_runs(dataset, earlier, by, job, beat)
    return StagedCarryOver(dataset, earlier, comparison, runs, same)


def _link_turns(dataset: Dataset, same_as: Mapping[str, int], beat: Callable[[], None]) -> None:
    """Name the first of the same turns, also in versions that continue this one already."""
    firsts = {pk: same_as.get(turn) for turn, pk in corpus_queries.turn_ids(dataset).items()}
    own = Turn.objects.filter(conversation__dataset=dataset).only("pk")
    later = Turn.objects.filter(same_as__conversation__dataset=dataset).only("pk", "same_as")
    changed = []
    for turn in own.iterator():
        turn.same_as_id = firsts[turn.pk]
        changed.append(turn)
    for turn in later.iterator():
        turn.same_as_id = firsts[turn.same_as_id or 0] or turn.same_as_id
        changed.append(turn)

    def update(piece: list[Turn]) -> None:
        Turn.objects.bulk_update(piece, ["same_as"])

    write_in_pieces(changed, update, beat=beat)


def _same_runs(dataset: Dataset, earlier: Dataset) -> list[tuple[Run, int]]:
    """Return the runs that were imported for both versions with the same answers, each with the first."""
    there = corpus_queries.turn_ids(dataset)
    own = dataset.runs.exclude(kind=RunKind.REFERENCE).filter(carried_from=None)
    by_name = {run.name: run for run in own}
    copied = set(dataset.runs.values_list("carried_from", flat=True))
    found = []
    for run in earlier.runs.exclude(kind=RunKind.REFERENCE).filter(name__in=by_name):
        first = run.carried_from or run
        if first.pk in copied:  # there under another name
            continue
        records = carry_over.answers_to(first, dataset, there)
        if digests.answers_digest(records) == by_name[run.name].answers_digest:
            found.append((by_name[run.name], first.pk))
    return found


@transaction.atomic
def publish(*, staged: StagedCarryOver, by: User) -> dict[str, Any]:
    """Make it count. Return what was taken along, as carry_over.carried does, with the name of the version."""
    dataset = staged.dataset
    permissions.require(by, dataset.study, Role.REQUESTER)
    lock_study(dataset.study)
    is_new = Dataset.objects.filter(pk=dataset.pk, continues=None).update(
        continues=staged.before, comparison=staged.comparison
    )
    dataset.refresh_from_db()
    for run, first in staged.same.items():
        Run.objects.filter(pk=run).update(carried_from=first)
        Run.objects.filter(carried_from=run).update(carried_from=first)
    taken = set(dataset.runs.values_list("name", flat=True))
    counting = carry_over.still_counting(staged.before, staged.runs)
    runs = [run for run in counting if run.name not in taken]
    Run.everything.filter(pk__in=[run.pk for run in runs]).update(staged_by=None)
    carried = carry_over.carried(dataset, runs)
    if is_new or runs or staged.same:
        numbers = carry_over.numbers(carried)
        events.record(study=dataset.study, by=by, verb="carried over", target=dataset, **numbers)
    names = sorted(dataset.runs.filter(pk__in=staged.same).values_list("name", flat=True))
    return {"name": str(dataset), "carried": {**carried, "same_runs": names}}
