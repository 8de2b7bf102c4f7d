"""The pages that say what people's comparisons say of the runs: before, computed, changed since; and their files."""

import csv
import io
import re

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation.actions import reviews
from jobs.actions import execution
from jobs.models import Job, JobState
from tests.annotation.desk_pages import client_of
from tests.annotation.pools import launched
from tests.crawling import Crawler
from tests.exports import compared_runs
from tests.exports.judged_batches import close_batch, reject
from tests.factories import StudyFactory
from tests.hostile import strings
from tests.hostile.pages import harms, turned
from tests.parts import part


@pytest.fixture
def client(alice):
    client = Client()
    client.force_login(alice, backend="accounts.backends.RealPeopleBackend")
    return client


def address(study, what="", *parts, batch=None):
    name = "_".join(filter(None, ("compared" if batch else "compared_study", what)))
    return reverse(name, args=[study.slug, *([batch.pk] if batch else []), *parts])


def page(client, study, batch=None):
    reply = client.get(address(study, batch=batch))
    assert reply.status_code == 200
    return reply.text


def words(text):
    return " ".join(re.sub(r"<[^>]*>", " ", text).split())


def compute_figures(client, study, batch=None):
    client.post(address(study, "start", batch=batch))
    return execution.run(Job.objects.filter(kind__startswith="comparison_of").latest("pk"))


@part
def figures(study, alice, rated, preferred) -> Job:
    return compute_figures(client_of(alice), study)


@part
def figures_of_ratings(study, alice, rated) -> Job:
    return compute_figures(client_of(alice), study)


@part
def figures_of_setups(study, alice, rated, retrieved) -> Job:
    return compute_figures(client_of(alice), study)


def table(client, study, name, batch=None):
    reply = client.get(address(study, "file", name, batch=batch))
    assert reply.status_code == 200
    return list(csv.DictReader(io.StringIO(reply.getvalue().decode())))


def test_without_a_batch_it_leads_to_the_pools(client, study):
    text = page(client, study)

    assert "First draw a comparison of runs" in text
    assert reverse("pools", args=[study.slug]) in text
    reply = client.post(address(study, "start"), follow=True)
    assert "there are no counted judgements" in reply.text
    assert not Job.objects.exists()


def test_before_anybody_judged_it_leads_to_the_batches(client, gold):
    batch = compared_runs.open_batch(gold, "rating")

    for each in (None, batch):
        assert "Nobody has compared anything yet" in page(client, gold.study, each)
    assert client.get(address(gold.study, "file", "systems.csv")).status_code == 404


def test_a_batch_of_another_scheme_has_no_such_page(client, pool):
    batch = launched(pool)

    assert client.get(address(pool.study, batch=batch)).status_code == 404


def test_table_7_has_the_cells_that_were_worked_out_on_paper(client, study, figures):
    """alder: 18/6, 21/6, 269/90 and 8/12; birch 2, 2, 2 and 5/12; cedar 4, 4, 4 and 2/12."""
    said = words(page(client, study))

    begin = said.index("Unanswerable accuracy Gold passages alder")
    of_table = said[begin : said.index("Faithful and appropriate are means")]
    alder, rest = of_table.split("birch")
    birch, cedar = rest.split("cedar")
    for run, cells in (
        (alder, ("3.00", "3.50", "2.99", "66.7 %", "6", "100.0 %")),
        (birch, ("2.00", "2.00", "2.00", "41.7 %", "12", "0.0 %")),
        (cedar, ("4.00", "4.00", "4.00", "16.7 %", "10", "100.0 %")),
    ):
        figures = re.findall(
            r"(?<!to )(?<!\d)(\d[\d.]*(?: %)?)(?= (?:no interval|[\d.]+(?: %)? to))", run
        )
        assert tuple(figures) == cells, run


