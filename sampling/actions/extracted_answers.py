"""Make runs of the sentences of a pool's evidence, so that people can be asked about them as answers."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from django.db import transaction
from django.db.models import Max

from accounts import permissions
from accounts.actions.locks import lock_study
from accounts.models import Role, User
from audit import events
from corpus.actions import runs
from corpus.models import Dataset, Run, RunKind
from corpus.queries import turn_ids
from corpus.records import AnswerRecord, CitationRecord
from jobs.actions import jobs
from jobs.models import Job
from sampling import queries as sampling_queries
from sampling.actions.pools import PoolError
from sampling.evidence.extraction import EvidenceSentence, Extraction, extract
from sampling.models import Candidate, EvidenceSpan, Pool, Purpose
from scoring import queries as scoring_tables

KIND = "draw_spans"
DEFAULT_NAME = "extracted"
WITH_SPANS = (Purpose.EVIDENCE, Purpose.REFERENCES)


def begin(*, pool: Pool, name: str, by: User, most: int | None = None) -> Job:
    """Start the job that makes the runs. `most` is the number of sentences of a turn, None for all.

    Raises PoolError if the pool has no evidence to take, `most` is less than 1 or the name is taken, and
    ValidationError if the name is invalid.
    """
    permissions.require(by, pool.study, Role.REQUESTER)
    _require_evidence(pool)
    if most is not None and most < 1:
        raise PoolError(f"the number of sentences of a turn is {most}, but has to be 1 or more")
    others = {field.name for field in Run._meta.fields if field.name != "name"}
    Run(name=name).full_clean(exclude=others)
    _require_free(pool.dataset, [name])
    params = {"pool": pool.pk, "name": name, "most": most}
    key = f"{pool.dataset}/{name}"[:200]
    return jobs.start(study=pool.study, kind=KIND, key=key, params=params, by=by)


def choose(pool: Pool, most: int | None = None) -> Extraction:
    """Return the pool's sentences that equal no candidate and no reference of their turn.

    Candidates are those of every pool of answers of the data set that is not withdrawn, and those that stand in
    earlier versions. Raises PoolError if no sentence is left.
    """
    _require_evidence(pool)
    found = extract(_sentences(pool), _known_texts(pool.dataset), most=most)
    if not found.by_turn:
        raise PoolError(
            f"each of the {found.n_equal} sentences of the pool {pool} equals a candidate or a reference:"
            " there is nothing to ask about"
        )
    return found


@transaction.atomic
def record(*, pool: Pool, name: str, extraction: Extraction, by: User) -> dict[str, Any]:
    """Write a run for each rank, called `name`, `name 2` and so on. Return the summary.

    Raises as begin() does.
    """
    permissions.require(by, pool.study, Role.REQUESTER)
    lock_study(pool.study)
    _require_evidence(Pool.objects.select_related("dataset").get(pk=pool.pk))
    ranks = extraction.ranks()
    names = [f"{name} {place}" if place > 1 else name for place in range(1, len(ranks) + 1)]
    _require_free(pool.dataset, names)
    for run, sentences in zip(names, ranks, strict=True):
        read = runs.ReadRun(tuple(_answers(sentences)), (), [])
        system = f"evidence {pool.name}"
        runs.save(
            dataset=pool.dataset,
            name=run,
            read=read,
            by=by,
            kind=RunKind.EXTRACTED,
            system=system,
        )
    counts = {
        "n_sentences": extraction.n_sentences,
        "n_turns": len(extraction.by_turn),
        "n_equal": extraction.n_equal,
        "n_beyond": extraction.n_beyond,
    }
    events.record(
        study=pool.study, by=by, verb="took sentences of", target=pool, runs=names, **counts
    )
    return {"runs": names, **counts}


def _require_evidence(pool: Pool) -> None:
    if pool.withdrawn_objection:
        raise PoolError(pool.withdrawn_objection)
    if pool.built_at is None:
        raise PoolError(f"the pool {pool} is still being built: wait for its job")
    if pool.purpose not in WITH_SPANS:
        raise PoolError(f"the pool {pool} has no evidence: name one that find_evidence made")
    if pool.is_rehearsal:
        raise PoolError(
            f"the pool {pool} is a rehearsal: simulated people found its answers plausible"
        )


def _require_free(dataset: Dataset, names: Sequence[str]) -> None:
    taken = dataset.runs.filter(name__in=names).values_list("name", flat=True)
    if taken:
        raise PoolError(f"the dataset {dataset} has a run {taken[0]} already: choose another name")


def _sentences(pool: Pool) -> Iterator[EvidenceSentence]:
    names = {pk: key for key, pk in turn_ids(pool.dataset).items()}
    spans = EvidenceSpan.objects.filter(pool=pool).select_related("passage")
    for span in spans.annotate(f1=Max("matches__f1")).order_by("pk").iterator():
        text = (span.passage.text or "")[span.start : span.end].strip()
        turn, docid = names[span.turn_id], span.passage.docid
        yield EvidenceSentence(turn, docid, text, span.position, span.f1 or 0.0, span.sas)


def _known_texts(dataset: Dataset) -> dict[str, set[str]]:
    """Return by turn the candidates of the data set's pools of answers, and the references."""
    names = {pk: key for key, pk in turn_ids(dataset).items()}
    found: dict[str, set[str]] = defaultdict(set)
    pools = Pool.objects.usable().filter(dataset=dataset, purpose=Purpose.ANSWERS)
    rows = Candidate.objects.filter(pool__in=pools).values_list("turn_id", "text")
    for turn, text in rows.iterator():
        found[names[turn]].add(text)
    for key, text in sampling_queries.standing_candidates(dataset):
        found[key].add(text)
    for turn, texts in scoring_tables.references(dataset).items():
        found[names[turn]].update(texts)
    return found


def _answers(sentences: Sequence[EvidenceSentence]) -> Iterator[AnswerRecord]:
    """Yield an answer for each sentence, which quotes its passage."""
    for index, each in enumerate(sentences, start=1):
        quote = CitationRecord(each.docid, 1, None, each.text)
        yield AnswerRecord(each.turn, each.text, "", (quote,), index)
