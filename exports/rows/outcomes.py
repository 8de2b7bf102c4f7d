"""The outcomes of distinct answers, as in a release, without reading its other tables."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Coalesce

from annotation.models import Batch, ItemAnswer, SetAside, Verdict, VerdictState
from annotation.schemes import ACCEPTANCE
from corpus import versions
from corpus.models import Dataset, Run
from corpus.records import turn_id
from exports.rows.precedence import Precedence, precedence
from exports.rows.shown_answers import pools_leaving_out, released_batches
from sampling.models import Fate, Pool, Purpose
from sampling.pools.selection import State

UNJUDGED = "unjudged"
NO_EVIDENCE = "no_evidence"
SET_ASIDE_OUTCOMES = {
    SetAside.DISAGREEMENT: "disputed",
    SetAside.EXCLUDED: "excluded",
    SetAside.NO_EVIDENCE: NO_EVIDENCE,
    SetAside.TOO_FEW: "too_few_judgements",
    SetAside.SKIPPED_BY_ALL: "skipped_by_all",
}
# Of an item: its key, the item that it came from, and its batch.
PLACE = ("item_id", "item__came_from_id", "item__batch_id")
NO_VERDICT = ("", "", "", "")
# A distinct answer: the primary key of its turn and the hash of its text.
DistinctAnswer = tuple[int, str]


def outcome(state: str, label: str, set_aside_reason: str) -> str:
    """The label of a verdict, or one word that says why there is no label."""
    if state == VerdictState.DECIDED:
        return label
    if state == VerdictState.DISPUTED:
        return "disputed"
    if state == VerdictState.SET_ASIDE:
        return SET_ASIDE_OUTCOMES[SetAside(set_aside_reason)]
    return UNJUDGED


@dataclass(frozen=True)
class Decision:
    """How an answer ended under a scheme, the name of the batch that decided so, and by what.

    `source` is that of the verdict, "" if there is none; `stands` is false where the plausibility verdict that it came
    from has changed; `is_settled` is true with a label, and where the answer was set aside.
    """

    outcome: str
    batch: str
    stands: bool
    source: str = ""
    is_settled: bool = False


def decisions(
    batches: Sequence[Batch],
    scheme: str,
    *,
    dataset: Dataset,
    turns: Collection[int] | None = None,
) -> dict[tuple[str, str], Decision]:
    """Return by turn key and text how each answer ended that these batches ask about under the scheme.

    Only answers to turns that stand in the version `dataset`, and to those with these primary keys if `turns` are
    given, which may be of earlier versions.

    `batches` in the order of their making. Left out, as in a release: answers whose verdict does
    not stand, and those that no pool drew from a run that counts.
    """
    of_scheme = [batch for batch in batches if batch.scheme == scheme]
    # Pools and runs are few, and named they need not be looked up for each answer.
    pools = Pool.objects.filter(dataset__study=dataset.study_id, purpose=Purpose.ANSWERS)
    is_rehearsal = any(batch.is_rehearsal for batch in batches)
    leaving_out = pools_leaving_out(dataset, is_rehearsal=is_rehearsal)
    given = Fate.objects.filter(
        Q(state=State.DRAWN) | Q(state=State.STANDS, pool__in=_keys(leaving_out)),
        candidate=Coalesce(OuterRef("candidate__source"), OuterRef("candidate")),
        pool__in=_keys(pools),
    )
    runs = Run.objects.filter(dataset__in=versions.lineage_keys(dataset))
    counting = runs.alias(first=versions.first_run()).filter(
        first__in=versions.counting_first_runs(dataset)
    )
    if runs.exclude(pk__in=counting.order_by().values("pk")).exists():
        given = given.filter(answer__run__in=_keys(counting))
    asked = _asked(of_scheme, dataset).order_by()
    if turns is not None:
        asked = asked.filter(item__turn__in=turns)
    # Those that no pool drew, which are few, and not those that one did.
    not_drawn = set(asked.filter(~Exists(given)).values_list("pk", flat=True))
    columns = ("candidate__turn__conversation__key", "candidate__turn__number", "candidate__text")
    rows = [
        ((turn_id(conversation, number), text), pk, place)
        for pk, conversation, number, text, *place in asked.values_list("pk", *columns, *PLACE)
    ]
    found = _decisions(of_scheme, ((answer, *place) for answer, _, place in rows), turns)
    drawn = {answer for answer, pk, _ in rows if pk not in not_drawn} if not_drawn else found
    return {
        answer: decision
        for answer, decision in found.items()
        if decision.stands and answer in drawn
    }


def plausibility_outcomes(
    dataset: Dataset, *, is_rehearsal: bool, pools: Collection[Pool] | None = None
) -> dict[DistinctAnswer, str]:
    """The outcome of each answer that a closed plausibility batch asked about.

    `pools` limits them to batches on these pools.
    """
    closed = released_batches(dataset, is_rehearsal=is_rehearsal).filter(scheme=ACCEPTANCE.name)
    if pools is not None:
        closed = closed.filter(pool__in=pools)
    in_order = list(closed)
    names = ("candidate__turn_id", "candidate__text_sha256")
    rows = _asked(in_order, dataset).values_list(*names, *PLACE)
    own = versions.own_turns(dataset)
    found = _decisions(in_order, (((turn, text), *place) for turn, text, *place in rows))
    return {(own.get(turn, turn), text): each.outcome for (turn, text), each in found.items()}


def _decisions(
    batches: Sequence[Batch],
    rows: Iterable[tuple[Any, ...]],
    turns: Collection[int] | None = None,
) -> dict[tuple[Any, Any], Decision]:
    """Return how each answer ended that these batches of one scheme ask about, in the order of their making.

    `rows` are of what their items show: the answer, and the PLACE. `exports.rows.precedence` says which of several
    items decides.
    """
    ranks = {batch.pk: rank for rank, batch in enumerate(batches)}
    current = Verdict.objects.current().filter(item__batch__in=batches).order_by()
    if turns is not None:
        current = current.filter(item__turn__in=turns)
    columns = ("item_id", "state", "source", "label", "set_aside_reason")
    verdicts = {item: verdict for item, *verdict in current.values_list(*columns)}
    accepted: set[int] | None = None  # of plausibility items, once one is asked about

    @cache  # few are different
    def decision(
        rank: int, stands: bool, state: str, source: str, label: str, reason: str
    ) -> Decision:
        name = outcome(state, label, reason)
        is_settled = state in (VerdictState.DECIDED, VerdictState.SET_ASIDE)
        return Decision(name, batches[rank].name, stands, source, is_settled)

    best: dict[tuple[Any, Any], tuple[Any, ...]] = {}
    for answer, item, origin, batch in rows:
        if origin is not None and accepted is None:
            accepted = _accepted_origins(batches, turns)
        stands = origin is None or origin in (accepted or ())
        showing = (item, ranks[batch], stands, *verdicts.get(item, NO_VERDICT))
        other = best.setdefault(answer, showing)
        if other is not showing and _precedence(*showing) > _precedence(*other):
            best[answer] = showing
    return {answer: decision(*about) for answer, (_, *about) in best.items()}


def _precedence(item: int, rank: int, stands: bool, state: str, source: str, *_: str) -> Precedence:
    return precedence(state=state, source=source, stands=stands, batch_rank=rank, item=item)


def _keys(rows: QuerySet[Any]) -> list[int]:
    return list(rows.order_by().values_list("pk", flat=True))


def _asked(batches: Sequence[Batch], dataset: Dataset) -> QuerySet[ItemAnswer]:
    """Return what the items of the batches show of turns that stand in the version, without control items."""
    asked = ItemAnswer.objects.filter(item__batch__in=batches, item__n_wanted__isnull=False)
    return asked.filter(versions.stands(dataset, "item__turn"))


def _accepted_origins(batches: Sequence[Batch], turns: Collection[int] | None = None) -> set[int]:
    """Return the plausibility items that items of these batches came from, and that are accepted."""
    accepted = Verdict.objects.current().filter(
        item__led_to__batch__in=batches,
        item__batch__in=Batch.objects.counting().filter(scheme=ACCEPTANCE.name),
        state=VerdictState.DECIDED,
        label=ACCEPTANCE.accepted,
    )
    if turns is not None:
        accepted = accepted.filter(item__turn__in=turns)
    return set(accepted.values_list("item_id", flat=True))


def is_rehearsed(pools: Collection[Pool]) -> bool:
    """Whether the pools have plausibility batches, and all of them are rehearsals."""
    batches = Batch.objects.counting().filter(pool__in=pools, scheme=ACCEPTANCE.name)
    return batches.exists() and not batches.filter(is_rehearsal=False).exists()