def test_what_a_tie_counts_is_said_with_the_share_and_the_sum(client, study, preferred):
    """3 of 18 are ties: 125 % of at most 150 %, 150 %, 175 %."""
    compute_figures(client, study)

    said = words(page(client, study))

    assert "Sum 125.0 % 150.0 % 175.0 %" in said
    assert "16.7 % of the comparisons are ties: 3 of 18 comparisons" in said
    assert "sum to at most 150.0 %" in said


def test_every_section_says_why_it_has_nothing(client, study, rated):
    compute_figures(client, study, rated)

    said = words(page(client, study, rated))

    assert "There is no preference judgement." in said
    assert "undefined it was compared on no question" in said
    assert "Preference: no two runs can be compared." in said
    assert "undefined nobody preferred either" in said


def test_all_ties_say_nothing_of_either(client, study, gold, annotators):
    batch = compared_runs.judge_batch(
        compared_runs.open_batch(gold, "preference"), annotators, compared_runs.tie
    )

    compute_figures(client, study, batch)

    said = words(page(client, study, batch))
    assert "Sum 0.0 % 150.0 % 300.0 %" in said
    assert "No question that both were judged on is discordant." in said
    assert "nobody preferred either" in said


def test_of_a_single_run_there_is_nothing_to_tell_apart(client, study, gold, annotators):
    pool = compared_runs.pool_of_one(gold.dataset)
    batch = compared_runs.judge_batch(
        compared_runs.open_batch(pool, "rating"), annotators, compared_runs.ratings
    )

    compute_figures(client, study, batch)

    assert "It takes two runs." in words(page(client, study, batch))


def test_a_run_that_always_wins_has_no_strength_and_the_page_says_why(
    client, study, gold, annotators
):
    batch = compared_runs.judge_batch(
        compared_runs.open_batch(gold, "preference"), annotators, compared_runs.preference_for_alder
    )

    compute_figures(client, study, batch)

    assert "There are no strengths: nobody else ever beat alder" in words(
        page(client, study, batch)
    )


def test_the_way_through_the_page_leads_to_what_there_is(client, study, figures):
    text = page(client, study)

    way = text[text.index('aria-label="On this page"') :].split("</nav>")[0]
    targets = re.findall(r'href="#([^"]+)"', way)
    assert len(targets) == 7
    assert [each for each in targets if f' id="{each}"' not in text] == []


def test_every_kind_of_interval_on_few_questions_is_cautioned_of(client, study, figures, preferred):
    said = words(page(client, study))

    of_pairs = said[
        said.rindex("Significant differences") : said.rindex("Position and length bias")
    ]
    few = "fewer than {} questions: do not trust such an interval."
    for begins, fewest in (
        ("alder: 2 means rest on", 10),
        ("2 win-rates rest on", 10),
        ("Left answer preferred: 1 share rests on", 10),
        ("Longer answer preferred: 2 figures rest on", 10),
        ("Ratings and length: 3 coefficients rest on", 30),
        ("6 Kendall coefficients rest on", 30),
        ("6 Pearson coefficients rest on", 30),
    ):
        assert f"{begins} {few.format(fewest)}" in said, begins
    # by appropriate, F+A and preference; by faithful no two runs differ more on one question than on another
    assert re.findall(rf"(\d) differences rest on {few.format(10)}", of_pairs) == ["2", "2", "3"]


def test_setups_stand_below_each_other_in_one_table(client, study, figures_of_setups, rated):
    text = page(client, study)

    table = text[text.index('aria-label="The runs by setup"') :].split("</table>")[0]
    assert table.count('scope="col"') == 7
    of_setups = [words(each) for each in table.split("<tbody>")[1:]]
    assert [each.partition(" alder ")[0] for each in of_setups] == [
        *("Gold passages", "Retrieved passages"),
    ]
    assert all(run in each for each in of_setups for run in ("birch", "cedar"))
    assert "all batches that compare runs" not in text
    assert "all batches that compare runs" in page(client, study, rated)


