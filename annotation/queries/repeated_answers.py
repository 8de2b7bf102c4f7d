"""Answers that several batches of a scheme ask about, and what these decided."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence, Set
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from django.db.models import Count, Q, QuerySet
from django.db.models.functions import Coalesce

from annotation import schemes
from annotation.models import Batch, BatchState, Item, Verdict, VerdictState
from annotation.schemes import Shows
from corpus.models import Dataset, Turn
from corpus.versions import first_turn, stands
from sampling.models import Candidate

# An answer: the first of the turns that are the same (corpus.versions), and the hash of its text.
Answer = tuple[int, str]


@dataclass(frozen=True)
class Decided:
    """How many of a batch's answers another batch has decided."""

    batch: str
    n: int


@dataclass(frozen=True)
class Undecided:
    """How many of a batch's answers another batch asks about and has not decided."""

    batch: str
    n: int


@dataclass(frozen=True)
class Differing:
    """How many answers two batches decided with unlike verdicts. `later` was made after `earlier`."""

    scheme: str
    earlier: str
    later: str
    n: int


@dataclass(frozen=True)
class Repeated:
    """The other batches that decided answers of a batch's pool, and those that ask about them and have not decided
    them, in the order of their making.
    """

    decided: list[Decided]
    undecided: list[Undecided]


def repeated(batch: Batch) -> Repeated:
    """Return which other batches ask about the answers of this batch's pool. It need not be saved."""
    others = list(_alike(batch).exclude(pk=batch.pk).order_by("created_at", "pk"))
    elsewhere = {each.pool_id for each in others} - {batch.pool_id}
    own = _own_answers_among(batch, elsewhere) if elsewhere else set()
    n_decided = _n_shared(batch, others, own, _decided(), "item__")
    at_work = [each for each in others if each.state != BatchState.DRAFT]
    n_left = _n_shared(batch, at_work, own, Item.objects.real())
    n_left.subtract(n_decided)
    return Repeated(
        [Decided(each.name, n_decided[each.pk]) for each in others if n_decided[each.pk]],
        [Undecided(each.name, n_left[each.pk]) for each in at_work if n_left[each.pk]],
    )


def _n_shared(
    batch: Batch, others: Sequence[Batch], own: Set[Answer], rows: QuerySet[Any], item: str = ""
) -> Counter[int]:
    """Return by batch the number of its rows about an answer of this batch's pool, which are `own` where other pools
    have them; `item` leads to their item.

    A batch on the same pool asks about no other answers, and its rows need not be read.
    """
    at_batch = f"{item}batch"
    same = [each.pk for each in others if each.pool_id == batch.pool_id]
    of_pool = rows.filter(**{f"{at_batch}__in": same}).order_by().values_list(at_batch)
    counts = Counter(dict(of_pool.annotate(n=Count("pk"))))
    if elsewhere := [each.pk for each in others if each.pool_id != batch.pool_id and own]:
        answers = rows.filter(**{f"{at_batch}__in": elsewhere}).order_by()
        shown = answers.values_list(at_batch, *_answer(f"{item}answers__candidate__"))
        counts.update(other for other, turn, sha256 in shown if (turn, sha256) in own)
    return counts


def _own_answers_among(batch: Batch, pools: Collection[int]) -> set[Answer]:
    """Return the answers of the batch's pool with a text that these other pools have too.

    A batch asks about answers of its pool. Those of a pool are found in an index, and those of a batch by its items.
    """
    texts = Candidate.objects.filter(pool__in=pools).order_by().values("text_sha256")
    own = Candidate.objects.filter(pool=batch.pool_id, text_sha256__in=texts)
    return set(own.order_by().values_list(*_answer()))


def _answer(candidate: str = "") -> tuple[Coalesce, str]:
    """Return the columns of an Answer; `candidate` leads to the candidate."""
    return first_turn(f"{candidate}turn__"), f"{candidate}text_sha256"


