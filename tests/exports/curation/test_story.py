"""Made questions are curated by two people, disputes are adjudicated, and the next version has what was decided."""

import csv
import io
import json
from collections import Counter

import pytest

from annotation.actions import batches, reviews, settlement
from annotation.models import Verdict, VerdictState
from annotation.review_decisions import ReviewError
from corpus.models import Turn
from exports.curation import actions, queries
from exports.curation.acceptance import Made, acceptance
from tests.exports.curation.judged import KEEP, curation_batch, judge_all, number
from tests.sampling.curation_dataset import made_question

N = 60
REJECT = {"question": "reject", "why.unclear": "yes"}


def edited(text, field="question"):
    return KEEP | {field: "edit", f"{field}_text": text}


def said(n, person):
    """What bob and dora say of question n: of 15 of 60 they differ."""
    if n < 30:
        return KEEP | ({"promote": "yes"} if n < 3 else {})
    if n < 40:
        return edited(
            f"For how long does  lamp {n} burn?"
            if person == "bob"
            else f"For how long does lamp {n} burn?"
        )
    if n < 45:
        return REJECT
    if n < 50:
        return KEEP if person == "bob" else REJECT
    if n < 55:
        return edited(f"Lamp {n}: how long ({person})?")
    return edited(f"For {n} hours.", "answer") if person == "bob" else KEEP


def adjudicate_all(batch, carol, bob):
    disputed = Verdict.objects.current().filter(item__batch=batch, state=VerdictState.DISPUTED)
    for item in [each.item for each in disputed.select_related("item__turn__conversation")]:
        n = number(item)
        if n in (48, 49, 58, 59):
            reviews.adjudicate(item=item, label="kept", reason="it is fine", by=carol)
        elif n in (45, 46, 47):
            reviews.adjudicate(item=item, label="rejected", reason="nobody asks that", by=carol)
        elif n in (53, 54):
            own = edited(f"What of lamp {n}?") | {"type": "open", "promote": "yes"}
            reviews.adjudicate(item=item, label="edited", response=own, reason="shorter", by=carol)
        else:
            held = item.assignments.get(annotator=bob)
            reviews.mark_correct(judgement=held.judgements.get(), by=carol)


def test_sixty_questions_add_up_through_adjudication_to_the_next_version(
    study, alice, bob, dora, carol, tmp_path
):
    batch = curation_batch(study, N)
    for person in (bob, dora):
        judge_all(batch, person, lambda n, who=person: said(n, who.username))
    batches.close(batch=batch, by=alice)
    batch.refresh_from_db()

    settled = settlement.settle(batch=batch, rule="unanimous", by=alice)
    assert (settled.n_decided, settled.n_disputed) == (45, 15)
    with pytest.raises(actions.CurationError, match="15 questions are in dispute"):
        actions.make_next_version(batch=batch, by=alice)
    adjudicate_all(batch, carol, bob)

    questions = queries.curated(batch)
    assert Counter(each.outcome for each in questions) == {"kept": 34, "edited": 18, "rejected": 8}
    made = actions.make_next_version(batch=batch, by=alice)
    assert made.created
    assert made.counts["n_turns"] == 52
    later = study.datasets.by_name("lamps")
    turns = {int(each.conversation.key[1:]): each for each in Turn.objects.of(later)}
    assert set(range(N)) - set(turns) == {*range(40, 48)}
    assert turns[30].question == "For how long does lamp 30 burn?".replace(
        "does lamp", "does  lamp"
    )
    assert turns[30].source["Truth_rewrite"] == turns[30].question
    assert turns[50].question == "Lamp 50: how long (bob)?"
    assert turns[53].question == "What of lamp 53?"
    assert turns[53].meta["type"] == "open"
    assert turns[53].meta["curation"]["reason"] == "shorter"
    assert turns[55].source["Truth_answer"] == "For 55 hours."
    assert turns[0].meta == made_question(0).meta
    assert turns[0].same_as_id
    assert not turns[30].same_as_id

    assert not actions.make_next_version(batch=batch, by=alice).created
    names = actions.export(batch=batch, out=tmp_path / "out", by=alice)
    assert names == ["questions.csv", "few_shot.jsonl", "curation.json"]
    rows = list(csv.DictReader(io.StringIO((tmp_path / "out/questions.csv").read_text())))
    assert len(rows) == N
    assert (rows[40]["outcome"], rows[40]["why"]) == ("rejected", "unclear")
    assert rows[53]["question"] == "How long does lamp 53 burn?"
    assert rows[53]["question_curated"] == "What of lamp 53?"
    assert rows[53]["decided_by"] == "adjudication"
    shots = [
        json.loads(line) for line in (tmp_path / "out/few_shot.jsonl").read_text().splitlines()
    ]
    assert [each["id"] for each in shots] == ["q00", "q01", "q53", "q54", "q02"]
    assert [each["type"] for each in shots] == ["closed", "open", "open", "open", "recall"]
    report = json.loads((tmp_path / "out/curation.json").read_text())
    total = report["acceptance"][0]
    assert (total["n"], total["n_kept"], total["n_edited"], total["n_rejected"]) == (60, 34, 18, 8)
    by_field = {each["field"]: each for each in report["agreement"]}
    assert by_field["question"]["n_pairs_of_edits"] == 15
    assert by_field["question"]["n_equal_edits"] == 10


