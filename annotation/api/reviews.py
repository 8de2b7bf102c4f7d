"""Reviews: whether a judgement's work is paid, and whether it is counted."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from django.shortcuts import get_object_or_404
from rest_framework import serializers
from rest_framework.response import Response

from accounts.api.endpoints import StudyRequest, done, endpoint, said
from accounts.api.problems import Invalid, Refused, refusing
from accounts.api.shapes import Out
from accounts.models import Study
from annotation import review_reasons
from annotation.actions import bulk_reviews
from annotation.api.items import SETTLES
from annotation.models import Assignment, Batch, Judgement, Review
from annotation.models.limits import LONGEST_REASON
from annotation.review_decisions import Decision, ReviewError

# A request's worth, and less than is written in one transaction (AT_ONCE): so it is all of them, or none.
MOST_AT_ONCE = 500


class ReviewOut(Out):
    """Two decisions on one judgement's work."""

    assignment = serializers.UUIDField(source="judgement.assignment.public_id")
    is_paid = serializers.BooleanField()
    paid_code = serializers.ChoiceField(review_reasons.PAID.codes)
    paid_reason = serializers.CharField(help_text="words; of the code `other` never empty")
    is_counted = serializers.BooleanField()
    counted_code = serializers.ChoiceField(review_reasons.COUNTED.codes)
    counted_reason = serializers.CharField(help_text="words; of the code `other` never empty")
    reviewed_at = serializers.DateTimeField()
    reviewed_by = serializers.CharField(source="reviewed_by.username")
    stands = serializers.SerializerMethodField(help_text="false: a later one replaced it")

    def get_stands(self, review: Review) -> bool:
        return not hasattr(review, "replaced_by")


def _code(closed: review_reasons.Closed) -> serializers.ChoiceField:
    """What can be chosen: `undone` is written by taking a decision back."""
    codes = [code for code in closed.codes if code != review_reasons.UNDONE]
    return serializers.ChoiceField(
        codes, default=review_reasons.OTHER, help_text=f"why it is {closed.what}, or not"
    )


def _words() -> serializers.CharField:
    return serializers.CharField(
        max_length=LONGEST_REASON, allow_blank=True, default="", help_text="`other` needs them"
    )


class OnWorkIn(serializers.Serializer[Any]):
    is_paid = serializers.BooleanField(help_text="whether the work is paid")
    paid_code = _code(review_reasons.PAID)
    paid_reason = _words()
    is_counted = serializers.BooleanField(help_text="whether verdicts and agreement rest on it")
    counted_code = _code(review_reasons.COUNTED)
    counted_reason = _words()

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """A code fits one outcome or both."""
        for closed in review_reasons.LISTS.values():
            what = closed.what
            code, words = attrs[f"{what}_code"], attrs[f"{what}_reason"]
            try:
                review_reasons.require_fits(code, words, closed, attrs[f"is_{what}"])
            except review_reasons.ReasonError as error:
                field = "reason" if code == review_reasons.OTHER else "code"
                raise serializers.ValidationError({f"{what}_{field}": [str(error)]}) from error
        return attrs


AGAIN = "ask for another judgement in place of each that counts no more (requesters)"


class ReviewIn(OnWorkIn):
    ask_again = serializers.BooleanField(default=False, help_text=AGAIN)


class DecisionIn(OnWorkIn):
    assignment = serializers.UUIDField(help_text="one of this batch that has a judgement")


