"""Pools: the rule in words, what became of every answer, and the evidence by question."""

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.actions import studies
from corpus.models import RunKind
from jobs.actions import execution, jobs
from jobs.models import Job
from sampling.models import Pool, SpanMatch
from scoring import queries as scoring_tables
from scoring.actions import score_imports
from tests.corpus.imports import answer, create_dataset, create_run, turn
from tests.factories import BatchFactory, PoolFactory
from tests.markup import one_line
from tests.parts import part
from tests.sampling.scored_dataset import (
    begin_evidence,
    demo_pool,
    draw_pool,
    evidence_rule,
    import_scores,
)
from tests.sampling.views.test_desk import fates, figures

HOSTILE = '<img src=x onerror="alert(1)">'


@pytest.fixture
def client(alice):
    client = Client()
    client.force_login(alice, backend="accounts.backends.RealPeopleBackend")
    return client


@part
def pool(dataset):
    return draw_pool(dataset)


def pools_page(client, study, **query):
    return client.get(reverse("pools", args=[study.slug]), query).content.decode()


def page(client, pool, **query):
    reply = client.get(reverse("pool", args=[pool.study.slug, pool.pk]), query)
    assert reply.status_code == 200
    return one_line(reply.content.decode())


def listed_answers(text):
    """The turn and the text of each answer in the list."""
    rows = re.findall(r'<td class="turn" dir="auto">([^<]*)</td>(.*?)</tr>', text, re.DOTALL)
    return [
        (turn, re.findall(r'<p class="text as-written" dir="auto">([^<]*)</p>', rest)[0])
        for turn, rest in rows
        if '<p class="text as-written" dir="auto">' in rest
    ]


def test_without_a_pool_the_list_leads_to_the_desk(client, study):
    text = pools_page(client, study)

    assert "There is no pool yet" in text
    assert reverse("pool_new", args=[study.slug]) in text


def test_the_list_tells_pools_with_their_counts(client, pool, study):
    begin_evidence(pool, name="unbuilt")

    text = pools_page(client, study)

    row = text[text.index(">pool<") :]
    assert re.findall(r'<td class="number">(\d*)</td>', row)[:3] == ["3", "2", "0"]
    assert "not built yet" in text[text.index(">unbuilt<") :]
    assert ">unbuilt<" not in pools_page(client, study, purpose="answers")
    assert "No pool matches." in pools_page(client, study, q="nothing")


@pytest.mark.parametrize("column", ["candidates", "turns", "batches", "drawn", "dataset"])
def test_the_list_is_sorted_by_any_column(client, pool, study, column):
    draw_pool(pool.dataset, name="another")

    for direction in ("", "-"):
        assert ">another<" in pools_page(client, study, sort=direction + column)


def test_a_pool_says_its_rule_in_words(client, pool):
    text = " ".join(re.sub(r"<[^>]*>", "", page(client, pool)).split())

    assert (
        "Answers whose SAS by paper is above 0.8, at least 1 distinct one for a question. Answers with"
        " the same words count once. Drawn from all runs."
    ) in text


def test_a_pool_counts_what_became_of_every_answer(client, pool):
    found = fates(page(client, pool))

    assert found.pop("All answers") == 18
    assert sum(found.values()) == 18
    assert found["Drawn"] == 4
    assert found["Same as the question"] == 2


def test_a_pool_leads_to_a_batch_on_it_and_to_the_desk_with_its_rule(client, pool):
    BatchFactory(pool=pool, name="first judgements")

    text = page(client, pool)

    assert f"{reverse('batch_new', args=[pool.study.slug])}?pool={pool.pk}" in text
    assert ">first judgements<" in text
    desk = re.search(r'href="([^"]*pools/new/[^"]*)"', text).group(1).replace("&amp;", "&")
    assert figures(client.get(desk).content.decode()) == ["2", "3", "1.5", "6"]


def test_candidates_are_listed_with_their_runs_and_the_reference(client, pool):
    text = page(client, pool)

    assert listed_answers(text) == [
        ("1_1", "A tablet to test gold."),
        ("1_2", "Black."),
        ("1_2", "Green."),
    ]
    assert '<td dir="auto">alder, cedar</td>' in text
    assert "A touchstone is a dark stone." in text
    assert text.count("As dark as coal.") == 1  # once for its question


def test_candidates_are_searched_and_sorted(client, pool):
    assert listed_answers(page(client, pool, q="green")) == [("1_2", "Green.")]
    assert listed_answers(page(client, pool, q="1_1")) == [("1_1", "A tablet to test gold.")]
    assert "No candidate matches." in page(client, pool, q="marble")
    assert [text for _, text in listed_answers(page(client, pool, sort="score"))] == [
        "Green.",
        "Black.",
        "A tablet to test gold.",
    ]
    assert listed_answers(page(client, pool, sort="-runs"))[0][1] == "A tablet to test gold."


