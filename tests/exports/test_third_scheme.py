"""A verdict scheme beside the two of a release: it has its place on the pages, and changes no answer's end."""

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from annotation import schemes
from annotation.actions import batches
from annotation.models import Batch
from annotation.queries import candidates_and_flags
from annotation.schemes import Option, SchemeRole, VerdictScheme
from exports.rows.answers import answer_rows
from exports.rows.items import item_rows
from exports.rows.shown_answers import released_batches
from tests.annotation.pools import launched
from tests.exports.judged_batches import judge_and_settle

COHERENCE = VerdictScheme(
    name="coherence",
    asks="Does the response hold together?",
    options=(Option("coherent", "1", "Yes"), Option("incoherent", "2", "No")),
    accepted="coherent",
    prevalence={"coherent": 0.5, "incoherent": 0.5},
)


@pytest.fixture(autouse=True)
def _third(monkeypatch):
    monkeypatch.setitem(schemes._schemes, COHERENCE.name, COHERENCE)
    monkeypatch.setattr("dashboard.progress._is_scored", lambda study: True)


@pytest.fixture
def coherence(pool, bob, dora) -> Batch:
    """Closed and settled: everything is coherent."""
    return judge_and_settle(launched(pool, scheme="coherence"), bob, dora, label="coherent")


@pytest.fixture
def page(alice):
    client = Client()
    client.force_login(alice, backend="accounts.backends.RealPeopleBackend")
    return lambda name, study, **where: client.get(
        reverse(name, kwargs={"study": study.slug, **where})
    )


def test_a_scheme_with_no_role_of_its_own_only_labels():
    assert COHERENCE.role == SchemeRole.LABEL
    assert (schemes.ACCEPTANCE.name, schemes.GROUNDING.name) == ("plausibility", "faithfulness")


def test_it_changes_no_answers_end(plausibility, faithfulness, coherence):
    dataset = plausibility.pool.dataset
    taken = list(released_batches(dataset, is_rehearsal=False))
    without = [batch for batch in taken if batch != coherence]

    assert coherence in taken
    assert answer_rows(dataset, taken, item_rows(taken)) == answer_rows(
        dataset, without, item_rows(without)
    )


def test_its_answers_wait_for_no_evidence(coherence):
    assert candidates_and_flags.accepted_candidates(coherence).exists()
    assert candidates_and_flags.n_never_asked([coherence]) == {}


def test_no_evidence_is_found_for_it(coherence, page, alice):
    why = "no answer is accepted by coherence"

    with pytest.raises(CommandError, match=why):
        call_command(
            *("find_evidence", "--study", coherence.study.slug, "--by", alice.username),
            *("--batch", coherence.name, "--name", "evidence"),
        )
    refused = page("evidence_new", coherence.study, batch=coherence.pk)
    assert refused.status_code == 404
    assert why in refused.text
    assert "On to faithfulness" not in page("batch", coherence.study, batch=coherence.pk).text


def test_the_home_of_the_study_shows_it_and_says_to_settle_it(page, pool, alice, bob, dora):
    batch = launched(pool, scheme="coherence")
    assert "Monitor progress of “<bdi>coherence" in page("study", pool.study).text

    batches.close(batch=batch, by=alice)
    home = page("study", pool.study).text
    assert "Other labels" in home
    assert "Settle “<bdi>coherence" in home


def test_a_real_batch_of_it_hides_no_rehearsal_of_the_others(page, plausibility, coherence):
    Batch.objects.filter(pk=plausibility.pk).update(is_rehearsal=True)

    assert "On to faithfulness with “<bdi>plausibility" in page("study", plausibility.study).text


def test_a_new_batch_begins_with_what_a_release_asks(page, pool):
    assert page("batch_new", pool.study).context["form"].initial["scheme"] == "plausibility"
