"""Releases on pages: made by a job, looked at, taken away byte by byte."""

import io
import os
import re
import zipfile
from datetime import timedelta
from pathlib import Path
from unittest.mock import patch

import pytest
from django.test import Client, override_settings
from django.urls import reverse

from annotation.actions import analysis_plans, batches, reviews
from annotation.models import BatchState
from exports.models import Release
from exports.releases import reader
from exports.releases.reader import FolderFiles
from exports.withdrawals import actions as withdrawals
from exports.writers import stored_folders
from jobs.actions import execution, jobs
from jobs.handlers import JobFailedError
from jobs.models import Job
from tests.annotation.desk import judge
from tests.annotation.pools import launched
from tests.exports.judged_batches import find_evidence, judge_and_settle, settle_batch
from tests.exports.releases.stored_release import folder_of
from tests.factories import BatchFactory
from tests.jobs.clients import client_of
from tests.parts import part
from tests.sampling.scored_dataset import begin_evidence, evidence_rule

RELEASED = {"gold.json", "silver.json", "report.json", "manifest.json", "evaluate.py", "items.csv"}


@pytest.fixture(autouse=True)
def _releases_lie_apart(releases_of_parts, monkeypatch):
    monkeypatch.setattr("jobs.tasks.work_on.delay", lambda job: None)


@pytest.fixture
def client(alice) -> Client:
    return client_of(alice)


def address(page: str, study, **parts) -> str:
    return reverse(page, kwargs={"study": study.slug, **parts})


def make_release(study, client, dataset) -> Release:
    """A release made as a person makes it: the form, then the worker."""
    response = client.post(address("release_new", study), {"dataset": dataset.pk})
    assert response.status_code == 302, response.text
    execution.run(Job.objects.filter(kind="release").latest("pk"))
    return Release.objects.latest("number")


@part
def release(study, alice, plausibility, releases_folder) -> Release:
    with (
        override_settings(RELEASES=releases_folder),
        patch("jobs.tasks.work_on.delay"),
    ):
        return make_release(study, client_of(alice), plausibility.pool.dataset)


def test_the_page_shows_the_plan_of_a_batch_with_its_file(study, client, plausibility, alice):
    analysis_plans.freeze(batch=plausibility, text="By majority. <i>No</i> more.", by=alice)

    made = make_release(study, client, plausibility.pool.dataset)

    page = client.get(address("release", study, number=made.number)).text
    (plan,) = made.manifest["batches"][0]["analysis_plans"]
    assert f"frozen {plan['frozen_at']}" in page
    assert f"after {plan['n_judgements']} judgements" in re.sub(r"\s+", " ", page)
    reply = client.get(address("release_file", study, number=made.number, name=plan["file"]))
    assert b"".join(reply.streaming_content).decode() == "By majority. <i>No</i> more."


def test_the_form_starts_a_job_that_makes_the_release(study, client, release, alice):
    job = Job.objects.get(kind="release")

    assert (release.number, release.created_by, release.is_rehearsal) == (1, alice, False)
    assert job.result["release"] == 1
    assert {path.name for path in folder_of(release).iterdir()} >= RELEASED


def test_what_would_be_refused_is_said_at_the_form(study, client, plausibility, alice):
    batches.reopen(batch=plausibility, by=alice)

    response = client.post(address("release_new", study), {"dataset": plausibility.pool.dataset_id})

    assert response.status_code == 400
    assert "There is no release: there is work on batches that are not closed" in response.text
    assert not Job.objects.filter(kind="release").exists()


def test_disputes_are_named_unless_they_are_to_be_set_aside(study, client, pool, alice, bob, dora):
    batch = batches.create_and_launch(
        study=study, name="b", scheme="plausibility", pool=pool, by=alice
    )
    for person, label in ((bob, "plausible"), (dora, "malformed")):
        for _ in range(batch.items.count()):
            judge(batch, person, label)
    batches.close(batch=batch, by=alice)
    settle_batch(batch)
    sent = {"dataset": pool.dataset_id}

    refused = client.post(address("release_new", study), sent)
    taken = client.post(address("release_new", study), sent | {"set_aside_disputes": "on"})

    assert "3 items are in dispute" in refused.text
    assert taken.status_code == 302
    assert execution.run(Job.objects.get(kind="release")).result["n_disputes_set_aside"] == 3
    page = client.get(address("release", study, number=1)).text
    items = f"{reverse('batch_items', args=[study.slug, batch.pk])}?verdict=disagreement"
    assert f'href="{items}"' in page
    assert client.get(items).context["listing"].page.paginator.count == 3


