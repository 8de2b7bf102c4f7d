"""Licence and citation of a data set are edited after the import, with a history."""

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from audit.models import Event
from exports.writers.manifests import dataset_entry
from tests.corpus.imports import create_dataset, turn
from tests.markup import one_line


@pytest.fixture
def client(alice):
    client = Client()
    client.force_login(alice, backend="accounts.backends.RealPeopleBackend")
    return client


@pytest.fixture
def dataset(study, tmp_path):
    return create_dataset(study, tmp_path, [turn(1, "A stone.")], licence="CC0")


def save(client, dataset, **values):
    address = reverse("dataset_description", args=[dataset.study.slug, dataset.pk])
    return client.post(address, values, follow=True)


def test_they_are_changed_and_the_page_of_the_data_set_says_what_they_were(client, dataset):
    page = one_line(
        save(client, dataset, licence="CC BY 4.0", citation="Us, 2026").content.decode()
    )

    assert "Licence: CC0 → CC BY 4.0; citation: not specified → Us, 2026" in page
    dataset.refresh_from_db()
    entry = dataset_entry(dataset)  # what the manifest of a release made now has
    assert (entry["licence"], entry["citation"]) == ("CC BY 4.0", "Us, 2026")


def test_an_empty_licence_removes_it(client, dataset):
    save(client, dataset, licence="", citation="")

    dataset.refresh_from_db()
    assert dataset.licence == ""


def test_the_same_again_is_no_event(client, dataset):
    page = save(client, dataset, licence="CC0", citation="")

    assert "Nothing was changed." in page.content.decode()
    assert not Event.objects.filter(verb="changed the description of").exists()


def test_what_cannot_be_shown_is_refused_and_stays_in_the_form(client, dataset):
    page = save(client, dataset, licence="CC\u0007", citation="Us, 2026")

    assert "U+0007" in page.content.decode()
    assert "Us, 2026" in page.content.decode()
    assert not Event.objects.filter(verb="changed the description of").exists()


def test_the_command_changes_what_is_named_alone(dataset):
    options = {"study": dataset.study.slug, "dataset": "touch"}
    call_command("describe_dataset", citation="Us, 2026", **options)

    dataset.refresh_from_db()
    assert (dataset.licence, dataset.citation) == ("CC0", "Us, 2026")
