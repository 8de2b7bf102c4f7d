"""The page of results: before anything is judged, computed by a job, paged, planned with, and as tables."""

import csv
import io
import re

import pytest
from django.test import Client
from django.urls import reverse

from annotation.actions import rehearsals, reviews
from exports.models import PrecisionAudit
from jobs.actions import execution
from jobs.handlers import JobFailedError
from jobs.models import Job
from tests.annotation.pools import launched
from tests.exports.judged_batches import close_batch, settle_batch
from tests.exports.missed_answers.test_views import judged_by
from tests.factories import DatasetFactory, RunFactory, StudyFactory
from tests.parts import part


@pytest.fixture
def client(alice):
    client = Client()
    client.force_login(alice, backend="accounts.backends.RealPeopleBackend")
    return client


def address(name, dataset, *parts):
    return reverse(name, args=[dataset.study.slug, dataset.pk, *parts])


def page(client, dataset, **query):
    reply = client.get(address("results", dataset), query)
    assert reply.status_code == 200
    return reply.text


def words(text):
    return " ".join(re.sub(r"<[^>]*>", " ", text).split())


def compute_figures(client, dataset):
    client.post(address("results_start", dataset))
    return execution.run(Job.objects.filter(kind="results").latest("pk"))


@part
def judged(pool, bob, dora):
    """Of the three that were drawn one is implausible."""
    return judged_by(launched(pool), (bob, dora), {"Green.": "implausible"})


def test_without_a_data_set_it_leads_to_the_import(client, study):
    reply = client.get(reverse("results_of_study", args=[study.slug]))

    assert "there is no data set yet" in reply.text


def test_the_study_s_results_are_those_of_the_newest_data_set_with_runs(client, pool):
    bare = DatasetFactory(study=pool.study, created_by=pool.created_by)
    here = reverse("results_of_study", args=[pool.study.slug])

    assert client.get(here).url == address("results", pool.dataset)
    assert client.get(here, {"dataset": bare.pk}).url == address("results", bare)

    RunFactory(dataset=bare, created_by=bare.created_by)
    assert client.get(here).url == address("results", bare)


def test_the_study_s_results_are_those_of_the_newest_data_set_that_people_judge(client, pool):
    other = DatasetFactory(study=pool.study, created_by=pool.created_by)
    RunFactory(dataset=other, created_by=other.created_by)
    launched(pool)

    here = reverse("results_of_study", args=[pool.study.slug])
    assert client.get(here).url == address("results", pool.dataset)


def test_before_anybody_judged_it_leads_to_the_batches(client, pool):
    text = page(client, pool.dataset)

    assert "There are no results yet" in text
    assert reverse("batches", args=[pool.study.slug]) in text
    reply = client.post(address("results_start", pool.dataset), follow=True)
    assert reply.text.count("no batch is closed and settled") == 2
    assert not Job.objects.filter(kind="results").exists()


def test_each_run_has_its_rate_and_what_it_rests_on(client, pool, judged):
    """alder gave both plausible ones, of one conversation, birch the implausible, cedar one plausible."""
    compute_figures(client, pool.dataset)

    said = words(page(client, pool.dataset))

    assert re.search(r"1 alder a 100 % 2 of 2 no interval: a single conversation", said)
    assert re.search(r"3 birch a 0 % 0 of 1 0 % to 79 %", said)
    assert re.search(r"2 of \d+ 1 cedar a 100 %", said)
    assert "undefined nothing of it is settled" in said


def test_runs_that_do_not_differ_share_a_letter(client, pool, judged):
    compute_figures(client, pool.dataset)

    said = words(page(client, pool.dataset))

    assert re.search(r"0 of \d+ tested pairs? differ significantly|No pair could be tested", said)
    assert "two runs share a letter unless they differ significantly" in said
    assert re.search("1.3 of 3 pairs", said)
    assert "no question is settled for both" in said or "unadjusted 1.000" in said


def runs_in_order(client, dataset, **query):
    table = page(client, dataset, **query).partition('class="leaderboard')[2]
    return re.findall(r'<th scope="row" dir="auto">\s*(\w+)', table.partition("</table>")[0])


def test_the_runs_are_ranked_by_the_rate_and_can_be_sorted(client, pool, judged):
    compute_figures(client, pool.dataset)
    ranked = runs_in_order(client, pool.dataset)

    assert ranked[:3] == ["alder", "cedar", "birch"]
    assert runs_in_order(client, pool.dataset, sort="-run") == sorted(ranked, reverse=True)
    assert runs_in_order(client, pool.dataset, sort="plausible")[:3] == ["birch", "alder", "cedar"]
    assert 'aria-sort="descending"' in page(client, pool.dataset, sort="-run")


