"""The sections of a person's file on what they decided and wrote as an adjudicator or a requester."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from accounts.models import User
from annotation.models import (
    Adjudication,
    Exclusion,
    FlagAnswer,
    MessageAnswer,
    Note,
    Notice,
    Review,
    SecondAdjudication,
    SourcesShown,
    UnclearMark,
)
from exports.models import Erratum, PrecisionJudgement
from exports.personal_data.rows import PIECE, Row, place
from exports.rows.ids import timestamp


def answers_to_messages(user: User) -> list[Row]:
    answers = MessageAnswer.objects.filter(answered_by=user).select_related("message__study")
    return [
        {
            "study": each.message.study.slug,
            "at": timestamp(each.answered_at),
            "text": each.text,
        }
        for each in answers.order_by("pk")
    ]


def notices(user: User) -> list[Row]:
    """Return the notices that the user wrote, as an organiser."""
    notices = Notice.objects.filter(written_by=user).select_related("batch__study")
    return [
        {**place(each.batch), "at": timestamp(each.written_at), "text": each.text}
        for each in notices.order_by("pk")
    ]


def runs_shown(user: User) -> list[Row]:
    """The batches whose runs, scores and references an adjudicator asked to see."""
    shown = SourcesShown.objects.filter(shown_to=user).select_related("batch__study")
    return [{**place(each.batch), "at": timestamp(each.shown_at)} for each in shown]


def decisions(user: User) -> Iterator[Row]:
    """What an organiser said of items, of others' work and of releases, in the organiser's own words."""
    for adjudication in _own(Adjudication, "adjudicated", user, "item"):
        yield _decision("adjudication", adjudication.item, adjudication.adjudicated_at) | {
            "label": adjudication.label,
            "text": adjudication.reason,
            **({"response": adjudication.response} if adjudication.response else {}),
            "after_runs_were_shown": adjudication.after_sources,
        }
    for second in _own(SecondAdjudication, "adjudicated", user, "asked__first__item"):
        item = second.asked.first.item
        yield _decision("second adjudication", item, second.adjudicated_at) | {
            "label": second.label,
            "text": second.reason,
        }
    for exclusion in _own(Exclusion, "excluded", user, "item"):
        kind = "exclusion" if exclusion.is_excluded else "readmission"
        yield _decision(kind, exclusion.item, exclusion.excluded_at) | {"text": exclusion.reason}
    for mark in _own(UnclearMark, "marked", user, "item"):
        kind = "guideline unclear" if mark.is_unclear else "guideline clear again"
        yield _decision(kind, mark.item, mark.marked_at) | {"text": mark.section}
    for note in _own(Note, "noted", user, "item"):
        yield _decision("note", note.item, note.noted_at) | {"text": note.text}
    for answer in _own(FlagAnswer, "answered", user, "flag__assignment__item"):
        item = answer.flag.assignment.item
        yield _decision("answer to a flag", item, answer.answered_at) | {"text": answer.text}
    for review in _own(Review, "reviewed", user, "judgement__assignment__item"):
        yield _decision("review", review.judgement.assignment.item, review.reviewed_at) | {
            "is_paid": review.is_paid,
            "is_counted": review.is_counted,
            "text": "; ".join(filter(None, (review.paid_because, review.counted_because))),
        }
    for judged in _own(PrecisionJudgement, "judged", user, "item__plausibility_item"):
        item = judged.item.plausibility_item
        yield _decision("audit of an accepted answer", item, judged.judged_at) | {
            "asked": judged.scheme,
            "label": judged.label,
            "text": judged.comment,
        }
    for erratum in Erratum.objects.filter(noted_by=user).select_related("release__study"):
        yield {
            "kind": "erratum",
            "study": erratum.release.study.slug,
            "release": erratum.release.number,
            "answer_id": erratum.answer_id,
            "at": timestamp(erratum.noted_at),
            "text": erratum.reason,
        }


def _own(model: Any, verb: str, user: User, item: str) -> Iterator[Any]:
    own = model.objects.filter(**{f"{verb}_by": user}).order_by("pk")
    return iter(own.select_related(f"{item}__batch__study").iterator(PIECE))


def _decision(kind: str, item: Any, at: datetime) -> Row:
    return {
        "kind": kind,
        **place(item.batch),
        "item": str(item.public_id),
        "at": timestamp(at),
    }
