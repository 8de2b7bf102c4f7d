"""Answers that several batches of a scheme ask about, and what these decided."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from itertools import combinations

from django.db.models import Count, Q, QuerySet

from annotation.models import Batch, BatchState, Item, ItemAnswer, Verdict, VerdictState
from corpus.models import Dataset
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


def decided_before(batch: Batch) -> list[Decided]:
    """Return the other batches that decided answers of this batch's pool, in the order of their making."""
    same = Candidate.objects.filter(pool=batch.pool_id)
    asked = set(same.values_list(first_turn("turn__"), "text_sha256"))
    labels = _labels(_alike(batch).exclude(pk=batch.pk))
    counts = Counter(name for answer in asked for name in labels[answer])
    others = _alike(batch).order_by("created_at", "pk").values_list("name", flat=True)
    return [Decided(name, counts[name]) for name in others if counts[name]]


def undecided_elsewhere(batch: Batch) -> list[Undecided]:
    """Return the other batches that ask about answers of this batch's pool and have not decided them."""
    same = Candidate.objects.filter(pool=batch.pool_id)
    own = set(same.values_list(first_turn("turn__"), "text_sha256"))
    others = _alike(batch).exclude(pk=batch.pk).exclude(state=BatchState.DRAFT)
    labels = _labels(others)
    rows = ItemAnswer.objects.filter(item__batch__in=others, item__n_wanted__isnull=False)
    asked = rows.order_by().values_list(
        first_turn("candidate__turn__"), "candidate__text_sha256", "item__batch__name"
    )
    counts = Counter(
        name
        for turn, sha256, name in asked
        if (turn, sha256) in own and name not in labels[turn, sha256]
    )
    names = others.order_by("created_at", "pk").values_list("name", flat=True)
    return [Undecided(name, counts[name]) for name in names if counts[name]]


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
        if len(in_order) < 2:
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
    turns = Item.objects.filter(batch__in=others).order_by().values(first=first_turn("turn__"))
    of_largest = Q(batch=largest, first__in=turns)
    return Item.objects.alias(first=first_turn("turn__")).filter(Q(batch__in=others) | of_largest)


def _alike(batch: Batch) -> QuerySet[Batch]:
    """Return the batches of the scheme on the data set in any version, real or rehearsed as this one is."""
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
    """Return by answer and name of the batch the labels that were decided."""
    decided = Verdict.objects.current().filter(
        stands(dataset, "item__turn"),
        state=VerdictState.DECIDED,
        item__batch__in=list(batches),
        item__n_wanted__isnull=False,
    )
    if items is not None:
        decided = decided.filter(item__in=items)
    labels: dict[Answer, dict[str, str]] = defaultdict(dict)
    for turn, sha256, name, label in decided.order_by().values_list(
        first_turn("item__answers__candidate__turn__"),
        "item__answers__candidate__text_sha256",
        "item__batch__name",
        "label",
    ):
        labels[turn, sha256][name] = label
    return labels
