"""A question on which people agree: what its adjudication begins with, reviews and exclusions after it, other pages."""

import csv
import io

from django.urls import reverse

from annotation.actions import batches, bulk_reviews, reviews, settlement
from annotation.models import Adjudication, Batch, Judgement
from annotation.review_decisions import Decision
from exports.curation import queries
from tests.annotation.desk_pages import address, client_of, text_of
from tests.annotation.trust import qualification
from tests.exports.curation.judged import KEEP, curation_batch, judge_all, judged_alike
from tests.parts import part

EDIT = KEEP | {
    "question": "edit",
    "question_text": "How long does a lamp burn?",
    "type": "open",
    "promote": "yes",
}
NOT_COUNTED = Decision(False, "random answers", "", False, "random answer", "always 3")


def question_of(batch):
    """The item of the first question, which was made as a closed one."""
    return batch.items.get(turn__conversation__key="q00")


@part
def edited(study, alice, bob, dora):
    """A batch of two questions, which bob and dora edited alike, settled."""
    return judged_alike(curation_batch(study, 2), [bob, dora], lambda n: EDIT, alice)


def test_an_adjudication_begins_with_the_texts_the_type_and_the_promotion_that_were_decided(
    edited, carol
):
    page = client_of(carol).get(
        reverse("item", args=[edited.study.slug, question_of(edited).public_id])
    )

    form = page.context["adjudicate"]
    assert form["question"].value() == "How long does a lamp burn?"
    assert (form["type"].value(), form["promote"].value()) == ("open", True)


def test_an_edit_that_no_longer_counts_is_undecided_and_marked(edited, alice):
    decisions = {each.pk: NOT_COUNTED for each in Judgement.objects.all()}
    bulk_reviews.decide(batch=edited, decisions=decisions, by=alice)
    client = client_of(alice)

    page = text_of(client.get(address("batch_curated", edited)))
    sent = client.get(f"{address('batch_curated', edited)}questions.csv")

    assert "2 outdated" in page
    assert "2 not settled" in page
    row, _ = csv.DictReader(io.StringIO(b"".join(sent.streaming_content).decode("utf-8-sig")))
    assert (row["outcome"], row["decided_by"], row["question_curated"]) == ("", "", "")
    assert row["is_outdated"] == "true"
    item = client.get(reverse("item", args=[edited.study.slug, question_of(edited).public_id]))
    assert item.status_code == 200


def test_an_excluded_question_is_in_no_figure(edited, carol):
    before = queries.agreement_on(queries.curated(edited))

    reviews.exclude(item=question_of(edited), reason="no question", by=carol)

    after = queries.agreement_on(queries.curated(edited))
    assert (before[0].n_pairs, after[0].n_pairs) == (2, 1)
    assert (before[0].alpha.basis.n_items, after[0].alpha.basis.n_items) == (2, 1)


def test_pages_that_compare_single_labels_leave_curation_out(edited, alice, bob):
    Batch.objects.filter(pk=edited.pk).update(gives_feedback=True)
    asked = qualification(edited.study)
    client = client_of(alice)

    feedback = client_of(bob).get(address("desk_feedback", edited))
    chosen = client.get(
        reverse("qualification", args=[edited.study.slug, asked.pk]), {"from": edited.pk}
    )
    listed = client.get(address("review_work", edited))

    assert "not compared with a final label" in text_of(feedback)
    assert chosen.status_code == 200
    assert chosen.context["settled"] == []
    assert "disagrees with everyone" not in text_of(listed)


def test_kept_without_a_response_has_the_type_and_the_promotion_that_people_gave(
    study, alice, bob, dora, carol
):
    batch = curation_batch(study, 2)
    judge_all(batch, bob, lambda n: KEEP | {"type": "open", "promote": "yes"})
    judge_all(batch, dora, lambda n: {"question": "reject"})
    batches.close(batch=batch, by=alice)
    settlement.settle(batch=batch, rule="unanimous", by=alice)

    reviews.adjudicate(item=question_of(batch), label="kept", reason="it is fine", by=carol)

    assert Adjudication.objects.get().response == KEEP | {"type": "open", "promote": "yes"}
