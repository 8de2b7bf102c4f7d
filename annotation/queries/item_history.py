"""The judgements and the history of an item, for adjudicators.

Annotators are letters, in the order in which they claimed the item.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from annotation import deciding, schemes
from annotation.models import (
    FlagAnswer,
    Item,
    Judgement,
    Retraction,
    Source,
    Verdict,
    VerdictState,
)
from annotation.schemes import payloads
from annotation.schemes.routing import Written
from text.lettering import letter

AFTER_SOURCES = "decided after the run was shown"


@dataclass(frozen=True)
class CurrentJudgement:
    """A current judgement of the item; `who` is a letter, `lines` are the whole response in words."""

    who: str
    label: str
    lines: list[str]
    comment: str
    submitted_at: datetime
    is_counted: bool
    not_counted_because: str
    assignment: UUID
    response: Mapping[str, str]


def current_judgements(item: Item) -> list[CurrentJudgement]:
    """The current judgements of the item, in the order of its assignments."""
    scheme = schemes.get(item.batch.scheme)
    judgements = Judgement.objects.not_withdrawn().filter(assignment__item=item)
    counted = set(judgements.counted().values_list("pk", flat=True))
    found = list(
        judgements.order_by("assignment_id")
        .select_related("assignment")
        .prefetch_related("reviews")
    )
    # Last: whoever judged meanwhile has a letter too.
    by_assignment = assignment_letters(item)
    return [
        CurrentJudgement(
            who=by_assignment[judgement.assignment_id],
            label=scheme.words(judgement.response),
            lines=scheme.response_lines(
                judgement.response,
                judgement.order,
                item.payload,
                payloads.letters_by_number(item.payload),
            ),
            comment=judgement.comment,
            submitted_at=judgement.submitted_at,
            is_counted=judgement.pk in counted,
            not_counted_because=_why_not_counted(judgement),
            assignment=judgement.assignment.public_id,
            response=judgement.response,
        )
        for judgement in found
    ]


def assignment_letters(item: Item) -> dict[int, str]:
    """The letter of the annotator, by the key of the assignment."""
    keys = item.assignments.order_by("pk").values_list("pk", flat=True)
    return {pk: letter(number) for number, pk in enumerate(keys)}


def _why_not_counted(judgement: Judgement) -> str:
    if judgement.is_surplus:
        return "it was late: the item had all its judgements"
    decided = [review for review in judgement.reviews.all() if not review.is_counted]
    return decided[-1].counted_because if decided else ""


@dataclass(frozen=True)
class HistoryLine:
    """An event in the history of an item."""

    at: datetime
    who: str
    what: str
    why: str = ""


def history_lines(item: Item, *, with_reviews: bool = True) -> list[HistoryLine]:
    """The events of the item, oldest first. Organisers are named, annotators are letters."""
    lines = [*_work_lines(item, with_reviews=with_reviews), *_decision_lines(item)]
    return sorted(lines, key=lambda line: line.at)


def _work_lines(item: Item, *, with_reviews: bool) -> Iterator[HistoryLine]:
    scheme = schemes.get(item.batch.scheme)
    assignments = item.assignments.order_by("pk").prefetch_related(
        "judgements__withdrawal", "judgements__reviews__reviewed_by", "flags"
    )
    for number, each in enumerate(assignments):
        who = f"Annotator {letter(number)}"
        if each.skip_because:
            yield HistoryLine(each.claimed_at, who, "skipped it", each.skip_because)
        for judgement in each.judgements.all():
            late = ", too late to count" if judgement.is_surplus else ""
            label = scheme.words(judgement.response)
            yield HistoryLine(judgement.submitted_at, who, f"said {label}{late}", judgement.comment)
            if hasattr(judgement, "withdrawal"):
                yield HistoryLine(judgement.withdrawal.withdrawn_at, who, f"took {label} back")
            for review in judgement.reviews.all() if with_reviews else ():
                paid = "paid" if review.is_paid else "not paid"
                counted = "counted" if review.is_counted else "not counted"
                yield HistoryLine(
                    review.reviewed_at,
                    review.reviewed_by.username,
                    f"reviewed {letter(number)}: {paid}, {counted}",
                    _distinct_reasons(review.paid_because, review.counted_because),
                )
        for flag in each.flags.all():
            yield HistoryLine(flag.flagged_at, who, "flagged it", flag.message)
    answers = FlagAnswer.objects.filter(flag__assignment__item=item).select_related("answered_by")
    for answer in answers:
        yield HistoryLine(
            answer.answered_at, answer.answered_by.username, "answered a flag", answer.text
        )


def _distinct_reasons(*reasons: str) -> str:
    return "; ".join(dict.fromkeys(reasons))


def _decision_lines(item: Item) -> Iterator[HistoryLine]:
    for exclusion in item.exclusions.select_related("excluded_by"):
        verb = "excluded it" if exclusion.is_excluded else "included it again"
        yield HistoryLine(
            exclusion.excluded_at, exclusion.excluded_by.username, verb, exclusion.reason
        )
    for note in item.notes.select_related("noted_by"):
        yield HistoryLine(note.noted_at, note.noted_by.username, "noted", note.text)
    related = ("decided_by", "adjudication", "replaces__adjudication__retraction__retracted_by")
    for verdict in item.verdicts.select_related(*related).order_by("pk"):
        yield verdict_line(verdict)
    yield from _lines_without_verdict(item)


def _lines_without_verdict(item: Item) -> Iterator[HistoryLine]:
    """The decisions between written answers, and those that were undone."""
    decided = item.adjudications.filter(verdicts=None)
    for each in decided.select_related("adjudicated_by", "retraction__retracted_by"):
        what = f"decided: the {each.label} answer"
        if each.label == deciding.THIRD:  # nobody else said it: here alone it is read later
            said = Written.of_response(each.response)
            what += f": “{said.answer}”" if said.answer else f": {said.outcome}"
        yield HistoryLine(each.adjudicated_at, each.adjudicated_by.username, what, each.reason)
        retraction = getattr(each, "retraction", None)
        if retraction is not None:
            undid = f"undid the decision for the {each.label} answer"
            yield HistoryLine(retraction.retracted_at, retraction.retracted_by.username, undid)


def verdict_line(verdict: Verdict) -> HistoryLine:
    """Return the decision that wrote the verdict, with the reason of an adjudication."""
    retraction = retraction_behind(verdict)
    if retraction is not None:
        return _retraction_line(retraction, verdict)
    return HistoryLine(
        verdict.decided_at,
        verdict.decided_by.username,
        _verdict_in_words(verdict),
        verdict.adjudication.reason if verdict.adjudication else "",
    )


def retraction_behind(verdict: Verdict) -> Retraction | None:
    """Return the retraction that wrote the verdict; None if something else decided it.

    An adjudication that was replaced by an exclusion may be retracted later: then the times differ.
    """
    before = verdict.replaces.adjudication if verdict.replaces else None
    retraction = getattr(before, "retraction", None)
    if isinstance(retraction, Retraction) and retraction.retracted_at == verdict.decided_at:
        return retraction
    return None


def retraction_in_words(retraction: Retraction) -> str:
    """Return the act without who did it, as "undid the adjudication as plausible"."""
    return f"undid the adjudication as {retraction.adjudication.label}"


def _retraction_line(retraction: Retraction, verdict: Verdict) -> HistoryLine:
    if verdict.adjudication:
        now = f"it is {verdict.label} again, as adjudicated by {verdict.decided_by.username}"
    elif verdict.source == Source.DECISION:
        now = f"it is set aside again: {verdict.set_aside_reason}"
    else:
        now = f"the rule {verdict.rule} applies: {_outcome_by_rule(verdict)}"
    what = f"{retraction_in_words(retraction)}, so {now}"
    return HistoryLine(retraction.retracted_at, retraction.retracted_by.username, what)


def _verdict_in_words(verdict: Verdict) -> str:
    if verdict.adjudication:
        late = f", {AFTER_SOURCES}" if verdict.adjudication.after_sources else ""
        return f"adjudicated it as {verdict.label}{late}"
    if verdict.state == VerdictState.SET_ASIDE:
        return f"set it aside: {verdict.set_aside_reason}"
    return f"settled the batch by the rule {verdict.rule}: {_outcome_by_rule(verdict)}"


def _outcome_by_rule(verdict: Verdict) -> str:
    """Return the outcome with the votes that it rests on, as "in dispute (1 malformed, 1 plausible)"."""
    votes = ", ".join(f"{n} {label}" for label, n in sorted(verdict.votes.items()))
    outcome = verdict.label or verdict.set_aside_reason or "in dispute"
    basis = "; ".join([votes or "no votes", *_posterior_sentence(verdict)])
    return f"{outcome} ({basis})"


def _posterior_sentence(verdict: Verdict) -> Iterator[str]:
    """The posterior of the most likely label, if the rule has one."""
    if verdict.posterior:
        label = max(sorted(verdict.posterior), key=verdict.posterior.__getitem__)
        yield f"{label} is {100 * verdict.posterior[label]:.2f} % likely"