def test_answers_that_were_left_out_are_listed_with_their_reason_and_score(client, pool):
    text = page(client, pool, list="left-out")

    assert len(listed_answers(text)) == 12  # of 14, two are empty
    assert text.count("empty answer") == 2
    row = text[text.index("gold: a tablet to TEST") :]
    assert "0.850" in row[: row.index("</tr>")]
    assert "Represented" in row[: row.index("</tr>")]
    assert "A tablet to test gold." in row[: row.index("</tr>")]


def test_answers_that_were_left_out_are_narrowed_by_reason(client, pool):
    text = page(client, pool, list="left-out", state="below_threshold")

    assert listed_answers(text) == [("1_2", "Slate."), ("1_1", "A fish.")]  # run by run
    text = page(client, pool, list="left-out", state="below_threshold", sort="turn")
    assert listed_answers(text) == [("1_1", "A fish."), ("1_2", "Slate.")]
    assert "list=left-out&amp;state=below_threshold#answers" in page(client, pool)
    assert listed_answers(
        page(client, pool, list="left-out", q="echo", state="same_as_question")
    ) == [
        ("1_1", "What is a touchstone?"),
        ("1_2", "What colour is it?"),
    ]
    text = page(client, pool, list="left-out", state="capped")
    assert "No answer that was left out matches." in text


def test_the_pages_of_what_was_left_out_are_those_of_its_rows_narrowed_or_not(
    client, pool, monkeypatch
):
    monkeypatch.setattr("sampling.views.pools.PER_PAGE", 2)
    left_out = pool.fates.exclude(state="drawn")
    alike = left_out.filter(state="no_reference")
    assert alike.count() > 2

    whole = page(client, pool, list="left-out")
    narrowed = page(client, pool, list="left-out", state="no_reference")

    assert f"1\N{EN DASH}2 of {left_out.count()} answers" in whole
    assert f"1\N{EN DASH}2 of {alike.count()} answers" in narrowed


def test_a_pool_without_candidates_says_so_and_offers_no_batch(client, dataset):
    empty = draw_pool(dataset, name="empty")
    empty.fates.update(state="below_threshold", candidate=None)
    empty.candidates.all().delete()
    empty.counts |= {"n_candidates": 0, "n_turns": 0}
    empty.save()

    text = page(client, empty)

    assert "The pool has no candidates" in text
    assert "Open a batch on it" not in text


def test_the_histogram_is_of_the_runs_that_were_drawn_from(client, pool, dataset, tmp_path):
    before = page(client, pool)
    create_run(dataset, tmp_path, [answer(1, "Later.")], name="gorse")
    import_scores(dataset, tmp_path, {"gorse": [("1_1", 0.99)]})

    after = page(client, pool)

    def table(text):
        return text[text.index('id="histogram-table"') : text.index("</details>")]

    assert table(before) == table(after)


def test_of_very_many_answers_the_histogram_is_at_the_desk(client, pool, monkeypatch):
    monkeypatch.setattr(scoring_tables, "MOST_ANSWERS_AT_ONCE", 2)

    text = page(client, pool)

    assert "too many answers to read their scores" in text
    assert len(listed_answers(text)) == 3


def test_a_pool_that_is_being_built_leads_to_its_job(client, pool):
    job = begin_evidence(pool)
    unbuilt = Pool.objects.get(name="evidence")

    assert "The pool is being built" in page(client, unbuilt)
    assert reverse("job", args=[pool.study.slug, job.pk]) in page(client, unbuilt)

    jobs.cancel(job=job, by=pool.created_by)
    assert "did not finish" in page(client, unbuilt)
    Job.objects.all().delete()
    assert "no job is building it" in page(client, unbuilt)


def evidence_of(drawn, **options) -> Pool:
    execution.run(begin_evidence(drawn, **options))
    return drawn.study.pools.get(name=options.get("name", "evidence"))


def test_an_evidence_pool_shows_the_paragraph_with_whom_each_sentence_was_found_for(client, pool):
    text = page(client, evidence_of(pool))

    first = text[text.index('<article class="seen">') :]
    assert "A tablet to test gold." in first
    assert "It is used to test gold." in first
    assert re.search(r"touch</span>.*?found for A \(F1 0\.\d\d\)", first, re.DOTALL)
    assert "found for the reference" in first
    assert "of the passages that come nearest to them" in text


def test_an_evidence_pool_says_how_long_it_takes_to_read(client, pool):
    found = evidence_of(pool)
    Pool.objects.filter(pk=found.pk).update(
        counts={**found.counts, "n_words_median": 55.5, "n_words_ninetieth": 153}
    )

    text = page(client, found)

    assert "55.5 words (0.3 min) is the median of the questions with evidence" in text
    assert "153 words (0.8 min) the 90th percentile, at 200 words a minute" in text
    assert len(re.findall(r"\d words to read, 0.1 min", text)) == 2


def test_a_pool_that_was_built_before_words_were_counted_says_nothing_of_them(client, pool):
    found = evidence_of(pool)
    kept = {name: n for name, n in found.counts.items() if "words" not in name}
    Pool.objects.filter(pk=found.pk).update(counts=kept)

    assert "To read" not in page(client, found)