class ReviewsIn(serializers.Serializer[Any]):
    decisions = serializers.ListField(
        child=DecisionIn(), allow_empty=False, max_length=MOST_AT_ONCE
    )
    ask_again = serializers.BooleanField(default=False, help_text=AGAIN)

    def validate_decisions(self, decisions: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Who decides one thing twice in one breath has not decided it."""
        first: dict[UUID, int] = {}
        errors: dict[str, dict[str, list[str]]] = {}
        for number, each in enumerate(decisions):
            if (before := first.setdefault(each["assignment"], number)) != number:
                errors[str(number)] = {"assignment": [f"is in decision {before} already"]}
        if errors:
            raise serializers.ValidationError(errors)
        return decisions


class ReviewsOut(Out):
    reviews = ReviewOut(many=True)


def assignment_of(study: Study, public_id: UUID) -> Assignment:
    rows = Assignment.objects.select_related("item__batch__study")
    found: Assignment = get_object_or_404(rows, item__batch__study=study, public_id=public_id)
    return found


def judgement_of(assignment: Assignment) -> Judgement:
    """The one that stands; 409 where there is none."""
    found = assignment.judgements.standing().last()
    if found is None:
        raise Refused(f"the assignment {assignment} has no judgement")
    found.assignment = assignment
    return found


@endpoint("reviews", *SETTLES, gives=ReviewsOut)
def reviews(request: StudyRequest, study: Study, assignment: UUID) -> Response:
    """List the decisions on an assignment's work, oldest first.

    Where nothing was decided, work that was not taken back is paid, and counted unless it was surplus.
    """
    found = assignment_of(study, assignment)
    return done(ReviewsOut, {"reviews": _rows().filter(judgement__assignment=found)})


def _rows() -> Any:
    rows = Review.objects.order_by("pk")
    return rows.select_related("judgement__assignment", "reviewed_by", "replaced_by")


@endpoint("reviews", *SETTLES, takes=ReviewIn, gives=ReviewOut, status=201)
def review(request: StudyRequest, study: Study, assignment: UUID) -> Response:
    """Review an assignment's work: decide whether it is paid and whether it is counted.

    It replaces what was decided before. Sent again, nothing is written: the same stands already.
    """
    found = assignment_of(study, assignment)
    decision = said(request, ReviewIn)
    ask_again = decision.pop("ask_again")
    judgement = judgement_of(found)
    refused, standing = _decide(
        found.item.batch, {judgement.pk: Decision(**decision)}, request, ask_again=ask_again
    )
    if refused:
        raise Refused(refused[judgement.pk])
    return done(ReviewOut, standing[judgement.pk], 201)


@endpoint("reviews", *SETTLES, takes=ReviewsIn, gives=ReviewsOut, status=201)
def reviews_of_batch(request: StudyRequest, study: Study, batch: int) -> Response:
    """Review many assignments of a batch at once: all of them, or none.

    What is wrong is said by the place of each decision in the list: `#/decisions/3`. Sent again, nothing is
    written: the same stands already.
    """
    found = get_object_or_404(study.batches.select_related("study"), pk=batch)
    sent = said(request, ReviewsIn)
    keys = _judgements(found, [each.pop("assignment") for each in sent["decisions"]])
    decisions = {key: Decision(**each) for key, each in zip(keys, sent["decisions"], strict=True)}
    refused, standing = _decide(found, decisions, request, ask_again=sent["ask_again"])
    if refused:
        raise _wrong({keys.index(key): why for key, why in refused.items()})
    return done(ReviewsOut, {"reviews": [standing[key] for key in keys]}, 201)


def _judgements(batch: Batch, assignments: Sequence[UUID]) -> list[int]:
    """The keys of the judgements that stand of these."""
    standing = Judgement.objects.standing().filter(
        assignment__item__batch=batch, assignment__public_id__in=assignments
    )
    keys = dict(standing.values_list("assignment__public_id", "pk"))
    missing = {
        number: f"no assignment of the batch {batch.name} with a judgement"
        for number, each in enumerate(assignments)
        if each not in keys
    }
    if missing:
        raise _wrong(missing)
    return [keys[each] for each in assignments]


def _wrong(by_number: Mapping[int, str]) -> Invalid:
    return Invalid(
        {"decisions": {str(number): {"assignment": [why]} for number, why in by_number.items()}}
    )


def _decide(
    batch: Batch, decisions: Mapping[int, Decision], request: StudyRequest, *, ask_again: bool
) -> tuple[dict[int, str], dict[int, Review]]:
    """Why some cannot be decided, and then nothing is; else what stands of each judgement."""
    how: dict[str, Any] = {
        "batch": batch,
        "decisions": decisions,
        "by": request.user,
        "ask_again": ask_again,
    }
    with refusing(ReviewError):
        planned = bulk_reviews.plan(**how)
        if planned.refused:
            return {step.judgement.pk: step.why_not for step in planned.refused}, {}
        if planned.done:
            bulk_reviews.decide(**how, seal=planned.seal)
    rows = _rows().filter(judgement__in=list(decisions), replaced_by=None)
    return {}, {each.judgement_id: each for each in rows}
