"""The search for evidence as a job: spans that lie in their passages, and turns without any."""

import shutil
from dataclasses import replace

import pytest

from annotation.actions import batches
from annotation.models import Item, SetAside, Verdict
from corpus.models import Passage
from jobs.actions import execution, jobs
from jobs.handlers import JobFailedError
from jobs.models import JobState
from sampling import jobs as evidence_jobs
from sampling.models import EvidenceSpan, Pool, SpanCitation, SpanMatch, SpanSource
from scoring import queries as scoring_queries
from scoring.actions import similarity
from scoring.models import Scorer
from scoring.similarity_models import ModelError
from scoring.thresholds import DEFAULT_SCORER
from tests.corpus.imports import answer, create_dataset, create_run, passage_table, turn
from tests.parts import part
from tests.sampling.scored_dataset import (
    begin_evidence,
    demo_pool,
    draw_pool,
    evidence_rule,
    import_scores,
)
from tests.scoring import tiny_models
from tests.scoring.stand_in_models import OverlapBiEncoder
from text.tokens import words


@part
def drawn_pool(dataset):
    return draw_pool(dataset)


@pytest.fixture
def a_turn_a_chunk(monkeypatch):
    monkeypatch.setattr(evidence_jobs, "TURNS_A_CHUNK", 1)


def build(drawn_pool, rule=None, **options):
    execution.run(begin_evidence(drawn_pool, rule, **options))
    return Pool.objects.get(name=options.get("name", "evidence"))


def span_text(span):
    return span.passage.text[span.start : span.end]


def spans(pool):
    return list(EvidenceSpan.objects.filter(pool=pool).select_related("passage", "turn"))


def test_a_span_is_the_sentence_of_a_passage_that_overlaps(drawn_pool):
    pool = build(drawn_pool)

    found = {(span.turn.number, span.passage.docid, span_text(span)) for span in spans(pool)}
    assert (1, "touch", "It is used to test gold.") in found
    assert {span.source for span in spans(pool)} == {SpanSource.OVERLAP}
    assert not any(docid == "menu" for _, docid, _ in found)


def test_a_part_reads_the_references_of_its_own_turns_only(drawn_pool, a_turn_a_chunk, monkeypatch):
    read = []
    references = scoring_queries.references

    def reading(dataset, turns=None):
        read.append(turns)
        return references(dataset, turns)

    monkeypatch.setattr(scoring_queries, "references", reading)

    build(drawn_pool)

    assert len(read) > 1
    assert all(turns is not None and len(turns) == 1 for turns in read)


def test_the_spans_of_a_turn_are_numbered_in_the_order_of_its_passages(drawn_pool):
    for turn_id in {span.turn_id for span in spans(build(drawn_pool))}:
        of_turn = [
            span for span in spans(Pool.objects.get(name="evidence")) if span.turn_id == turn_id
        ]
        places = [(span.passage_id, span.start) for span in of_turn]
        assert [span.position for span in of_turn] == list(range(1, len(of_turn) + 1))
        assert places == sorted(places)


def test_every_span_lies_in_its_passage_and_shares_words_with_an_answer(study, tmp_path):
    pool = build(demo_pool(study, tmp_path))

    found = spans(pool)
    assert len(found) > 50
    for span in found:
        assert 0 <= span.start < span.end <= len(span.passage.text)
        assert span_text(span).strip() == span_text(span) != ""
    matched = SpanMatch.objects.filter(candidate__isnull=False, span__pool=pool)
    for match in matched.select_related("span__passage", "candidate"):
        assert match.candidate.turn_id == match.span.turn_id
        if match.span.source == SpanSource.OVERLAP:
            assert set(words(span_text(match.span))) & set(words(match.candidate.text))
            assert 0.3 < match.f1 <= 1


def test_what_a_screen_shows_is_the_passage_from_start_to_end(study, alice, tmp_path):
    pool = build(demo_pool(study, tmp_path))
    batch = batches.create(study=study, name="faith", scheme="faithfulness", pool=pool, by=alice)
    batches.launch(batch=batch, by=alice)

    texts = {}
    for span in spans(pool):
        texts.setdefault(span.turn_id, []).append(span_text(span))
    items = Item.objects.filter(batch=batch)
    assert items.count() == pool.counts["n_candidates"]
    for item in items:
        assert item.payload["evidence"] == texts.get(item.turn_id, [])


