"""All that is known of one turn of a data set: for people who may see runs, scores and references."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Prefetch, QuerySet

from annotation.models import BatchState, Item, ItemAnswer, Verdict
from annotation.schemes import ACCEPTANCE, GROUNDING
from corpus import versions
from corpus.models import Answer, Citation, Dataset, Offer, Turn
from exports.questions.answers import KnownAnswer
from exports.rows.earlier_releases import earlier_answers
from exports.rows.outcomes import Decision, decisions
from exports.rows.shown_answers import released_batches
from sampling.models import EvidenceSpan, Fate, Pool, Purpose
from scoring.text_hashes import stripped


@dataclass(frozen=True)
class Asked:
    """An item that shows an answer, and how it ended, None where it has no verdict."""

    item: Item
    verdict: Verdict | None


@dataclass(frozen=True)
class Paragraph:
    """The evidence that was found for the turn in a pool, as annotators see it."""

    pool: Pool
    spans: list[tuple[EvidenceSpan, str]]  # with the text


def turns_alike(turn: Turn) -> QuerySet[Turn]:
    """Return the turn and the same one of other versions, in the order of the versions."""
    related = versions.turns_alike(turn).select_related("conversation__dataset")
    return related.filter(conversation__dataset__staged_by=None).order_by(
        "conversation__dataset__version"
    )


def references(dataset: Dataset, turn: Turn) -> QuerySet[Answer]:
    found = Answer.objects.references(dataset).filter(turn=turn)
    return found.select_related("run").order_by("run_id")


def given_answers(dataset: Dataset, turn: Turn) -> list[Answer]:
    """Return the answers of systems and baselines, also of withdrawn ones, with citations and what became of them."""
    cited = Citation.objects.select_related("passage").order_by("rank", "pk")
    fates = Fate.objects.filter(pool__purpose=Purpose.ANSWERS, pool__is_withdrawn=False)
    answers = Answer.objects.of_all_systems(dataset).filter(turn=turn).select_related("run")
    return list(
        answers.prefetch_related(
            Prefetch("citations", cited, to_attr="cited"),
            Prefetch("fates", fates.select_related("pool").order_by("pool_id"), to_attr="drawn"),
        ).order_by("run__is_withdrawn", "run__name")
    )


def known_answers(
    dataset: Dataset, turn: Turn, given: Sequence[Answer], earlier: Sequence[int]
) -> list[KnownAnswer]:
    """Return the distinct texts that runs gave, that people were asked about on the turns `earlier`, or that the release
    accepted which the version has read, unless it was rehearsed.

    A release made now would decide by the same verdicts: those of all closed real batches.
    """
    found: dict[str, KnownAnswer] = {}
    for answer in given:
        text = stripped(answer.text)
        found.setdefault(text, KnownAnswer(text)).given.append(answer)
    for text, asked in _items(earlier).items():
        found.setdefault(text, KnownAnswer(text)).items.extend(asked)
    plausible, faithful = _decisions(dataset, earlier)
    for text, each in found.items():
        each.plausible, each.faithful = plausible.get(text), faithful.get(text)
    for record in earlier_answers(dataset, is_rehearsal=False, turns=[turn]).get(turn.key, ()):
        text = str(record["answer"])
        found.setdefault(text, KnownAnswer(text)).earlier = str(record["tier"])
    return list(found.values())


def _items(turns: Sequence[int]) -> dict[str, list[Asked]]:
    """The items that show each text, without control items and drafts, in the order of their batches."""
    shown = ItemAnswer.objects.filter(candidate__turn__in=turns, item__n_wanted__isnull=False)
    shown = shown.exclude(item__batch__state=BatchState.DRAFT)
    rows = shown.select_related("item__batch", "candidate").order_by("item__batch_id", "item_id")
    current = Verdict.objects.current().filter(item__turn__in=turns)
    verdicts = {verdict.item_id: verdict for verdict in current}
    found: dict[str, list[Asked]] = defaultdict(list)
    for row in rows:
        found[row.candidate.text].append(Asked(row.item, verdicts.get(row.item_id)))
    return found


def _decisions(dataset: Dataset, turns: Sequence[int]) -> list[dict[str, Decision]]:
    """By text, how it ended under the two schemes on which a release rests."""
    batches = list(released_batches(dataset, is_rehearsal=False))
    return [
        {
            text: decision
            for (_, text), decision in decisions(
                batches, scheme.name, dataset=dataset, turns=turns
            ).items()
        }
        for scheme in (ACCEPTANCE, GROUNDING)
    ]


def paragraphs(turns: Sequence[int]) -> list[Paragraph]:
    spans = EvidenceSpan.objects.filter(turn__in=turns, pool__is_withdrawn=False)
    rows = spans.select_related("pool", "passage").order_by("pool_id", "position")
    found: dict[int, Paragraph] = {}
    for span in rows:
        paragraph = found.setdefault(span.pool_id, Paragraph(span.pool, []))
        paragraph.spans.append((span, (span.passage.text or "")[span.start : span.end]))
    return list(found.values())


def offers(turn: Turn) -> QuerySet[Offer]:
    return Offer.objects.filter(turn=turn).select_related("passage").order_by("position")


def neighbours(turn: Turn) -> dict[str, Any]:
    """Return the other turns of the conversation, in order."""
    turns = Turn.objects.filter(conversation=turn.conversation).select_related("conversation")
    before = [each for each in turns.order_by("number") if each.number < turn.number]
    return {"before": before, "after": turns.filter(number__gt=turn.number).order_by("number")}
