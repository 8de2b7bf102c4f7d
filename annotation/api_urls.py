from django.urls import path

from accounts.api.endpoints import at
from annotation.api import batches, decisions, disputes, items, reviews

STUDY = "studies/<slug:study>/"
BATCH = STUDY + "batches/<int:batch>/"
ITEM = STUDY + "items/<uuid:item>/"
ASSIGNMENT = STUDY + "assignments/<uuid:assignment>/"

urlpatterns = [
    path(STUDY + "batches/", at(get=batches.batches), name="api_batches"),
    path(BATCH, at(get=batches.batch), name="api_batch"),
    path(BATCH + "open/", at(post=batches.batch_open), name="api_batch_open"),
    path(BATCH + "pause/", at(post=batches.batch_pause), name="api_batch_pause"),
    path(BATCH + "resume/", at(post=batches.batch_resume), name="api_batch_resume"),
    path(BATCH + "deadline/", at(post=batches.batch_deadline), name="api_batch_deadline"),
    path(BATCH + "close/", at(post=batches.batch_close), name="api_batch_close"),
    path(BATCH + "reopen/", at(post=batches.batch_reopen), name="api_batch_reopen"),
    path(BATCH + "settle/", at(post=batches.batch_settle), name="api_batch_settle"),
    path(BATCH + "items/", at(get=items.items), name="api_items"),
    path(BATCH + "reviews/", at(post=reviews.reviews_of_batch), name="api_batch_reviews"),
    path(ITEM, at(get=items.item), name="api_item"),
    path(ITEM + "exclude/", at(post=decisions.exclude), name="api_item_exclude"),
    path(ITEM + "readmit/", at(post=decisions.readmit), name="api_item_readmit"),
    path(ITEM + "adjudicate/", at(post=decisions.adjudicate), name="api_item_adjudicate"),
    path(ITEM + "retract/", at(post=decisions.retract), name="api_item_retract"),
    path(ITEM + "ask-again/", at(post=decisions.ask_again), name="api_item_ask_again"),
    path(ITEM + "notes/", at(get=decisions.notes, post=decisions.note), name="api_item_notes"),
    path(STUDY + "disputes/", at(get=disputes.disputes), name="api_disputes"),
    path(ASSIGNMENT + "reviews/", at(get=reviews.reviews, post=reviews.review), name="api_reviews"),
    path(ASSIGNMENT + "mark-correct/", at(post=decisions.mark_correct), name="api_mark_correct"),
]
