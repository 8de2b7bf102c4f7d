"""Items and answers as rows: exports/tables and exports/rows/answers.py."""

import json
import re

from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.actions import reviews
from annotation.models import Batch
from corpus.models import Citation, Passage
from exports.rows.answers import answer_rows
from exports.rows.items import item_rows
from exports.rows.judgements import judgement_rows
from sampling.models import EvidenceSpan, SpanMatch
from sampling.pools.rule import Rule
from scoring.actions import score_imports
from tests.annotation.pools import launched
from tests.exports.judged_batches import find_evidence, judge_and_settle
from tests.parts import part
from tests.sampling.scored_dataset import create_scored_dataset, draw_pool

TABLET, BLACK, GREEN = "A tablet to test gold.", "Black.", "Green."


def answers(batch):
    """The rows of the answers, by run and turn."""
    batches = [batch]
    rows = answer_rows(batch.pool.dataset, batches, item_rows(batches))
    return {(row.run, row.turn_id): row for row in rows}


def spans_of(batch):
    """The spans that each answer's row has, by its text and theirs."""
    return {
        (row.answer, span["text"]): span
        for row in item_rows([batch])
        for span in json.loads(row.evidence or "[]")
    }


# Scores


@part
def twice_scored(study, folder, bob, dora):
    """A text that two runs gave has two scores; the higher one counted for the draw."""
    dataset = create_scored_dataset(study, folder)
    path = folder / "other.csv"
    rows = ["1_1,alder,0.7", "1_1,cedar,0.95", "1_1,birch,0.9", "1_2,fir,0.3"]
    path.write_text("\n".join(["id,run,sas", *rows]) + "\n", encoding="utf-8")
    score_imports.save(
        dataset=dataset,
        metric="sas",
        scorer="other",
        records=score_imports.read(path, metric="sas"),
        file=path.name,
        by=study.created_by,
    )
    pool = draw_pool(dataset, Rule(scorer="other", threshold=0.8, min_candidates=1))
    return judge_and_settle(launched(pool), bob, dora)


def test_a_drawn_answer_has_the_score_that_counted_for_the_draw(twice_scored):
    rows = answers(twice_scored)

    assert {rows[run, "1_1"].score for run in ("alder", "cedar")} == {0.95}
    assert {row.score for row in item_rows([twice_scored])} == {0.95}


def test_an_answer_that_was_not_drawn_has_its_own_score(twice_scored):
    rows = answers(twice_scored)

    assert (rows["birch", "1_1"].sampled, rows["birch", "1_1"].score) == ("represented", 0.9)
    assert (rows["fir", "1_2"].sampled, rows["fir", "1_2"].score) == ("below_threshold", 0.3)
    assert (rows["alder", "1_2"].sampled, rows["alder", "1_2"].score) == ("no_score", None)


# Runs that were not drawn from


def test_answers_of_runs_that_were_not_drawn_from_are_in_no_pool(study, tmp_path, bob, dora):
    rule = Rule(scorer="paper", threshold=0.8, min_candidates=1, runs=frozenset({"alder"}))
    pool = draw_pool(create_scored_dataset(study, tmp_path), rule)
    batch = judge_and_settle(launched(pool), bob, dora)

    rows = answers(batch)

    assert rows["alder", "1_1"].sampled == "drawn"
    others = [row for (run, _), row in rows.items() if run != "alder"]
    assert {(row.sampled, row.score, row.answer_id) for row in others} == {
        ("not_in_pool", None, "")
    }
    # cedar gave the very text too, and is not credited: nobody asked about cedar.
    assert rows["cedar", "1_1"].answer.strip() == rows["alder", "1_1"].answer.strip() == TABLET
    assert {row.runs for row in item_rows([batch])} == {"alder"}


# Runs and evidence


def assert_every_row_names_the_runs(batch):
    for rows in (item_rows([batch]), judgement_rows([batch])):
        runs = {row.answer: row.runs for row in rows}
        assert runs == {TABLET: "alder|cedar", BLACK: "alder", GREEN: "birch"}


