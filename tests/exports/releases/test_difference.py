"""Two releases compared: what is added, gone, moved, by which acts; and the version that this allows."""

import csv
from io import StringIO

import pytest
from django.core.management import call_command
from django.test import override_settings
from django.urls import reverse

from annotation.actions import retractions, reviews, withdrawn_batches
from corpus.actions import run_descriptions, withdrawn_runs
from exports.models import Release
from exports.releases import difference_queries
from exports.releases.difference_figures import figure_rows
from exports.releases.version_numbers import Label
from exports.results.wording import MEASURES
from exports.withdrawals import actions as withdrawals
from exports.writers.errors import ReleaseError
from sampling.models import Candidate
from tests.annotation.pools import launched
from tests.commands.command_calls import command_error, run_command
from tests.exports.judged_batches import find_evidence, judge_and_settle, manifest_of, release
from tests.exports.releases.stored_release import folder_of
from tests.jobs.clients import client_of
from tests.parts import part

pytestmark = pytest.mark.usefixtures("releases_of_parts")


def compared(before=1, after=2) -> dict:
    return difference_queries.summary(
        *(Release.objects.get(number=number) for number in (before, after))
    )


@part
def adjudicated(plausibility, carol, first_release, folder, releases_folder):
    """An item whose answer the first release accepts, and the second does not: it was adjudicated between."""
    item = plausibility.items.order_by("position").first()
    reviews.adjudicate(item=item, label="implausible", reason="It was built later.", by=carol)
    with override_settings(RELEASES=releases_folder):
        release(plausibility, folder / "2")
    return item


def test_an_answer_that_is_no_longer_accepted_is_gone_with_the_act_that_did_it(adjudicated):
    found = compared()

    (gone,) = found["gone"]
    (change,) = found["verdicts"]
    (act,) = change["acts"]
    assert (gone["before"], gone["after"]) == ("silver", "")
    assert gone["answer"] == adjudicated.payload["answers"][0]["text"]
    assert gone["answer_id"] == change["answer_id"]
    assert (change["before"]["label"], change["after"]["label"]) == ("plausible", "implausible")
    assert (act["by"], act["what"], act["why"]) == (
        "carol",
        "adjudicated it as implausible",
        "It was built later.",
    )
    assert found["accepted"]["silver"] == [3, 2]
    assert found["added"] == found["moved"] == []


def test_the_rates_of_runs_stand_side_by_side(adjudicated):
    rates = [each for each in compared()["figures"] if each["name"] == "plausible"]

    assert rates
    with_value = [each for each in rates if each["before"]["value"] is not None]
    assert {each["before"]["value"] for each in with_value} == {1.0}
    assert any(each["after"]["value"] < 1 for each in with_value)
    assert all(each["before"]["reason"] for each in rates if each not in with_value)


def test_figures_have_the_intervals_of_their_reports_and_runs_their_new_names():
    def report(run: str, value: float) -> dict:
        rate = {"run": run, "value": value, "interval": {"low": 0.1, "high": 0.9}, "reason": None}
        alpha = {"value": None, "interval": {"low": None, "high": None}, "reason": "one label"}
        return {
            "runs": {"measures": {name: {"rates": [rate]} for name in MEASURES}},
            "batches": [{"batch": "rated", "agreement": {"q": {"raw": rate, "alpha": alpha}}}],
        }

    rows = figure_rows(report("alder", 0.5), report("elder", 0.6), {"alder": "elder"})

    found = {(row.of, row.name): (row.before, row.after) for row in rows}
    before, after = found["elder", "plausible"]
    assert (before["value"], after["value"]) == (0.5, 0.6)
    assert after["interval"] == {"low": 0.1, "high": 0.9}
    assert found["rated: q", "alpha"][0]["reason"] == "one label"
    assert len(found) == len(MEASURES) + 2


def test_answers_that_are_found_faithful_are_in_the_other_tier(
    plausibility, first_release, bob, dora, tmp_path
):
    judge_and_settle(
        launched(find_evidence(plausibility), scheme="faithfulness"), bob, dora, label="faithful"
    )
    release(plausibility, tmp_path / "2")

    found = compared()

    assert found["moved"]
    assert {(each["before"], each["after"]) for each in found["moved"]} == {("silver", "gold")}
    acts = [act["what"] for each in found["verdicts"] for act in each["acts"]]
    assert acts
    assert all("settled the batch by the rule unanimous" in each for each in acts)


