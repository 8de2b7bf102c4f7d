"""Writing of the rows of a data set or a run, in pieces, each after a `beat`.

The rows are visible only when their data set or run is (corpus/actions/staged_imports.py).
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType

from django.db import connection

from accounts.models import User
from corpus import accepted, quotes
from corpus import queries as corpus_queries
from corpus.models import (
    Answer,
    Citation,
    Conversation,
    Dataset,
    Offer,
    Passage,
    Run,
    RunKind,
    Tier,
    Turn,
)
from corpus.records import AnswerRecord, CitationRecord, PassageRecord, TurnRecord
from jobs.transactions import write_in_pieces

# They are long: a piece of them takes as long as one of more rows that are short.
PASSAGES_AT_ONCE = 1_000
REFERENCE_RUN = "reference"
# Begins the names of the runs of references that are accepted answers of a release.
ACCEPTED = "accepted"
# A longer quote is not evidence but a passage: reported and kept as not usable.
MOST_QUOTED_WORDS = 100
# A model instance takes ten times as long to make as such a row.
INSERT_ANSWER = "INSERT INTO corpus_answer (run_id, turn_id, text, rewrite) VALUES (%s, %s, %s, %s)"


def write_turns(
    dataset: Dataset,
    records: Sequence[TurnRecord],
    beat: Callable[[], None],
    same_as: Mapping[str, int] = MappingProxyType({}),
) -> dict[str, Turn]:
    """Write the turns and their conversations. Return the turns by turn_id.

    `same_as` has by turn_id the key of the first turn that is the same, of an earlier version.
    """
    keys = dict.fromkeys(record.conversation for record in records)
    conversations = {
        key: Conversation(dataset=dataset, key=key, position=position)
        for position, key in enumerate(keys)
    }
    write_in_pieces(conversations.values(), Conversation.objects.bulk_create, beat=beat)
    turns = {
        record.turn_id: Turn(
            conversation=conversations[record.conversation],
            number=record.number,
            question=record.question,
            rewrite=record.rewrite,
            truth_passages=list(record.truth_passages),
            source=record.source,
            record=record.record,
            part=record.part,
            accepted=accepted.stored(record.accepted),
            meta=record.meta,
            same_as_id=same_as.get(record.turn_id),
        )
        for record in records
    }
    write_in_pieces(turns.values(), Turn.objects.bulk_create, beat=beat)
    return turns


def write_references(
    dataset: Dataset,
    records: Iterable[TurnRecord],
    turns: Mapping[str, Turn],
    by: User,
    beat: Callable[[], None],
) -> int:
    """Write the references as runs, so that the same code handles both; return their number.

    A turn without a reference has no row. Turns with several references are in as many runs. The accepted
    answers of a release follow, in runs of their own, which are not counted.
    """
    references = {record.turn_id: _references(record) for record in records}
    most = max(map(len, references.values()), default=0)
    for place in range(max(1, most)):
        texts = {
            turn: texts_of_turn[place]
            for turn, texts_of_turn in references.items()
            if len(texts_of_turn) > place
        }
        name = f"{REFERENCE_RUN} {place + 1}" if place else REFERENCE_RUN
        digest = hashlib.sha256(f"{dataset.digest}{place or ''}".encode()).hexdigest()
        _write_reference_run(dataset, name, digest, texts, turns, by, beat)
    for tier in Tier.values:
        _write_accepted(dataset, tier, records, turns, by, beat)
    return sum(map(len, references.values()))


def _write_accepted(
    dataset: Dataset,
    tier: str,
    records: Iterable[TurnRecord],
    turns: Mapping[str, Turn],
    by: User,
    beat: Callable[[], None],
) -> None:
    """Write the accepted answers of the tier, of which a turn may have many, as runs of references."""
    of_turn = {record.turn_id: accepted.of_tier(record, tier) for record in records}
    for place in range(max(map(len, of_turn.values()), default=0)):
        texts = {turn: found[place] for turn, found in of_turn.items() if len(found) > place}
        name = accepted_run(tier, place)
        digest = hashlib.sha256(f"{dataset.digest}{name}".encode()).hexdigest()
        _write_reference_run(dataset, name, digest, texts, turns, by, beat, tier=tier)


def accepted_run(tier: str, place: int) -> str:
    """Return the name of the run of the accepted answers at this place, from 0, in each turn."""
    return f"{ACCEPTED} {tier} {place + 1}" if place else f"{ACCEPTED} {tier}"


def _references(record: TurnRecord) -> tuple[str, ...]:
    return (record.reference, *record.other_references) if record.reference.strip() else ()


def _write_reference_run(
    dataset: Dataset,
    name: str,
    digest: str,
    texts: Mapping[str, str],
    turns: Mapping[str, Turn],
    by: User,
    beat: Callable[[], None],
    *,
    tier: str = "",
) -> None:
    run = Run.objects.create(
        dataset=dataset,
        name=name,
        kind=RunKind.REFERENCE,
        tier=tier,
        digest=digest,
        answers_digest=digest,
        n_answers=len(texts),
        created_by=by,
        staged_by=dataset.staged_by,
    )
    answers = (Answer(run=run, turn=turns[turn_id], text=text) for turn_id, text in texts.items())
    write_in_pieces(answers, Answer.objects.bulk_create, beat=beat)


def write_passages(
    dataset: Dataset,
    records: Sequence[PassageRecord],
    turns: Mapping[str, Turn],
    beat: Callable[[], None],
) -> None:
    """Write each passage once, as it came first, and its offers to turns."""
    passages: dict[str, Passage] = {}
    for record in records:
        passages.setdefault(record.docid, _passage(dataset, record))
    write_in_pieces(passages.values(), Passage.objects.bulk_create, n=PASSAGES_AT_ONCE, beat=beat)
    write_in_pieces(_offers(records, turns, passages), Offer.objects.bulk_create, beat=beat)


def _passage(dataset: Dataset, record: PassageRecord) -> Passage:
    return Passage(
        dataset=dataset,
        docid=record.docid,
        text=record.text,
        url=record.url,
        title=record.title,
        sentences=list(record.sentences),
    )


def _offers(
    records: Iterable[PassageRecord], turns: Mapping[str, Turn], passages: Mapping[str, Passage]
) -> Iterator[Offer]:
    n_offered: dict[str, int] = {}
    for record in records:
        if record.turn_id is not None:
            position = n_offered[record.turn_id] = n_offered.get(record.turn_id, -1) + 1
            yield Offer(
                turn=turns[record.turn_id], passage=passages[record.docid], position=position
            )


def write_answers(run: Run, records: Sequence[AnswerRecord], beat: Callable[[], None]) -> None:
    """Write the run's answers and their citations, of which an answer may have a hundred."""
    turns = corpus_queries.turn_ids(run.dataset)
    rows = ((run.pk, turns[record.turn_id], record.text, record.rewrite) for record in records)

    def write(piece: list[tuple[int, int, str, str]]) -> None:
        with connection.cursor() as cursor:
            cursor.executemany(INSERT_ANSWER, piece)

    write_in_pieces(rows, write, beat=beat)
    if wanted := _passages_by_docid(records):
        _write_citations(run, records, turns, _cited_passages(run.dataset, wanted, beat), beat)


