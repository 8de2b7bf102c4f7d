"""The batches of a release, and the answers that their items show."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from sys import intern

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.expressions import Combinable

from annotation.models import Batch, BatchState, Item, ItemAnswer
from annotation.models.batch import BatchQuerySet
from corpus import versions
from corpus.models import Dataset
from exports.rows.ids import answer_id
from sampling.late_run_queries import LIKE
from sampling.models import NOT_RELEASED, Candidate, Fate, Pool, Purpose
from sampling.pools.selection import State

# The purposes of pools whose candidates are candidates of other pools, drawn again.
DRAWN_AGAIN = (Purpose.EVIDENCE, Purpose.PAIRS)


def released_batches(
    dataset: Dataset, *, is_rehearsal: bool, left_out: Collection[str] = ()
) -> QuerySet[Batch]:
    """The closed batches of the data set, all real or all rehearsed, in the order of their
    creation, without those named `left_out`. Those on versions that it continues are among them, if they ask
    about a turn that is the same.

    Batches on comparisons and of written answers are left out: they add no answer to a data set. Batches are not ordered
    by when they were closed, so that an old batch that is opened again does not become the newest.
    """
    batches = releasable_batches(dataset, is_rehearsal=is_rehearsal, left_out=left_out)
    closed = batches.filter(state=BatchState.CLOSED)
    return closed.select_related("study", "pool", "guideline").order_by("created_at", "pk")


def releasable_batches(
    dataset: Dataset, *, is_rehearsal: bool, left_out: Collection[str] = ()
) -> QuerySet[Batch]:
    """The batches that a release contains once they are closed, without those named `left_out`."""
    batches = batches_on(dataset, Batch.objects.counting())
    batches = batches.filter(is_rehearsal=is_rehearsal)
    return batches.exclude(pool__purpose__in=NOT_RELEASED).exclude(name__in=left_out)


def batches_on(dataset: Dataset, batches: BatchQuerySet) -> BatchQuerySet:
    """Return the batches among these that ask about turns of this version, on its own pools or on earlier ones."""
    if dataset.continues is None:
        return batches.filter(pool__dataset=dataset)
    asked = Item.objects.filter(versions.stands(dataset, "turn"), batch=OuterRef("pk"))
    earlier = Q(Exists(asked), pool__dataset__in=versions.lineage_keys(dataset)[1:])
    return batches.filter(Q(pool__dataset=dataset) | earlier)


def pools_on(dataset: Dataset, purpose: Purpose) -> QuerySet[Pool]:
    """The pools of the purpose of this version and of those that it continues."""
    return Pool.objects.filter(dataset__in=versions.lineage_keys(dataset), purpose=purpose)


def pools_leaving_out(dataset: Dataset, *, is_rehearsal: bool) -> QuerySet[Pool]:
    """Return the pools that count, of this version and those that it continues, that left out what stands before them.

    Among them top-ups, in which the answers of a late run stand that other pools ask about, once a batch on the top-up
    is closed, a real or a rehearsed one: before that the run would be known by these answers alone.
    """
    pools = pools_on(dataset, Purpose.ANSWERS).filter(built_at__isnull=False, is_withdrawn=False)
    closed = Batch.objects.counting().filter(
        pool=OuterRef("pk"), state=BatchState.CLOSED, is_rehearsal=is_rehearsal
    )
    is_top_up = Q(counts__has_key=LIKE) & Exists(closed)
    return pools.filter(Q(rule__leaves_out_standing=True) | is_top_up)


@dataclass(frozen=True)
class ShownAnswer:
    """An answer that an item shows. `runs` are the names of its runs, as in the column `runs`."""

    item: Item
    candidate: Candidate
    number: int
    runs: str

    @property
    def turn_key(self) -> str:
        return self.candidate.turn.key

    @property
    def answer_id(self) -> str:
        return intern(answer_id(self.turn_key, self.candidate.text_sha256))


def shown_answers(
    batch: Batch,
    *,
    items: Collection[int] | None = None,
    dataset: Dataset | None = None,
    asked: Collection[int] = (),
) -> list[ShownAnswer]:
    """The answers that the batch's items show. `items` limits them to items with these primary
    keys, `dataset` to turns that stand in this version, whose runs are then named. `asked` as of drawn_by_run().
    """
    return list(iter_shown_answers(batch, items=items, dataset=dataset, asked=asked))


def iter_shown_answers(
    batch: Batch,
    *,
    items: Collection[int] | None = None,
    dataset: Dataset | None = None,
    asked: Collection[int] = (),
) -> Iterator[ShownAnswer]:
    """Yield `shown_answers` one after the other: with its item and turn an answer takes kilobytes."""
    answers = ItemAnswer.objects.filter(
        versions.stands(dataset, "item__turn"), item__batch=batch
    ).select_related("item", "candidate__turn__conversation")
    if items is not None:
        answers = answers.filter(item__in=items)
    # Texts of the imported files: long, and not needed here.
    answers = answers.defer("candidate__turn__source", "candidate__turn__truth_passages")
    answers = answers.order_by("item__position", "number")
    only = None if items is None else [each.candidate for each in answers]
    runs = runs_by_candidate(batch.pool, only, dataset, asked, is_rehearsal=batch.is_rehearsal)
    for each in answers.iterator() if items is None else answers:
        names = runs[drawn_candidate_id(each.candidate)]
        yield ShownAnswer(each.item, each.candidate, each.number, "|".join(sorted(names)))


def drawn_candidate_id(candidate: Candidate) -> int:
    """The candidate that was drawn from the runs: the original of a candidate in a pool of evidence or pairs."""
    return candidate.source_id or candidate.pk


def runs_by_candidate(
    pool: Pool,
    candidates: Iterable[Candidate] | None = None,
    dataset: Dataset | None = None,
    asked: Collection[int] = (),
    *,
    is_rehearsal: bool,
) -> dict[int, set[str]]:
    """The names of the runs that gave the very text of each drawn candidate, by primary key.

    `candidates` limits them to these candidates of the pool, `dataset` to runs of this version. `asked` as of
    drawn_by_run().
    """
    names: dict[int, set[str]] = defaultdict(set)
    only = None if candidates is None else {drawn_candidate_id(each) for each in candidates}
    drawn = drawn_by_run(pool, dataset, only, asked, is_rehearsal=is_rehearsal)
    for _, candidate_id, name in drawn:
        if candidate_id is not None:
            names[candidate_id].add(name)
    return names


def asked_pools(batches: Iterable[Batch]) -> set[int]:
    """Return the pools of answers that the batches ask about, by primary key."""
    return {batch.pool_id for batch in batches if batch.pool.purpose == Purpose.ANSWERS}


def drawn_by_run(
    pool: Pool,
    dataset: Dataset | None = None,
    candidates: Collection[int] | None = None,
    asked: Collection[int] = (),
    *,
    is_rehearsal: bool,
) -> Iterator[tuple[int, int | None, str]]:
    """Yield of each answer that a candidate of the pool has the answer, the candidate, and the name of the run in the
    version. `candidates` limits them to these candidates.

    An answer that was drawn from a run as a candidate of another pool has the candidate of this pool with the same
    text, if that other pool is among those `asked`; without them, if it is a late run's in a top-up. `is_rehearsal` as
    of pools_leaving_out().
    """
    seen_from = dataset or pool.dataset
    names: dict[int, str] | None = None
    run: str | Combinable = "answer__run__name"
    if seen_from.continues_id is not None:  # its answers can have been drawn on an earlier version
        counting = seen_from.runs.counting().order_by()
        names, run = (
            dict(counting.values_list(versions.first_run(), "name")),
            versions.first_run("answer__run__"),
        )
    leaving_out = pools_leaving_out(seen_from, is_rehearsal=is_rehearsal)
    fates = _of_counting_runs(_drawn_fates(pool, leaving_out), seen_from)
    some = fates if candidates is None else fates.filter(candidate__in=candidates)
    for answer, candidate, of in some.values_list("answer_id", "candidate_id", run):
        yield answer, candidate, of if names is None else names[of]
    own: dict[tuple[int, str], int] | None = None
    text = (versions.first_turn("candidate__turn__"), "candidate__text_sha256")
    for elsewhere in _fates_elsewhere(pool, leaving_out, asked):
        rows = _of_counting_runs(elsewhere, seen_from).values_list("answer_id", *text, run)
        for answer, turn, sha256, of in rows.iterator():
            own = _candidates_by_text(pool, candidates) if own is None else own
            if (turn, sha256) in own:
                yield answer, own[turn, sha256], of if names is None else names[of]


def _candidates_by_text(
    pool: Pool, candidates: Collection[int] | None
) -> dict[tuple[int, str], int]:
    """Return the candidates that were drawn from the runs, of the pool, by the first of their turns and hash of the text."""
    rows = Candidate.objects.filter(_of_pool(pool))
    if candidates is not None:
        rows = rows.filter(pk__in=candidates)
    texts = rows.order_by().values_list(versions.first_turn("turn__"), "text_sha256", "pk")
    return {(turn, sha256): pk for turn, sha256, pk in texts.iterator()}


def _of_pool(pool: Pool, prefix: str = "") -> Q:
    """Return a condition on candidates that were drawn from the runs: that they are the pool's, or drawn again for it."""
    return Q(
        **{f"{prefix}drawn_again__pool" if pool.purpose in DRAWN_AGAIN else f"{prefix}pool": pool}
    )


