"""Measures against answers that the same people accepted are not held against these people."""

import re

from django.urls import reverse

from jobs.actions import execution
from jobs.models import Job
from scoring.models import ImportedScore
from tests.exports.chosen_references.test_views import score, second
from tests.jobs.clients import client_of

__all__ = ["second"]  # a fixture


def page(alice, dataset):
    reply = client_of(alice).get(
        reverse("measures", args=[dataset.study.slug]), {"dataset": dataset.pk}
    )
    return " ".join(re.sub(r"<[^>]*>", " ", reply.text).split())


def computed(alice, dataset):
    start = reverse("measures_start", args=[dataset.study.slug])
    client_of(alice).post(start, {"dataset": dataset.pk})
    return execution.run(Job.objects.get(kind="measures_against_people")).result


def names(result):
    return {each["scorer"] for each in result["measures"] if each["metric"] == "f1"}


def test_a_measure_against_answers_that_the_study_accepted_is_left_out_and_named(alice, second):
    score(second, "truth", "gold", "silver")

    result = computed(alice, second)

    assert names(result) == {"squad#1"}
    assert result["left_out"] == ["F1 (gold)", "F1 (silver)"]
    text = page(alice, second)
    assert "F1 (gold), F1 (silver) are left out" in text
    assert "the same judgements" in text


def test_answers_that_another_study_accepted_are_references_like_others(alice, second):
    second.release["study"] = "elsewhere"
    second.save(update_fields=["release"])
    score(second, "truth", "silver")

    result = computed(alice, second)

    assert names(result) == {"squad#1", "squad#1+silver"}
    assert result["left_out"] == []


def test_where_nothing_else_has_scores_the_page_says_so(alice, second):
    ImportedScore.objects.all().delete()
    score(second, "silver")

    assert "only scores against answers that this study accepted" in page(alice, second)
