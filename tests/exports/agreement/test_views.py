"""The pages of agreement: what to quote, the parts, pictures, tables; a batch and a whole study."""

import csv
import io
import json
import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation.actions import guideline_versions
from annotation.models import BatchState
from audit.models import Event
from exports.releases.batch_report import agreement_by_guideline
from jobs.actions import execution
from jobs.models import Job, JobState
from stats.bootstrap_settings import Bootstrap
from tests.annotation.pools import launched
from tests.exports.judged_batches import judge_batch
from tests.exports.rows_for_tests import agreement_result, many_people
from tests.factories import BatchFactory, ItemFactory, StudyFactory
from tests.parts import part

PARTS = ("By label", "By annotator", "Pairs of annotators", "Over time")


@pytest.fixture(autouse=True)
def _nobody_is_woken(monkeypatch):
    monkeypatch.setattr("jobs.tasks.work_on.delay", lambda job: None)


@pytest.fixture
def client(alice) -> Client:
    client = Client()
    client.force_login(alice, backend="accounts.backends.RealPeopleBackend")
    return client


@part
def batch(study):
    return BatchFactory(pool__dataset__study=study, name="p1", state=BatchState.OPEN)


@part
def computed(study, batch, alice) -> Job:
    """Of three judgements an item, by seven people; nothing came in since."""
    basis = {"counts": {"judgement": 0}, "n_decisions": batch.judgements_per_item}
    current = {"basis": basis | {"batches": []}}
    return finished(study, batch, alice, agreement_result() | current)


@pytest.fixture
def outdated(study, batch, alice) -> Job:
    """A job with figures of judgements that do not count any more."""
    return finished(study, batch, alice, agreement_result())


def finished(study, batch, alice, result, **changes) -> Job:
    return Job.objects.create(
        study=study,
        kind="agreement",
        key=batch.name,
        params={"batch": batch.pk},
        state=JobState.DONE,
        result=result,
        finished_at=timezone.now(),
        created_by=alice,
        **changes,
    )


def address(page: str, batch, **parts) -> str:
    return reverse(page, kwargs={"study": batch.study.slug, "batch": batch.pk, **parts})


def page_of(client, batch, **asked) -> str:
    return client.get(address("batch_agreement", batch), asked).text


def test_what_to_quote_comes_first(client, batch, computed):
    page = page_of(client, batch)

    sentence = page.index("Report Krippendorff&#x27;s alpha (nominal) = ")
    assert sentence < page.index("Coefficients: plausibility") < page.index("By label")
    assert "the interval may cover less than 95 %: in simulation" in page
    assert "the one to report" in page


def test_further_judgements_are_named_beside_the_figures(client, study, batch, alice, computed):
    assert "further judgement" not in page_of(client, batch)
    result = json.loads(json.dumps(computed.result))
    extra = {"n_items": 2, "n_judgements": 3, "raw": {"value": 0.25}}
    result["agreement"]["plausibility"]["extra"] |= extra
    finished(study, batch, alice, result)

    assert "3 further judgements of 2 items are not in them" in " ".join(
        page_of(client, batch).split()
    )


def test_figures_that_are_out_of_date_are_not_given_to_quote(client, study, batch, outdated):
    whole = page_of(client, batch)
    part = client.get(address("batch_agreement", batch), headers={"HX-Request": "true"}).text

    for page in (whole, part):
        assert page.count("Out of date") == 1
        assert "Report Krippendorff" not in page
    assert "the one to report<" not in whole
    assert ">report this" not in study_page(client, study)
    assert "out of date: now 0" in study_page(client, study)


def test_the_page_has_every_part(client, batch, computed):
    page = page_of(client, batch)

    assert all(f">{part}</h2>" in page for part in PARTS)
    assert page.count("<svg") > 10
    assert "style=" not in page


def test_annotators_stand_by_their_pseudonyms_least_agreement_first(client, batch, computed):
    found = agreement_result()["agreement"]["plausibility"]["by_annotator"]["annotators"]
    least = min(found, key=lambda each: each["value"])["annotator"]

    names = page_of(client, batch).split('aria-label="By annotator: plausibility"')[1]

    assert names.split("<bdi>")[1].startswith(f"{least}</bdi>")


def test_a_pair_that_is_chosen_is_shown_with_its_table(client, batch, computed):
    pair = agreement_result()["agreement"]["plausibility"]["pairs"]["kappas"][0]
    name = "|".join(pair["annotators"])

    assert 'id="pair-1"' not in page_of(client, batch)
    page = page_of(client, batch, asked=1, pair=name)

    assert 'id="pair-1"' in page
    assert 'aria-current="true"' in page


@pytest.mark.parametrize("pair", ["nobody|noone", "", "w1", "x|y|z"])
def test_a_pair_that_is_none_is_not_shown(client, batch, computed, pair):
    assert 'id="pair-1"' not in page_of(client, batch, asked=1, pair=pair)