def test_a_run_that_a_setup_has_not_is_said_to_be_missing_there(client, study, gold, annotators):
    """Of three runs one alone is in the second setup."""
    compared_runs.judge_batch(
        compared_runs.open_batch(gold, "rating"), annotators, compared_runs.ratings
    )
    alone = compared_runs.pool_of_one(gold.dataset)
    compared_runs.judge_batch(
        compared_runs.open_batch(alone, "rating", name="alone"), annotators, compared_runs.ratings
    )
    compute_figures(client, study)

    text = page(client, study)

    table = text[text.index('aria-label="The runs by setup"') :].split("</table>")[0]
    first, second = table.split("<tbody>")[1:]
    assert (first + second).count("not in this setup") == 2
    assert "not in this setup" not in (first if "not in this setup" in second else second)


def folded(text):
    """The summaries of the page in their order."""
    return [words(each) for each in re.findall(r"<summary>(.*?)</summary>", text, re.DOTALL)]


def test_what_is_folded_says_in_a_line_what_it_comes_to(client, study, figures):
    """Win-rates 8/12, 5/12 and 2/12 without ties, of which there are 3 of 18."""
    text = page(client, study)

    assert "<details open" not in text
    found = folded(text)
    for line in (
        "16.7 % of the comparisons are ties; the order of the runs is the same under all tie treatments",
        "Bradley-Terry, ties as half a win for each: no run is significantly different from all others",
        "Preference (exploratory): 0 of 3 pairs differ significantly",
        "How often answers were said not to know, or to be incoherent, by run",
    ):
        assert line in found, found
    (alpha,) = (line for line in found if line.startswith("Krippendorff's alpha: "))
    assert re.fullmatch(
        r"Krippendorff's alpha: (?:[a-z ]+ (?:[-\u2212]?\d\.\d\d|undefined)(?:, |$))+", alpha
    )


def test_figures_are_for_people_like_those_who_judged_and_for_these(client, study, figures, rated):
    said = words(page(client, study))

    assert "these people: no interval: all questions have the same mean" in said
    assert re.search(r"66\.7 % [\d.]+ % to 100\.0 % these people: no interval", said)
    assert "Of the variance of these figures people make" in said
    assert "Few people rated, at least 3 each run: intervals of mean ratings" in said
    assert "these people: unadjusted" in said


def test_two_people_speak_for_themselves(client, study, gold, annotators):
    for scheme, respond in (
        ("rating", compared_runs.ratings),
        ("preference", compared_runs.preference_for_alder),
    ):
        compared_runs.judge_batch(compared_runs.open_batch(gold, scheme), annotators[:2], respond)
    compute_figures(client, study)

    said = words(page(client, study))

    too_few = "fewer than three judged, so nothing is known of other people."
    assert f"These intervals are for these people: {too_few}" in said
    assert f"For these people: {too_few}" in said
    assert "Few people rated" not in said


def test_figures_of_an_older_version_are_shown_until_they_are_computed_again(
    client, study, figures
):
    job = study.jobs.get(kind="comparison_of_study")
    job.result = {**job.result, "version": 2}
    job.save(update_fields=["result"])

    text = page(client, study)
    name = "compared_study_file"
    files = [
        client.get(reverse(name, args=[study.slug, each]))
        for each in ("systems.csv", "pairs.csv", "table7.tex", "faithful-1.svg", "README.md")
    ]

    assert "66.7 %" in words(text)
    assert [each.status_code for each in files] == [200] * 5


def test_what_came_to_nothing_is_not_folded_away(client, study, gold, annotators):
    batch = compared_runs.judge_batch(
        compared_runs.open_batch(gold, "preference"), annotators, compared_runs.preference_for_alder
    )

    compute_figures(client, study, batch)

    assert "Bradley-Terry, ties as half a win for each: strengths are undefined" in folded(
        page(client, study, batch)
    )