def test_a_withdrawn_batch_is_the_act_where_nothing_was_decided(
    plausibility, bob, dora, alice, tmp_path
):
    judge_and_settle(launched(plausibility.pool, name="again"), bob, dora, label="malformed")
    release(plausibility, tmp_path / "1")
    again = plausibility.study.batches.get(name="again")
    withdrawn_batches.withdraw(batch=again, reason="The wrong guideline.", by=alice)
    release(plausibility, tmp_path / "2")

    acts = {(act["what"], act["why"]) for each in compared()["verdicts"] for act in each["acts"]}

    assert acts == {("withdrew the batch “again”", "The wrong guideline.")}


def test_runs_that_were_renamed_and_withdrawn_are_told_apart(
    plausibility, first_release, alice, tmp_path
):
    one, other, *_ = plausibility.pool.dataset.runs.exclude(kind="reference").order_by("name")
    dataset = plausibility.pool.dataset
    run_descriptions.describe(dataset=dataset, wanted={one.pk: {"name": "elder"}}, by=alice)
    withdrawn_runs.withdraw(run=other, reason="Sent twice.", by=alice)
    release(plausibility, tmp_path / "2")

    runs = compared()["runs"]

    assert runs["gone"] == [other.name]
    assert [pair[1] for pair in runs["renamed"]] == ["elder"]
    assert runs["added"] == []
    assert [act["why"] for act in runs["acts"]] == ["Sent twice."]


def test_two_releases_of_the_same_differ_in_nothing(plausibility, tmp_path):
    for number in ("1", "2"):
        release(plausibility, tmp_path / number)

    found = compared()

    assert found["notes"] == ["Nothing differs but words and figures."]
    assert not any(found[kind] for kind in ("gone", "added", "moved", "verdicts"))


def test_what_cannot_be_compared_is_refused_with_the_reason(adjudicated):
    before, after = Release.objects.order_by("number")
    after.is_rehearsal = True

    with pytest.raises(ReleaseError, match="name the earlier one first"):
        difference_queries.compared(after, before)
    with pytest.raises(ReleaseError, match="one is a rehearsal"):
        difference_queries.compared(before, after)


def test_the_page_says_the_same_and_the_releases_page_leads_there(adjudicated, study, alice):
    client = client_of(alice)
    where = reverse("release_diff", args=[study.slug, 2, 1])

    page = client.get(where).text

    assert where in client.get(reverse("release", args=[study.slug, 2])).text
    assert "carol adjudicated it as implausible: It was built later." in page
    assert "No longer accepted: 1 answer" in page
    assert "Figures side by side" in page


def test_the_page_of_broken_files_and_of_the_wrong_order_say_so(adjudicated, study, alice):
    client = client_of(alice)
    (folder_of(Release.objects.get(number=1)) / "items.csv").write_text("other")

    assert "cannot be shown" in client.get(reverse("release_diff", args=[study.slug, 2, 1])).text
    assert "earlier one first" in client.get(reverse("release_diff", args=[study.slug, 1, 2])).text


def test_no_change_costs_a_query(
    plausibility, first_release, carol, study, alice, tmp_path, django_assert_max_num_queries
):
    for item in plausibility.items.all():
        reviews.adjudicate(item=item, label="implausible", reason="No.", by=carol)
    release(plausibility, tmp_path / "2")
    client = client_of(alice)

    with django_assert_max_num_queries(24):
        client.get(reverse("release_diff", args=[study.slug, 2, 1]))


def test_answers_of_any_length_are_compared(plausibility, tmp_path):
    """The csv module stops at 131,072 characters unless told otherwise."""
    text = "Long. " * 40_000
    Candidate.objects.filter(pool=plausibility.pool).update(text=text)
    limit = csv.field_size_limit(131_072)
    for number in ("1", "2"):
        release(plausibility, tmp_path / number)
    csv.field_size_limit(131_072)

    try:
        assert compared()["notes"] == ["Nothing differs but words and figures."]
    finally:
        csv.field_size_limit(limit)