def test_what_the_address_says_is_kept_by_every_link_of_the_page(client, pool, judged):
    compute_figures(client, pool.dataset)

    text = page(client, pool.dataset, sort="-run", run="alder")

    assert "?sort=-run&amp;run=alder&amp;measure=gold#rates" in text
    assert '<input type="hidden" name="sort" value="-run">' in text


def test_the_page_has_a_list_of_contents_and_each_part_is_there(client, pool, judged):
    compute_figures(client, pool.dataset)

    text = page(client, pool.dataset)

    contents = text.partition('aria-label="On this page"')[2].partition("</nav>")[0]
    parts = re.findall(r'href="#(\w+)"', contents)
    assert len(parts) == 7
    assert all(f'id="{part}"' in text for part in parts)


def test_the_pairs_of_one_run_are_shown_alone(client, pool, judged):
    compute_figures(client, pool.dataset)

    assert re.search("1.2 of 2 pairs", words(page(client, pool.dataset, run="alder")))
    assert "No pair has this run" in words(page(client, pool.dataset, run="nobody"))


def test_intervals_on_few_questions_are_cautioned_of(client, pool, judged):
    """As if alder's rate were a product whose faithfulness is settled for forty of its answers."""
    job = compute_figures(client, pool.dataset)
    assert "such an interval" not in page(client, pool.dataset)
    told = Job.objects.get(pk=job.pk).result
    told["runs"]["measures"]["gold"]["rates"][0] |= {
        "n_conversations": 100,
        "shares": [
            {"n_accepted": 90, "n_questions": 100},
            {"n_accepted": 38, "n_questions": 40},
        ],
        "interval": {"low": 0.5, "high": 0.8, "n_replicates": 1000},
    }
    Job.objects.filter(pk=job.pk).update(result=told)

    said = words(page(client, pool.dataset))

    assert "1 rate rests on few questions" in said
    assert said.count("may cover less than 95 %: in simulation") == 1


@pytest.mark.parametrize("measure", ["plausible", "faithful", "gold", "nonsense"])
def test_every_measure_has_its_page(client, pool, judged, measure):
    compute_figures(client, pool.dataset)

    text = page(client, pool.dataset, measure=measure)

    assert 'aria-current="true"' in text
    if measure == "faithful":
        assert "It takes two runs with settled answers" in text


def test_what_came_in_since_is_said(client, pool, judged, carol):
    compute_figures(client, pool.dataset)
    assert "Up to date." in page(client, pool.dataset)

    item = judged.items.first()
    reviews.adjudicate(item=item, label="malformed", reason="It is cut off.", by=carol)

    since = "Since then 1 verdict came in, and 1 adjudication was recorded."
    assert f"{since} This is not in the figures." in words(page(client, pool.dataset))


def test_files_of_figures_that_are_out_of_date_say_so(client, pool, judged, carol):
    compute_figures(client, pool.dataset)
    files = [address("results_table", pool.dataset, "runs"), address("results_tex", pool.dataset)]
    assert not any("out-of-date" in client.get(file)["Content-Disposition"] for file in files)
    assert "Out of date" not in client.get(files[1]).text

    item = judged.items.first()
    reviews.adjudicate(item=item, label="malformed", reason="It is cut off.", by=carol)

    assert all(
        'filename="out-of-date-results-' in client.get(file)["Content-Disposition"]
        for file in files
    )
    assert (
        "Out of date. Since then 1 verdict came in, and 1 adjudication was recorded."
        in client.get(files[1]).text
    )


def test_another_closed_batch_is_said_too(client, pool, judged, bob, dora):
    compute_figures(client, pool.dataset)

    judged_by(launched(pool, name="again"), (bob, dora), {})

    assert "Since then batches were opened or closed and " in page(client, pool.dataset)


def test_rates_with_and_without_what_was_excluded_stand_side_by_side(client, pool, judged, carol):
    assert "Nothing was excluded" not in page(client, pool.dataset)
    item = judged.items.get(payload__answers__0__text="Green.")
    reviews.exclude(item=item, reason="Confusing", by=carol)

    compute_figures(client, pool.dataset)

    said = words(page(client, pool.dataset))
    assert re.search(r"birch 1 undefined 0 of 0; 1 not settled: 0 % to 100 % 0 % 0 of 1", said)


def test_it_says_what_so_many_questions_show(client, pool, judged):
    """Connor: ψ .2, δ .1 takes 155 questions; 2 answers of 2 judgements each."""
    compute_figures(client, pool.dataset)

    said = words(page(client, pool.dataset, questions="155", discordance="20"))

    assert "155 questions judged for both, up to 620 judgements" in said
    assert "10.0 points for one pair" in said


