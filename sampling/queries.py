"""The input of selection and of the search for evidence, read from the database as plain values."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from functools import lru_cache
from itertools import groupby

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Substr

from corpus import queries as corpus_tables
from corpus import versions
from corpus.models import Answer, Citation, Dataset, Offer, Passage, References, Run, Turn
from corpus.quotes import QuoteStatus
from sampling.audit_samples.rule import REASONS, Unit
from sampling.evidence.search import Quote, Source
from sampling.models import Candidate, EvidenceSpan, Fate, Pool, Purpose
from sampling.pools.selection import GivenAnswer, State, TurnAnswers, by_each_state
from scoring import queries as scoring_tables
from scoring import score_queries
from scoring.models import Scorer
from scoring.text_hashes import text_sha256
from text.segmentation import n_words

# The states of a batch that was opened, which this app does not know.
OPENED = ("open", "paused", "closed")
# Purposes of batches that ask about the answers of their pool; training has items of its own.
ASKING = ("work", "pilot")


def turn_answers(
    dataset: Dataset, scorer: Scorer, turns: Collection[int] | None = None
) -> list[TurnAnswers]:
    """Return all turns or those of `turns`, with the answers of competing runs and their scores."""
    selected, answers = Turn.objects.of(dataset), Answer.objects.of_systems(dataset)
    if turns is not None:
        selected, answers = selected.filter(pk__in=turns), answers.filter(turn__in=turns)
    values = score_queries.values(dataset, scorer, turns)
    # What people accepted already is not drawn again: it is a reference, whatever the scores are against.
    references = scoring_tables.references(dataset, turns, References.SILVER)
    standing: dict[str, set[str]] = defaultdict(set)
    for turn_id, text in standing_candidates(dataset, turns):
        standing[turn_id].add(text)
    by_turn: dict[int, list[GivenAnswer]] = defaultdict(list)
    for pk, turn_pk, run, text in answers.values_list("pk", "turn_id", "run__name", "text"):
        by_turn[turn_pk].append(GivenAnswer(run, text, values.get(pk)))
    return [
        TurnAnswers(
            turn=turn.key,
            questions=turn.wordings,
            references=references.get(turn.pk, ()),
            answers=tuple(by_turn[turn.pk]),
            standing=frozenset(standing.get(turn.key, ())),
        )
        for turn in selected
    ]


def standing_pools(dataset: Dataset) -> QuerySet[Pool]:
    """Return the pools of answers on the versions that this one continues that people are or were asked about.

    A batch on them was opened, by people and not as a rehearsal, and counts: so do its verdicts here.
    """
    pools = Pool.objects.filter(
        dataset__in=versions.lineage_keys(dataset)[1:],
        purpose=Purpose.ANSWERS,
        batches__is_withdrawn=False,
        batches__is_rehearsal=False,
        batches__state__in=OPENED,
        batches__purpose__in=ASKING,
    )
    return pools.order_by().distinct()


def standing_candidates(
    dataset: Dataset, turns: Collection[int] | None = None
) -> dict[tuple[str, str], int]:
    """Return by turn and text the first candidate of these pools, where the turn is the same in this version.

    Empty if it continues none. `turns` limits them to these turns of the version.
    """
    if dataset.continues_id is None:
        return {}
    own = Turn.objects.of(dataset).filter(same_as__isnull=False)
    if turns is not None:
        own = own.filter(pk__in=turns)
    keys = {turn.same_as_id: turn.key for turn in own}
    candidates = Candidate.objects.filter(pool__in=standing_pools(dataset))
    if turns is not None:
        candidates = candidates.alias(first=versions.first_turn("turn__")).filter(first__in=keys)
    found: dict[tuple[str, str], int] = {}
    rows = candidates.order_by("pk").values_list("pk", versions.first_turn("turn__"), "text")
    for pk, first, text in rows.iterator():
        if first in keys:
            found.setdefault((keys[first], text), pk)
    return found


def turn_pks(dataset: Dataset, names: Iterable[str]) -> list[int]:
    """Return the primary keys of the turns with these ids of files."""
    condition = Q(pk__in=[])
    for conversation, _, number in (name.rpartition("_") for name in names):
        condition |= Q(conversation__key=conversation, number=int(number))
    turns = Turn.objects.filter(condition, conversation__dataset=dataset)
    return list(turns.values_list("pk", flat=True))


def answer_ids(
    dataset: Dataset, turns: Collection[int] | None = None
) -> dict[tuple[str, str], int]:
    """Return the primary key of each answer by turn and run; for all turns or those of `turns`."""
    keys = {pk: key for key, pk in corpus_tables.turn_ids(dataset, turns).items()}
    answers = Answer.objects.of_systems(dataset)
    if turns is not None:
        answers = answers.filter(turn__in=turns)
    # Without the texts, which may be a million.
    rows = answers.values_list("pk", "turn_id", "run__name")
    return {(keys[turn_id], run): pk for pk, turn_id, run in rows}


def sources(turn_ids: Iterable[int], answers: Mapping[int, str]) -> dict[int, dict[int, Source]]:
    """Return the passages with text that evidence may come from, by turn and primary key.

    First those offered for the turn, in their order, then those that its truth names, then those
    that `answers` cite. `answers` maps the primary key of an answer to the name of its plausible
    text: its usable quotes are quotes for that name.
    """
    turns = list(turn_ids)
    by_turn: dict[int, dict[int, Source]] = defaultdict(dict)
    offers = Offer.objects.filter(turn__in=turns, passage__text__isnull=False)
    for offer in offers.select_related("passage").order_by("turn_id", "position"):
        by_turn[offer.turn_id][offer.passage_id] = Source(
            offer.passage.docid, offer.passage.text or ""
        )
    for turn_id, passage in _truth_passages(turns):
        by_turn[turn_id].setdefault(passage.pk, Source(passage.docid, passage.text or ""))
    cited = Citation.objects.filter(answer__in=list(answers), passage__text__isnull=False)
    related = cited.select_related("passage", "answer")
    for citation in sorted(
        related, key=lambda each: (each.answer.turn_id, each.passage.docid, each.pk)
    ):
        of_turn, passage = by_turn[citation.answer.turn_id], citation.passage
        source = of_turn.get(passage.pk, Source(passage.docid, passage.text or ""))
        quotes = _quotes(citation, answers[citation.answer_id])
        of_turn[passage.pk] = replace(source, quotes=(*source.quotes, *quotes))
    return by_turn


def _truth_passages(turns: list[int]) -> list[tuple[int, Passage]]:
    """The passages with text that the truth of these turns names, in its order."""
    rows = Turn.objects.filter(pk__in=turns).values_list(
        "pk", "conversation__dataset_id", "truth_passages"
    )
    named = [(turn, (dataset, docid)) for turn, dataset, docids in rows for docid in docids]
    stored = Passage.objects.filter(
        dataset__in={dataset for _, (dataset, _) in named},
        docid__in={docid for _, (_, docid) in named},
        text__isnull=False,
    )
    passages = {(passage.dataset_id, passage.docid): passage for passage in stored}
    return [(turn, passages[name]) for turn, name in named if name in passages]


def _quotes(citation: Citation, answer: str) -> list[Quote]:
    if citation.quote_status != QuoteStatus.USABLE:
        return []
    text = citation.quote.strip()
    start = (citation.passage.text or "").index(text)
    return [Quote(citation.pk, answer, start, start + len(text))]


def credited_answers(candidates: Iterable[Candidate]) -> dict[int, int]:
    """Return the drawn candidate with the same text by answer, for these candidates."""
    drawn = Fate.objects.filter(candidate__in=[each.pk for each in candidates], state=State.DRAWN)
    return {
        answer_id: candidate_id
        for answer_id, candidate_id in drawn.values_list("answer_id", "candidate_id")
        if candidate_id is not None
    }


def n_answers_by_run(pool: Pool) -> dict[str, dict[State, int]]:
    """Return the number of answers with each fate, by run of the pool."""
    counts = _n_answers_by_run(pool.pk, pool.built_at)
    names = dict(Run.objects.filter(pk__in=counts).values_list("pk", "name"))
    return {names[run]: by_each_state(numbers) for run, numbers in counts.items()}


@lru_cache(maxsize=8)
def _n_answers_by_run(pool: int, built_at: datetime | None) -> dict[int, dict[State, int]]:
    """Return the counts by the key of the run. Kept: fates are written once, before the pool is built.

    By the time of that too, since a number may come again in another database.
    """
    # Those of a comparison are only of the answers to its questions.
    whole_runs = Pool.objects.filter(pk=pool, purpose=Purpose.ANSWERS, audit_of=None)
    counts = whole_runs.values_list("counts", flat=True).first() or {}
    in_all: dict[State, int] = counts.get("n_answers", {})
    if not in_all:
        return _n_fates_by_run(Fate.objects.filter(pool=pool))
    # Of the most frequent fate there may be hundreds of thousands: they are what is left of the answers of each run.
    most = State(max(in_all, key=lambda state: in_all[state]))
    by_run = _n_fates_by_run(Fate.objects.filter(pool=pool).exclude(state=most))
    for run, n in _n_answers_of_runs(pool):
        of_run = by_run.setdefault(run, {})
        if rest := n - sum(of_run.values()):
            of_run[most] = rest
    if sum(sum(of_run.values()) for of_run in by_run.values()) != sum(in_all.values()):
        return _n_fates_by_run(Fate.objects.filter(pool=pool))
    return by_run


def _n_fates_by_run(fates: QuerySet[Fate]) -> dict[int, dict[State, int]]:
    by_run: dict[int, dict[State, int]] = defaultdict(dict)
    for run, state, n in fates.values_list("answer__run", "state").annotate(n=Count("pk")):
        by_run[run][State(state)] = n
    return dict(by_run)


def _n_answers_of_runs(pool: int) -> Iterable[tuple[int, int]]:
    """Return the runs that the pool was drawn from, as keys with their numbers of answers."""
    fates = Fate.objects.filter(pool=pool, answer=Subquery(one_answer(OuterRef(OuterRef("pk")))))
    runs = Run.objects.filter(Exists(fates), dataset__pools=pool)
    answers = Answer.objects.filter(run__in=list(runs.values_list("pk", flat=True))).order_by()
    return answers.values_list("run").annotate(n=Count("pk"))


def one_answer(run: OuterRef | int) -> QuerySet[Answer, int]:
    """Return the key of an answer of the run. A draw of answers gives every answer of its runs a fate, so it tells of
    all; a draw of a comparison does not.
    """
    # By turn, as the answers of a run are indexed.
    return Answer.objects.filter(run=run).order_by("turn_id").values_list("pk", flat=True)[:1]


def evidence_words(pool: Pool) -> dict[int, int]:
    """Return the number of words of evidence by turn, without turns that have none."""
    # The spans alone: a passage may be a whole book.
    text = Substr("passage__text", F("start") + 1, F("end") - F("start"))
    n_by_turn: dict[int, int] = defaultdict(int)
    spans = EvidenceSpan.objects.filter(pool=pool).order_by().annotate(text=text)
    for turn, shown_text in spans.values_list("turn_id", "text").iterator():
        n_by_turn[turn] += n_words(shown_text)
    return dict(n_by_turn)


def left_out_units(pool: Pool) -> Iterator[Unit]:
    """Yield each distinct text that the pool left out for an audited reason, turn by turn."""
    names = {pk: key for key, pk in corpus_tables.turn_ids(pool.dataset).items()}
    rows = Fate.objects.filter(pool=pool, state__in=REASONS).order_by("answer__turn_id")
    texts = rows.values_list("answer__turn_id", "answer__text", "state").iterator()
    for turn_id, of_turn in groupby(texts, key=lambda row: row[0]):
        states = {text_sha256(text): State(state) for _, text, state in of_turn}
        for sha256, state in states.items():
            yield Unit(names[turn_id], sha256, state)


def answers_left_out(
    pool: Pool, turns: Collection[int]
) -> dict[tuple[int, str], list[tuple[int, str]]]:
    """Return the left-out answers to these turns, as primary key and text.

    By turn and hash of the text.
    """
    rows = Fate.objects.filter(pool=pool, state__in=REASONS, answer__turn__in=turns)
    by_text: dict[tuple[int, str], list[tuple[int, str]]] = defaultdict(list)
    for pk, turn_id, text in rows.values_list("answer", "answer__turn_id", "answer__text"):
        by_text[turn_id, text_sha256(text)].append((pk, text))
    return by_text