def test_unanswerable_questions_with_a_relevant_passage_lead_to_their_items(
    client, study, retrieved
):
    compute_figures(client, study)

    text = page(client, study)

    assert "1 of 1 unanswerable question has a relevant passage after all" in words(text)
    item = retrieved.items.get(turn__conversation__key="3")
    assert reverse("item", args=[study.slug, item.public_id]) in text
    assert "what is 3 3_1" in words(text)


def test_they_lead_to_items_of_their_own_setup(client, study, figures_of_setups, rated, retrieved):
    """The rating with gold passages asks about the same question, with other passages."""
    text = page(client, study)

    of_gold, of_retrieved = (
        reverse("item", args=[study.slug, batch.items.get(turn__conversation__key="3").public_id])
        for batch in (rated, retrieved)
    )
    assert of_retrieved in text
    assert of_gold not in text


def test_what_came_in_since_is_said(client, study, gold, rated, annotators):
    compute_figures(client, study)
    assert "Up to date." in page(client, study)

    batch = compared_runs.open_batch(gold, "rating", name="more")
    assert "Since then batches were opened or closed." in page(client, study)
    compute_figures(client, study)
    compared_runs.judge_batch(batch, annotators[:1], compared_runs.ratings)

    assert "Since then 3 judgements came in. This is not in the figures." in words(
        page(client, study)
    )


def test_a_batch_that_was_closed_since_is_said(client, study, gold, rated, annotators):
    batch = compared_runs.open_batch(gold, "rating", name="more")
    compared_runs.judge_batch(batch, annotators[:1], compared_runs.ratings)
    compute_figures(client, study)
    assert "Up to date." in page(client, study)

    close_batch(batch)

    assert "Since then batches were opened or closed." in page(client, study)


def test_judgements_that_count_no_more_are_said(client, study, figures_of_ratings, rated):
    reject(rated.items.first().assignments.first().judgements.get())

    since = "Since then only 8 of 9 judgements count now, and 1 review was recorded."
    assert since in page(client, study)


def test_a_job_that_failed_is_said(client, study, rated, alice):
    Job.objects.create(
        study=study,
        kind="comparison_of_study",
        key=study.slug,
        state=JobState.FAILED,
        finished_at=timezone.now(),
        created_by=alice,
    )

    assert "The last computation failed" in page(client, study)


def test_the_job_s_page_leads_back(client, study, rated):
    for batch in (None, rated):
        job = compute_figures(client, study, batch)
        text = client.get(reverse("job", args=[study.slug, job.pk])).text
        assert address(study, batch=batch) in text


@pytest.mark.parametrize(
    ("name", "n"),
    [("batches.csv", 2), ("answers.csv", 9), ("judgements.csv", 141), ("pairs.csv", 12)],
)
def test_the_tables_are_taken_away_as_csv(client, study, figures, name, n):
    rows = table(client, study, name)

    assert len(rows) == n
    assert all(None not in row and None not in row.values() for row in rows)


def test_every_file_that_the_page_offers_is_there(client, study, figures_of_setups):
    found = re.findall(rf'href="({address(study)}[^"/]+)"', page(client, study))

    assert {each.rpartition("/")[2] for each in found} >= {
        *("systems.csv", "pairs.csv", "automatic.csv", "table7.tex", "qrels-2.txt", "qrels-2.tsv"),
        *("faithful-1.svg", "both-2.svg"),
    }
    for each in found:
        assert client.get(each).status_code == 200, each


@pytest.mark.parametrize("name", ["people.csv", "table8.tex", "qrels-1.txt", "faithful-9.svg"])
def test_no_other_file_is_there(client, study, figures_of_ratings, name):
    assert client.get(address(study, "file", name)).status_code == 404


