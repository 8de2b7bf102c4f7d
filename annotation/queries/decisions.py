"""The decisions on the work of batches, which figures rest on."""

from collections.abc import Iterable, Iterator
from typing import Any

from django.db.models import (
    Case,
    CharField,
    Count,
    Expression,
    ExpressionWrapper,
    F,
    IntegerField,
    Model,
    Q,
    QuerySet,
    Value,
    When,
)

from annotation.models import (
    Adjudication,
    Batch,
    Exclusion,
    Retraction,
    Review,
    SetAside,
    Source,
    Verdict,
    Withdrawal,
)
from annotation.queries import few_rows
from jobs.basis import Decisions
from performance.compiled_queries import Compiled, Param

# Verdicts that come with an adjudication, an exclusion or the opening of the batch.
_OTHER_VERDICT = "other verdict"
_VERDICT = "verdict"
_UNRESOLVED = "unresolved dispute"
_ANY_VERDICT = "any verdict"  # of which the kinds above are made
_FURTHER = "further judgement per item"
# Each of these comes with a verdict, so it makes no difference to the number of decisions.
_WITH_A_VERDICT = {"adjudication", "undone adjudication"}


def decisions_by_batch(batches: Iterable[Batch]) -> dict[int, Decisions]:
    """Return the decisions on each batch, in one query.

    Decisions are only added, so equal numbers mean the same decisions.
    """
    return decisions_and_verdicts(batches)[0]


def decisions_and_verdicts(batches: Iterable[Batch]) -> tuple[dict[int, Decisions], int]:
    """Return the same, and the number of all verdicts on these batches, former ones too, in the same query."""
    # Which judgements of an item are its first changes with the number that is asked of every item.
    kinds = {batch.pk: {_FURTHER: batch.judgements_per_item} for batch in batches}
    n_verdicts = 0
    if kinds:
        for batch, kind, n, *parts in _NUMBERS.all(batches=[*kinds]):
            if kind == _ANY_VERDICT:
                kinds[batch] |= _kinds_of_verdicts(n, *parts)
                n_verdicts += n
            else:
                kinds[batch][kind] = n
    return {key: _decisions(key, found) for key, found in kinds.items()}, n_verdicts


def _kinds_of_verdicts(n: int, by_consensus: int, unresolved: int) -> dict[str, int]:
    found = {
        _OTHER_VERDICT: n - by_consensus - unresolved,
        _UNRESOLVED: unresolved,
        _VERDICT: by_consensus,
    }
    return {kind: number for kind, number in found.items() if number}


def _decisions(batch: int, kinds: dict[str, int]) -> Decisions:
    n = sum(n for kind, n in kinds.items() if kind not in _WITH_A_VERDICT)
    named = {kind: n for kind, n in kinds.items() if kind != _OTHER_VERDICT}
    return Decisions(n, {f"batch {batch}": named})


def _numbers(batches: list[Param]) -> QuerySet[Any, Any]:
    """Return the numbers of rows by batch and kind, of all tables."""
    first, *others = _counts(batches)
    return first.union(*others, all=True)


_NUMBERS = Compiled(_numbers)


def _counts(batches: list[Param]) -> Iterator[QuerySet[Any, Any]]:
    """Yield for each table the numbers of its rows by batch and kind, and of verdicts the parts of the number."""
    of_item = F("item__batch")
    in_or_out = Case(
        When(is_excluded=True, then=Value("exclusion")),
        default=Value("readmission"),
        output_field=CharField(),
    )
    withdrawals = Withdrawal.objects.all()
    of_withdrawal = few_rows.key(withdrawals, "judgement__assignment__item__batch")
    of_retraction = F("adjudication__item__batch")
    # Which of two written answers stands: no figure rests on it, and it comes with no verdict.
    with_verdict = Adjudication.objects.filter(between_sha256="")
    undone = Retraction.objects.filter(adjudication__between_sha256="")
    tables: tuple[tuple[QuerySet[Any], Any, Any], ...] = (
        (withdrawals, of_withdrawal, _kind("judgement withdrawal")),
        (Review.objects.all(), F("act__batch"), _kind("review")),
        (Exclusion.objects.all(), of_item, in_or_out),
        (Verdict.objects.all(), of_item, _kind(_ANY_VERDICT)),
        (with_verdict, of_item, _kind("adjudication")),
        (undone, of_retraction, _kind("undone adjudication")),
    )
    for rows, of_batch, kind in tables:
        key = ExpressionWrapper(of_batch, output_field=IntegerField())
        own = rows.annotate(in_batch=key, kind=kind).filter(in_batch__in=batches).order_by()
        by_kind = own.values("in_batch", "kind").annotate(n=Count("pk"), **_parts(rows.model))
        yield by_kind.values_list("in_batch", "kind", "n", "by_consensus", "unresolved")


def _parts(model: type[Model]) -> dict[str, Expression]:
    """Return how many verdicts are by consensus, and how many disputes were set aside; nothing of other rows.

    As kinds of their own, SQLite would sort all verdicts.
    """
    if model is not Verdict:
        nothing = Value(0, output_field=IntegerField())
        return {"by_consensus": nothing, "unresolved": nothing}
    is_unresolved = ~Q(source=Source.CONSENSUS) & Q(set_aside_reason=SetAside.DISAGREEMENT)
    return {
        "by_consensus": Count("pk", filter=Q(source=Source.CONSENSUS)),
        "unresolved": Count("pk", filter=is_unresolved),
    }


def _kind(name: str) -> Value:
    return Value(name, output_field=CharField())