def _drawn_fates(pool: Pool, leaving_out: QuerySet[Pool]) -> QuerySet[Fate]:
    """The fates of the answers that were drawn as candidates of the pool, or stand as them."""
    # A run that the pool was not drawn from, such as one that came later, gave a text that stands.
    stands = Q(state=State.STANDS, pool__in=leaving_out)
    return Fate.objects.filter(Q(state=State.DRAWN) | stands, _of_pool(pool, "candidate__"))


def _fates_elsewhere(
    pool: Pool, leaving_out: QuerySet[Pool], asked: Collection[int]
) -> Iterator[QuerySet[Fate]]:
    """Yield the fates of the answers that were drawn as candidates of other pools, or stand as them: several pools may
    ask about one text.
    """
    standing = Fate.objects.filter(state=State.STANDS, pool__in=leaving_out)
    own = {pool.pk}
    if pool.purpose in DRAWN_AGAIN:
        sources = Candidate.objects.filter(_of_pool(pool)).order_by()
        own = set(sources.values_list("pool_id", flat=True).distinct())
    if not asked:
        of_top_ups = standing.filter(pool__counts__has_key=LIKE)
        yield of_top_ups.exclude(candidate__pool__in=own) if len(own) == 1 else of_top_ups
        return
    # Of several own pools each may have a text of which another one's candidate was drawn again.
    others = set(asked) - own if len(own) == 1 else asked
    if others:
        yield Fate.objects.filter(state__in=(State.DRAWN, State.STANDS), pool__in=others)
        yield standing.filter(candidate__pool__in=others)


def _of_counting_runs(fates: QuerySet[Fate], dataset: Dataset) -> QuerySet[Fate]:
    """Return the fates of answers of runs that count; seen from a later version, of runs that count in that version."""
    if dataset.continues_id is None:
        return fates.filter(answer__run__is_withdrawn=False)
    runs = versions.counting_first_runs(dataset)
    return fates.alias(first_run=versions.first_run("answer__run__")).filter(first_run__in=runs)