def test_many_annotators_are_paged(client, batch, study, alice):
    result = json.loads(json.dumps(agreement_result()))
    people = result["agreement"]["plausibility"]["by_annotator"]["annotators"]
    people += [{**people[0], "annotator": f"more {number}"} for number in range(60)]
    finished(study, batch, alice, result)

    first, last = page_of(client, batch), page_of(client, batch, page=5)

    assert "15 of 67 annotators" in first
    assert "67 of 67 annotators" in last
    assert "?page=2#annotators-1" in first


def test_pictures_are_files_of_their_own(client, batch, computed):
    for picture in ("confusion", "over-time"):
        reply = client.get(address("batch_agreement_picture", batch, asked=1, picture=picture))

        assert reply["Content-Type"] == "image/svg+xml"
        assert f'filename="{picture}-p1-plausibility.svg"' in reply["Content-Disposition"]
        root = ET.fromstring(reply.text.strip())
        assert root.tag == "{http://www.w3.org/2000/svg}svg"
        assert root.find("{http://www.w3.org/2000/svg}title").text


def test_the_picture_of_a_pair_names_the_two(client, batch, computed):
    pair = agreement_result()["agreement"]["plausibility"]["pairs"]["kappas"][0]["annotators"]
    where = address("batch_agreement_picture", batch, asked=1, picture="confusion")

    assert f"What {pair[0]} and {pair[1]} say" in client.get(where, {"pair": "|".join(pair)}).text
    assert client.get(where, {"pair": "a|b"}).status_code == 404


@pytest.mark.parametrize(
    ("asked", "picture"), [(2, "confusion"), (1, "nonsense"), (0, "over-time")]
)
def test_there_is_no_other_picture(client, batch, computed, asked, picture):
    where = address("batch_agreement_picture", batch, asked=asked, picture=picture)

    assert client.get(where).status_code == 404


def test_before_anything_is_computed_there_are_neither_pictures_nor_figures(client, batch):
    where = address("batch_agreement_picture", batch, asked=1, picture="confusion")

    assert client.get(where).status_code == 404
    assert len(rows_of(client, batch)) == 0
    assert "By label" not in page_of(client, batch)


def rows_of(client, batch) -> list[dict[str, str]]:
    reply = client.get(address("batch_agreement_table", batch))
    return list(csv.DictReader(io.StringIO(reply.getvalue().decode())))


def test_every_figure_is_in_the_table_with_every_digit(client, batch, computed):
    found = agreement_result()["agreement"]["plausibility"]

    rows = rows_of(client, batch)

    by_part = {}
    for row in rows:
        by_part.setdefault(row["part"], []).append(row)
    (alpha,) = [row for row in by_part["all"] if "alpha" in row["measure"]]
    assert float(alpha["value"]) == found["alpha"]["value"]
    assert float(alpha["low"]) == found["alpha"]["interval"]["low"]
    assert len(by_part["label"]) == 2 * len(found["by_label"]["labels"])
    assert len(by_part["annotator"]) == 7
    assert len(by_part["pair"]) == len(found["pairs"]["kappas"])
    assert len(by_part["time"]) == 2 * len(found["over_time"])
    assert len(by_part["all, other people"]) == 3
    assert sum(int(row["value"]) for row in by_part["labels"]) == 60 * 6


def test_what_is_undefined_says_why_in_the_table(client, study, plausibility, alice):
    job = run(study, plausibility, alice)

    (alpha,) = [row for row in rows_of(client, plausibility) if "alpha" in row["measure"]][:1]

    assert job.state == JobState.DONE
    assert (alpha["value"], alpha["why_undefined"]) == ("", "one category only")


def run(study, batch, alice) -> Job:
    job = Job.objects.create(
        study=study,
        kind="agreement",
        key=batch.name,
        params={"batch": batch.pk},
        created_by=alice,
    )
    execution.run(job)
    job.refresh_from_db()
    return job


def test_figures_of_a_real_batch_are_shown(client, study, plausibility, alice):
    run(study, plausibility, alice)

    page = page_of(client, plausibility)

    assert "No figure can be reported: all items are of a single conversation." in page
    assert "undefined: one category only" in page
    assert "With two annotators it is the same for both." in page
    assert "No two annotators have 10 items in common" in page
    assert "Too few items for more than one window" in page


def test_figures_of_an_earlier_version_count_as_not_computed(client, study, batch, alice):
    result = agreement_result()
    finished(study, batch, alice, {key: result[key] for key in result if key != "version"})

    assert "Krippendorff" not in page_of(client, batch)
    assert rows_of(client, batch) == []
    assert "nothing judged yet" in study_page(client, study)


def test_the_batchs_page_gets_the_sentence_and_the_main_figures(client, batch, computed):
    part = client.get(address("batch_agreement", batch), headers={"HX-Request": "true"}).text

    assert "Report Krippendorff" in part
    assert "By label, by annotator, over time" in part
    assert "<svg" not in part


