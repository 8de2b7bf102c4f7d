"""Reviews: whether a judgement's work is paid, and whether it is counted."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.response import Response

from accounts.api.base import StudyView, UserRequest
from accounts.models import User
from annotation import review_reasons
from annotation.actions import bulk_reviews, review_plans
from annotation.api.items import ORGANISERS
from annotation.models import Assignment, Batch, BatchState, Item, Judgement, Review
from annotation.models.limits import LONGEST_REASON
from annotation.queries import before_decision, item_takers
from annotation.review_decisions import Decision, ReviewError

# Below PIECE_SIZE, so that one transaction writes the whole request or nothing.
MOST_AT_ONCE = 500


class ReviewSerializer(serializers.ModelSerializer[Review]):
    """Two decisions on one judgement's work."""

    assignment = serializers.UUIDField(source="judgement.assignment.public_id")
    reviewed_by = serializers.CharField(source="reviewed_by.username")
    stands = serializers.SerializerMethodField(help_text="false: a later review replaced it")

    class Meta:
        model = Review
        fields = [
            *("assignment", "is_paid", "paid_code", "paid_reason", "is_counted", "counted_code"),
            *("counted_reason", "reviewed_at", "reviewed_by", "stands"),
        ]
        read_only_fields = fields
        extra_kwargs = {
            "paid_reason": {"help_text": "free text; required with the code `other`"},
            "counted_reason": {"help_text": "free text; required with the code `other`"},
        }

    def get_stands(self, review: Review) -> bool:
        return not hasattr(review, "replaced_by")


def _code(reasons: review_reasons.ReasonList) -> serializers.ChoiceField:
    """A field for a code, except `undone`, which only undoing an act gives."""
    codes = [code for code in reasons.codes if code != review_reasons.UNDONE]
    return serializers.ChoiceField(
        codes, default=review_reasons.OTHER, help_text=f"why it is {reasons.what}, or not"
    )


def _words() -> serializers.CharField:
    return serializers.CharField(
        max_length=LONGEST_REASON,
        allow_blank=True,
        default="",
        help_text="free text; required with the code `other`",
    )


class WorkDecisionSerializer(serializers.Serializer[Any]):
    is_paid = serializers.BooleanField(help_text="whether the work is paid")
    paid_code = _code(review_reasons.PAID)
    paid_reason = _words()
    is_counted = serializers.BooleanField(help_text="whether verdicts and agreement include it")
    counted_code = _code(review_reasons.COUNTED)
    counted_reason = _words()

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Raises ValidationError for a code that does not fit its outcome."""
        for reasons in review_reasons.LISTS.values():
            what = reasons.what
            code, words = attrs[f"{what}_code"], attrs[f"{what}_reason"]
            try:
                review_reasons.require_fits(code, words, reasons, attrs[f"is_{what}"])
            except review_reasons.ReasonError as error:
                field = "reason" if code == review_reasons.OTHER else "code"
                raise serializers.ValidationError({f"{what}_{field}": [str(error)]}) from error
        return attrs


AGAIN = "ask for another judgement in place of each excluded one (requesters only)"


EVEN_IF_NOBODY = "ask again also for items that nobody in the study may judge now; otherwise such a request is refused"


class ReviewInSerializer(WorkDecisionSerializer):
    ask_again = serializers.BooleanField(default=False, help_text=AGAIN)
    even_if_nobody = serializers.BooleanField(default=False, help_text=EVEN_IF_NOBODY)


class ReviewMadeSerializer(ReviewSerializer):
    batch_state = serializers.ChoiceField(
        BatchState.choices,
        source="judgement.assignment.item.batch.state",
        help_text="the state of the batch now: asking for another judgement opens a closed one again",
    )

    class Meta(ReviewSerializer.Meta):
        fields = [*ReviewSerializer.Meta.fields, "batch_state"]
        read_only_fields = fields


class DecisionInSerializer(WorkDecisionSerializer):
    assignment = serializers.UUIDField(help_text="an assignment of this batch with a judgement")


class ReviewsInSerializer(serializers.Serializer[Any]):
    decisions = serializers.ListField(
        child=DecisionInSerializer(), allow_empty=False, max_length=MOST_AT_ONCE
    )
    ask_again = serializers.BooleanField(default=False, help_text=AGAIN)
    even_if_nobody = serializers.BooleanField(default=False, help_text=EVEN_IF_NOBODY)

    def validate_decisions(self, decisions: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Raises ValidationError if an assignment is repeated."""
        first: dict[UUID, int] = {}
        errors: dict[str, dict[str, list[str]]] = {}
        for number, each in enumerate(decisions):
            if (before := first.setdefault(each["assignment"], number)) != number:
                errors[str(number)] = {"assignment": [f"is in decision {before} already"]}
        if errors:
            raise serializers.ValidationError(errors)
        return decisions


class ReviewsSerializer(serializers.Serializer[Any]):
    reviews = ReviewSerializer(many=True)


class ReviewsMadeSerializer(serializers.Serializer[Any]):
    reviews = ReviewMadeSerializer(many=True)


class AssignmentView(StudyView):
    def get_object(self) -> Assignment:
        assignments = Assignment.objects.select_related("item__batch__study")
        return get_object_or_404(
            assignments, item__batch__study=self.study, public_id=self.kwargs["assignment"]
        )

    def get_judgement(self, assignment: Assignment) -> Judgement:
        """The current judgement. Raises ReviewError if the assignment has none."""
        judgement = assignment.judgements.not_withdrawn().last()
        if judgement is None:
            raise ReviewError(f"the assignment {assignment} has no judgement")
        judgement.assignment = assignment
        return judgement


