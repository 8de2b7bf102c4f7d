"""The batches of writing on a data set, what people wrote in them, and its questions."""

from collections.abc import Iterator, Mapping, Sequence

from django.db.models import QuerySet

from annotation.models import Batch, BatchState, Item, Judgement
from annotation.models.work import JudgementQuerySet
from annotation.queries import written_pairs
from annotation.schemes import SchemeRole, with_role
from annotation.schemes.questions import TICK
from annotation.schemes.routing import Written as Content
from corpus import versions
from corpus.models import Dataset, Turn
from exports.written.answers import Shown, Written, WrittenAnswer
from exports.written.outputs import Question
from exports.written.standing import Decided, Decisions

SCHEMES = [each.name for each in with_role(SchemeRole.WRITING)]
# Texts of the imported files: long, and not needed for what was written.
_TURN = "assignment__item__turn"
DEFERRED_FIELDS = (f"{_TURN}__source", f"{_TURN}__truth_passages", f"{_TURN}__record")


def launched_batches(dataset: Dataset) -> QuerySet[Batch]:
    """The batches of writing on this version and those that it continues, without drafts, oldest first."""
    found = Batch.objects.counting().filter(
        study=dataset.study_id,
        scheme__in=SCHEMES,
        pool__dataset__in=versions.lineage_keys(dataset),
    )
    launched = found.exclude(state=BatchState.DRAFT)
    return launched.select_related("study", "pool__dataset", "guideline", "first_round").order_by(
        "created_at", "pk"
    )


def counted_batches(dataset: Dataset) -> list[Batch]:
    """The launched batches that count: the real ones or, if there is none, the rehearsed ones."""
    found = list(launched_batches(dataset))
    return [batch for batch in found if not batch.is_rehearsal] or found


def counted_judgements(dataset: Dataset, batches: Sequence[Batch]) -> JudgementQuerySet:
    """The counted judgements of items that are not excluded, about turns that stand in this version."""
    return Judgement.objects.counted().filter(
        versions.stands(dataset, "assignment__item__turn"),
        assignment__item__batch__in=batches,
        assignment__item__n_wanted__isnull=False,
        assignment__item__is_excluded=False,
    )


def written(dataset: Dataset, batches: Sequence[Batch]) -> Written:
    """What people wrote in these batches."""
    return read(dataset, batches, counted_judgements(dataset, batches))


def read(dataset: Dataset, batches: Sequence[Batch], judgements: JudgementQuerySet) -> Written:
    """Return the answers of these judgements. A judgement of the second round is left out, and counted,
    if that of the first round which it saw is not among them.
    """
    reader = _Reader(dataset, batches)
    related = judgements.select_related("assignment__item__turn__conversation")
    rows = related.order_by("pk").defer(*DEFERRED_FIELDS)
    seconds: list[Judgement] = []
    for judgement in rows.iterator():
        if judgement.assignment.item.rewrites_id is None:
            reader.add(judgement)
        else:
            seconds.append(judgement)
    known = {each.judgement: each for each in reader.answers}
    for judgement in seconds:
        if first := known.get(judgement.assignment.item.rewrites_id or 0):
            reader.add(judgement, first)
    n_without_first = len(known) + len(seconds) - len(reader.answers)
    return Written(reader.answers, n_without_first)


def decisions(batches: Sequence[Batch]) -> Decisions:
    """What adjudicators decided between the answers of two rounds, and stands, by the item of the second round."""
    return {
        str(pair.item.public_id): Decided(
            label=decided.label,
            content=Content.of_response(decided.response),
            minimal=decided.response.get("minimal") == TICK,
            reason=decided.reason,
        )
        for batch in batches
        if written_pairs.has_pairs(batch)
        for pair in written_pairs.pairs(batch)
        if (decided := pair.decision)
    }


class _Reader:
    def __init__(self, dataset: Dataset, batches: Sequence[Batch]) -> None:
        self.answers: list[WrittenAnswer] = []
        self._own_turns = versions.own_turns(dataset)
        self._batches = {batch.pk: batch.name for batch in batches}
        members = dataset.study.memberships.all()
        self._pseudonyms = {each.user_id: each.pseudonym for each in members}
        self._shown: dict[int, Shown] = {}

    def add(self, judgement: Judgement, first: WrittenAnswer | None = None) -> None:
        """Add an answer: of round 2 with the one that it saw."""
        assignment, response = judgement.assignment, judgement.response
        content = Content.of_response(response)
        item: Item = assignment.item
        shown = self._shown.setdefault(item.pk, Shown.of(item.payload))
        answer = WrittenAnswer(
            judgement=judgement.pk,
            turn=self._own_turns.get(item.turn_id, item.turn_id),
            turn_id=item.turn.key,
            batch=self._batches[item.batch_id],
            item_id=str(item.public_id),
            first_item_id=first.item_id if first else "",
            annotator=self._pseudonyms[assignment.annotator_id],
            round=2 if first else 1,
            first=first.judgement if first else None,
            outcome=content.outcome,
            kept=response.get("kept", ""),
            answer=content.answer,
            sentences=content.ticked,
            minimal=response.get("minimal") == TICK,
            reason=response.get("reason", ""),
            active_seconds=judgement.active_seconds,
            shown=shown,
        )
        self.answers.append(answer)


def asked_turns(dataset: Dataset, batches: Sequence[Batch]) -> set[int]:
    """The turns of this version that the batches ask about, also where nobody wrote yet."""
    own = versions.own_turns(dataset)
    turns = Item.objects.real().filter(batch__in=batches).order_by().values_list("turn", flat=True)
    return {own.get(turn, turn) for turn in turns}


def questions(dataset: Dataset, shown: Mapping[int, Shown]) -> Iterator[Question]:
    """All questions of the version in its order; those of `shown` have that passage where the file is of another format."""
    for turn in Turn.objects.of(dataset).defer("source", "truth_passages", "accepted").iterator():
        yield Question(
            turn=turn.pk,
            id=turn.key,
            text=turn.standalone,
            part=turn.part,
            line=turn.record,
            passages=_passages(shown.get(turn.pk)),
        )


def _passages(shown: Shown | None) -> tuple[dict[str, object], ...]:
    if shown is None:
        return ()
    return ({"title": shown.title, "text": shown.text, "sentences": list(shown.sentences)},)


def first_rounds(batches: Sequence[Batch]) -> set[str]:
    """The names of the batches whose second rounds are among these."""
    return {batch.first_round.name for batch in batches if batch.first_round}


def items_of_several(batch: Batch) -> QuerySet[Item]:
    """The items of round 1 that several people judged, in the batch's order; those who skipped count too."""
    found = batch.items.real().filter(rewrites=None, is_excluded=False, n_counted__gt=1)
    return found.order_by("position")