def test_answers_without_evidence_are_counted_and_asked_of_nobody(study, alice, tmp_path):
    passages = passage_table(
        ("1_1", "menu", "Home. About us."), ("1_2", "colour", "Most are quite black.")
    )
    dataset = create_dataset(
        study, tmp_path, [turn(1, "A stone."), turn(2, "Coal.")], passages=passages
    )
    create_run(dataset, tmp_path, [answer(1, "Slate."), answer(2, "Most are black.")])
    import_scores(dataset, tmp_path, {"alder": [("1_1", 0.9), ("1_2", 0.9)]})
    pool = build(draw_pool(dataset))

    assert pool.counts == {
        "n_candidates": 2,
        "n_turns": 2,
        "n_turns_with_evidence": 1,
        "n_candidates_without_evidence": 1,
        "n_spans": 1,
        "n_spans_cited": 0,
        "n_words_median": 4,
        "n_words_ninetieth": 4,
    }
    batch = batches.create(study=study, name="faith", scheme="faithfulness", pool=pool, by=alice)
    batches.launch(batch=batch, by=alice)
    aside = Verdict.objects.get()
    assert aside.set_aside_reason == SetAside.NO_EVIDENCE
    assert aside.item.payload["evidence"] == []
    assert aside.item.n_open == 0


def test_the_result_of_the_job_are_the_counts_of_the_pool(drawn_pool):
    job = execution.run(begin_evidence(drawn_pool))

    assert job.result == {"pool": "evidence", **Pool.objects.get(name="evidence").counts}
    assert job.result["n_candidates"] == 3


def test_the_reference_finds_evidence_too_and_has_a_match_of_its_own(drawn_pool):
    pool = build(drawn_pool, evidence_rule(threshold=0.2), texts={"A tablet to test gold."})

    of_reference = SpanMatch.objects.filter(span__pool=pool, candidate=None)
    assert of_reference.exists()
    assert of_reference.count() == of_reference.values("span").distinct().count()


# Where evidence comes from


@part
def cited(study, folder):
    """alder and birch give the same answer and cite; cedar's text is another; dogwood's is below."""
    told = "\n".join(
        f'{{"id": "{docid}", "text": "In {docid} a tablet is used to test gold."}}'
        for docid in ("of alder", "of birch", "of cedar", "of dogwood")
    )
    dataset = create_dataset(study, folder, [turn(1, "A touchstone.")], passages=told)
    texts = {
        "alder": "A tablet to test gold.",
        "birch": "A tablet to test gold. ",
        "cedar": "A slab to test gold.",
        "dogwood": "A tablet to test golden fish.",
    }
    for name, text in texts.items():
        passages = {f"of {name}": 2, "never told": 1}
        create_run(dataset, folder, [answer(1, text, Model_passages=passages)], name=name)
    scores = {name: [("1_1", 0.1 if name == "dogwood" else 0.9)] for name in texts}
    import_scores(dataset, folder, scores)
    return draw_pool(dataset)


def sources(pool):
    return {span.passage.docid for span in spans(pool)}


def test_what_the_credited_runs_cite_is_evidence_too(cited):
    pool = build(cited, texts={"A tablet to test gold."})

    assert sources(pool) == {"of alder", "of birch"}


def test_what_other_runs_cite_is_not(cited):
    assert sources(build(cited)) == {"of alder", "of birch", "of cedar"}


def test_a_passage_without_text_is_no_evidence(cited):
    assert Passage.objects.get(docid="never told").text is None
    assert "never told" not in sources(build(cited))


def test_the_passages_of_the_truth_are_evidence_too(study, tmp_path):
    told = '{"id": "of truth", "text": "A touchstone is a tablet to test gold."}'
    truth = turn(1, "A touchstone.") | {"Truth_passages": ["of truth", "never told"]}
    dataset = create_dataset(study, tmp_path, [truth], passages=told)
    create_run(dataset, tmp_path, [answer(1, "A tablet to test gold.")], name="alder")
    import_scores(dataset, tmp_path, {"alder": [("1_1", 0.9)]})

    assert sources(build(draw_pool(dataset))) == {"of truth"}


# What a run quotes