def test_an_evidence_pool_says_what_has_no_evidence(client, pool):
    found = evidence_of(pool, rule=evidence_rule(threshold=0.99))

    text = page(client, found, evidence="none")

    assert text.count('<article class="seen">') == 1
    assert text.count("No evidence was found for this question.") == 1
    some = page(client, found, evidence="some")
    assert some.count('<article class="seen">') == 1
    assert "No evidence was found" not in some


def test_an_answer_that_led_to_no_sentence_itself_is_marked(client, pool):
    found = evidence_of(pool)
    SpanMatch.objects.filter(span__pool=found, candidate__isnull=False).delete()

    assert "No sentence was found for this answer itself." in page(client, found)


def test_evidence_of_an_answer_outside_the_sample_is_said_to_be_so(client, study, tmp_path):
    drawn = demo_pool(study, tmp_path, n_turns=3)

    found = evidence_of(drawn, rule=evidence_rule(sample=1))

    text = page(client, found)
    assert text.count('<article class="seen">') == 1
    assert "a sample of 1 with the seed 1" in text
    assert "an answer outside the sample" in text


def test_an_evidence_pool_leads_to_the_batch_and_the_pool_it_came_from(client, pool):
    batch = BatchFactory(pool=pool, name="plausibility")

    text = page(client, evidence_of(pool))

    assert reverse("batch", args=[pool.study.slug, batch.pk]) in text
    assert reverse("pool", args=[pool.study.slug, pool.pk]) in text


def test_the_number_of_queries_does_not_grow_with_rows(client, study, tmp_path):
    def make(name, n):
        turns = [turn(k, f"Stone {k}.", rewrite=f"Which {k}?") for k in range(1, n)]
        made = create_dataset(study, tmp_path, turns, name=name)
        for r in range(n):
            create_run(
                made, tmp_path, [answer(k, f"Slate {r} {k}.") for k in range(1, n)], name=f"r{r}"
            )
            import_scores(
                made, tmp_path, {f"r{r}": [(f"1_{k}", 0.9 if r % 2 else 0.1) for k in range(1, n)]}
            )
        return draw_pool(made, name=name)

    def n_queries(look):
        with CaptureQueriesContext(connection) as queries:
            look()
        return len(queries)

    few, many = make("few", 3), make("many", 9)
    evidence = [evidence_of(each, name=f"evidence {each.name}") for each in (few, many)]
    for query in ({}, {"list": "left-out"}):
        assert n_queries(lambda query=query: page(client, few, **query)) == n_queries(
            lambda query=query: page(client, many, **query)
        )
    assert n_queries(lambda: page(client, evidence[0])) == n_queries(
        lambda: page(client, evidence[1])
    )
    before = n_queries(lambda: pools_page(client, study))
    PoolFactory.create_batch(20, dataset=few.dataset, counts={"n_candidates": 1, "n_turns": 1})
    assert n_queries(lambda: pools_page(client, study)) == before


def test_what_was_imported_is_shown_as_it_is_and_does_nothing(client, study, tmp_path):
    dataset = create_dataset(
        study,
        tmp_path,
        [turn(1, f"Reference {HOSTILE}", rewrite=f"Question {HOSTILE}")],
        passages=f'turn_id\tpassage_id\tpassage\n1_1\t"{HOSTILE.replace(chr(34), chr(34) * 2)}"\t"Slate '
        f'{HOSTILE.replace(chr(34), chr(34) * 2)} is here."\n',
    )
    create_run(
        dataset, tmp_path, [answer(1, f"Slate {HOSTILE}")], name=HOSTILE, kind=RunKind.BASELINE
    )
    create_run(dataset, tmp_path, [answer(1, f"Question {HOSTILE}")], name="echo")
    import_scores(dataset, tmp_path, {"echo": [("1_1", 0.9)]})
    name = HOSTILE.replace('"', '""')
    path = tmp_path / "scores.csv"
    path.write_text(f'id,run,sas\n1_1,"{name}",0.9\n')
    score_imports.save(
        dataset=dataset,
        metric="sas",
        scorer="paper",
        records=score_imports.read(path, metric="sas"),
        file="scores.csv",
        by=study.created_by,
    )
    drawn = draw_pool(dataset, name=HOSTILE)
    evidence = evidence_of(drawn, name=f"evidence {HOSTILE}")

    for text in (
        pools_page(client, study),
        page(client, drawn),
        page(client, drawn, list="left-out"),
        page(client, evidence),
    ):
        assert "<img" not in text
        assert "&lt;img src=x" in text


@pytest.mark.parametrize("pk", [0, 999_999])
def test_a_pool_that_is_not_of_the_study_is_not_found(client, study, pk):
    assert client.get(reverse("pool", args=[study.slug, pk])).status_code == 404


def test_a_pool_of_another_study_is_not_found(client, pool, alice):
    studies.create_study(slug="elsewhere", title="Elsewhere", requester=alice)

    assert client.get(reverse("pool", args=["elsewhere", pool.pk])).status_code == 404
