"""Overview of a batch for reviewers: the work of each person, and its reviews."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from statistics import median

from django.db.models import Count, ExpressionWrapper, F, Field, Q, QuerySet
from django.db.models.functions import Coalesce

from accounts.models import Membership, Study
from annotation import review_reasons, schemes
from annotation.models import Batch, Judgement, Review, ReviewAct
from annotation.queries import outcomes

ROWS_AT_ONCE = 5000


@dataclass(frozen=True)
class Person:
    """One annotator's work in a batch. Counts are of judgements that were not taken back.

    n_pairs     pairs of a counted judgement and one of somebody else on the same item
    n_equal     those of them with equal labels
    """

    name: str
    pseudonym: str
    n_judged: int
    n_reviewed: int
    n_not_counted: int
    n_not_paid: int
    median_seconds: float | None
    n_equal: int
    n_pairs: int


def member_names(study: Study, *, are_known: bool) -> dict[int, tuple[str, str]]:
    """Name and pseudonym by person; the name is "" unless `are_known`."""
    members = study.memberships.select_related("user")
    return {
        each.user_id: (each.user.username if are_known else "", each.pseudonym) for each in members
    }


def person_summaries(
    batch: Batch, members: Iterable[Membership], *, are_known: bool
) -> list[Person]:
    """A Person for each of these members, in their order."""
    known = member_names(batch.study, are_known=are_known)
    seconds, pairs = _seconds_and_pairs(batch)
    decided = _review_counts(batch)
    return [
        Person(
            *known[each.user_id],
            n_judged=len(seconds[each.user_id]),
            n_reviewed=decided.get(each.user_id, (0, 0, 0))[0],
            n_not_counted=decided.get(each.user_id, (0, 0, 0))[1],
            n_not_paid=decided.get(each.user_id, (0, 0, 0))[2],
            median_seconds=median(seconds[each.user_id]) if seconds[each.user_id] else None,
            n_equal=pairs.get(each.user_id, (0, 0))[0],
            n_pairs=pairs.get(each.user_id, (0, 0))[1],
        )
        for each in members
    ]


def _review_counts(batch: Batch) -> dict[int, tuple[int, int, int]]:
    current = Review.objects.filter(replaced_by=None, act__batch=batch, judgement__withdrawal=None)
    rows = (
        current.order_by()
        .values_list("judgement__assignment__annotator")
        .annotate(
            n=Count("pk"),
            not_counted=Count("pk", filter=Q(is_counted=False)),
            not_paid=Count("pk", filter=Q(is_paid=False)),
        )
    )
    return {person: tuple(counts) for person, *counts in rows}


def _seconds_and_pairs(
    batch: Batch,
) -> tuple[Mapping[int, list[float]], Mapping[int, tuple[int, int]]]:
    """The active seconds of judgements by person, and the numbers of equal pairs and of all pairs of counted
    judgements with those of others.

    All judgements are read once, and beside them what is not counted, which is little: asked of each judgement by
    itself it would take as long as reading them.
    """
    refused = Review.objects.filter(replaced_by=None, is_counted=False, act__batch=batch)
    not_counted = set(refused.values_list("judgement", flat=True))
    rows = Judgement.objects.not_withdrawn().filter(assignment__item__batch=batch).order_by()
    people = ("assignment__item", "assignment__annotator")
    said = rows.values_list(
        "pk", *people, "active_seconds", _unconverted("is_surplus"), outcomes.as_text()
    )
    seconds: dict[int, list[float]] = defaultdict(list)
    responses_by_item: dict[int, list[tuple[int, str]]] = defaultdict(list)
    for pk, item, person, took, late, response in said.iterator(ROWS_AT_ONCE):
        seconds[person].append(took)
        if not late and pk not in not_counted:
            responses_by_item[item].append((person, response))
    # Of the same people's same responses there are many.
    alike = Counter(tuple(sorted(said)) for said in responses_by_item.values())
    return seconds, _agreement_pairs(batch, alike)


def _unconverted(column: str) -> Coalesce:
    """The column's value as the database has it: to convert a boolean of each row takes as long as to read the row.
    SQLite's driver converts what is a column, not what is an expression.
    """
    plain = ExpressionWrapper(F(column), output_field=Field())
    return Coalesce(plain, plain)


def _agreement_pairs(
    batch: Batch, items: Mapping[tuple[tuple[int, str], ...], int]
) -> dict[int, tuple[int, int]]:
    """The numbers of equal and of all pairs by person; `items` are numbers of items by who gave which response."""
    scheme = schemes.get(batch.scheme)
    words = {
        response: scheme.words(json.loads(response))
        for response in {response for said in items for _, response in said}
    }
    counts: dict[int, list[int]] = defaultdict(lambda: [0, 0])
    for said, n in items.items():
        for person, response in said:
            equal = sum(words[response] == words[other] for _, other in said) - 1
            counts[person][0] += n * equal
            counts[person][1] += n * (len(said) - 1)
    return {person: (equal, n) for person, (equal, n) in counts.items()}


def other_labels(batch: Batch, judgements: Iterable[Judgement]) -> dict[int, list[str]]:
    """The labels of others for the item of each judgement, by judgement."""
    asked_about = list(judgements)
    scheme = schemes.get(batch.scheme)
    items = {each.assignment.item_id for each in asked_about}
    labels_by_item: dict[int, list[tuple[int, str]]] = defaultdict(list)
    rows = Judgement.objects.counted().filter(assignment__item__in=items)
    for item, assignment, response in rows.values_list(
        "assignment__item", "assignment", "response"
    ):
        labels_by_item[item].append((assignment, scheme.words(response)))
    return {
        each.pk: sorted(
            label
            for assignment, label in labels_by_item[each.assignment.item_id]
            if assignment != each.assignment_id
        )
        for each in asked_about
    }


@dataclass(frozen=True)
class ActSummary:
    """An act of review: its decisions, and the numbers of its reviews and of those still current."""

    act: ReviewAct
    n: int
    n_current_reviews: int
    decisions: tuple[str, ...]

    @property
    def n_replaced(self) -> int:
        return self.n - self.n_current_reviews


# The most different decisions of one act in a history line; a file may have more.
MOST_NAMED = 3


def act_summaries(rows: Iterable[ReviewAct]) -> list[ActSummary]:
    """A summary of each act, in their order."""
    in_order = list(rows)
    counts: dict[int, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    n_current: dict[int, int] = defaultdict(int)
    columns = ("is_paid", "paid_code", "is_counted", "counted_code")
    grouped = Review.objects.filter(act__in=in_order).order_by().values("act", *columns)
    for row in grouped.annotate(n=Count("pk"), n_left=Count("pk", filter=Q(replaced_by=None))):
        counts[row["act"]][_in_words(row)] += row["n"]
        n_current[row["act"]] += row["n_left"]
    return [
        ActSummary(
            act=each,
            n=sum(counts[each.pk].values()),
            n_current_reviews=n_current[each.pk],
            decisions=tuple(
                f"{n} {words}"
                for words, n in sorted(counts[each.pk].items(), key=lambda pair: -pair[1])
            )[:MOST_NAMED],
        )
        for each in in_order
    ]


def _in_words(row: dict[str, object]) -> str:
    paid = review_reasons.outcome_in_words(review_reasons.PAID, bool(row["is_paid"]))
    counted = review_reasons.outcome_in_words(review_reasons.COUNTED, bool(row["is_counted"]))
    return f"{paid} ({row['paid_code']}), {counted} ({row['counted_code']})"


def act_history(batch: Batch) -> QuerySet[ReviewAct]:
    """The acts of review in the batch, newest first."""
    acts = batch.review_acts.select_related("reviewed_by", "undoes__reviewed_by")
    return acts.order_by("-reviewed_at", "-pk")
