"""What of the evidence is a run's own: faithful to what the run cites, or to the pool only."""

import json

from django.test import Client
from django.urls import reverse

from annotation.actions import reviews
from exports.rows import answers as exports_answers
from exports.rows.items import item_rows
from exports.rows.per_run import run_rows
from sampling.models import EvidenceSpan, SpanCitation
from tests.annotation.pools import launched
from tests.corpus.imports import answer, create_dataset, create_run, turn
from tests.exports.judged_batches import find_evidence, judge_and_settle
from tests.parts import part
from tests.sampling.scored_dataset import draw_pool, import_scores

TOLD = '{"id": "touch", "text": "Slate is dark. It will scratch. A tablet can test gold."}\n'
OTHER = '{"id": "other", "text": "Gold is tested by a tablet."}\n'
TABLET, SCRATCH = "A tablet to test gold.", "It can scratch."


def quoting(docid, text):
    return {"Model_evidence": {"passage_id": docid, "text": text}}


@part
def plausibility(study, folder, bob, dora):
    """alder, birch, cedar and dogwood say the same: alder quotes, birch's quote is not there, cedar cites.

    echo says another thing and quotes what alder's answer is found in; fir's turn has no passage.
    """
    dataset = create_dataset(
        study, folder, [turn(1, "A touchstone."), turn(2, "Black.")], passages=TOLD + OTHER
    )
    other = [answer(2, "Dark.")]
    create_run(dataset, folder, [answer(1, TABLET, **quoting("touch", "is dark"))], name="alder")
    create_run(dataset, folder, [answer(1, TABLET, **quoting("touch", "is light"))], name="birch")
    create_run(dataset, folder, [answer(1, TABLET, Model_passages={"other": 1.0})], name="cedar")
    create_run(dataset, folder, [answer(1, TABLET)], name="dogwood")
    create_run(
        dataset, folder, [answer(1, SCRATCH, **quoting("touch", "can test gold"))], name="echo"
    )
    create_run(dataset, folder, other, name="fir")
    names = ("alder", "birch", "cedar", "dogwood", "echo")
    import_scores(dataset, folder, {n: [("1_1", 0.9)] for n in names} | {"fir": [("1_2", 0.9)]})
    return judge_and_settle(launched(draw_pool(dataset)), bob, dora)


@part
def faithfulness(plausibility, bob, dora):
    batch = launched(find_evidence(plausibility), scheme="faithfulness")
    return judge_and_settle(batch, bob, dora, label="faithful")


def rows_of(*batches):
    items = item_rows(batches)
    return {
        row.run: row
        for row in exports_answers.answer_rows(batches[0].pool.dataset, batches, items)
        if row.answer.strip()
    }


def own(*batches):
    return {run: row.own_evidence for run, row in rows_of(*batches).items()}


def spans(batch, text):
    [row] = [row for row in item_rows([batch]) if row.answer == text]
    return row, {span["text"]: span for span in json.loads(row.evidence)}


def test_a_span_names_those_of_the_answer_s_runs_that_quote_it(faithfulness):
    row, found = spans(faithfulness, TABLET)

    assert found["Slate is dark."]["quoted_by"] == ["alder"]
    assert found["A tablet can test gold."]["quoted_by"] == []  # echo's quote, for another text
    assert found["A tablet can test gold."]["source"] == "cited"
    assert found["A tablet can test gold."]["cited_by"] == ["alder", "birch"]
    assert found["Gold is tested by a tablet."]["cited_by"] == ["cedar"]
    assert (row.quoted_by, row.cited_by) == ("alder", "alder|birch|cedar")

    row, found = spans(faithfulness, SCRATCH)
    assert found["A tablet can test gold."]["quoted_by"] == ["echo"]
    assert (row.quoted_by, row.cited_by) == ("echo", "echo")


def test_each_run_is_told_what_of_the_evidence_is_its_own(plausibility, faithfulness):
    assert own(plausibility, faithfulness) == {
        "alder": "quoted",
        "birch": "cited",  # its quote is not in the passage
        "cedar": "cited",
        "dogwood": "pool",
        "echo": "quoted",
        "fir": "",  # no evidence: nobody was asked
    }


def test_the_evidence_s_page_names_the_runs_that_quote_a_sentence(faithfulness, alice):
    client = Client()
    client.force_login(alice, backend="accounts.backends.RealPeopleBackend")

    text = client.get(
        reverse("pool", args=[faithfulness.study.slug, faithfulness.pool_id])
    ).content.decode()

    assert "quoted by <bdi>alder</bdi>" in text
    assert "quoted by <bdi>echo</bdi>" in text
    assert "birch" not in text


def test_runs_count_what_they_are_faithful_to(plausibility, faithfulness):
    rows = {row.run: row for row in run_rows(rows_of(plausibility, faithfulness).values())}

    told = {
        run: (
            row.faithful,
            row.faithful_to_quoted,
            row.faithful_to_cited,
            row.faithful_to_pool,
            row.faithful_without_evidence,
        )
        for run, row in rows.items()
    }
    assert told == {
        "alder": (1, 1, 0, 0, 0),
        "birch": (1, 0, 1, 0, 0),
        "cedar": (1, 0, 1, 0, 0),
        "dogwood": (1, 0, 0, 1, 0),
        "echo": (1, 1, 0, 0, 0),
        "fir": (0, 0, 0, 0, 0),
    }


def test_a_quote_that_the_paragraph_does_not_show_is_not_the_evidence_s(plausibility, faithfulness):
    """The cap on the paragraph's words may leave out what a run quotes; its passage may still be there."""
    SpanCitation.objects.filter(citation__answer__run__name="alder").delete()
    assert own(plausibility, faithfulness)["alder"] == "cited"

    EvidenceSpan.objects.filter(passage__docid="touch").delete()
    assert own(plausibility, faithfulness)["alder"] == "pool"


def test_where_nobody_was_asked_nothing_is_anybodys_own(plausibility, faithfulness, carol):
    assert set(own(plausibility).values()) == {""}

    for item in plausibility.items.all():
        reviews.adjudicate(item=item, label="implausible", reason="look at it", by=carol)
    assert set(own(plausibility, faithfulness).values()) == {""}


def test_an_answer_that_was_asked_without_evidence_says_so(plausibility, bob, dora):
    batch = launched(find_evidence(plausibility), scheme="faithfulness", ask_without_evidence=True)
    judge_and_settle(batch, bob, dora, label="faithful")

    rows = rows_of(plausibility, batch)
    assert rows["fir"].own_evidence == "none"
    [fir] = [row for row in run_rows(rows.values()) if row.run == "fir"]
    assert (fir.faithful, fir.faithful_without_evidence) == (1, 1)