def test_what_changed_between_the_form_and_the_worker_ends_the_job_in_words(
    study, client, plausibility, alice
):
    client.post(address("release_new", study), {"dataset": plausibility.pool.dataset_id})
    batches.reopen(batch=plausibility, by=alice)

    with pytest.raises(JobFailedError, match="there is no release: there is work on batches"):
        execution.run(Job.objects.get(kind="release"))

    assert not Release.objects.exists()


def test_an_earlier_release_says_that_there_is_a_newer_one(study, client, release, plausibility):
    link = f'<a href="{address("release", study, number=2)}">release 2</a>'
    alone = client.get(address("release", study, number=1)).text

    make_release(study, client, plausibility.pool.dataset)

    assert "newer" not in alone
    assert f"There is a newer one: {link}" in client.get(address("release", study, number=1)).text
    assert "There is a newer one" not in client.get(address("release", study, number=2)).text
    assert client.get(address("releases", study)).text.count("newer: release 2") == 1


def test_a_withdrawn_release_is_not_called_a_newer_one(study, client, release, plausibility, alice):
    make_release(study, client, plausibility.pool.dataset)
    withdrawals.withdraw_release(release=study.releases.get(number=2), reason="hasty", by=alice)

    assert "newer" not in client.get(address("release", study, number=1)).text


def test_without_a_data_set_one_is_sent_to_import_one(study, client):
    assert client.get(address("release_new", study)).url == address("datasets", study)


def test_the_page_shows_the_tables(study, client, release):
    page = client.get(address("release", study, number=1)).text

    for piece in ("Outcome of the answers", "Krippendorff", "Accepted answers", "cedar"):
        assert piece in page
    assert "rehearsal" not in page.lower().split("<main")[1]


def test_rates_of_earlier_releases_on_few_questions_are_cautioned_of(
    study, client, release, monkeypatch
):
    """As if the first run's rate rested on twenty questions, with a bootstrap interval."""
    found = reader.read(FolderFiles(folder_of(release)))
    rate = found.report["runs"]["measures"]["plausible"]["rates"][0]
    words = "1 rate rests on fewer than 30 questions: do not trust such an interval."
    assert words not in client.get(address("release", study, number=1)).text
    rate |= {"n_questions": 20, "n_accepted": 15, "value": 0.75}
    rate["interval"] |= {"low": 0.55, "high": 0.9, "n_replicates": 1000}
    del rate["shares"]
    monkeypatch.setattr(reader, "read", lambda files: found)

    assert words in client.get(address("release", study, number=1)).text


def test_gold_and_silver_can_be_looked_at(study, client, release):
    gold = client.get(address("release", study, number=1))
    silver = client.get(address("release", study, number=1), {"tier": "silver"})

    assert "No answer was accepted as gold." in gold.text
    assert silver.context["page"].paginator.count == 3


def test_a_file_is_given_as_it_was_written(study, client, release):
    for path in folder_of(release).iterdir():
        given = client.get(address("release_file", study, number=1, name=path.name))

        assert b"".join(given.streaming_content) == path.read_bytes()
        assert "attachment" in given.headers["Content-Disposition"]


def test_all_files_are_given_in_one(study, client, release):
    given = client.get(address("release_zip", study, number=1))

    archive = zipfile.ZipFile(io.BytesIO(b"".join(given.streaming_content)))

    folder = folder_of(release)
    assert {Path(name).name for name in archive.namelist()} == {p.name for p in folder.iterdir()}
    for name in archive.namelist():
        assert archive.read(name) == (folder / Path(name).name).read_bytes()


def test_the_archive_is_made_while_it_is_sent(study, client, release):
    given = client.get(address("release_zip", study, number=1))
    parts = iter(given.streaming_content)
    next(parts)

    (folder_of(release) / "silver.json").unlink()

    with pytest.raises(FileNotFoundError):
        list(parts)


