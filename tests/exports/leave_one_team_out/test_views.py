"""The page of each team left out: computed by a job, by tier and draw, and as files."""

import csv
import io
import re
from dataclasses import replace

import pytest
from django.test import Client
from django.urls import reverse

from corpus.actions import run_descriptions
from corpus.models import Answer, RunKind, Turn
from exports.leave_one_team_out import queries
from exports.leave_one_team_out.stored_figures import LeftOutFigures
from jobs.actions import execution
from jobs.handlers import JobFailedError
from jobs.models import Job
from tests.annotation.pools import launched
from tests.corpus.read_back import read_foreign_release
from tests.corpus.release_folders import accepted
from tests.exports.missed_answers.test_views import judged_by
from tests.factories import AnswerFactory, RunFactory
from tests.parts import part
from tests.sampling.scored_dataset import RULE, create_scored_dataset, draw_pool


@pytest.fixture
def client(alice):
    client = Client()
    client.force_login(alice, backend="accounts.backends.RealPeopleBackend")
    return client


def address(name, dataset, *parts):
    return reverse(name, args=[dataset.study.slug, dataset.pk, *parts])


def page(client, dataset, **query):
    reply = client.get(address("left_out_teams", dataset), query)
    assert reply.status_code == 200
    return reply.text


def words(text):
    return " ".join(re.sub(r"<[^>]*>", " ", text).split())


def compute(client, dataset, **form):
    client.post(address("left_out_teams_start", dataset), form)
    return execution.run(Job.objects.filter(kind="leave_one_team_out").latest("pk"))


@part
def dataset(pool, bob, dora):
    """Plausible, and so silver: A tablet to test gold. (alder, cedar), Black. (alder) and not Green. (birch)."""
    judged_by(launched(pool), (bob, dora), {"Green.": "implausible"})
    pool.dataset.runs.exclude(name="fir").update(team="Trees")
    pool.dataset.runs.filter(name="cedar").update(team="Other")
    return pool.dataset


def test_a_run_that_came_later_is_marked_and_is_in_no_mean_bias(client, dataset):
    compute(client, dataset, tier="silver")
    before = page(client, dataset, tier="silver")
    (ranking,) = rows_of(client, dataset, "rankings", tier="silver")[:1]
    late = RunFactory(dataset=dataset, name="zelkova")
    for turn in Turn.objects.of(dataset):
        AnswerFactory(run=late, turn=turn, text="A late answer.")

    compute(client, dataset, tier="silver")

    after = page(client, dataset, tier="silver")
    assert "came later" not in words(before)
    assert "zelkova came later" in words(after)
    assert "1 run came later" in words(after)
    assert (
        rows_of(client, dataset, "rankings", tier="silver")[0]["mean_bias"] == ranking["mean_bias"]
    )
    is_late = {row["run"]: row["is_late"] for row in rows_of(client, dataset, tier="silver")}
    assert is_late["zelkova"] == "true"
    assert is_late["alder"] == "false"


def rows_of(client, dataset, table="runs", **query):
    reply = client.get(address("left_out_teams_table", dataset, table), query)
    return list(csv.DictReader(io.StringIO(b"".join(reply).decode())))


def test_before_anything_is_judged_it_leads_to_the_batches(client, pool):
    said = page(client, pool.dataset)

    assert "There are no results yet" in said
    assert reverse("batches", args=[pool.study.slug]) in said


def test_each_run_is_scored_without_what_only_its_team_gave(client, dataset):
    compute(client, dataset, tier="silver")

    em = {
        row["run"]: row for row in rows_of(client, dataset, tier="silver") if row["measure"] == "em"
    }

    # Two questions have a reference. "Black." is lost without Trees, the tablet stays by cedar's.
    assert (em["alder"]["full"], em["alder"]["left_out"]) == ("1.0", "0.5")
    assert (em["alder"]["n_accepted"], em["alder"]["n_lost"]) == ("2", "1")
    assert (em["cedar"]["bias"], em["cedar"]["unique_share"]) == ("0.0", "0.0")
    assert em["fir"]["unique_share_note"] == "none of the run's answers is accepted"


def test_gold_and_silver_answers_and_both_draws_have_figures_of_their_own(client, dataset):
    compute(client, dataset, tier="silver")

    assert LeftOutFigures(dataset.study, dataset, "silver").result["n_accepted"] == 2
    assert not LeftOutFigures(dataset.study, dataset).result
    assert not LeftOutFigures(dataset.study, dataset, "silver", is_redrawn=True).result
    assert "Picture as SVG" in page(client, dataset, tier="silver")
    assert "Picture as SVG" not in page(client, dataset)


def test_drawn_anew_a_text_that_another_team_gave_otherwise_stands_for_it(client, dataset):
    """Without the team Other the words of cedar's tablet are alder's; without Trees cedar's alone."""
    compute(client, dataset, tier="silver", redraw="yes")

    em = {
        row["run"]: row
        for row in rows_of(client, dataset, tier="silver", redraw="yes")
        if row["measure"] == "em"
    }

    assert (em["alder"]["n_lost"], em["cedar"]["n_lost"]) == ("1", "0")


