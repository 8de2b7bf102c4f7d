"""The job that searches for evidence, some turns a chunk."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils import timezone

from jobs.handlers import Beat, Handler, JobFailedError, PlannedChunk
from jobs.models import Job
from sampling import queries as sampling_queries
from sampling.evidence import search
from sampling.evidence.reading_time import reading_length
from sampling.models import Candidate, EvidenceSpan, Pool, SpanCitation, SpanMatch, SpanSource
from scoring import queries as scoring_tables
from scoring.actions import similarity
from scoring.similarity_models import ModelError

TURNS_A_CHUNK = 20
REFERENCE = "reference"


@dataclass(frozen=True)
class FoundSentence:
    """One sentence of evidence of a turn, with the rows it belongs to."""

    turn_id: int
    passage_id: int
    sentence: search.Sentence


@dataclass(frozen=True)
class TurnSentences:
    """The sentences of a turn that are near to its answers, before the SAS threshold."""

    answers: dict[str, str]
    sentences: list[search.Sentence]

    def keys(self) -> list[tuple[str, str]]:
        """Return each sentence's text with each answer's key."""
        return [(each.text, key) for each in self.sentences for key in self.answers]

    def pairs(self) -> list[tuple[str, str]]:
        """Return the texts of `keys`, in the same order."""
        return [(text, self.answers[key]) for text, key in self.keys()]


def pool_of(job: Job) -> Pool:
    pool = Pool.objects.select_related("dataset", "study").filter(pk=job.params["pool"]).first()
    if pool is None:
        raise JobFailedError(
            f"the pool {job.key} was drawn again by another rule: its own job builds it"
        )
    return pool


def plan(job: Job) -> list[PlannedChunk]:
    pool = pool_of(job)
    candidates = Candidate.objects.filter(pool=pool).select_related("turn__conversation")
    ordered = candidates.order_by("turn__conversation__position", "turn__number")
    turns = list(dict.fromkeys(candidate.turn_id for candidate in ordered))
    parts = [turns[i : i + TURNS_A_CHUNK] for i in range(0, len(turns), TURNS_A_CHUNK)]
    scorer = scorer_of(job, pool)
    return [PlannedChunk({"turns": part, "scorer": scorer}, n_units=len(part)) for part in parts]


def scorer_of(job: Job, pool: Pool) -> int | None:
    """The scorer of the pool's rule in this worker's version; None if the rule has no SAS threshold."""
    if pool.rule["sas_threshold"] is None:
        return None
    try:
        return similarity.scorer(job.params["model"]).pk
    except ModelError as error:
        raise JobFailedError(str(error)) from error


def compute(job: Job, params: Mapping[str, Any], beat: Beat) -> list[FoundSentence]:
    pool = pool_of(job)
    if scorer_of(job, pool) != params["scorer"]:
        raise JobFailedError(
            f"this worker has another version of {pool.rule['scorer']} than the job was begun with:"
            " give every worker the same model, or draw the evidence under another name"
        )
    candidates: dict[int, list[Candidate]] = defaultdict(list)
    drawn = Candidate.objects.filter(pool=pool, turn__in=params["turns"]).select_related("source")
    for candidate in drawn.order_by("pk"):
        candidates[candidate.turn_id].append(candidate)
    for candidate in _unasked_candidates(job, params["turns"]):
        candidates[candidate.turn_id].append(candidate)
    sources = _sources(params["turns"], candidates)
    references = scoring_tables.references(pool.dataset, params["turns"])
    found: dict[int, TurnSentences] = {}
    for turn_id in params["turns"]:
        beat()
        answers = {str(each.pk): each.text for each in candidates[turn_id]}
        answers |= reference_answers(references.get(turn_id, ()))
        found[turn_id] = turn_sentences(pool, list(sources[turn_id].values()), answers)
    beat()
    return found_sentences(job, pool, found, sources)


def found_sentences(
    job: Job,
    pool: Pool,
    found: Mapping[int, TurnSentences],
    sources: Mapping[int, Mapping[int, search.Source]],
) -> list[FoundSentence]:
    """Return the sentences to show, turn by turn, with their passages."""
    passages = {
        (turn_id, source.docid): pk
        for turn_id, of_turn in sources.items()
        for pk, source in of_turn.items()
    }
    return [
        FoundSentence(turn_id, passages[turn_id, each.docid], each)
        for turn_id, paragraph in _paragraphs(job, pool, found).items()
        for each in paragraph
    ]


def reference_answers(texts: Iterable[str]) -> dict[str, str]:
    """Return the references of a turn by the keys of the search."""
    return {f"{REFERENCE} {number}": text for number, text in enumerate(texts)}


def _unasked_candidates(job: Job, turns: list[int]) -> list[Candidate]:
    """The plausible answers to these turns that the pool does not ask about; the search uses them, too."""
    pks = [pk for turn in turns for pk in job.params["not_asked"].get(str(turn), ())]
    return list(Candidate.objects.filter(pk__in=pks).order_by("pk"))


def _sources(
    turns: list[int], candidates: Mapping[int, list[Candidate]]
) -> dict[int, dict[int, search.Source]]:
    """Return the passages that may hold evidence.

    They are offered for the turn, named by its truth, or cited by the runs.
    """
    # By what they were drawn as, the plausible answers' keys in `compute`.
    drawn = {each.source or each: each for group in candidates.values() for each in group}
    keys = {first.pk: str(each.pk) for first, each in drawn.items()}
    credited = sampling_queries.credited_answers(drawn)
    return sampling_queries.sources(
        turns, {answer: keys[first] for answer, first in credited.items()}
    )


def turn_sentences(
    pool: Pool, sources: list[search.Source], answers: dict[str, str]
) -> TurnSentences:
    return TurnSentences(
        answers,
        search.find(
            sources,
            answers,
            threshold=pool.rule["threshold"],
            max_tokens=pool.rule["max_tokens"],
        ),
    )


def _paragraphs(
    job: Job, pool: Pool, found: Mapping[int, TurnSentences]
) -> dict[int, list[search.Sentence]]:
    """Return the sentences to show, by turn.

    The model is asked once about all turns of the chunk: batches of one turn's few sentences, which
    differ in length, are mostly padding.
    """
    threshold, max_words = pool.rule["sas_threshold"], pool.rule["max_words"]
    if threshold is None:
        return {turn: search.cap(each.sentences, max_words) for turn, each in found.items()}
    pairs = [pair for each in found.values() for pair in each.pairs()]
    try:
        values = iter(similarity.model(job.params["model"]).similarities(pairs) if pairs else ())
    except ModelError as error:
        raise JobFailedError(str(error)) from error
    paragraphs = {}
    for turn, each in found.items():
        alike = {key: next(values) for key in each.keys()}  # noqa: SIM118  no mapping
        similar = search.keep_similar(each.sentences, alike, threshold=threshold)
        paragraphs[turn] = search.cap(similar, max_words)
    return paragraphs


def save(job: Job, params: Mapping[str, Any], sentences: list[FoundSentence]) -> dict[str, Any]:
    pool = pool_of(job)
    positions: dict[int, int] = defaultdict(int)
    spans = []
    for each in sentences:
        positions[each.turn_id] += 1
        spans.append(
            EvidenceSpan(
                pool=pool,
                turn_id=each.turn_id,
                passage_id=each.passage_id,
                position=positions[each.turn_id],
                start=each.sentence.start,
                end=each.sentence.end,
                source=SpanSource.CITED if each.sentence.citations else SpanSource.OVERLAP,
                sas=each.sentence.sas,
            )
        )
    spans = EvidenceSpan.objects.bulk_create(spans)
    matches = [
        match
        for span, each in zip(spans, sentences, strict=True)
        for match in _matches(span, each.sentence)
    ]
    SpanMatch.objects.bulk_create(matches)
    SpanCitation.objects.bulk_create(
        SpanCitation(span=span, citation_id=citation)
        for span, each in zip(spans, sentences, strict=True)
        for citation in each.sentence.citations
    )
    return {"n_spans": len(spans)}


def _matches(span: EvidenceSpan, sentence: search.Sentence) -> list[SpanMatch]:
    """Return one row for each candidate, and one for the references, with the best of them."""
    rows = [
        SpanMatch(span=span, candidate_id=int(key), f1=f1)
        for key, f1 in sentence.matches
        if not key.startswith(REFERENCE)
    ]
    references = [f1 for key, f1 in sentence.matches if key.startswith(REFERENCE)]
    if references:
        rows.append(SpanMatch(span=span, candidate=None, f1=max(references)))
    return rows


def finish(job: Job) -> dict[str, Any]:
    """Store counts and scorer, and make the pool visible."""
    pool = pool_of(job)
    chunks = list(job.chunks.all())
    with_evidence = sampling_queries.evidence_words(pool)
    to_read = reading_length(with_evidence.values())
    turns = list(Candidate.objects.filter(pool=pool).values_list("turn_id", flat=True))
    pool.counts = {
        "n_candidates": len(turns),
        "n_turns": len(set(turns)),
        "n_turns_with_evidence": len(with_evidence),
        "n_candidates_without_evidence": sum(turn not in with_evidence for turn in turns),
        "n_spans": sum(chunk.result["n_spans"] for chunk in chunks),
        "n_spans_cited": EvidenceSpan.objects.filter(pool=pool, source=SpanSource.CITED).count(),
        "n_words_median": to_read.median,
        "n_words_ninetieth": to_read.ninetieth,
    }
    # The chunks know what they were made with; whoever ends the job need not have the model.
    pool.scorer_id = next((chunk.params["scorer"] for chunk in chunks), None)
    pool.built_at = timezone.now()
    pool.save(update_fields=["counts", "scorer", "built_at"])
    return {"pool": pool.name, **pool.counts}


FIND_EVIDENCE = Handler(
    plan=plan, compute=compute, save=save, finish=finish, release=similarity.release_models
)
