"""The runs that came after a pool was built, and what is asked about their answers, read from the database."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from django.db.models import QuerySet

from corpus.models import Answer, Dataset, Run, RunKind
from corpus.queries import turn_ids
from sampling.models import Candidate, Pool, Purpose
from sampling.pools.late_answers import AskedTurn, Standing, standing
from sampling.pools.rule import Rule
from scoring import queries as scoring_tables

# The key of a top-up's counts with the primary key of the pool whose rule it follows.
LIKE = "like"


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
    pools = Pool.objects.usable().filter(
        dataset=dataset, purpose=Purpose.ANSWERS, audit_of__isnull=True
    )
    return pools.exclude(counts__has_key=LIKE).select_related("dataset", "scorer")


def top_ups(pool: Pool) -> QuerySet[Pool]:
    """Return the pools that were drawn like this one for late runs."""
    return Pool.objects.filter(**{f"counts__{LIKE}": pool.pk}).order_by("created_at", "pk")


def late_runs(pool: Pool) -> QuerySet[Run]:
    """Return the runs of the data set, without references, that were imported after the pool was built."""
    runs = pool.dataset.runs.counting().exclude(kind=RunKind.REFERENCE)
    return runs.filter(created_at__gt=pool.built_at).order_by("name")


def asked_turns(pool: Pool) -> dict[str, AskedTurn]:
    """Return every turn that has a reference or a candidate of the pool, by the turn's id."""
    names = {pk: key for key, pk in turn_ids(pool.dataset).items()}
    references = scoring_tables.references(pool.dataset)
    texts: dict[int, set[str]] = defaultdict(set)
    for turn, text in Candidate.objects.filter(pool=pool).values_list("turn_id", "text"):
        texts[turn].add(text)
    return {
        names[turn]: AskedTurn(references.get(turn, ()), frozenset(texts.get(turn, ())))
        for turn in references.keys() | texts.keys()
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


def texts_asked_elsewhere(pool: Pool) -> dict[tuple[str, str], str]:
    """Return by turn and text the name of the first other pool of the version that has it as a candidate."""
    names = {pk: key for key, pk in turn_ids(pool.dataset).items()}
    others = Pool.objects.usable().filter(dataset=pool.dataset, purpose=Purpose.ANSWERS)
    rows = Candidate.objects.filter(pool__in=others.exclude(pk=pool.pk)).order_by("pk")
    found: dict[tuple[str, str], str] = {}
    for turn, text, name in rows.values_list("turn_id", "text", "pool__name"):
        found.setdefault((names[turn], text), name)
    return found