def test_a_label_that_its_texts_belie_is_refused(study, alice, bob, dora, carol):
    batch = curation_batch(study)
    batches.close(batch=batch, by=alice)
    batch.refresh_from_db()
    item = batch.items.get()

    for label, response, why in (
        ("edited", KEEP, "no text was changed"),
        ("edited", None, "needs its texts"),
        ("kept", edited("What burns?"), "a text was changed"),
        ("rejected", edited("What burns?"), "rejected with its texts"),
        ("plausible", None, "no label plausible: kept, edited, rejected"),
    ):
        with pytest.raises(ReviewError, match=why):
            reviews.adjudicate(item=item, label=label, response=response, reason="so", by=carol)
    with pytest.raises(settlement.SettleError, match="settled by unanimous or majority"):
        settlement.settle(batch=batch, rule="posterior", by=alice)


def test_what_is_shown_tells_nothing_of_the_maker(study, alice):
    batch = curation_batch(study)

    shown = json.dumps(batch.items.get().payload)

    assert "zq-" not in shown
    assert "lamps.pdf" not in shown


def test_acceptance_has_a_row_for_all_for_each_and_for_what_occurs_together():
    made = [Made("open", "Results", "gpt", outcome) for outcome in ("kept", "edited", "rejected")]

    rows = acceptance([*made, Made("recall", "Results", "gpt", "kept")])

    kinds = [(each.type, each.section, each.maker, each.n) for each in rows]
    assert kinds == [
        (None, None, None, 4),
        ("open", None, None, 3),
        ("recall", None, None, 1),
        (None, "Results", None, 4),
        (None, None, "gpt", 4),
        ("open", "Results", "gpt", 3),
        ("recall", "Results", "gpt", 1),
    ]
    assert (rows[0].share, round(rows[0].low, 4), round(rows[0].high, 4)) == (0.75, 0.3006, 0.9544)


def test_a_type_that_is_called_all_has_its_own_row():
    rows = acceptance(
        [Made("all", "Results", "gpt", "kept"), Made("open", "Results", "gpt", "kept")]
    )

    assert [(each.type, each.n) for each in rows][:3] == [(None, 2), ("all", 1), ("open", 1)]


def test_a_proof_is_found_in_a_text_that_was_imported_in_another_normal_form():
    assert queries.place_of("a caf\u00e9", ["In a cafe\u0301."]) == "found"
