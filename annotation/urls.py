from django.urls import path

from annotation.views.adjudication import (
    acts as adjudication_acts,
)
from annotation.views.adjudication import (
    disputes,
    double_adjudication,
    item_page,
)
from annotation.views.batches import (
    acts as batch_acts,
)
from annotation.views.batches import (
    changes,
    evidence,
    extra_judgements,
    flags,
    guideline_issues,
    guideline_versions,
    items,
    pauses,
    rules,
)
from annotation.views.batches import (
    pages as batch_pages,
)
from annotation.views.desk import my_work, page, side_pages, sync
from annotation.views.review import pages as review_pages
from annotation.views.studies import pages as study_pages

DESK = "studies/<slug:study>/desk/<int:batch>/"
BATCH = "studies/<slug:study>/batches/<int:batch>/"
ANNOTATOR = BATCH + "annotators/<int:member>/"
ITEM = "studies/<slug:study>/items/<uuid:item>/"
AT_ITEM = DESK + "<uuid:assignment>/"

urlpatterns = [
    path("studies/<slug:study>/archive/", study_pages.study_archive, name="study_archive"),
    path("studies/<slug:study>/bring-back/", study_pages.study_bring_back, name="study_bring_back"),
    path("studies/<slug:study>/copy/", study_pages.study_copy, name="study_copy"),
    # The annotator's
    path("work/", my_work.work, name="work"),
    path(DESK, page.desk, name="desk"),
    path(DESK + "feed/", sync.feed, name="desk_feed"),
    path(DESK + "guidelines/", side_pages.guidelines, name="desk_guidelines"),
    path(DESK + "recent/", side_pages.latest_judgements, name="desk_recent"),
    path(AT_ITEM + "submit/", page.submit, name="desk_submit"),
    path(AT_ITEM + "skip/", side_pages.skip, name="desk_skip"),
    path(AT_ITEM + "flag/", side_pages.flag, name="desk_flag"),
    path(AT_ITEM + "take-back/", side_pages.take_back, name="desk_take_back"),
    # The requester's
    path("studies/<slug:study>/batches/", batch_pages.batches, name="batches"),
    path("studies/<slug:study>/batches/new/", batch_pages.batch_new, name="batch_new"),
    path(BATCH, batch_pages.batch, name="batch"),
    path(BATCH + "change/", batch_pages.batch_edit, name="batch_edit"),
    path(BATCH + "progress/", batch_pages.batch_progress, name="batch_progress"),
    path(BATCH + "items/", items.batch_items, name="batch_items"),
    path(BATCH + "preview/", batch_pages.batch_preview, name="batch_preview"),
    path(BATCH + "open/", batch_acts.batch_open, name="batch_open"),
    path(BATCH + "discard/", batch_acts.batch_discard, name="batch_discard"),
    path(BATCH + "pause/", batch_acts.batch_pause, name="batch_pause"),
    path(BATCH + "resume/", batch_acts.batch_resume, name="batch_resume"),
    path(BATCH + "deadline/", batch_acts.batch_deadline, name="batch_deadline"),
    path(BATCH + "rename/", changes.batch_rename, name="batch_rename"),
    path(BATCH + "share/", changes.batch_share, name="batch_share"),
    path(BATCH + "judgements/", changes.batch_judgements, name="batch_judgements"),
    path(BATCH + "return-to-draft/", changes.batch_return, name="batch_return"),
    path(BATCH + "guideline/", guideline_versions.batch_guideline, name="batch_guideline"),
    path(BATCH + "close/", batch_acts.batch_close, name="batch_close"),
    path(BATCH + "reopen/", batch_acts.batch_reopen, name="batch_reopen"),
    path(BATCH + "settle/", batch_acts.batch_settle, name="batch_settle"),
    path(ANNOTATOR + "pause/", pauses.annotator_pause, name="annotator_pause"),
    path(ANNOTATOR + "resume/", pauses.annotator_resume, name="annotator_resume"),
    path(BATCH + "rules/", rules.batch_rules, name="batch_rules"),
    path(BATCH + "rules/compute/", rules.batch_rules_start, name="batch_rules_start"),
    path(BATCH + "more/", extra_judgements.batch_more, name="batch_more"),
    path(BATCH + "evidence/", evidence.evidence_new, name="evidence_new"),
    path(BATCH + "review/", review_pages.batch_review, name="batch_review"),
    path(BATCH + "review/work/", review_pages.review_work, name="review_work"),
    path(BATCH + "review/decide/", review_pages.review_decide, name="review_decide"),
    path(BATCH + "review/history/", review_pages.review_history, name="review_history"),
    path(BATCH + "review/<uuid:act>/undo/", review_pages.review_undo, name="review_undo"),
    path(BATCH + "unclear/", guideline_issues.batch_unclear, name="batch_unclear"),
    path(BATCH + "unclear.csv", guideline_issues.unclear_csv, name="unclear_csv"),
    path(BATCH + "second-looks/", double_adjudication.second_looks, name="second_looks"),
    path("studies/<slug:study>/flags/", flags.flags, name="flags"),
    path("studies/<slug:study>/flags/<int:flag>/answer/", flags.flag_answer, name="flag_answer"),
    # The adjudicator's
    path("studies/<slug:study>/disputes/", disputes.disputes, name="disputes"),
    path("studies/<slug:study>/items/<uuid:item>/", item_page.item, name="item"),
    path(
        "studies/<slug:study>/items/<uuid:item>/adjudicate/",
        adjudication_acts.adjudicate,
        name="item_adjudicate",
    ),
    path(
        "studies/<slug:study>/items/<uuid:item>/exclude/",
        adjudication_acts.exclude,
        name="item_exclude",
    ),
    path(
        "studies/<slug:study>/items/<uuid:item>/readmit/",
        adjudication_acts.readmit,
        name="item_readmit",
    ),
    path("studies/<slug:study>/items/<uuid:item>/note/", adjudication_acts.note, name="item_note"),
    path(
        "studies/<slug:study>/items/<uuid:item>/ask-again/",
        adjudication_acts.ask_again,
        name="item_ask_again",
    ),
    path(ITEM + "mark-correct/", adjudication_acts.mark_correct, name="item_mark_correct"),
    path(ITEM + "take-back/", adjudication_acts.retract, name="item_retract"),
    path(ITEM + "unclear/", adjudication_acts.mark_unclear, name="item_unclear"),
    path("studies/<slug:study>/second/", double_adjudication.queue, name="second_queue"),
    path(ITEM + "second/", double_adjudication.item, name="item_second"),
]
