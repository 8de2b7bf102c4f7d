"""What a draw missed, on its page: before it is judged, after it, and as tables."""

import csv
import io
import re
from dataclasses import replace

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation.actions import claims, rehearsals, reviews
from exports.rows import outcomes
from exports.rows.items import item_rows
from jobs.actions import execution
from jobs.models import Job
from sampling.actions import audit_samples
from sampling.audit_samples.rule import REASONS, AuditRule
from sampling.pools.selection import State
from tests.annotation.desk import NOW, submit
from tests.annotation.pools import launched
from tests.exports.judged_batches import (
    answers_of,
    close_batch,
    judge_and_settle,
    release,
    settle_batch,
)
from tests.parts import part
from tests.recomputed_tables import table as table_of
from tests.sampling.scored_dataset import RULE, draw_pool


@pytest.fixture
def client(alice):
    client = Client()
    client.force_login(alice, backend="accounts.backends.RealPeopleBackend")
    return client


def audit_of(pool, sizes=None):
    rule = AuditRule(pool.name, sizes or dict.fromkeys(REASONS, 9))
    return audit_samples.draw(pool=pool, name="audit", rule=rule, by=pool.created_by)


@part
def audit(pool):
    return audit_of(pool)


def page(client, audit):
    reply = client.get(reverse("pool_missed", args=[audit.study.slug, audit.pk]))
    assert reply.status_code == 200
    return " ".join(re.sub(r"<[^>]*>", " ", reply.text).split())


def compute(client, audit):
    """The page's button, and a worker."""
    reply = client.post(reverse("pool_missed_start", args=[audit.study.slug, audit.pk]))
    job = Job.objects.unfinished().get(kind="estimate_missed")
    assert reply.url == reverse("pool_missed", args=[audit.study.slug, audit.pk])
    return execution.run(job)


def table(client, audit, name):
    reply = client.get(reverse("pool_missed_table", args=[audit.study.slug, audit.pk, name]))
    assert reply.status_code == 200
    text = b"".join(reply.streaming_content).decode()
    return list(csv.DictReader(io.StringIO(text)))


def judged_by(batch, people, labels):
    """Each of them says of every item what `labels` has for its text, else plausible."""
    for person in people:
        while held := claims.claim(batch=batch, by=person, now=NOW):
            text = held[0].item.payload["answers"][0]["text"]
            submit(held[0], labels.get(text, "plausible"))
    return settle_batch(close_batch(batch))


def test_before_anybody_judged_it_says_what_is_to_be_done(client, audit):
    said = page(client, audit)

    assert "The pool pool is not judged yet: open a batch on it" in said
    assert "The audit sample audit is not judged yet" in said
    assert "can be estimated once people have judged the sample" in said
    assert "Compute" not in said


def test_nothing_is_computed_before_anybody_judged(client, audit):
    start = reverse("pool_missed_start", args=[audit.study.slug, audit.pk])

    reply = client.post(start, follow=True)

    assert "Nobody has judged it yet" in reply.text
    assert not Job.objects.filter(kind="estimate_missed").exists()


def test_what_is_judged_of_the_pool_alone_says_what_is_not_known(client, audit, plausibility):
    assert "Compute what was missed" in page(client, audit)

    compute(client, audit)

    said = page(client, audit)
    assert "Not known: no settled answer of: below the threshold, represented." in said
    assert "The audit sample audit is not judged yet" in said


def test_while_it_is_computed_the_page_leads_to_the_job(client, audit, plausibility):
    client.post(reverse("pool_missed_start", args=[audit.study.slug, audit.pk]))

    said = page(client, audit)

    assert "The figures are being computed (" in said
    assert "Compute" not in said


def test_what_came_in_since_is_said_and_is_not_in_the_figures(
    client, audit, plausibility, bob, dora
):
    compute(client, audit)
    assert "Up to date." in page(client, audit)

    judge_and_settle(launched(audit, name="second look"), bob, dora)

    said = page(client, audit)
    assert "Since then batches were opened or closed and 4 verdicts came in." in said
    assert "left out, about not known" in said
    compute(client, audit)
    said = page(client, audit)
    assert "Up to date." in said
    assert "left out, about 4 (4 to 4)" in said


def test_a_verdict_that_was_changed_since_is_said(client, audit, plausibility, carol):
    compute(client, audit)
    green = plausibility.items.get(answers__candidate__text="Green.")

    reviews.adjudicate(item=green, label="implausible", reason="It is not", by=carol)

    assert "Since then 1 verdict came in, and 1 adjudication was recorded." in page(client, audit)


def test_what_other_batches_settle_changes_nothing(client, audit, plausibility, bob, dora):
    compute(client, audit)
    other = draw_pool(audit.dataset, replace(RULE, threshold=0.1), name="other")

    judge_and_settle(launched(other, name="another"), bob, dora)

    assert "Up to date." in page(client, audit)


def test_the_page_and_its_tables_read_no_candidate(client, audit, plausibility):
    """They show what a job found: a pool of 100,000 is not read while somebody waits."""
    compute(client, audit)

    with CaptureQueriesContext(connection) as asked:
        page(client, audit)
        table(client, audit, "runs")

    for query in asked.captured_queries:
        for name in ("sampling_candidate", "sampling_fate", "annotation_itemanswer"):
            assert name not in query["sql"]


def test_before_it_is_computed_there_are_no_tables(client, audit):
    reply = client.get(reverse("pool_missed_table", args=[audit.study.slug, audit.pk, "runs"]))

    assert reply.status_code == 404


