from django.urls import path

from annotation.views.adjudication import (
    acts as adjudication_acts,
)
from annotation.views.adjudication import (
    blinding,
    disputes,
    double_adjudication,
    item_page,
    pairs,
)
from annotation.views.batches import (
    acts as batch_acts,
)
from annotation.views.batches import (
    changes,
    checks,
    controls,
    drafts,
    evidence,
    extra_judgements,
    flags,
    guideline_issues,
    guideline_versions,
    items,
    messages,
    notices,
    pauses,
    plans,
    preview,
    reservations,
    rules,
    second_rounds,
)
from annotation.views.batches import (
    pages as batch_pages,
)
from annotation.views.desk import (
    check,
    earnings,
    feedback,
    my_work,
    offline,
    page,
    questions,
    side_pages,
    sync,
)
from annotation.views.qualifications import pages as qualification_pages
from annotation.views.review import pages as review_pages
from annotation.views.studies import pages as study_pages

DESK = "studies/<slug:study>/desk/<int:batch>/"
BATCH = "studies/<slug:study>/batches/<int:batch>/"
ANNOTATOR = BATCH + "annotators/<int:member>/"
ITEM = "studies/<slug:study>/items/<uuid:item>/"
QUALIFICATION = "studies/<slug:study>/qualifications/<int:qualification>/"
AT_ITEM = DESK + "<uuid:assignment>/"

urlpatterns = [
    path("studies/<slug:study>/archive/", study_pages.study_archive, name="study_archive"),
    path("studies/<slug:study>/bring-back/", study_pages.study_bring_back, name="study_bring_back"),
    path("studies/<slug:study>/copy/", study_pages.study_copy, name="study_copy"),
    # The annotator's
    path("service-worker.js", offline.service_worker, name="service_worker"),
    path("work/", my_work.work, name="work"),
    path("work/earnings/", earnings.earnings, name="earnings"),
    path("work/earnings/<uuid:act>/reply/", earnings.refusal_reply, name="refusal_reply"),
    path("studies/<slug:study>/ask/", questions.ask, name="ask"),
    path(DESK, page.desk, name="desk"),
    path(DESK + "feed/", sync.feed, name="desk_feed"),
    path(DESK + "guidelines/", side_pages.guidelines, name="desk_guidelines"),
    path(DESK + "check/", check.check, name="desk_check"),
    path(DESK + "recent/", side_pages.latest_judgements, name="desk_recent"),
    path(DESK + "feedback/", feedback.feedback, name="desk_feedback"),
    path(DESK + "notices/<int:notice>/dismiss/", side_pages.notice_dismiss, name="notice_dismiss"),
    path(AT_ITEM + "submit/", page.submit, name="desk_submit"),
    path(AT_ITEM + "skip/", side_pages.skip, name="desk_skip"),
    path(AT_ITEM + "flag/", side_pages.flag, name="desk_flag"),
    path(AT_ITEM + "take-back/", side_pages.take_back, name="desk_take_back"),
    # The requester's
    path("studies/<slug:study>/batches/", batch_pages.batches, name="batches"),
    path("studies/<slug:study>/batches/new/", drafts.batch_new, name="batch_new"),
    path(BATCH, batch_pages.batch, name="batch"),
    path(BATCH + "change/", drafts.batch_edit, name="batch_edit"),
    path(BATCH + "progress/", batch_pages.batch_progress, name="batch_progress"),
    path(BATCH + "items/", items.batch_items, name="batch_items"),
    path(BATCH + "preview/", preview.batch_preview, name="batch_preview"),
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
    path(BATCH + "plan/", plans.batch_plan, name="batch_plan"),
    path(BATCH + "close/", batch_acts.batch_close, name="batch_close"),
    path(BATCH + "reopen/", batch_acts.batch_reopen, name="batch_reopen"),
    path(BATCH + "settle/", batch_acts.batch_settle, name="batch_settle"),
    path(ANNOTATOR + "pause/", pauses.annotator_pause, name="annotator_pause"),
    path(ANNOTATOR + "resume/", pauses.annotator_resume, name="annotator_resume"),
    path(
        "studies/<slug:study>/qualifications/",
        qualification_pages.qualifications,
        name="qualifications",
    ),
    path(
        "studies/<slug:study>/qualifications/new/",
        qualification_pages.qualification_new,
        name="qualification_new",
    ),
    path(QUALIFICATION, qualification_pages.qualification, name="qualification"),
    path(
        QUALIFICATION + "decide/",
        qualification_pages.qualification_decide,
        name="qualification_decide",
    ),
    path(
        QUALIFICATION + "apply/",
        qualification_pages.qualification_apply,
        name="qualification_apply",
    ),
    path(BATCH + "rules/", rules.batch_rules, name="batch_rules"),
    path(BATCH + "rules/compute/", rules.batch_rules_start, name="batch_rules_start"),
    path(BATCH + "more/", extra_judgements.batch_more, name="batch_more"),
    path(BATCH + "second-round/", second_rounds.batch_second_round, name="batch_second_round"),
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
    path("studies/<slug:study>/messages/", messages.messages, name="messages"),
    path(
        "studies/<slug:study>/messages/<int:message>/answer/",
        messages.message_answer,
        name="message_answer",
    ),
    path(
        "studies/<slug:study>/messages/<int:message>/read/",
        messages.message_read,
        name="message_read",
    ),
    path(BATCH + "check/", checks.batch_check, name="batch_check"),
    path(BATCH + "controls/keys/", controls.batch_control_keys, name="batch_control_keys"),
    path(BATCH + "controls/", controls.batch_controls, name="batch_controls"),
    path(BATCH + "controls/<int:key>/take-out/", controls.control_out, name="control_out"),
    path(BATCH + "reserved/", reservations.batch_reserved, name="batch_reserved"),
    path(BATCH + "reserved/reassign/", reservations.batch_reassign, name="batch_reassign"),
    path(BATCH + "reserved/<int:member>/", reservations.reserved_part, name="reserved_part"),
    path(BATCH + "notices/", notices.batch_notices, name="batch_notices"),
    # The adjudicator's
    path(BATCH + "differing/", pairs.queue, name="written_pairs"),
    path(BATCH + "sources/", blinding.batch_sources, name="batch_sources"),
    path(
        "studies/<slug:study>/disputes/votes/", blinding.votes_preference, name="votes_preference"
    ),
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
    path(ITEM + "take-back/", adjudication_acts.retract, name="item_retract"),
    path(ITEM + "unclear/", adjudication_acts.mark_unclear, name="item_unclear"),
    path("studies/<slug:study>/second/", double_adjudication.queue, name="second_queue"),
    path(ITEM + "second/", double_adjudication.item, name="item_second"),
]