def test_the_labels_of_passages_are_taken_away_as_qrels(client, study, retrieved):
    """On 1 and 3 all find w1 relevant, two of three w2 not; on 2 only w2 is cited, so nobody is asked."""
    compute_figures(client, study, retrieved)

    trec = client.get(address(study, "file", "qrels-1.txt", batch=retrieved)).text
    beir = client.get(address(study, "file", "qrels-1.tsv", batch=retrieved)).text

    assert trec == "1_1 0 w1 1\n1_1 0 w2 0\n3_1 0 w1 1\n3_1 0 w2 0\n"
    assert beir.splitlines()[:2] == ["query-id\tcorpus-id\tscore", "1_1\tw1\t1"]


def test_what_people_say_of_an_excluded_item_is_in_no_table(client, study, rated, carol):
    item = rated.items.get(turn__conversation__key="2")
    reviews.exclude(item=item, reason="Confusing", by=carol)

    compute_figures(client, study)

    assert {row["turn_id"] for row in table(client, study, "judgements.csv")} == {"1_1", "3_1"}
    (row,) = table(client, study, "batches.csv")
    assert (row["n_items"], row["n_excluded"]) == ("3", "1")
    said = words(page(client, study))
    assert "1 excluded item is left out" in said
    assert "1 question has no judgement" in said


def test_names_that_are_hostile_stay_names(client, study, tmp_path, annotators):
    names = ("<b>=1+1", "=1+1", "{{ 7*7 }}")
    pool = compared_runs.draw_comparison_pool(
        compared_runs.create_compared_dataset(study, tmp_path, names)
    )
    batch = compared_runs.judge_batch(
        compared_runs.open_batch(pool, "rating"), annotators, compared_runs.flat_ratings
    )
    compute_figures(client, study)

    text = page(client, study)

    assert "&lt;b&gt;=1+1" in text
    assert "<b>=1+1" not in text
    assert {row["run"] for row in table(client, study, "systems.csv")} == {
        "<b>=1+1",
        "'=1+1",
        "{{ 7*7 }}",
    }
    drawn = client.get(address(study, "file", "faithful-1.svg", batch=None)).text
    assert "&lt;b&gt;=1+1" in drawn
    assert (
        "\\textless{}b\\textgreater{}=1+1" in client.get(address(study, "file", "table7.tex")).text
    )
    assert batch.name in text


def test_annotators_are_not_let_in(study, rated, bob, carol, client):
    compute_figures(client, study)

    for who in (bob, carol):
        for batch in (None, rated):
            assert client_of(who).get(address(study, batch=batch)).status_code == 403
            reply = client_of(who).get(address(study, "file", "systems.csv", batch=batch))
            assert reply.status_code == 403


def test_another_study_s_batch_is_not_there(client, rated, alice):
    other = StudyFactory(created_by=alice)

    assert client.get(address(other, batch=rated)).status_code == 404


def test_the_page_takes_as_many_queries_however_much_was_judged(
    client, study, rated, preferred, retrieved, django_assert_max_num_queries
):
    compute_figures(client, study)

    with django_assert_max_num_queries(20):
        page(client, study)


def test_what_is_hostile_runs_nowhere_and_turns_nothing(study, tmp_path, annotators, alice):
    dataset = compared_runs.create_compared_dataset(study, tmp_path)
    for n, run in enumerate(dataset.runs.filter(kind="system")):
        dataset.runs.filter(pk=run.pk).update(name=strings.name(f"mark{n}").replace("|", ""))
    pool = compared_runs.draw_comparison_pool(dataset)
    compared_runs.judge_batch(
        compared_runs.open_batch(pool, "rating"), annotators, compared_runs.flat_ratings
    )
    compared_runs.judge_batch(
        compared_runs.open_batch(pool, "preference"), annotators, compared_runs.tie
    )
    person = Crawler(alice)
    compute_figures(person.client, study)

    reply = person.get(address(study))

    assert all(f"mark{n}" in reply.html for n in range(3))
    assert harms(reply) == []
    assert turned(reply) == []
