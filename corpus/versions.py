"""Versions of a data set that take along the work on the versions before them (docs/adr/0035).

`Dataset.continues` names the version before. `Turn.same_as` and `Run.carried_from` name the first of the
rows that are one turn, or one run, in several versions: two turns are the same if they have the same first.
"""

from collections.abc import Collection, Iterator

from django.db.models import BooleanField, Exists, ExpressionWrapper, F, OuterRef, Q, QuerySet
from django.db.models.functions import Coalesce

from corpus.models import Answer, Dataset, Run, Turn
from jobs.basis import Decisions


def lineage(dataset: Dataset) -> list[Dataset]:
    """Return the version and those that it continues, newest first."""
    return list(_lineage(dataset))


def _lineage(dataset: Dataset) -> Iterator[Dataset]:
    found: Dataset | None = dataset
    while found is not None:
        yield found
        found = found.continues


def lineage_keys(dataset: Dataset) -> list[int]:
    """Return the primary keys of the version and of those that it continues."""
    return [each.pk for each in _lineage(dataset)]


def later_versions(dataset: Dataset) -> list[Dataset]:
    """Return the versions that continue this one, also by others between, without withdrawn ones."""
    named = Dataset.objects.counting().filter(study=dataset.study_id, name=dataset.name)
    later = named.filter(version__gt=dataset.version).order_by("version")
    return [each for each in later if dataset.pk in lineage_keys(each)]


def to_continue(versions: QuerySet[Dataset]) -> Dataset | None:
    """Return the one of these versions that a later one continues: the newest that is not withdrawn.

    Where all are withdrawn, the newest: who withdraws the only version and imports it mended keeps the work.
    """
    return versions.order_by("is_withdrawn", "-version").first()


def first_turn(prefix: str = "") -> Coalesce:
    """Return an expression for the primary key of the first of the turns that are the same.

    `prefix` leads from the queryset's model to the turn, as turn__.
    """
    return Coalesce(F(f"{prefix}same_as"), F(f"{prefix}pk"))


def first_run(prefix: str = "") -> Coalesce:
    """Return the same for runs."""
    return Coalesce(F(f"{prefix}carried_from"), F(f"{prefix}pk"))


def standing_turns(dataset: Dataset) -> QuerySet[Turn]:
    """Return the turns of the version, and those of the versions before that are the same."""
    own = Turn.objects.filter(conversation__dataset=dataset)
    later = own.filter(same_as=OuterRef("first"))
    earlier = Turn.objects.filter(conversation__dataset__in=lineage_keys(dataset)[1:])
    same = earlier.alias(first=first_turn()).filter(Exists(later))
    return Turn.objects.filter(Q(pk__in=own.values("pk")) | Q(pk__in=same.values("pk")))


def turns_alike(turn: Turn) -> QuerySet[Turn]:
    """Return the turn and those of other versions that are the same."""
    first = turn.same_as_id or turn.pk
    return Turn.objects.filter(Q(pk=first) | Q(same_as=first))


def stands(dataset: Dataset | None, path: str) -> Q:
    """Return a condition on rows with a turn at `path`: that it stands in the version.

    It is no condition if the version continues none, or without a version.
    """
    if dataset is None or dataset.continues_id is None:
        return Q()
    return Q(**{f"{path}__in": standing_turns(dataset).values("pk")})


def own_turns(dataset: Dataset) -> dict[int, int]:
    """Return by turn of an earlier version the turn of this one that is the same."""
    if dataset.continues_id is None:
        return {}
    own = Turn.objects.filter(conversation__dataset=dataset, same_as__isnull=False)
    by_first = {first: pk for pk, first in own.values_list("pk", "same_as")}
    earlier = Turn.objects.filter(conversation__dataset__in=lineage_keys(dataset)[1:])
    rows = earlier.values_list("pk", first_turn())
    return {pk: by_first[first] for pk, first in rows if first in by_first}


def own_answers(
    dataset: Dataset, earlier: Collection[int], turns: Collection[int] | None = None
) -> dict[int, int]:
    """Return by answer to an unchanged turn its copy in this version, for answers of the earlier versions.

    `turns` limits them to copies on these turns.
    """
    own = Answer.objects.filter(run__dataset=dataset, run__carried_from__isnull=False)
    own = own.filter(turn__same_as__isnull=False).order_by()
    originals = Answer.objects.filter(run__dataset__in=earlier, run__staged_by=None).order_by()
    if turns is not None:
        own = own.filter(turn__in=turns)
        first_turns = set(own.values_list("turn__same_as", flat=True))
        originals = originals.filter(Q(turn__in=first_turns) | Q(turn__same_as__in=first_turns))
    copies = {
        (run, turn): pk
        for pk, run, turn in own.values_list("pk", "run__carried_from", "turn__same_as").iterator()
    }
    firsts = originals.values_list("pk", first_run("run__"), first_turn("turn__"))
    return {pk: copies[run, turn] for pk, run, turn in firsts.iterator() if (run, turn) in copies}


def counting_first_runs(dataset: Dataset) -> QuerySet[Run, int]:
    """Return the first of each run of the version that is not withdrawn."""
    return dataset.runs.counting().order_by().values_list(first_run(), flat=True)


def carried_runs(dataset: Dataset) -> Decisions:
    """Return how many runs the version has taken along."""
    if dataset.continues_id is None:
        return Decisions()
    n = dataset.runs.filter(carried_from__isnull=False).count()
    return Decisions(n, {f"runs of data set {dataset.pk}": {"carried-over run": n}})


def with_work_first(datasets: QuerySet[Dataset]) -> QuerySet[Dataset]:
    """Return the data sets, newest first; then those without runs, then withdrawn ones."""
    own = _systems().filter(dataset=OuterRef("pk"))
    return datasets.alias(has_runs=Exists(own)).order_by(
        "is_withdrawn", "-has_runs", "-created_at", "-pk"
    )


def to_import_runs_into(datasets: QuerySet[Dataset]) -> QuerySet[Dataset]:
    """Return the data sets, newest first; then those without runs of which another version has some, then withdrawn ones."""
    own = _systems().filter(dataset=OuterRef("pk"))
    other = _systems().filter(dataset__study=OuterRef("study"), dataset__name=OuterRef("name"))
    is_left_behind = ExpressionWrapper(~Exists(own) & Exists(other), BooleanField())
    return datasets.alias(left_behind=is_left_behind).order_by(
        "is_withdrawn", "left_behind", "-created_at", "-pk"
    )


def _systems() -> QuerySet[Run]:
    return Run.objects.competing()


def newest(datasets: QuerySet[Dataset]) -> QuerySet[Dataset]:
    """Return those of which there is no later version that counts."""
    later = Dataset.objects.counting().filter(study=OuterRef("study"), name=OuterRef("name"))
    return datasets.filter(~Exists(later.filter(version__gt=OuterRef("version"))))
