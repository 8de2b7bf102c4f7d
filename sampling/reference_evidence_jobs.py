"""The job that searches for the evidence of references, some turns a chunk."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils import timezone

from corpus.models import Answer, Citation, Dataset, Passage, Turn
from jobs.handlers import Beat, Handler, JobFailedError, PlannedChunk
from jobs.models import Job
from sampling import jobs as evidence_jobs
from sampling import queries as sampling_queries
from sampling.evidence.reading_time import reading_length
from sampling.evidence.search import Source
from scoring import queries as scoring_tables
from scoring.actions import similarity

TURNS_A_CHUNK = 50


def plan(job: Job) -> list[PlannedChunk]:
    pool = evidence_jobs.pool_of(job)
    references = scoring_tables.references(pool.dataset)
    turns = [
        turn
        for turn in Turn.objects.of(pool.dataset).values_list("pk", flat=True)
        if turn in references
    ]
    scorer = evidence_jobs.scorer_of(job, pool)
    parts = [turns[start : start + TURNS_A_CHUNK] for start in range(0, len(turns), TURNS_A_CHUNK)]
    return [PlannedChunk({"turns": part, "scorer": scorer}, n_units=len(part)) for part in parts]


def compute(job: Job, params: Mapping[str, Any], beat: Beat) -> list[evidence_jobs.FoundSentence]:
    pool = evidence_jobs.pool_of(job)
    if evidence_jobs.scorer_of(job, pool) != params["scorer"]:
        raise JobFailedError(
            f"this worker has another version of {pool.rule['scorer']} than the job was begun with:"
            " give every worker the same model, or find the evidence under another name"
        )
    sources = passages_of_turns(pool.dataset, params["turns"])
    references = scoring_tables.references(pool.dataset, params["turns"])
    found = {}
    for turn in params["turns"]:
        beat()
        answers = evidence_jobs.reference_answers(references.get(turn, ()))
        found[turn] = evidence_jobs.turn_sentences(
            pool, list(sources.get(turn, {}).values()), answers
        )
    beat()
    return evidence_jobs.found_sentences(job, pool, found, sources)


def passages_of_turns(dataset: Dataset, turns: Sequence[int]) -> dict[int, dict[int, Source]]:
    """Return the passages with text of each turn, by primary key.

    First those that are offered for it, then those that its truth names, then those that runs cite there.
    """
    found = {turn: dict(of_turn) for turn, of_turn in sampling_queries.sources(turns, {}).items()}
    answers = Answer.objects.of_systems(dataset).filter(turn__in=turns)
    cited = Citation.objects.filter(answer__in=answers, passage__text__isnull=False).order_by()
    rows = set(cited.values_list("answer__turn_id", "passage_id"))
    passages = Passage.objects.in_bulk({passage for _, passage in rows})
    for turn, key in sorted(rows, key=lambda each: (each[0], passages[each[1]].docid)):
        passage = passages[key]
        source = Source(passage.docid, passage.text or "")
        found.setdefault(turn, {}).setdefault(key, source)
    return found


def finish(job: Job) -> dict[str, Any]:
    """Store counts and scorer, and make the pool visible."""
    pool = evidence_jobs.pool_of(job)
    chunks = list(job.chunks.all())
    with_evidence = sampling_queries.evidence_words(pool)
    to_read = reading_length(with_evidence.values())
    pool.counts = {
        "n_candidates": 0,
        "n_turns": sum(len(chunk.params["turns"]) for chunk in chunks),
        "n_turns_with_evidence": len(with_evidence),
        "n_spans": sum(chunk.result["n_spans"] for chunk in chunks),
        "n_words_median": to_read.median,
        "n_words_ninetieth": to_read.ninetieth,
    }
    pool.scorer_id = next((chunk.params["scorer"] for chunk in chunks), None)
    pool.built_at = timezone.now()
    pool.save(update_fields=["counts", "scorer", "built_at"])
    return {"pool": pool.name, **pool.counts}


FIND_REFERENCE_EVIDENCE = Handler(
    plan=plan,
    compute=compute,
    save=evidence_jobs.save,
    finish=finish,
    release=similarity.release_models,
)