class AssignmentReviews(AssignmentView):
    roles = ORGANISERS

    @extend_schema(operation_id="reviews", tags=["reviews"], responses=ReviewsSerializer)
    def get(self, request: UserRequest, **kwargs: Any) -> Response:
        """List the decisions on an assignment's work, oldest first.

        Without a decision, a judgement is paid and counted unless withdrawn; surplus is paid, not counted.
        An adjudicator who is still to decide the item reads their own decisions only.
        """
        assignment = self.get_object()
        items = Item.objects.filter(pk=assignment.item_id)
        hidden = before_decision.hidden_reviews(request.user, self.study, items)
        reviews = _reviews().filter(judgement__assignment=assignment).exclude(hidden)
        return Response(ReviewsSerializer({"reviews": reviews}).data)

    @extend_schema(
        operation_id="review",
        tags=["reviews"],
        request=ReviewInSerializer,
        responses={201: ReviewMadeSerializer},
    )
    def post(self, request: UserRequest, **kwargs: Any) -> Response:
        """Review an assignment's work: decide whether it is paid and whether it is counted.

        It replaces the earlier decision. If repeated, nothing is written. `ask_again` opens a closed batch again
        (`batch_state` says it), and is refused (409) where nobody in the study may judge the item.
        """
        assignment = self.get_object()
        decision = self.validated_data(ReviewInSerializer)
        asks = _asks(decision)
        key = self.get_judgement(assignment).pk
        rejected, current = _decide(
            assignment.item.batch, {key: Decision(**decision)}, request.user, **asks
        )
        if rejected:
            raise ReviewError(rejected[key])
        return Response(ReviewMadeSerializer(current[key]).data, status=201)


class BatchReviews(StudyView):
    """Review many assignments of a batch at once: all of them, or none.

    Errors name the position of a decision in the list: `#/decisions/3`. If repeated, nothing is written.
    """

    roles = ORGANISERS

    @extend_schema(
        operation_id="reviews_of_batch",
        tags=["reviews"],
        request=ReviewsInSerializer,
        responses={201: ReviewsMadeSerializer},
    )
    def post(self, request: UserRequest, **kwargs: Any) -> Response:
        batch = get_object_or_404(
            self.study.batches.select_related("study"), pk=self.kwargs["batch"]
        )
        data = self.validated_data(ReviewsInSerializer)
        sent = data["decisions"]
        keys = _judgement_keys(batch, [each.pop("assignment") for each in sent])
        decisions = {key: Decision(**each) for key, each in zip(keys, sent, strict=True)}
        rejected, current = _decide(batch, decisions, request.user, **_asks(data))
        if rejected:
            raise _invalid({keys.index(key): why for key, why in rejected.items()})
        return Response(
            ReviewsMadeSerializer({"reviews": [current[key] for key in keys]}).data, status=201
        )


def _reviews() -> QuerySet[Review]:
    reviews = Review.objects.order_by("pk")
    return reviews.select_related(
        "judgement__assignment__item__batch", "reviewed_by", "replaced_by"
    ).defer("judgement__assignment__item__payload")


def _judgement_keys(batch: Batch, assignments: Sequence[UUID]) -> list[int]:
    """The keys of the current judgements of these assignments."""
    judgements = Judgement.objects.not_withdrawn().filter(
        assignment__item__batch=batch, assignment__public_id__in=assignments
    )
    keys = dict(judgements.values_list("assignment__public_id", "pk"))
    missing = {
        number: f"no assignment of the batch {batch.name} with a judgement"
        for number, each in enumerate(assignments)
        if each not in keys
    }
    if missing:
        raise _invalid(missing)
    return [keys[each] for each in assignments]


def _invalid(by_number: Mapping[int, str]) -> ValidationError:
    return ValidationError(
        {"decisions": {str(number): {"assignment": [why]} for number, why in by_number.items()}}
    )


def _asks(data: dict[str, Any]) -> dict[str, bool]:
    """What the request says about asking again, taken out of its data."""
    return {name: data.pop(name) for name in ("ask_again", "even_if_nobody")}


def _decide(
    batch: Batch,
    decisions: Mapping[int, Decision],
    user: User,
    *,
    ask_again: bool,
    even_if_nobody: bool,
) -> tuple[dict[int, str], dict[int, Review]]:
    """Make all decisions or none: the reasons why some are rejected, and the current reviews after it."""
    arguments: dict[str, Any] = {
        "batch": batch,
        "decisions": decisions,
        "by": user,
        "ask_again": ask_again,
    }
    plan = review_plans.plan(**arguments)
    if plan.refused:
        return {step.judgement.pk: step.why_not for step in plan.refused}, {}
    if not even_if_nobody and (nobody := item_takers.without_taker(batch, plan.opened)):
        return {
            step.judgement.pk: f"{item_takers.NOBODY}, or go on with even_if_nobody"
            for step in plan.done
            if step.judgement.assignment.item_id in nobody
        }, {}
    if plan.done:
        bulk_reviews.decide(**arguments, seal=plan.seal)
    reviews = _reviews().filter(judgement__in=list(decisions), replaced_by=None)
    return {}, {review.judgement_id: review for review in reviews}