def quoting(docid, text):
    return {"Model_evidence": {"passage_id": docid, "text": text}}


@part
def quoting_dataset(study, folder):
    """alder and birch give the same answer; alder quotes what shares no word with it, birch what is not there."""
    told = '{"id": "touch", "text": "Slate is dark. It will scratch. A tablet can test gold."}'
    dataset = create_dataset(study, folder, [turn(1, "A touchstone.")], passages=told)
    text = "A tablet to test gold."
    create_run(dataset, folder, [answer(1, text, **quoting("touch", "is dark"))], name="alder")
    create_run(dataset, folder, [answer(1, text, **quoting("touch", "is light"))], name="birch")
    create_run(
        dataset, folder, [answer(1, "Gold tests.", **quoting("touch", "gold"))], name="cedar"
    )
    import_scores(dataset, folder, {n: [("1_1", 0.9)] for n in ("alder", "birch", "cedar")})
    return draw_pool(dataset)


def told_of(pool):
    return [(span_text(span), span.source) for span in spans(pool)]


def quoters(pool):
    """By sentence, the runs that quote it, as an export would tell."""
    rows = SpanCitation.objects.filter(span__pool=pool).select_related("span__passage")
    return {(span_text(row.span), row.citation.answer.run.name) for row in rows}


def test_what_a_credited_run_quotes_is_evidence_and_says_so(quoting_dataset):
    pool = build(quoting_dataset, texts={"A tablet to test gold."})

    assert told_of(pool) == [
        ("Slate is dark.", SpanSource.CITED),
        ("A tablet can test gold.", SpanSource.OVERLAP),
    ]
    assert quoters(pool) == {("Slate is dark.", "alder")}
    assert pool.counts["n_spans_cited"] == 1


def test_a_quoted_sentence_names_the_answer_that_it_is_quoted_for(quoting_dataset):
    pool = build(quoting_dataset, texts={"A tablet to test gold."})

    [match] = SpanMatch.objects.filter(span__source=SpanSource.CITED)
    assert (match.candidate.text, match.f1) == ("A tablet to test gold.", 0.0)
    assert match.candidate.pool == pool


def test_a_sentence_that_is_quoted_and_overlaps_is_one_span_with_both(quoting_dataset):
    pool = build(quoting_dataset)

    assert ("A tablet can test gold.", SpanSource.CITED) in told_of(pool)
    assert quoters(pool) == {("Slate is dark.", "alder"), ("A tablet can test gold.", "cedar")}


def test_a_quote_is_shown_though_it_is_like_no_answer(quoting_dataset, tiny):
    pool = build(quoting_dataset, evidence_rule(scorer="tiny", sas_threshold=1.0), model=tiny)

    assert {source for _, source in told_of(pool)} == {SpanSource.CITED}
    assert all(span.sas is not None for span in spans(pool))


@pytest.mark.parametrize("seed", range(1, 4))
def test_the_quotes_of_answers_outside_a_sample_are_shown_too(quoting_dataset, seed):
    whole = build(quoting_dataset, name="whole")
    sampled = build(quoting_dataset, evidence_rule(sample=1, seed=seed), name="one")

    assert sampled.counts["n_candidates"] == 1
    assert told_of(sampled) == told_of(whole)
    assert quoters(sampled) == quoters(whole)


# A sample


@part
def two_to_a_turn(study, folder):
    """Two answers find the same sentence; only one of the runs cites it."""
    told = '{"id": "cited", "text": "Slate is used to try gold and silver."}'
    dataset = create_dataset(study, folder, [turn(1, "A touchstone.")], passages=told)
    create_run(dataset, folder, [answer(1, "A tablet to test gold.")], name="alder")
    cites = {"Model_passages": {"cited": 1}}
    create_run(dataset, folder, [answer(1, "Slate to try gold and silver.", **cites)], name="birch")
    import_scores(dataset, folder, {"alder": [("1_1", 0.9)], "birch": [("1_1", 0.9)]})
    return draw_pool(dataset)


def paragraph(pool):
    return [(span.position, span.passage.docid, span.start, span.end) for span in spans(pool)]