def test_drawn_anew_a_question_may_have_too_few_answers(dataset):
    """Where two are needed, "Black." (alder) goes without the team of "Green." too.

    Without Trees "Blacks" (fir) is drawn in its place, of which nobody was asked.
    """
    dataset.runs.filter(name="birch").update(team="Birches")
    dataset.pools.update(rule=replace(RULE, min_candidates=2).to_dict())
    batches = LeftOutFigures(dataset.study, dataset).runs.batches

    again = queries.redrawn(dataset, batches, lambda: None)

    assert again.drawn == {("1_2", "Black."), ("1_2", "Green.")}
    assert again.without["Birches"] == set()
    assert again.without["Trees"] == {("1_2", "Blacks"), ("1_2", "Green.")}
    assert again.without["Other"] == again.drawn


def test_runs_without_a_team_are_said_to_be_left_out_by_themselves(client, dataset):
    compute(client, dataset, tier="silver")

    said = words(page(client, dataset, tier="silver"))

    assert "1 run has no team: each is left out by itself" in said
    assert "fir the run alone" in said


def test_a_changed_team_puts_the_figures_out_of_date(client, alice, dataset):
    compute(client, dataset, tier="silver")
    wanted = {dataset.runs.get(name="fir").pk: {"team": "Trees"}}
    run_descriptions.describe(dataset=dataset, wanted=wanted, by=alice)

    assert "Out of date" in page(client, dataset, tier="silver")


def test_the_ranking_is_compared_in_a_table_of_its_own(client, dataset):
    compute(client, dataset, tier="silver")

    em, f1 = rows_of(client, dataset, "rankings", tier="silver")

    assert (em["measure"], f1["measure"]) == ("em", "f1")
    assert (em["n_questions"], em["largest_bias"], em["fallen"]) == ("2", "0.5", "alder")


def test_the_latex_table_has_the_runs_and_the_picture_is_an_svg_file(client, dataset):
    compute(client, dataset, tier="silver")

    tex = client.get(address("left_out_teams_tex", dataset), {"tier": "silver"}).text
    picture = client.get(address("left_out_teams_picture", dataset), {"tier": "silver"})

    assert "alder & Trees & 1.000 & 0.500" in tex
    assert "Accepted are gold and silver answers." in tex
    assert picture.headers["Content-Type"] == "image/svg+xml"
    assert "alder: 0.500" in picture.text


def test_there_are_no_files_before_the_figures(client, dataset):
    for name, *more in (
        ("left_out_teams_tex",),
        ("left_out_teams_picture",),
        ("left_out_teams_table", "runs"),
    ):
        assert client.get(address(name, dataset, *more)).status_code == 404
    compute(client, dataset)
    assert client.get(address("left_out_teams_table", dataset, "other")).status_code == 404


def test_a_data_set_without_references_says_so(client, dataset):
    dataset.runs.filter(kind=RunKind.REFERENCE).update(kind=RunKind.SYSTEM)

    assert "The data set has no references to score the runs by." in page(client, dataset)


def test_a_data_set_with_blank_references_says_so(client, dataset):
    Answer.objects.references(dataset).update(text=" ")

    with pytest.raises(JobFailedError, match="no turn of touch@1 has a reference"):
        compute(client, dataset)


def test_what_an_earlier_release_accepted_counts_and_is_lost_without_no_team(
    client, study, tmp_path, bob, dora
):
    """Slate. is cedar's alone, and its score is at the threshold: only the release that was read accepted it."""
    earlier = {2: [accepted("Slate.", "silver")]}
    dataset = read_foreign_release(create_scored_dataset(study, tmp_path), tmp_path, earlier)
    judged_by(launched(draw_pool(dataset)), (bob, dora), {"Green.": "implausible"})
    compute(client, dataset, tier="silver")

    cedar = next(
        row
        for row in rows_of(client, dataset, tier="silver")
        if (row["measure"], row["run"]) == ("em", "cedar")
    )
    # The tablet is also alder's.
    assert (cedar["full"], cedar["left_out"], cedar["bias"]) == ("1.0", "1.0", "0.0")
    assert "3 accepted answers" in words(page(client, dataset, tier="silver"))


def test_a_silver_answer_of_an_earlier_release_is_none_of_the_gold_ones(
    client, study, tmp_path, bob, dora
):
    earlier = {2: [accepted("Slate.", "silver"), accepted("Blacks", "gold")]}
    dataset = read_foreign_release(create_scored_dataset(study, tmp_path), tmp_path, earlier)
    judged_by(launched(draw_pool(dataset)), (bob, dora), {})
    compute(client, dataset, tier="gold")

    found = {row["run"]: row["full"] for row in rows_of(client, dataset) if row["measure"] == "em"}
    assert (found["cedar"], found["fir"]) == ("0.0", "0.5")
