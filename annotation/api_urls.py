from django.urls import path

from annotation.api import (
    batch_changes,
    batches,
    decisions,
    disputes,
    items,
    reservations,
    reviews,
)

STUDY = "studies/<slug:study>/"
BATCH = STUDY + "batches/<int:batch>/"
ITEM = STUDY + "items/<uuid:item>/"
ASSIGNMENT = STUDY + "assignments/<uuid:assignment>/"

urlpatterns = [
    path(STUDY + "batches/", batches.BatchList.as_view(), name="api_batches"),
    path(BATCH, batches.BatchDetail.as_view(), name="api_batch"),
    path(BATCH + "open/", batches.BatchOpen.as_view(), name="api_batch_open"),
    path(BATCH + "pause/", batches.BatchPause.as_view(), name="api_batch_pause"),
    path(BATCH + "resume/", batches.BatchResume.as_view(), name="api_batch_resume"),
    path(BATCH + "deadline/", batches.BatchDeadline.as_view(), name="api_batch_deadline"),
    path(BATCH + "change/", batch_changes.BatchChange.as_view(), name="api_batch_change"),
    path(BATCH + "return-to-draft/", batch_changes.BatchReturn.as_view(), name="api_batch_return"),
    path(BATCH + "close/", batches.BatchClose.as_view(), name="api_batch_close"),
    path(BATCH + "reopen/", batches.BatchReopen.as_view(), name="api_batch_reopen"),
    path(BATCH + "settle/", batches.BatchSettle.as_view(), name="api_batch_settle"),
    path(BATCH + "items/", items.ItemList.as_view(), name="api_items"),
    path(BATCH + "reviews/", reviews.BatchReviews.as_view(), name="api_batch_reviews"),
    path(
        BATCH + "reservations/",
        reservations.BatchReservations.as_view(),
        name="api_batch_reservations",
    ),
    path(
        BATCH + "reservations/reassign/",
        reservations.BatchReassign.as_view(),
        name="api_batch_reassign",
    ),
    path(ITEM, items.ItemDetail.as_view(), name="api_item"),
    path(ITEM + "exclude/", decisions.ItemExclude.as_view(), name="api_item_exclude"),
    path(ITEM + "readmit/", decisions.ItemReadmit.as_view(), name="api_item_readmit"),
    path(ITEM + "adjudicate/", decisions.ItemAdjudicate.as_view(), name="api_item_adjudicate"),
    path(ITEM + "retract/", decisions.ItemRetract.as_view(), name="api_item_retract"),
    path(ITEM + "ask-again/", decisions.ItemAskAgain.as_view(), name="api_item_ask_again"),
    path(ITEM + "notes/", decisions.ItemNotes.as_view(), name="api_item_notes"),
    path(STUDY + "disputes/", disputes.DisputeList.as_view(), name="api_disputes"),
    path(ASSIGNMENT + "reviews/", reviews.AssignmentReviews.as_view(), name="api_reviews"),
    path(ASSIGNMENT + "mark-correct/", decisions.MarkCorrect.as_view(), name="api_mark_correct"),
]