@pytest.mark.parametrize("seed", range(1, 6))
@pytest.mark.parametrize("by_similarity", [False, True])
def test_the_evidence_of_a_turn_does_not_depend_on_the_sample(
    two_to_a_turn, tiny, seed, by_similarity
):
    threshold = 0.0 if by_similarity else None
    rule = evidence_rule(scorer="tiny", sas_threshold=threshold)
    whole = build(two_to_a_turn, rule, name="whole", model=tiny)
    sampled = build(two_to_a_turn, replace(rule, sample=1, seed=seed), name="one", model=tiny)

    assert sampled.counts["n_candidates"] == 1
    assert paragraph(sampled) == paragraph(whole) != []
    assert [span.sas for span in spans(sampled)] == [span.sas for span in spans(whole)]


def test_a_span_names_the_answers_that_it_was_found_for_asked_about_or_not(two_to_a_turn):
    for seed in range(1, 6):
        pool = build(two_to_a_turn, evidence_rule(sample=1, seed=seed), name=f"seed {seed}")
        matched = SpanMatch.objects.filter(span__pool=pool, candidate__isnull=False)
        assert {each.candidate.text for each in matched.select_related("candidate")} == {
            "A tablet to test gold.",
            "Slate to try gold and silver.",
        }


# How much of it


def test_a_turn_shows_no_more_words_than_were_asked_for(study, tmp_path):
    pool = build(demo_pool(study, tmp_path), evidence_rule(max_words=30))

    by_turn = {}
    for span in spans(pool):
        by_turn.setdefault(span.turn_id, []).append(len(span_text(span).split()))
    assert by_turn
    assert all(sum(counts) <= 30 or len(counts) == 1 for counts in by_turn.values())


def test_by_overlap_alone_there_is_neither_a_scorer_nor_a_similarity(drawn_pool):
    pool = build(drawn_pool)

    assert pool.scorer is None
    assert {span.sas for span in spans(pool)} == {None}


def test_by_similarity_the_scorer_and_its_values_are_recorded(drawn_pool, tiny):
    every = build(drawn_pool, name="every")
    pool = build(drawn_pool, evidence_rule(scorer="tiny", sas_threshold=0.0), model=tiny)

    assert pool.scorer == Scorer.objects.get(name="tiny")
    assert len(spans(pool)) == len(spans(every))
    assert all(0 < span.sas < 1 for span in spans(pool))


def test_only_what_is_similar_enough_is_kept(drawn_pool, tiny):
    pool = build(
        drawn_pool, evidence_rule(scorer="tiny", sas_threshold=0.0), model=tiny, name="loose"
    )
    lowest = min(span.sas for span in spans(pool))

    strict = build(drawn_pool, evidence_rule(scorer="tiny", sas_threshold=lowest), model=tiny)

    assert len(spans(strict)) == len(spans(pool)) - 1
    assert all(span.sas > lowest for span in spans(strict))


def test_where_nothing_is_similar_enough_nothing_has_evidence(drawn_pool, tiny):
    pool = build(drawn_pool, evidence_rule(scorer="tiny", sas_threshold=1.0), model=tiny)

    assert pool.counts["n_candidates_without_evidence"] == 3
    assert spans(pool) == []


# Interrupted


@pytest.mark.usefixtures("a_turn_a_chunk")
def test_after_a_failure_only_the_rest_is_done_and_nothing_is_there_twice(drawn_pool, monkeypatch):
    whole = [
        (s.turn_id, s.position, s.passage_id, s.start)
        for s in spans(build(drawn_pool, name="whole"))
    ]
    compute = evidence_jobs.FIND_EVIDENCE.compute
    seen = []

    def fail_at_the_second(job, params, beat):
        seen.append(params["turns"])
        if len(seen) == 2:
            raise JobFailedError("the model gave up")
        return compute(job, params, beat)

    handler = replace(evidence_jobs.FIND_EVIDENCE, compute=fail_at_the_second)
    monkeypatch.setattr(evidence_jobs, "FIND_EVIDENCE", handler)
    with pytest.raises(JobFailedError):
        build(drawn_pool)
    assert Pool.objects.get(name="evidence").built_at is None

    pool = build(drawn_pool)

    assert [len(turns) for turns in seen] == [1, 1, 1]
    assert seen[1] == seen[2] != seen[0]
    assert [(s.turn_id, s.position, s.passage_id, s.start) for s in spans(pool)] == whole
    assert pool.built_at is not None


