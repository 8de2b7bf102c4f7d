"""The screens of a batch: the content of each item and the item that it came from."""

import heapq
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from annotation import schemes
from annotation.design import pair_balance, second_rounds
from annotation.design.second_rounds import FirstAnswer
from annotation.models import Batch, Grouping, ItemAnswer
from annotation.schemes import Shows, payloads
from corpus.models import Passage, Turn
from sampling.models import AnswerPair, Candidate, EvidenceSpan, PoolPassage
from stats.lots import lot


@dataclass(frozen=True)
class Screen:
    """The content of one item. `came_from` is the key of the plausibility item of the same answer; of a second round,
    of the item of the first, and `rewrites` that of the judgement whose answer it shows.
    """

    turn: Turn
    candidates: tuple[Candidate, ...]
    passages: tuple[Passage, ...]
    payload: dict[str, Any]
    came_from: int | None
    rewrites: int | None = None


@dataclass(frozen=True)
class _Group:
    """The answers that one screen shows."""

    turn: Turn
    candidates: tuple[Candidate, ...]


def batch_screens(batch: Batch) -> list[Screen]:
    """The screens in the order of the batch's items."""
    if batch.first_round_id is not None:
        return _second_round_screens(batch)
    return _screens(batch, _ordered_groups(batch))


def first_screens(batch: Batch, most: int) -> list[Screen]:
    """The first screens that annotators get: where evidence is shown, those that have some."""
    if batch.first_round_id is not None:
        return _second_round_screens(batch)[:most]
    scheme = schemes.get(batch.scheme)
    with_evidence = None
    if scheme.shows_evidence:
        spans = EvidenceSpan.objects.filter(pool=batch.pool)
        with_evidence = set(spans.values_list("turn_id", flat=True))
    first = _first_turns(batch, scheme.shows, with_evidence, most)
    groups = _ordered_groups(batch, first)
    if with_evidence is not None:
        groups = [group for group in groups if group.turn.pk in with_evidence]
    return _screens(
        batch, groups[:most], conversations={g.turn.conversation_id for g in groups[:most]}
    )


def _second_round_screens(batch: Batch) -> list[Screen]:
    """A screen for each answer that is routed. It says what was written, and never who wrote it."""
    routed = second_rounds.routed_answers(batch)
    routed.sort(key=lambda each: _routed_key(batch, each))
    bare = _screens(batch, [_Group(each.turn, ()) for each in routed])
    return [
        replace(
            screen,
            payload=screen.payload | {"written": each.written.to_payload()},
            came_from=each.item,
            rewrites=each.judgement,
        )
        for screen, each in zip(bare, routed, strict=True)
    ]


def _routed_key(batch: Batch, answer: FirstAnswer) -> tuple[int, int]:
    """The place of a screen of a second round, as _sort_key()."""
    is_grouped = batch.grouping != Grouping.NONE
    of_turn = _lot_of(batch, answer.turn.key) if is_grouped else 0
    return of_turn, _lot_of(batch, answer.turn.key, answer.sha256)


def answer_screens(batch: Batch, answers: Sequence[Candidate]) -> list[Screen]:
    """The screens of these answers, which need not be of the batch's pool nor be saved, in their order."""
    groups = [_Group(each.turn, (each,)) for each in answers]
    return _screens(batch, groups, conversations={each.turn.conversation_id for each in answers})


def _first_turns(
    batch: Batch, shows: Shows, among: Collection[int] | None, most: int
) -> Collection[int] | None:
    """Turns that have the first screens, or more; None for all, where screens of a turn may stand apart."""
    if batch.grouping == Grouping.NONE or shows in (Shows.PAIR, Shows.ORDERED_PAIR):
        return None
    of_pool = PoolPassage if shows == Shows.PASSAGES else Candidate
    turns = of_pool.objects.filter(pool=batch.pool).order_by().distinct()
    keys = turns.values_list("turn", "turn__conversation__key", "turn__number")
    lots = (
        (_lot_of(batch, f"{conversation}_{number}"), pk)
        for pk, conversation, number in keys
        if among is None or pk in among
    )
    return [pk for _, pk in heapq.nsmallest(most, lots)]


def _ordered_groups(batch: Batch, turns: Collection[int] | None = None) -> list[_Group]:
    groups = _groups(batch, schemes.get(batch.scheme).shows, turns)
    return sorted(groups, key=lambda group: _sort_key(batch, group))


def _screens(
    batch: Batch, groups: Collection[_Group], conversations: Collection[int] | None = None
) -> list[Screen]:
    """The screens of these groups, which are of all conversations or of these."""
    scheme = schemes.get(batch.scheme)
    turns = {group.turn.pk for group in groups}
    context = _earlier_questions(batch, conversations) if batch.shows_context else {}
    evidence = _evidence(batch, turns) if scheme.shows_evidence else None
    passages = _passages(batch, turns) if scheme.shows_passages else None
    sources = {each.source_id for group in groups for each in group.candidates} - {None}
    came_from = _source_items(batch) if sources else {}
    types = _types(batch) if scheme.role == schemes.SchemeRole.CURATION else []
    batch_screens = []
    for group in groups:
        turn = group.turn
        on_screen = tuple(passages.get(turn.pk, ())) if passages is not None else ()
        payload = payloads.payload(
            question=turn.standalone,
            context=context.get(turn.pk, []),
            answers=[candidate.text for candidate in group.candidates],
            evidence=None if evidence is None else evidence.get(turn.pk, []),
            passages=None
            if passages is None
            else [_passage_payload(passage) for passage in on_screen],
        )
        if scheme.role == schemes.SchemeRole.CURATION:
            payload["made"] = _made(turn, types)
        items = [came_from.get(candidate.source_id) for candidate in group.candidates]
        batch_screens.append(
            Screen(turn, group.candidates, on_screen, payload, items[0] if items else None)
        )
    return batch_screens