def test_runs_that_never_differ_are_not_said_to_differ_on_a_fifth(client, pool, plausibility):
    compute_figures(client, pool.dataset)

    text = page(client, pool.dataset)

    assert re.search('name="discordance" value="0"', text)
    assert "the two never differ" in words(text)


@pytest.mark.parametrize(
    "query", [{"questions": "0"}, {"discordance": "x"}, {"discordance": "900"}]
)
def test_a_plan_that_is_none_is_said(client, pool, judged, query):
    compute_figures(client, pool.dataset)

    text = page(client, pool.dataset, **query)

    assert "note bad" in text
    assert "judged for both, up to" not in text


def test_simulated_people_are_said_to_be_simulated(client, pool, alice):
    batch = launched(pool)
    rehearsals.rehearse(batch=batch, n_annotators=2, accuracy=0.9, seed=1, by=alice)
    settle_batch(close_batch(batch))

    compute_figures(client, pool.dataset)

    assert "Simulated people judged" in page(client, pool.dataset)


@pytest.mark.parametrize(("table", "n"), [("runs", 6), ("pairs", 3 + 3 * 5)])
def test_the_tables_are_taken_away_as_csv(client, pool, judged, table, n):
    compute_figures(client, pool.dataset)

    reply = client.get(address("results_table", pool.dataset, table))

    rows = list(csv.DictReader(io.StringIO(reply.getvalue().decode())))
    assert rows
    assert all(None not in row and None not in row.values() for row in rows)
    if table == "runs":
        assert len(rows) == n
        assert {row["run"]: row["plausible_value"] for row in rows}["alder"] == "1.0"


def test_the_runs_are_taken_away_as_latex(client, pool, judged):
    compute_figures(client, pool.dataset)

    text = client.get(address("results_tex", pool.dataset)).text

    assert "\\begin{table}" in text
    assert "alder & \\shortstack[r]{1.000" in text


@pytest.mark.parametrize(("name", "parts"), [("results_table", ["runs"]), ("results_tex", [])])
def test_there_is_no_table_before_anything_is_computed(client, pool, name, parts):
    assert client.get(address(name, pool.dataset, *parts)).status_code == 404


def test_no_other_table_is_there(client, pool, judged):
    compute_figures(client, pool.dataset)

    assert client.get(address("results_table", pool.dataset, "people")).status_code == 404


def test_the_job_s_page_leads_to_the_results(client, pool, judged):
    job = compute_figures(client, pool.dataset)

    text = client.get(reverse("job", args=[pool.study.slug, job.pk])).text

    assert address("results", pool.dataset) in text


def test_another_study_s_data_set_is_not_there(client, pool, alice):
    other = StudyFactory(created_by=alice)

    assert client.get(reverse("results", args=[other.slug, pool.dataset_id])).status_code == 404


def test_a_sample_is_drawn_by_a_job_and_leads_to_its_judging(client, pool, judged):
    client.post(address("precision_draw", pool.dataset), {"gold": 5, "silver": 2, "seed": 1})
    job = execution.run(Job.objects.get(kind="draw_precision_audit"))

    audit = PrecisionAudit.objects.get()
    assert (audit.n_gold, audit.n_silver, audit.items.count()) == (0, 2, 2)
    judging = reverse("precision_audit", args=[pool.study.slug, audit.pk])
    assert judging in client.get(reverse("job", args=[pool.study.slug, job.pk])).text
    said = words(page(client, pool.dataset))
    assert "Audit 1 0 of 2" in said
    assert "nothing is judged yet of: silver" in said


def test_of_nothing_no_sample_is_drawn(client, pool, faithfulness):
    """All that is plausible was found unfaithful."""
    client.post(address("precision_draw", pool.dataset), {"gold": 5, "silver": 5, "seed": 1})

    with pytest.raises(JobFailedError, match="no answer is accepted yet"):
        execution.run(Job.objects.get(kind="draw_precision_audit"))
    assert not PrecisionAudit.objects.exists()


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ({"gold": 0, "silver": 0, "seed": 1}, "ask for some of a tier"),
        ({"gold": -1, "silver": 0, "seed": 1}, "Gold answers:"),
        ({"gold": 1, "silver": 1, "seed": 2**63}, "Seed:"),
        ({}, "Gold answers:"),
    ],
)
def test_a_sample_that_cannot_be_meant_is_refused_in_words(client, pool, judged, sent, said):
    reply = client.post(address("precision_draw", pool.dataset), sent, follow=True)

    assert said in words(reply.text)
    assert not Job.objects.filter(kind="draw_precision_audit").exists()


def test_the_page_takes_as_many_queries_however_many_runs(
    client, pool, judged, django_assert_max_num_queries
):
    compute_figures(client, pool.dataset)

    with django_assert_max_num_queries(18):
        page(client, pool.dataset)
