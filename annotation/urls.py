from django.urls import path

from annotation.views import (
    adjudication,
    batch_acts,
    batches,
    desk,
    desk_aside,
    desk_feed,
    flags,
    item_acts,
    items,
    more,
    pausing,
    review,
    rules,
    second,
    unclear,
    work,
)

DESK = "studies/<slug:study>/desk/<int:batch>/"
BATCH = "studies/<slug:study>/batches/<int:batch>/"
ANNOTATOR = BATCH + "annotators/<int:member>/"
ITEM = "studies/<slug:study>/items/<uuid:item>/"
AT_ITEM = DESK + "<uuid:assignment>/"

urlpatterns = [
    # The annotator's
    path("work/", work.work, name="work"),
    path(DESK, desk.desk, name="desk"),
    path(DESK + "feed/", desk_feed.feed, name="desk_feed"),
    path(DESK + "guidelines/", desk_aside.guidelines, name="desk_guidelines"),
    path(DESK + "recent/", desk_aside.latest, name="desk_recent"),
    path(AT_ITEM + "submit/", desk.submit, name="desk_submit"),
    path(AT_ITEM + "skip/", desk_aside.skip, name="desk_skip"),
    path(AT_ITEM + "flag/", desk_aside.flag, name="desk_flag"),
    path(AT_ITEM + "take-back/", desk_aside.take_back, name="desk_take_back"),
    # The requester's
    path("studies/<slug:study>/batches/", batches.batches, name="batches"),
    path("studies/<slug:study>/batches/new/", batches.batch_new, name="batch_new"),
    path(BATCH, batches.batch, name="batch"),
    path(BATCH + "change/", batches.batch_edit, name="batch_edit"),
    path(BATCH + "progress/", batches.batch_progress, name="batch_progress"),
    path(BATCH + "items/", items.batch_items, name="batch_items"),
    path(BATCH + "preview/", batches.batch_preview, name="batch_preview"),
    path(BATCH + "open/", batch_acts.batch_open, name="batch_open"),
    path(BATCH + "discard/", batch_acts.batch_discard, name="batch_discard"),
    path(BATCH + "pause/", batch_acts.batch_pause, name="batch_pause"),
    path(BATCH + "resume/", batch_acts.batch_resume, name="batch_resume"),
    path(BATCH + "deadline/", batch_acts.batch_deadline, name="batch_deadline"),
    path(BATCH + "close/", batch_acts.batch_close, name="batch_close"),
    path(BATCH + "reopen/", batch_acts.batch_reopen, name="batch_reopen"),
    path(BATCH + "settle/", batch_acts.batch_settle, name="batch_settle"),
    path(ANNOTATOR + "pause/", pausing.annotator_pause, name="annotator_pause"),
    path(ANNOTATOR + "resume/", pausing.annotator_resume, name="annotator_resume"),
    path(BATCH + "rules/", rules.batch_rules, name="batch_rules"),
    path(BATCH + "rules/compute/", rules.batch_rules_start, name="batch_rules_start"),
    path(BATCH + "more/", more.batch_more, name="batch_more"),
    path(BATCH + "evidence/", batch_acts.evidence_new, name="evidence_new"),
    path(BATCH + "review/", review.batch_review, name="batch_review"),
    path(BATCH + "review/work/", review.review_work, name="review_work"),
    path(BATCH + "review/decide/", review.review_decide, name="review_decide"),
    path(BATCH + "review/history/", review.review_history, name="review_history"),
    path(BATCH + "review/<uuid:act>/undo/", review.review_undo, name="review_undo"),
    path(BATCH + "unclear/", unclear.batch_unclear, name="batch_unclear"),
    path(BATCH + "unclear.csv", unclear.unclear_csv, name="unclear_csv"),
    path(BATCH + "second-looks/", second.second_looks, name="second_looks"),
    path("studies/<slug:study>/flags/", flags.flags, name="flags"),
    path("studies/<slug:study>/flags/<int:flag>/answer/", flags.flag_answer, name="flag_answer"),
    # The adjudicator's
    path("studies/<slug:study>/disputes/", adjudication.disputes, name="disputes"),
    path("studies/<slug:study>/items/<uuid:item>/", adjudication.item, name="item"),
    path(
        "studies/<slug:study>/items/<uuid:item>/adjudicate/",
        adjudication.adjudicate,
        name="item_adjudicate",
    ),
    path(
        "studies/<slug:study>/items/<uuid:item>/exclude/", adjudication.exclude, name="item_exclude"
    ),
    path(
        "studies/<slug:study>/items/<uuid:item>/readmit/", adjudication.readmit, name="item_readmit"
    ),
    path("studies/<slug:study>/items/<uuid:item>/note/", adjudication.note, name="item_note"),
    path(
        "studies/<slug:study>/items/<uuid:item>/ask-again/",
        adjudication.ask_again,
        name="item_ask_again",
    ),
    path(ITEM + "mark-correct/", item_acts.mark_correct, name="item_mark_correct"),
    path(ITEM + "take-back/", item_acts.retract, name="item_retract"),
    path(ITEM + "unclear/", item_acts.mark_unclear, name="item_unclear"),
    path("studies/<slug:study>/second/", second.queue, name="second_queue"),
    path(ITEM + "second/", second.item, name="item_second"),
]
