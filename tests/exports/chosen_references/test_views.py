"""The page of runs by references: what is missing, what a job computes, and its table."""

import csv
import io
import re

from django.urls import reverse

from jobs.actions import execution
from jobs.models import Job
from tests.exports.judged_batches import release
from tests.jobs.clients import client_of
from tests.parts import part
from tests.whole_way import touchstone


@part
def second(study, plausibility, folder):
    """The next version, with three answers that were found plausible as silver references."""
    release(plausibility, folder / "release")
    options = ("--study", study.slug, "--name", "touch", "--format", "release", "--new-version")
    touchstone("import_dataset", *options, folder / "release")
    return study.datasets.by_name("touch")


def score(dataset, *choices):
    for chosen in choices:
        options = ("--dataset", dataset, "--metric", "f1", "--references", chosen)
        touchstone("score", "--study", dataset.study.slug, *options)


def page(alice, dataset):
    reply = client_of(alice).get(
        reverse("by_references", args=[dataset.study.slug]), {"dataset": dataset.pk}
    )
    assert reply.status_code == 200
    return " ".join(re.sub(r"<[^>]*>", " ", reply.text).split())


def computed(alice, dataset):
    start = reverse("by_references_start", args=[dataset.study.slug])
    client_of(alice).post(start, {"dataset": dataset.pk})
    return execution.run(Job.objects.get(kind="runs_by_references"))


def test_without_a_release_it_leads_to_its_import(alice, pool):
    assert "The data set has read no release" in page(alice, pool.dataset)


def test_without_scores_by_both_it_leads_to_them(alice, second):
    score(second, "truth")

    assert "No measure has scores against both the truth and gold or silver" in page(alice, second)


def test_runs_stand_beside_each_other_by_truth_and_accepted_answers_and_people(alice, second):
    score(second, "truth", "silver")

    job = computed(alice, second)

    (measure,) = job.result["measures"]
    assert measure["choices"] == ["truth", "silver"]
    by_run = {run["run"]: run for run in measure["runs"]}
    assert by_run["alder"]["means"]["truth"] < by_run["alder"]["means"]["silver"] == 1
    assert by_run["alder"]["people"] == 1
    assert by_run["dogwood"]["people"] is None
    text = page(alice, second)
    assert "F1 squad#1" in text
    assert "truth / silver" in text
    assert "silver / people" in text
    assert "not judged" in text


def test_what_rests_on_the_same_judgements_as_the_rate_of_people_is_marked(alice, second):
    score(second, "truth", "silver")
    computed(alice, second)

    text = page(alice, second)

    assert "silver / people (the same judgements)" in text
    assert "truth / people (" not in text
    assert "is true in part by construction" in text


def test_answers_accepted_in_another_study_are_no_judgements_of_this_one(alice, second):
    second.release["study"] = "elsewhere"
    second.save(update_fields=["release"])
    score(second, "truth", "silver")
    computed(alice, second)

    assert "the same judgements" not in page(alice, second)


def test_the_table_has_a_row_for_each_run(alice, second):
    score(second, "truth", "silver")
    computed(alice, second)

    reply = client_of(alice).get(
        reverse("by_references_table", args=[second.study.slug]), {"dataset": second.pk}
    )

    text = b"".join(reply.streaming_content) if reply.streaming else reply.content
    rows = list(csv.DictReader(io.StringIO(text.decode("utf-8-sig"))))
    assert [row["run"] for row in rows] == ["alder", "birch", "cedar", "dogwood", "echo", "fir"]
    assert (float(rows[0]["mean_silver"]), rows[0]["mean_gold"]) == (1, "")


def test_a_data_set_of_another_study_is_not_computed(alice, second):
    reply = client_of(alice).post(
        reverse("by_references_start", args=[second.study.slug]), {"dataset": 0}
    )

    assert reply.status_code == 404