def test_the_command_prints_it_as_text_and_as_json(adjudicated, study):
    printed = StringIO()
    call_command("release_diff", "1", "2", "--study", study.slug, stdout=printed)
    found = run_command("release_diff", 1, 2, "--study", study.slug)

    text = printed.getvalue()
    assert "No longer accepted (1):" in text
    assert "carol adjudicated it as implausible: It was built later." in text
    assert found["before"] == 1
    assert "no release 9" in command_error("release_diff", 1, 9, "--study", study.slug)


# Versions


def versioned(batch, out, version, **options):
    return release(batch, out, label=Label(version, "Words."), **options).version


def test_a_version_and_a_note_are_in_manifest_row_and_page(plausibility, study, alice, tmp_path):
    versioned(plausibility, tmp_path / "1", "1.0.0")

    manifest = manifest_of(tmp_path / "1")
    row = Release.objects.get()
    page = client_of(alice).get(reverse("release", args=[study.slug, 1])).text
    assert (manifest["version"], manifest["note"]) == ("1.0.0", "Words.")
    assert (row.version, row.note) == ("1.0.0", "Words.")
    assert "Version 1.0.0" in page
    assert "Words." in page


def test_without_a_version_the_manifest_has_none(plausibility, tmp_path):
    release(plausibility, tmp_path / "1")

    assert not {"version", "note"} & manifest_of(tmp_path / "1").keys()


def test_a_version_smaller_than_the_difference_allows_is_refused_with_the_least(
    plausibility, carol, tmp_path
):
    versioned(plausibility, tmp_path / "1", "1.0.0")
    item = plausibility.items.first()
    reviews.adjudicate(item=item, label="implausible", reason="No.", by=carol)

    with pytest.raises(
        ReleaseError, match=r"too small: the least is 2\.0\.0; .* 1 accepted answer gone"
    ):
        versioned(plausibility, tmp_path / "2", "1.1.0")

    assert Release.objects.count() == 1
    assert not (tmp_path / "2").exists()
    assert versioned(plausibility, tmp_path / "2", "2.0.0") == "2.0.0"


def test_the_least_is_computed(plausibility, carol, alice, tmp_path):
    assert versioned(plausibility, tmp_path / "1", "least") == "1.0.0"
    assert versioned(plausibility, tmp_path / "2", "least") == "1.0.1"
    item = plausibility.items.first()
    reviews.adjudicate(item=item, label="implausible", reason="No.", by=carol)
    assert versioned(plausibility, tmp_path / "3", "least") == "2.0.0"
    for number in (2, 3):
        withdrawals.withdraw_release(
            release=Release.objects.get(number=number), reason="No.", by=alice
        )
    retractions.retract(item=item, by=carol)
    assert versioned(plausibility, tmp_path / "4", "least") == "2.0.1"


def test_a_version_that_is_none_is_refused_before_anything_is_written(plausibility, tmp_path):
    with pytest.raises(ReleaseError, match="v2 is no version"):
        versioned(plausibility, tmp_path / "1", "v2")


def test_the_command_takes_a_version(plausibility, study, tmp_path):
    dataset = plausibility.pool.dataset.name
    about = ("--study", study.slug, "--dataset", dataset, "--version", "0.1.0")

    made = run_command("release", *about, "--note", "A draft.", "--out", tmp_path / "1")

    assert made["version"] == "0.1.0"
    error = command_error("release", *about, "--out", tmp_path / "2")
    assert "the least is 0.1.1" in error


def test_the_page_of_a_new_release_takes_a_version_and_names_one_that_is_none(
    plausibility, study, alice
):
    where, client = reverse("release_new", args=[study.slug]), client_of(alice)
    dataset = plausibility.pool.dataset_id

    wrong = client.post(where, {"dataset": dataset, "version": "2"})
    client.post(where, {"dataset": dataset, "version": "1.0.0", "note": "First."})

    assert wrong.status_code == 400
    assert "2 is no version" in wrong.text
    job = study.jobs.get(kind="release")
    assert (job.params["version"], job.params["note"]) == ("1.0.0", "First.")