def _groups(batch: Batch, shows: Shows, turns: Collection[int] | None) -> list[_Group]:
    """The groups of all turns, or of these."""
    if shows == Shows.PASSAGES:
        shown = Turn.objects.filter(pool_passages__pool=batch.pool).distinct()
        if turns is not None:
            shown = shown.filter(pk__in=turns)
        return [_Group(turn, ()) for turn in shown.select_related("conversation")]
    rows = Candidate.objects.filter(pool=batch.pool).select_related("turn__conversation")
    if turns is not None:
        rows = rows.filter(turn__in=turns)
    if shows == Shows.ANSWER:
        return [_Group(candidate.turn, (candidate,)) for candidate in rows]
    if shows == Shows.ORDERED_PAIR:
        return _drawn_pairs(batch)
    candidates = list(rows)
    if shows == Shows.PAIR:
        return _pairs(batch, candidates)
    of_turn: dict[Turn, list[Candidate]] = defaultdict(list)
    for candidate in candidates:
        of_turn[candidate.turn].append(candidate)
    return [
        _Group(turn, tuple(sorted(found, key=lambda each: _lot(batch, _Group(turn, (each,))))))
        for turn, found in of_turn.items()
    ]


def _pairs(batch: Batch, candidates: Iterable[Candidate]) -> list[_Group]:
    known = {candidate.pk: candidate for candidate in candidates}
    return [
        _Group(known[pair.first].turn, (known[pair.first], known[pair.second]))
        for pair in pair_balance.batch_pairs(batch)
    ]


def _drawn_pairs(batch: Batch) -> list[_Group]:
    """The pairs of the pool, in which the draw has decided which answer is the first."""
    drawn = AnswerPair.objects.filter(pool=batch.pool)
    related = drawn.select_related("first__turn__conversation", "second__turn__conversation")
    return [_Group(pair.first.turn, (pair.first, pair.second)) for pair in related]


def _sort_key(batch: Batch, group: _Group) -> tuple[int, int]:
    """The place of a screen: shuffled by the batch's seed, the same on every machine."""
    is_grouped = batch.grouping != Grouping.NONE
    return _lot(batch, _Group(group.turn, ())) if is_grouped else 0, _lot(batch, group)


def _lot(batch: Batch, group: _Group) -> int:
    texts = [candidate.text_sha256 for candidate in group.candidates]
    return _lot_of(batch, group.turn.key, *texts)


def _lot_of(batch: Batch, *names: str) -> int:
    return lot(batch.seed, batch.lot_name, *names, separator=" ")


def _earlier_questions(batch: Batch, conversations: Collection[int] | None) -> dict[int, list[str]]:
    """The questions before each turn in its conversation, by turn, without their answers; of all or of these."""
    turns = Turn.objects.of(batch.pool.dataset)
    if conversations is not None:
        turns = turns.filter(conversation__in=conversations)
    earlier: dict[int, list[str]] = {}
    asked: dict[int, list[str]] = defaultdict(list)
    for turn in turns:
        so_far = asked[turn.conversation_id]
        earlier[turn.pk] = list(so_far)
        so_far += turn.wordings[:1]
    return earlier


def _evidence(batch: Batch, turns: Collection[int]) -> dict[int, list[str]]:
    spans = EvidenceSpan.objects.filter(pool=batch.pool).select_related("passage")
    texts: dict[int, list[str]] = defaultdict(list)
    for span in spans.order_by("turn_id", "position"):
        if span.turn_id in turns:
            texts[span.turn_id].append((span.passage.text or "")[span.start : span.end])
    return texts


def _passages(batch: Batch, turns: Collection[int]) -> dict[int, list[Passage]]:
    by_turn: dict[int, list[Passage]] = defaultdict(list)
    rows = PoolPassage.objects.filter(pool=batch.pool).select_related("passage")
    for row in rows.order_by("turn_id", "position"):
        if row.turn_id in turns:
            by_turn[row.turn_id].append(row.passage)
    return by_turn


def _made(turn: Turn, types: Sequence[str]) -> dict[str, Any]:
    """The answer, the proof and the type of a question, and the section of its text; never who or what made it."""
    own = turn.meta.get("type", "")
    return {
        "answer": turn.source.get("Truth_answer", ""),
        "proof": turn.meta.get("proof", ""),
        "section": turn.meta.get("section", ""),
        "type": own,
        "types": list(types) if own else [],
    }


def _types(batch: Batch) -> list[str]:
    """The types of the questions of the batch's data set, sorted."""
    rows = Turn.objects.of(batch.pool.dataset).order_by().values_list("meta__type", flat=True)
    return sorted({each for each in rows if each})


def _passage_payload(passage: Passage) -> dict[str, Any]:
    """The content of a passage without its name, which may say where it was found."""
    return {
        "title": passage.title,
        "text": passage.text or "",
        "sentences": list(passage.sentences),
    }


def _source_items(batch: Batch) -> dict[int | None, int]:
    """The item of each source candidate in the batch that the pool was drawn from, by candidate."""
    source_batch = batch.pool.rule.get("batch")
    if source_batch is None:
        return {}
    judged = ItemAnswer.objects.filter(
        item__batch__study=batch.study, item__batch__name=source_batch
    )
    return dict(judged.values_list("candidate_id", "item_id"))