@pytest.mark.parametrize("name", ["../../secret_key", "..%2f..%2fsecret_key", "nothing.csv", "."])
def test_no_other_file_is_given(study, client, release, name):
    where = address("release", study, number=1) + f"files/{name}"

    assert client.get(where).status_code == 404


def test_files_that_were_moved_away_are_said_and_not_shown(study, client, release):
    (folder_of(release) / "gold.json").unlink()

    page = client.get(address("release", study, number=1))

    assert page.status_code == 200
    assert "Its files cannot be shown" in page.text
    assert client.get(address("release_zip", study, number=1)).status_code == 404
    assert client.get(address("release_file", study, number=1, name="gold.json")).status_code == 404


def test_a_file_that_was_changed_is_not_shown_as_the_release(study, client, release):
    (folder_of(release) / "report.json").write_text("{}", encoding="utf-8")

    assert "not what was released" in client.get(address("release", study, number=1)).text


def test_a_file_changed_in_the_same_size_and_time_is_not_shown_either(
    study, client, release, monkeypatch
):
    """Its sha256 is remembered by these: what is read of it is checked once more."""
    monkeypatch.setattr(stored_folders, "SETTLED_FOR", timedelta(0))
    gold = folder_of(release) / "gold.json"
    page = reverse("release", args=[study.slug, release.number])
    assert client.get(page).status_code == 200
    before = gold.stat()
    gold.chmod(0o600)
    gold.write_bytes(gold.read_bytes().replace(b"1", b"2", 1))
    os.utime(gold, ns=(before.st_atime_ns, before.st_mtime_ns))

    assert "is not what was released" in client.get(page).text


def test_an_empty_list_says_what_a_release_is(study, client):
    assert "There is none yet" in client.get(address("releases", study)).text


def test_the_list_asks_as_much_of_the_database_for_one_as_for_ten(
    study, client, release, django_assert_num_queries
):
    with django_assert_num_queries(8):
        client.get(address("releases", study))
    for number in range(2, 11):
        Release.objects.create(
            study=study,
            dataset=release.dataset,
            number=number,
            is_rehearsal=False,
            manifest={"accepted": {"gold": 0, "silver": 0}},
            folder="",
            created_by=release.created_by,
        )
    with django_assert_num_queries(8):
        client.get(address("releases", study))


# Agreement of a batch


def test_agreement_is_computed_by_a_job_and_shown_with_its_basis(study, client, plausibility):
    where = address("batch_agreement", study, batch=plausibility.pk)
    assert "Compute the agreement" in client.get(where).text

    client.post(address("batch_agreement_start", study, batch=plausibility.pk))
    assert "The figures are being computed" in client.get(where).text
    execution.run(Job.objects.get(kind="agreement"))

    page = client.get(where).text
    assert "from 6 judgements. Up to date." in page
    assert "undefined: " in page  # all said the same: alpha has no value


def test_for_htmx_it_is_a_part_of_the_page(study, client, plausibility):
    where = address("batch_agreement", study, batch=plausibility.pk)

    part = client.get(where, headers={"HX-Request": "true"}).text

    assert "<html" not in part
    assert "<h2>Agreement</h2>" in part


def test_a_batch_without_judgements_says_so(study, client):
    batch = BatchFactory(pool__dataset__study=study)

    page = client.get(address("batch_agreement", study, batch=batch.pk)).text

    assert "no counted judgements yet" in page


def test_a_draft_has_no_agreement_to_compute(study, client):
    draft = BatchFactory(pool__dataset__study=study, state=BatchState.DRAFT)

    reply = client.post(address("batch_agreement_start", study, batch=draft.pk), follow=True)

    assert "There are no counted judgements yet." in reply.text
    assert not Job.objects.exists()


def test_starting_twice_is_one_job(study, client, plausibility):
    for _ in range(2):
        client.post(address("batch_agreement_start", study, batch=plausibility.pk))

    assert Job.objects.filter(kind="agreement").count() == 1


