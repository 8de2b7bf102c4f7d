"""A pool of plausible answers: by turn, the paragraph of evidence and the answers behind it."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Count, Exists, OuterRef, Prefetch, Q

from accounts.guards import StudyRequest
from corpus.models import Answer, Turn, turn_key
from pages.listing import Column, Filter, Listing
from sampling.models import Candidate, EvidenceSpan, Pool, SpanCitation
from text.lettering import letter
from text.segmentation import n_words

COLUMNS = (
    Column("turn", "Turn", ("conversation__position", "number")),
    Column("candidates", "Answers", ("n_candidates",)),
)
PER_PAGE = 10
# Plausible answers that a sample left out look for evidence too.
NOT_ASKED = "an answer outside the sample"
QUOTES = Prefetch("citations", SpanCitation.objects.select_related("citation__answer__run"))


@dataclass(frozen=True)
class Sentence:
    """A displayed piece of a passage; `found_for` names the answers that led to it, with their F1.

    `quoted_by` are the runs of whose quotes it contains a part.
    """

    span: EvidenceSpan
    text: str
    found_for: list[tuple[str, float]]
    quoted_by: list[str]


@dataclass(frozen=True)
class Paragraph:
    turn: Turn
    answers: list[tuple[str, Candidate, bool]] = field(
        default_factory=list
    )  # whether it matched itself
    sentences: list[Sentence] = field(default_factory=list)

    @property
    def n_words(self) -> int:
        return sum(n_words(sentence.text) for sentence in self.sentences)


def _has_evidence(pool: Pool) -> Filter:
    spans = EvidenceSpan.objects.filter(pool=pool, turn=OuterRef("pk"))
    return Filter(
        "evidence",
        "Evidence",
        {
            "some": ("with evidence", Q(Exists(spans))),
            "none": ("without evidence", ~Q(Exists(spans))),
        },
    )


def context(request: StudyRequest, pool: Pool) -> dict[str, Any]:
    candidates_of_turn = Candidate.objects.filter(pool=pool, turn=OuterRef("pk"))
    rows = (
        Turn.objects.filter(Exists(candidates_of_turn))
        .select_related("conversation")
        .annotate(
            turn_id=turn_key(), n_candidates=Count("candidates", filter=Q(candidates__pool=pool))
        )
        .order_by("conversation__position", "number")
    )
    listing = Listing(
        request,
        rows,
        columns=COLUMNS,
        search=("question", "rewrite", "turn_id"),
        filters=(_has_evidence(pool),),
        per_page=PER_PAGE,
    )
    source = pool.candidates.select_related("source__pool").filter(source__isnull=False).first()
    return {
        "listing": listing,
        "paragraphs": paragraphs(pool, list(listing.page)),
        "judged_in": request.study.batches.filter(name=pool.rule["batch"]).first(),
        "drawn_from": source.source.pool if source and source.source else None,
    }


def context_of_references(request: StudyRequest, pool: Pool) -> dict[str, Any]:
    """The page of the evidence for references: the turns that have one, with the sentences found."""
    found = Answer.objects.references(pool.dataset)
    says = found.filter(turn=OuterRef("pk"), text__regex=r"\S")
    rows = (
        Turn.objects.of(pool.dataset)
        .filter(Exists(says))
        .prefetch_related(Prefetch("answers", found.order_by("run"), to_attr="references"))
        .annotate(turn_id=turn_key())
        .order_by("conversation__position", "number")
    )
    listing = Listing(
        request,
        rows,
        columns=COLUMNS[:1],
        search=("question", "rewrite", "turn_id"),
        filters=(_has_evidence(pool),),
        per_page=PER_PAGE,
    )
    return {"listing": listing, "paragraphs": paragraphs(pool, list(listing.page))}


def paragraphs(pool: Pool, turns: Iterable[Turn]) -> list[Paragraph]:
    """Return the turns with their answers, named A, B, … in page order, and their evidence."""
    listed_turns = list(turns)
    candidates: dict[int, list[Candidate]] = defaultdict(list)
    names: dict[int | None, str] = {None: "the reference"}
    rows = Candidate.objects.filter(pool=pool, turn__in=listed_turns)
    for candidate in rows.order_by("-score", "text"):
        names[candidate.pk] = letter(len(candidates[candidate.turn_id]))
        candidates[candidate.turn_id].append(candidate)
    spans: dict[int, list[EvidenceSpan]] = defaultdict(list)
    found = EvidenceSpan.objects.filter(pool=pool, turn__in=listed_turns).select_related("passage")
    for span in found.prefetch_related("matches", QUOTES).order_by("turn_id", "position"):
        spans[span.turn_id].append(span)
    return [_paragraph(turn, candidates[turn.pk], spans[turn.pk], names) for turn in listed_turns]


def _paragraph(
    turn: Turn, candidates: list[Candidate], spans: list[EvidenceSpan], names: dict[int | None, str]
) -> Paragraph:
    matched = {match.candidate_id for span in spans for match in span.matches.all()}
    return Paragraph(
        turn,
        [(names[each.pk], each, each.pk in matched) for each in candidates],
        [
            Sentence(
                span,
                (span.passage.text or "")[span.start : span.end],
                sorted(
                    (names.get(match.candidate_id, NOT_ASKED), match.f1)
                    for match in span.matches.all()
                ),
                sorted({each.citation.answer.run.name for each in span.citations.all()}),
            )
            for span in spans
        ],
    )