def test_the_job_s_page_leads_to_the_estimates(client, audit, plausibility):
    job = compute(client, audit)

    text = client.get(reverse("job", args=[audit.study.slug, job.pk])).text

    assert "What was left out is estimated, for the pool and for 4 runs." in text
    assert reverse("pool_missed", args=[audit.study.slug, audit.pk]) in text


def test_a_batch_that_is_still_open_counts_once_it_is_settled(client, audit):
    launched(audit, name="second look")

    said = page(client, audit)

    assert "its batch second look counts once it is closed and settled" in said


def test_what_was_missed_is_what_people_found_in_the_sample(client, audit, plausibility, bob, dora):
    """All four that were left out are asked about: only gold: a tablet to TEST is plausible."""
    no = dict.fromkeys(["Blacks", "Slate.", "A fish."], "implausible")
    judged_by(launched(audit, name="second look"), (bob, dora), no)
    compute(client, audit)

    said = page(client, audit)

    assert "plausible distinct answers that were left out, about 1 (1 to 1)" in said
    assert "share of all plausible distinct answers that was drawn 75 % (75 to 75 %)" in said
    # birch: one answer drawn and plausible, one represented and plausible.
    assert "birch 2 2 100 % 100 % (100 to 100 %)" in said
    # fir: below the threshold and represented, neither plausible.
    assert "fir 2 2 undefined 0 % (0 to 0 %)" in said


def test_an_answer_stands_for_all_that_were_left_out_for_its_reason(
    client, pool, plausibility, bob, dora
):
    audit = audit_of(pool, {State.BELOW_THRESHOLD: 1, State.REPRESENTED: 1})
    judge_and_settle(launched(audit, name="second look"), bob, dora)
    compute(client, audit)

    by_name = {row["stratum"]: row for row in table(client, audit, "strata")}

    assert by_name["below_threshold"]["plausible_in_all"] == "2.0"
    assert by_name["below_threshold"]["plausible_in_all_low"] == "1.0"
    assert by_name["drawn"]["plausible_in_all_standard_error"] == "0.0"
    assert "plausible distinct answers that were left out, about 4" in page(client, audit)


def test_the_tables_have_a_row_for_each_stratum_and_run(client, audit, plausibility):
    compute(client, audit)

    strata, runs = table(client, audit, "strata"), table(client, audit, "runs")

    assert [row["stratum"] for row in strata] == ["drawn", *REASONS]
    assert [row["run"] for row in runs] == ["alder", "birch", "cedar", "fir"]
    assert runs[0]["rate_hajek"] == "1.0"
    assert runs[0]["rate_poststratified"] == "1.0"
    assert runs[3]["rate_hajek_note"] == "no settled answer of: below_threshold, represented"


def test_another_table_is_not_there(client, audit, plausibility):
    compute(client, audit)

    reply = client.get(reverse("pool_missed_table", args=[audit.study.slug, audit.pk, "others"]))

    assert reply.status_code == 404


def test_a_pool_that_is_no_audit_has_no_such_page(client, pool):
    assert client.get(reverse("pool_missed", args=[pool.study.slug, pool.pk])).status_code == 404


def test_what_simulated_people_say_is_said_to_be_theirs(client, audit, alice):
    batch = launched(audit, name="rehearsed")
    rehearsals.rehearse(batch=batch, n_annotators=2, accuracy=0.9, seed=1, by=alice)
    settle_batch(close_batch(batch))
    compute(client, audit)

    assert "Simulated people judged" in page(client, audit)


def test_answers_end_as_a_release_says(pool, plausibility, audit, bob, dora, carol):
    """Of two batches on one answer the newer has the say, unless somebody adjudicated."""
    green = plausibility.items.get(answers__candidate__text="Green.")
    reviews.adjudicate(item=green, label="implausible", reason="It is not", by=carol)
    again = launched(pool, name="again")
    judged_by(again, (bob, dora), {"Black.": "malformed"})

    ended = outcomes.plausibility_outcomes(pool.dataset, is_rehearsal=False)

    assert sorted(ended.values()) == ["implausible", "malformed", "plausible"]
    rows = [row for row in item_rows([plausibility, again]) if row.is_newest]
    assert {f"{sha256[:16]}": label for (_, sha256), label in ended.items()} == {
        row.answer_id.rpartition(":")[2]: row.verdict for row in rows
    }


def test_the_page_takes_as_many_queries_however_many_runs(
    client, audit, plausibility, django_assert_max_num_queries
):
    compute(client, audit)

    with django_assert_max_num_queries(15):
        page(client, audit)
    with django_assert_max_num_queries(10):
        table(client, audit, "runs")


def test_a_release_takes_the_answers_of_the_sample_as_drawn_ones(
    pool, plausibility, bob, dora, tmp_path
):
    """Of four left out one is asked about, and found plausible: one more silver answer, of its run alone."""
    audit = audit_of(pool, {State.REPRESENTED: 1})
    batch = judge_and_settle(launched(audit, name="second look"), bob, dora)

    release(batch, tmp_path / "release")

    (asked,) = [
        row for row in table_of(tmp_path / "release", "items") if row["batch"] != "plausibility"
    ]
    assert float(asked["inclusion_probability"]) == 0.5
    sampled = [row["sampled"] for row in table_of(tmp_path / "release", "answers")]
    assert (sampled.count("drawn"), sampled.count("represented"), len(sampled)) == (5, 1, 18)
    (own,) = answers_of(tmp_path / "release", answer_id=asked["answer_id"])
    assert (own["run"], own["plausibility"], own["tier"]) == (asked["runs"], "plausible", "silver")