def test_the_job_can_be_cancelled_like_any_other(study, client, plausibility, alice):
    client.post(address("batch_agreement_start", study, batch=plausibility.pk))
    job = Job.objects.get(kind="agreement")

    jobs.cancel(job=job, by=alice)

    where = address("batch_agreement", study, batch=plausibility.pk)
    assert "Compute the agreement" in client.get(where).text


# What was never asked about, and rows that add up


def rows_of(page: str, table: str) -> list[dict[str, str]]:
    """The rows of a table of the page by its headings."""
    found = page.split(f'aria-label="{table}"')[1].split("</table>")[0]
    head, *rows = found.split("<tr>")[1:]
    names = re.findall(r"<th[^>]*>([^<]*)</th>", head)
    return [
        dict(zip(names, re.findall(r"<td[^>]*>([^<]*)</td>", row), strict=True)) for row in rows
    ]


def total(row: dict[str, str], first: str, last: str) -> int:
    names = list(row)
    return sum(int(row[name]) for name in names[names.index(first) : names.index(last) + 1])


def test_the_rows_of_the_runs_add_up(study, client, faithfulness):
    taken = faithfulness.items.first()
    assert taken is not None
    reviews.exclude(item=taken, reason="not a question", by=faithfulness.created_by)
    page = client.get(
        address(
            "release", study, number=make_release(study, client, faithfulness.pool.dataset).number
        )
    ).text

    drawn, plausible = (rows_of(page, f"Runs: {each}") for each in ("plausibility", "faithfulness"))

    assert sum(int(row["Not settled"]) for row in plausible) > 0
    assert len(drawn) == len(plausible) == 6
    for row in drawn:
        assert int(row["Drawn"]) == total(row, "Plausible", "Not settled")
    for row in plausible:
        assert int(row["Plausible"]) == total(row, "Faithful", "Not asked")


def test_the_page_tells_what_the_faithful_answers_are_faithful_to(
    study, client, plausibility, bob, dora
):
    evidence = launched(find_evidence(plausibility), scheme="faithfulness")
    judge_and_settle(evidence, bob, dora, label="faithful")
    number = make_release(study, client, plausibility.pool.dataset).number

    rows = rows_of(
        client.get(address("release", study, number=number)).text, "Runs: whose evidence"
    )

    assert {row["Run"] for row in rows} == {"alder", "birch", "cedar"}
    for row in rows:
        assert int(row["Faithful"]) == total(row, "Quoted by the run", "No evidence")
        assert row["Faithful"] == row["From the pool only"]  # no run of these cites anything


def test_where_nothing_is_faithful_nothing_is_told_of_it(study, client, faithfulness):
    number = make_release(study, client, faithfulness.pool.dataset).number

    assert "to what?" not in client.get(address("release", study, number=number)).text


def test_answers_that_were_never_asked_about_are_said_with_what_to_do(
    study, client, plausibility, bob, dora
):
    rule = evidence_rule(batch=plausibility.name, sample=2)
    execution.run(begin_evidence(plausibility.pool, rule, name="evidence"))
    pool = study.pools.get(name="evidence")
    judge_and_settle(launched(pool, scheme="faithfulness"), bob, dora, label="unfaithful")

    make_release(study, client, pool.dataset)
    page = client.get(address("release", study, number=1)).text

    assert "1 plausible answer of <bdi>plausibility</bdi> was never asked about" in page
    assert address("evidence_new", study, batch=plausibility.pk) in page


def test_what_was_never_asked_is_counted_when_the_release_is_made_and_not_by_its_page(
    study, client, faithfulness, monkeypatch
):
    release = make_release(study, client, faithfulness.pool.dataset)
    page = address("release", study, number=release.number)
    counted_in_files = reader.n_not_asked(
        reader.read(stored_folders.folder_of(release)).silver.records()
    )
    monkeypatch.setattr(reader, "n_not_asked", None)

    assert release.n_not_asked == counted_in_files
    assert client.get(page).status_code == 200


def test_where_nobody_meant_to_ask_or_all_were_asked_nothing_is_said(
    study, client, release, faithfulness
):
    make_release(study, client, faithfulness.pool.dataset)

    for number in (1, 2):
        assert "never asked about" not in client.get(address("release", study, number=number)).text