@pytest.mark.usefixtures("a_turn_a_chunk")
def test_the_size_of_the_chunks_changes_no_span(drawn_pool, monkeypatch):
    one = build(drawn_pool, name="one")
    monkeypatch.setattr(evidence_jobs, "TURNS_A_CHUNK", 20)
    other = build(drawn_pool, name="other")

    def places(pool):
        return [(span.turn_id, span.position, span.passage_id, span.start) for span in spans(pool)]

    assert places(one) == places(other)
    assert one.counts == other.counts


@pytest.mark.usefixtures("a_turn_a_chunk")
def test_a_cancelled_search_stops_at_the_next_turn(drawn_pool, alice, monkeypatch):
    job = begin_evidence(drawn_pool)
    monkeypatch.setattr(
        evidence_jobs, "_paragraphs", lambda *args: jobs.cancel(job=job, by=alice) or {}
    )

    execution.work(job)

    job.refresh_from_db()
    assert job.state == JobState.CANCELLED
    assert Pool.objects.get(name="evidence").built_at is None


def test_a_model_that_is_gone_when_the_worker_comes_fails_the_job_before_any_search(
    drawn_pool, tmp_path
):
    folder = tiny_models.cross_encoder(tmp_path / "tiny")
    job = begin_evidence(drawn_pool, evidence_rule(scorer="tiny", sas_threshold=0.5), model=folder)
    shutil.rmtree(folder)

    with pytest.raises(JobFailedError, match=r"There is no folder .*tiny"):
        execution.run(job)

    job.refresh_from_db()
    assert (job.state, job.chunks.count()) == (JobState.FAILED, 0)


def test_after_the_model_was_moved_the_same_pool_is_built(drawn_pool, tiny, tmp_path):
    rule = evidence_rule(scorer="tiny", sas_threshold=0.0)
    folder = tiny_models.cross_encoder(tmp_path / "tiny")
    job = begin_evidence(drawn_pool, rule, model=folder)
    shutil.rmtree(folder)
    with pytest.raises(JobFailedError):
        execution.run(job)

    assert build(drawn_pool, rule, model=tiny).scorer.name == "tiny"


def test_a_model_that_gives_no_number_fails_the_job_in_words(drawn_pool, tiny, monkeypatch):
    identity = similarity.model(str(tiny)).identity

    class Broken:
        def __init__(self):
            self.identity = identity

        def similarities(self, pairs):
            raise ModelError("The model tiny gives no finite number.")

    monkeypatch.setattr(similarity, "model", lambda name, *, bf16=False: Broken())
    with pytest.raises(JobFailedError, match="no finite number"):
        build(drawn_pool, evidence_rule(scorer="tiny", sas_threshold=0.5), model=tiny)


@pytest.mark.usefixtures("a_turn_a_chunk")
def test_a_worker_with_another_version_of_the_model_does_not_mix_its_values_in(
    drawn_pool, tmp_path
):
    folder = tiny_models.cross_encoder(tmp_path / "tiny")
    job = begin_evidence(drawn_pool, evidence_rule(scorer="tiny", sas_threshold=0.0), model=folder)
    handler = execution.handler_of(job)
    execution.plan(job, handler)
    execution.do_chunk(job, handler, execution.lease(job, "one"))
    n_before = EvidenceSpan.objects.count()
    tiny_models.cross_encoder(folder, seed=1)
    similarity.model.cache_clear()

    with pytest.raises(JobFailedError, match="another version"):
        execution.run(job)

    assert EvidenceSpan.objects.count() == n_before


def test_the_model_is_asked_once_about_all_turns_of_a_chunk(study, tmp_path, monkeypatch):
    asked = []

    class Noting(OverlapBiEncoder):
        def similarities(self, pairs):
            asked.append(len(pairs))
            return super().similarities(pairs)

    monkeypatch.setattr(similarity, "model", lambda name, **options: Noting())
    rule = evidence_rule(scorer=DEFAULT_SCORER, sas_threshold=-1.0)
    job = begin_evidence(demo_pool(study, tmp_path), rule, model=DEFAULT_SCORER)
    execution.run(job)

    assert len({span.turn_id for span in spans(Pool.objects.get(name="evidence"))}) > 5
    assert len(asked) == job.chunks.count() < 5
