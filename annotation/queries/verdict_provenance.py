"""The provenance of an item's verdict: the facts that it rests on, and the item's whole history."""

from collections.abc import Iterator
from dataclasses import dataclass

from annotation.models import (
    Item,
    Judgement,
    Retraction,
    Review,
    SecondAdjudication,
    SecondAsked,
    Source,
    Verdict,
)
from annotation.queries import item_history
from annotation.queries.batch_progress import OutcomeKind
from annotation.queries.item_history import HistoryLine
from audit.models import Event
from pages.times import in_utc

ASKED_AGAIN, REOPENED = "asked again", "reopened"


@dataclass(frozen=True)
class Fact:
    """A subject, as "Reviews", with its sentences."""

    subject: str
    words: tuple[str, ...]


def facts(item: Item, verdict: Verdict | None, *, with_reviews: bool = True) -> list[Fact]:
    """The facts that the current verdict rests on; without a verdict, the decisions so far."""
    all_facts = [
        Fact("Verdict", (outcome_in_words(verdict),) if verdict else ()),
        Fact("By", tuple(_decision_sentences(verdict)) if verdict else ()),
        Fact("Replaces", tuple(_replaced_verdicts(verdict)) if verdict else ()),
        Fact("Judgements", (_judgements(item),)),
        Fact("Reviews", tuple(_reviews(item)) if with_reviews else ()),
        Fact("Exclusions", tuple(_exclusions(item))),
        Fact(
            "Opened again",
            tuple(f"{each.what}: {_who_and_when(each)}" for each in _reopenings(item)),
        ),
        Fact("Second look", tuple(_second_adjudications(item))),
    ]
    return [fact for fact in all_facts if fact.words]


def outcome_in_words(verdict: Verdict) -> str:
    return OutcomeKind(verdict.state, verdict.label, verdict.set_aside_reason).words


def _decision_sentences(verdict: Verdict) -> Iterator[str]:
    votes = ", ".join(f"{n} {label}" for label, n in sorted(verdict.votes.items())) or "no votes"
    retraction = item_history.retraction_behind(verdict)
    at, who = in_utc(verdict.decided_at), verdict.decided_by.username
    if verdict.adjudication is not None:
        decided = verdict.adjudication
        yield f"adjudicated by {decided.adjudicated_by.username}, {in_utc(decided.adjudicated_at)}"
        yield f"reason: {decided.reason}"
        if decided.after_sources:
            yield item_history.AFTER_SOURCES
    elif verdict.source == Source.CONSENSUS:
        yield f"the rule {verdict.rule}" + (
            "" if retraction else f", when {who} settled the batch, {at}"
        )
    else:
        yield "an earlier decision" if retraction else f"a decision of {who}, {at}"
    if retraction is not None:
        yield f"since {_retraction_with_time(retraction)}"
    yield f"votes: {votes}" + (f", evaluated by the rule {verdict.rule}" if verdict.rule else "")


def _replaced_verdicts(verdict: Verdict) -> Iterator[str]:
    """The verdicts that were replaced before, the latest first."""
    before = verdict.replaces
    while before is not None:
        retraction = item_history.retraction_behind(before)
        who = f"{before.decided_by.username}, {in_utc(before.decided_at)}"
        when = f"since {_retraction_with_time(retraction)}" if retraction else who
        yield f"{outcome_in_words(before)}, by {before.source} ({when})"
        before = before.replaces


def _retraction_with_time(retraction: Retraction) -> str:
    who, at = retraction.retracted_by.username, retraction.retracted_at
    return f"{who} {item_history.retraction_in_words(retraction)}, {in_utc(at)}"


def _judgements(item: Item) -> str:
    own = Judgement.objects.filter(assignment__item=item)
    n_counted, n = own.counted().count(), own.not_withdrawn().count()
    n_withdrawn = own.count() - n
    taken = f", {n_withdrawn} taken back" if n_withdrawn else ""
    wanted = "" if item.n_wanted is None else f"; {item.n_wanted} needed"
    return f"{n_counted} counted of {n}{taken}{wanted}"


def _reviews(item: Item) -> Iterator[str]:
    current = Review.objects.filter(judgement__assignment__item=item, replaced_by=None)
    reviews = list(current.select_related("judgement", "reviewed_by").order_by("judgement"))
    letters = item_history.assignment_letters(item)  # last: who judged meanwhile has a letter too
    for review in reviews:
        paid = "paid" if review.is_paid else "not paid"
        counted = "counted" if review.is_counted else "not counted"
        yield (
            f"{letters[review.judgement.assignment_id]}: {paid} ({review.paid_because}),"
            f" {counted} ({review.counted_because}), by {review.reviewed_by.username}"
        )


def _exclusions(item: Item) -> Iterator[str]:
    for each in item.exclusions.select_related("excluded_by").order_by("pk"):
        verb = "excluded" if each.is_excluded else "included again"
        yield f"{verb} by {each.excluded_by.username}: {each.reason}"


def _who_and_when(line: HistoryLine) -> str:
    return f"{line.who}, {in_utc(line.at)}"


def _reopenings(item: Item) -> Iterator[HistoryLine]:
    """Each time that the item or its batch was reopened."""
    study = item.batch.study.slug
    for verb, target, what in (
        (ASKED_AGAIN, f"item {item}", "asked for one more judgement"),
        (REOPENED, f"batch {item.batch}", "opened the batch again"),
    ):
        for event in Event.objects.filter(study=study, verb=verb, target=target[:200]):
            yield HistoryLine(event.at, event.actor, what)
    for asked in item.extra_asked.select_related("round__asked_by"):
        made, what = asked.round, "asked for one more judgement of what did not settle"
        yield HistoryLine(made.asked_at, made.asked_by.username, what, f"by {made.rule}")


def _second_adjudications(item: Item) -> Iterator[str]:
    asked = SecondAsked.objects.filter(first__item=item).select_related(
        "draw__drawn_by", "first", "second__adjudicated_by"
    )
    for each in asked:
        yield f"drawn by {each.draw.drawn_by.username}, of the label {each.first.label}"
        if hasattr(each, "second"):
            second = each.second
            yield f"labelled {second.label} by {second.adjudicated_by.username}: {second.reason}"
        else:
            yield "waits for another adjudicator"


def item_lines(item: Item, *, with_reviews: bool = True) -> list[HistoryLine]:
    """The events of the item, oldest first, with reopenings, unclear marks and second looks."""
    lines = [
        *item_history.history_lines(item, with_reviews=with_reviews),
        *_reopenings(item),
        *_mark_lines(item),
        *_second_lines(item),
    ]
    return sorted(lines, key=lambda line: line.at)


def _mark_lines(item: Item) -> Iterator[HistoryLine]:
    for mark in item.unclear_marks.select_related("marked_by"):
        verb = "found the guideline unclear" if mark.is_unclear else "undid: guideline unclear"
        where = mark.section or "all of it"
        yield HistoryLine(mark.marked_at, mark.marked_by.username, verb, where)


def _second_lines(item: Item) -> Iterator[HistoryLine]:
    for asked in SecondAsked.objects.filter(first__item=item).select_related("draw__drawn_by"):
        draw = asked.draw
        yield HistoryLine(draw.drawn_at, draw.drawn_by.username, "drew it for a second look")
    seconds = SecondAdjudication.objects.filter(asked__first__item=item)
    for each in seconds.select_related("adjudicated_by"):
        who, what = each.adjudicated_by.username, f"labelled it a second time: {each.label}"
        yield HistoryLine(each.adjudicated_at, who, what, each.reason)