# A study


def study_page(client, study, **asked) -> str:
    return client.get(reverse("study_agreement", args=[study.slug]), asked).text


def test_a_study_without_batches_says_so(client, study):
    BatchFactory(pool__dataset__study=study, state=BatchState.DRAFT)

    assert "No batch was opened yet" in study_page(client, study)


def test_the_batches_stand_side_by_side(client, study, batch, computed):
    waiting = BatchFactory(pool=batch.pool, name="p2", state=BatchState.OPEN)
    ItemFactory(batch=waiting)

    page = study_page(client, study)

    assert page.index(">p1<") < page.index(">report this<")
    assert "nothing judged yet" in page
    assert "<h2>plausibility</h2>" in page


def test_the_number_of_queries_does_not_hang_on_the_number_of_batches(
    client, study, batch, computed, alice, django_assert_num_queries
):
    with django_assert_num_queries(10):
        study_page(client, study)
    for number in range(5):
        more = BatchFactory(pool=batch.pool, name=f"more {number}", state=BatchState.OPEN)
        finished(study, more, alice, agreement_result())
    with django_assert_num_queries(10):
        study_page(client, study)


def test_what_is_missing_or_has_changed_is_computed_and_nothing_else(client, study, plausibility):
    start = reverse("study_agreement_start", args=[study.slug])
    here = reverse("study_agreement", args=[study.slug])
    assert "Compute what is missing or out of date" in study_page(client, study)

    reply = client.post(start, follow=True)

    assert "of <a" in reply.text
    assert "is being computed" in " ".join(reply.text.split())
    by_htmx = {"headers": {"HX-Request": "true"}}
    assert "HX-Refresh" not in client.get(here, {"part": "progress"}, **by_htmx).headers
    execution.run(Job.objects.get(kind="agreement"))
    assert "HX-Refresh" in client.get(here, {"part": "progress"}, **by_htmx).headers
    assert "Compute what is missing" not in study_page(client, study)
    assert "All figures are up to date" in client.post(start, follow=True).text
    assert Job.objects.filter(kind="agreement").count() == 1


def test_a_job_that_failed_is_not_started_again_by_opening_the_page(client, study, plausibility):
    address = reverse("study_agreement_start", args=[study.slug])
    client.post(address, {"by_itself": "yes"})
    Job.objects.update(state=JobState.FAILED, finished_at=timezone.now())
    client.post(address, {"by_itself": "yes"})

    assert Job.objects.count() == 1

    client.post(address)
    assert Job.objects.count() == 2


@pytest.mark.parametrize("view", ["study_agreement_start", "batch_agreement_start"])
def test_what_a_page_starts_by_itself_is_the_programs_and_not_the_viewers(
    client, study, plausibility, view
):
    where = [study.slug] if view.startswith("study") else [study.slug, plausibility.pk]

    client.post(reverse(view, args=where), {"by_itself": "yes"})

    assert Job.objects.get().is_automatic
    assert not Event.objects.filter(verb="started").exists()


def test_another_studys_batches_are_not_there(client, study, batch, computed, alice):
    elsewhere = BatchFactory(pool__dataset__study=StudyFactory(), name="theirs")

    assert "theirs" not in study_page(client, study)
    assert client.get(address("batch_agreement", elsewhere)).status_code in (403, 404)


def test_agreement_is_shown_by_version_where_the_guideline_was_changed(
    study, pool, alice, bob, dora, client
):
    changed = launched(pool, guideline="Be kind.")
    judge_batch(changed, bob, dora)
    guideline_versions.change(batch=changed, text="Be strict.", by=alice)
    by_version = run(study, changed, alice).result["by_guideline"]

    assert [(each["version"], each["raw"]["value"]) for each in by_version] == [("1", 1.0)]
    page = client.get(reverse("batch_agreement", args=[study.slug, changed.pk])).text
    assert "By version of the guideline" in page


def test_agreement_of_a_batch_with_one_guideline_is_not_divided(study, plausibility, alice, client):
    assert "by_guideline" not in run(study, plausibility, alice).result
    page = client.get(reverse("batch_agreement", args=[study.slug, plausibility.pk])).text
    assert "By version of the guideline" not in page


def test_judgements_by_different_versions_are_compared_in_the_figures_over_all_only():
    rows = many_people(20)
    given = [
        replace(row, guideline_sha256="old" if number % 3 else "new")
        for number, row in enumerate(rows["judgements"])
    ]

    found = agreement_by_guideline(
        {"old": "1", "new": "2", "unused": "3"},
        judgements=given,
        items=rows["items"],
        bootstrap=Bootstrap(replicates=1000, seed=1),
    )

    assert [(each["version"], each["n_judgements"]) for each in found] == [("1", 40), ("2", 20)]
    assert [each["raw"]["n_items"] for each in found] == [20, 0]  # of each item two and one