def test_every_row_names_the_runs_that_gave_the_very_text(plausibility):
    assert_every_row_names_the_runs(plausibility)


def test_every_row_names_the_runs_that_gave_the_very_text_with_evidence(faithfulness):
    assert_every_row_names_the_runs(faithfulness)


def test_neither_the_queries_nor_their_length_grow_with_the_items(study, tmp_path, bob, dora):
    """A variable for each candidate in one query: SQLite refuses a large pool."""
    dataset = create_scored_dataset(study, tmp_path)
    few = judge_and_settle(launched(draw_pool(dataset), name="few"), bob, dora)
    rule = Rule(scorer="paper", threshold=0.1, min_candidates=1)
    many = judge_and_settle(launched(draw_pool(dataset, rule, name="wide"), name="many"), bob, dora)
    few_again, many_again = (
        launched(
            find_evidence(batch, name=f"evidence {batch}"),
            name=f"{batch} again",
            scheme="faithfulness",
        )
        for batch in (few, many)
    )
    assert len(item_rows([few])) < len(item_rows([many]))

    assert lengths_of_queries(few) == lengths_of_queries(many)
    assert lengths_of_queries(few_again) == lengths_of_queries(many_again)


def lengths_of_queries(batch):
    asked = Batch.objects.select_related("study", "pool__dataset__study").get(pk=batch.pk)
    with CaptureQueriesContext(connection) as queries:
        answers(asked)
        judgement_rows([asked])
    # Without the values: an id of two digits is longer than one of a single digit.
    return [len(re.sub(r"'[^']*'|\d+", "?", query["sql"])) for query in queries.captured_queries]


def test_a_span_says_how_near_the_answer_and_the_reference_are_if_it_was_found_for_them(
    faithfulness,
):
    near = {
        (match.span.passage.docid, match.span.start, match.candidate and match.candidate.text): (
            match.f1
        )
        for match in SpanMatch.objects.select_related("span__passage", "candidate")
    }

    spans = spans_of(faithfulness)

    for (text, _), span in spans.items():
        place = span["passage_id"], span["start"]
        assert span["f1"] == near.get((*place, text))
        assert span["reference_f1"] == near.get((*place, None))
        assert (span["source"], span["sas"], span["cited_by"]) == ("overlap", None, [])
    found_for = [span["f1"] is not None for span in spans.values()]
    assert set(found_for) == {True, False}
    assert any(span["reference_f1"] for span in spans.values())


def test_a_span_has_the_similarity_that_it_was_kept_for(faithfulness):
    EvidenceSpan.objects.update(sas=0.123456789)

    assert {span["sas"] for span in spans_of(faithfulness).values()} == {0.123457}


def test_a_span_names_the_runs_of_the_answer_that_cite_its_passage(faithfulness):
    dataset = faithfulness.pool.dataset
    touch = Passage.objects.get(dataset=dataset, docid="touch")
    for run in ("cedar", "birch"):
        cited = dataset.runs.get(name=run).answers.get(turn__number=1)
        Citation.objects.create(answer=cited, passage=touch, rank=1, score=1.0)

    spans = spans_of(faithfulness)

    # birch cites it too, for another text
    told = {
        span["passage_id"]: span["cited_by"] for (text, _), span in spans.items() if text == TABLET
    }
    assert told == {"touch": ["cedar"]}


def test_an_answer_without_evidence_has_an_empty_cell(plausibility):
    assert {row.evidence for row in item_rows([plausibility])} == {""}


def test_items_name_the_item_they_came_from_and_whether_its_verdict_stands(
    plausibility, faithfulness, carol
):
    changed = plausibility.items.first()
    reviews.adjudicate(item=changed, label="implausible", reason="look at it", by=carol)

    rows = item_rows([plausibility, faithfulness])

    asked = {row.came_from: row.stands for row in rows if row.scheme == "faithfulness"}
    assert asked == {str(item): item != changed for item in plausibility.items.all()}