def _write_citations(
    run: Run,
    records: Sequence[AnswerRecord],
    turns: Mapping[str, int],
    passages: Mapping[str, Passage],
    beat: Callable[[], None],
) -> None:
    answers = dict(Answer.objects.filter(run=run).order_by().values_list("turn_id", "pk"))
    citations = (
        Citation(
            answer_id=answers[turns[record.turn_id]],
            passage=passages[cited.docid],
            rank=cited.rank,
            score=cited.score,
            quote=cited.quote,
            quote_status=_quote_status(cited.quote, passages[cited.docid]),
        )
        for record in records
        for cited in record.citations
    )
    write_in_pieces(citations, Citation.objects.bulk_create, beat=beat)


def _cited_passages(
    dataset: Dataset, wanted: Mapping[str, CitationRecord], beat: Callable[[], None]
) -> dict[str, Passage]:
    """Return every cited passage; write those that are missing, without text if it is unknown.

    A later run that has the text adds it.
    """

    def stored() -> dict[str, Passage]:
        return {each.docid: each for each in dataset.passages.iterator() if each.docid in wanted}

    found = stored()
    missing = [
        Passage(dataset=dataset, docid=docid, text=cited.text, title=cited.title)
        for docid, cited in wanted.items()
        if docid not in found
    ]

    def write(piece: list[Passage]) -> None:
        # Another run that is being written may have named the same one meanwhile.
        Passage.objects.bulk_create(piece, ignore_conflicts=True)

    write_in_pieces(missing, write, beat=beat)
    found = stored() if missing else found
    changed = [each for docid, each in found.items() if _set_text(each, wanted[docid])]

    def update(piece: list[Passage]) -> None:
        Passage.objects.bulk_update(piece, ["text", "title"])

    write_in_pieces(changed, update, n=PASSAGES_AT_ONCE, beat=beat)
    return found


def _passages_by_docid(records: Iterable[AnswerRecord]) -> dict[str, CitationRecord]:
    """Return the cited passages by id, with their text if any answer has it."""
    wanted: dict[str, CitationRecord] = {}
    for cited in (cited for record in records for cited in record.citations):
        before = wanted.setdefault(cited.docid, cited)
        if before.text is None and cited.text is not None:
            wanted[cited.docid] = cited
    return wanted


def _set_text(passage: Passage, cited: CitationRecord) -> bool:
    """Set the passage's text if it has none and the citation has one. Return whether it was set."""
    if passage.text is not None or cited.text is None:
        return False
    passage.text, passage.title = cited.text, cited.title
    return True


def _quote_status(quote: str, passage: Passage) -> str:
    if not quote:
        return ""
    return quotes.check(quote, passage.text, most_words=MOST_QUOTED_WORDS).status.value