def differing_from(batch: Batch) -> list[Differing]:
    """Return where this batch and others decided the same answer with unlike verdicts."""
    found = differing(list(_alike(batch)))
    return [each for each in found if batch.name in (each.earlier, each.later)]


def differing(batches: Collection[Batch], *, dataset: Dataset | None = None) -> list[Differing]:
    """Return the pairs of these batches that decided the same answer with unlike verdicts.

    `dataset` limits the answers to turns that stand in this version.
    """
    found: list[Differing] = []
    names: dict[str, list[str]] = defaultdict(list)
    for batch in sorted(batches, key=lambda each: (each.created_at, each.pk)):
        names[batch.scheme].append(batch.name)
    for scheme, in_order in sorted(names.items()):
        if len(in_order) < 2 or schemes.get(scheme).shows != Shows.ANSWER:
            continue
        of_scheme = [batch for batch in batches if batch.scheme == scheme]
        labels = _labels(of_scheme, dataset, about_shared_turns(of_scheme))
        counts = Counter(
            pair
            for of_batches in labels.values()
            for pair in combinations([name for name in in_order if name in of_batches], 2)
            if of_batches[pair[0]] != of_batches[pair[1]]
        )
        found += [
            Differing(scheme, *pair, counts[pair])
            for pair in combinations(in_order, 2)
            if counts[pair]
        ]
    return found


def about_shared_turns(batches: Collection[Batch]) -> QuerySet[Item]:
    """Return the items of two or more batches that are about a turn of another one, which alone can repeat its answers.

    A pool has an answer once, so that no batch repeats its own. Returns the items of the largest batch on turns of
    the others, which are often few, and all items of these.
    """
    items = Item.objects.filter(batch__in=batches).order_by()
    sizes = dict(items.values_list("batch").annotate(n=Count("pk")))
    largest = max(batches, key=lambda each: sizes.get(each.pk, 0))
    others = [each for each in batches if each != largest]
    firsts = Item.objects.filter(batch__in=others).order_by().values(first=first_turn("turn__"))
    # By their keys, so that the turns of the largest batch need not be read.
    turns = Turn.objects.filter(Q(pk__in=firsts) | Q(same_as__in=firsts)).order_by()
    of_largest = Q(batch=largest, turn__in=turns.values("pk"))
    return Item.objects.filter(Q(batch__in=others) | of_largest)


def _alike(batch: Batch) -> QuerySet[Batch]:
    """Return the batches of the scheme on the data set in any version, real or rehearsed as this one is.

    None of a scheme that shows more than one answer: its items are no answers.
    """
    if schemes.get(batch.scheme).shows != Shows.ANSWER:
        return Batch.objects.none()
    return Batch.objects.counting().filter(
        study=batch.study_id,
        pool__dataset__name=batch.pool.dataset.name,
        scheme=batch.scheme,
        is_rehearsal=batch.is_rehearsal,
    )


def _labels(
    batches: Iterable[Batch],
    dataset: Dataset | None = None,
    items: QuerySet[Item] | None = None,
) -> dict[Answer, dict[str, str]]:
    """Return by answer and name of the batch the labels that were decided; of these items of the batches, if named."""
    decided = _decided().filter(stands(dataset, "item__turn"))
    # With a condition on both, SQLite begins with all items of the batches.
    of_batches = Q(item__batch__in=list(batches)) if items is None else Q(item__in=items)
    decided = decided.filter(of_batches)
    labels: dict[Answer, dict[str, str]] = defaultdict(dict)
    shown = decided.order_by().values_list(
        *_answer("item__answers__candidate__"), "item__batch__name", "label"
    )
    for turn, sha256, name, label in shown:
        labels[turn, sha256][name] = label
    return labels


def _decided() -> QuerySet[Verdict]:
    """Return the current verdicts that say a label."""
    return Verdict.objects.current().filter(
        state=VerdictState.DECIDED, item__n_wanted__isnull=False
    )
