"""The runs that a pool was not drawn from, and what is asked about their answers, read from the database."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from django.db.models import Exists, OuterRef, QuerySet, Subquery

from corpus.models import Answer, Dataset, Run, RunKind
from corpus.queries import turn_ids
from sampling import queries as sampling_queries
from sampling.models import Candidate, Fate, Pool, PoolQuerySet, Purpose
from sampling.pools.late_answers import AskedTurn, Standing, standing
from sampling.pools.rule import Rule
from sampling.pools.selection import State
from scoring import queries as scoring_tables

# The key of a top-up's counts with the primary key of the pool whose rule it follows.
LIKE = "like"
# A turn's id in files and a text.
Text = tuple[str, str]


@dataclass(frozen=True, slots=True)
class LateAnswer:
    """An answer of a late run without outer white space; `is_asked` says whether its turn has candidates."""

    pk: int
    turn: str
    text: str
    standing: Standing
    is_asked: bool


def topped_pools(dataset: Dataset) -> QuerySet[Pool]:
    """Return the pools of the version to which runs may be late: without audit samples and top-ups."""
    pools = pools_of_answers(dataset).filter(audit_of__isnull=True)
    return pools.exclude(counts__has_key=LIKE).select_related("dataset", "scorer")


def pools_of_other_versions(dataset: Dataset) -> list[Pool]:
    """Return the same of the other versions of the data set that are not withdrawn, newest version first."""
    named = Dataset.objects.counting().filter(study=dataset.study_id, name=dataset.name)
    others = named.exclude(pk=dataset.pk).order_by("-version")
    return [pool for other in others for pool in topped_pools(other).order_by("created_at", "pk")]


def pools_of_answers(dataset: Dataset) -> QuerySet[Pool]:
    """Return the usable pools of answers of the version."""
    return Pool.objects.usable().filter(dataset=dataset, purpose=Purpose.ANSWERS)


def top_ups(pool: Pool) -> PoolQuerySet:
    """Return the pools that were drawn like this one for late runs, withdrawn ones too."""
    return Pool.objects.filter(**{f"counts__{LIKE}": pool.pk}).order_by("created_at", "pk")


def late_runs(pool: Pool) -> QuerySet[Run]:
    """Return the runs of the data set, without references, that the pool was not drawn from.

    Times say less than fates: a run may come, or be brought back, while a pool is being drawn.
    """
    one = sampling_queries.one_answer(OuterRef(OuterRef("pk")))
    fates = Fate.objects.filter(pool=pool, answer=Subquery(one))
    runs = pool.dataset.runs.counting().exclude(kind=RunKind.REFERENCE)
    return runs.filter(~Exists(fates)).order_by("name")


def asked_turns(
    pool: Pool, accepted: Mapping[str, Collection[str]] | None = None
) -> dict[str, AskedTurn]:
    """Return every turn that has a reference, a candidate of the pool or an accepted text, by the turn's id.

    `accepted` has by turn the texts that an earlier release accepted, and that are known by that.
    """
    names = {pk: key for key, pk in turn_ids(pool.dataset).items()}
    references = {
        names[turn]: texts for turn, texts in scoring_tables.references(pool.dataset).items()
    }
    known = accepted or {}
    candidates: dict[str, set[str]] = defaultdict(set)
    for turn, text in Candidate.objects.filter(pool=pool).values_list("turn_id", "text"):
        candidates[names[turn]].add(text)
    return {
        turn: AskedTurn(
            references.get(turn, ()),
            frozenset(candidates.get(turn, ())),
            frozenset(known.get(turn, ())),
        )
        for turn in references.keys() | candidates.keys() | known.keys()
    }


def late_answers(pool: Pool, run: Run, turns: dict[str, AskedTurn]) -> Iterator[LateAnswer]:
    """Yield the run's answers with their standing to the pool; `turns` as of asked_turns()."""
    names = {pk: key for key, pk in turn_ids(pool.dataset).items()}
    rule = Rule.from_dict(pool.rule)
    rows = Answer.objects.filter(run=run).order_by("turn_id").values_list("pk", "turn_id", "text")
    for pk, turn_pk, raw in rows.iterator():
        turn, text = turns.get(names[turn_pk], AskedTurn()), raw.strip()
        yield LateAnswer(
            pk, names[turn_pk], text, standing(text, turn, rule), bool(turn.candidates)
        )


def known_candidates(pool: Pool) -> dict[Text, int]:
    """Return by turn and text a candidate that has it: the pool's own, else the first of another pool of the version,
    else one that stands in an earlier version.
    """
    names = {pk: key for key, pk in turn_ids(pool.dataset).items()}
    found = dict(sampling_queries.standing_candidates(pool.dataset))
    rows = Candidate.objects.filter(pool__in=pools_of_answers(pool.dataset)).order_by("-pk")
    own: dict[Text, int] = {}
    for pk, of_pool, turn, text in rows.values_list("pk", "pool_id", "turn_id", "text").iterator():
        found[names[turn], text] = pk
        if of_pool == pool.pk:
            own[names[turn], text] = pk
    return found | own


def topped_up_answers(pool: Pool, run: Run) -> dict[int, str]:
    """Return by answer of the run that a top-up of the pool has drawn the name of that top-up."""
    drawn = Fate.objects.filter(
        pool__in=top_ups(pool).usable(), answer__run=run, state=State.DRAWN.value
    )
    return dict(drawn.order_by("-pool_id").values_list("answer_id", "pool__name"))
