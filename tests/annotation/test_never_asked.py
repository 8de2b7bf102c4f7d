"""Plausible answers that nobody was asked about by evidence: counted, said, and led on by themselves."""

import pytest
from django.test import Client
from django.urls import reverse

from annotation.actions import batches as acts
from annotation.actions import reviews, settlement
from annotation.models import Batch
from annotation.queries import candidates_and_flags
from jobs.models import Job
from sampling.actions import evidence
from sampling.actions.pools import PoolError
from sampling.models import Pool
from tests.annotation.desk import judge
from tests.annotation.pools import evidence_pool_of, launched, pool_of
from tests.factories import TurnFactory
from tests.parts import part

SEARCH = {"threshold": 0.3, "scorer": "all-MiniLM-L6-v2", "max_words": 200, "seed": 1}


@pytest.fixture
def client(alice) -> Client:
    client = Client()
    client.force_login(alice, backend="accounts.backends.RealPeopleBackend")
    return client


@pytest.fixture(autouse=True)
def _no_worker(monkeypatch):
    monkeypatch.setattr("jobs.tasks.work_on.delay", lambda job: None)


@part
def plausibility(study, bob, dora):
    """Six items: one is in dispute, the others are plausible."""
    batch = launched(pool_of(study), name="first round")
    for person in (bob, dora):
        for number in range(6):
            judge(batch, person, "malformed" if (person, number) == (dora, 0) else "plausible")
    acts.close(batch=batch, by=batch.created_by)
    settlement.settle(batch=batch, rule="unanimous", by=batch.created_by)
    return batch


def adjudicate(batch: Batch, carol) -> None:
    item = batch.items.get(verdicts__state="disputed", verdicts__replaced_by=None)
    reviews.adjudicate(item=item, label="plausible", reason="It answers.", by=carol)


def faithfulness_batch_of(batch: Batch) -> Batch:
    """A faithfulness batch of what is plausible now."""
    pool = evidence_pool_of(batch.pool, rule={"batch": batch.name})
    plausible = candidates_and_flags.accepted_candidates(batch).values("pk")
    pool.candidates.exclude(source__in=plausible).delete()
    return launched(pool, scheme="faithfulness", name="second round")


@pytest.fixture
def late_adjudication(plausibility, carol) -> Batch:
    """One answer is adjudicated plausible after the evidence was drawn."""
    faithfulness_batch_of(plausibility)
    adjudicate(plausibility, carol)
    return plausibility


def test_before_any_faithfulness_batch_all_of_them_were_never_asked(plausibility):
    assert candidates_and_flags.n_never_asked([plausibility]) == {plausibility.pk: 5}
    assert candidates_and_flags.batches_followed_by_evidence([plausibility]) == set()


def test_what_the_faithfulness_batch_took_was_asked(plausibility):
    faithfulness_batch_of(plausibility)

    assert candidates_and_flags.n_never_asked([plausibility]) == {}
    assert candidates_and_flags.batches_followed_by_evidence([plausibility]) == {plausibility.pk}


def test_what_was_adjudicated_later_was_never_asked(late_adjudication):
    adjudicated = late_adjudication.items.get(adjudications__isnull=False).answers.get().candidate

    assert candidates_and_flags.n_never_asked([late_adjudication]) == {late_adjudication.pk: 1}
    assert list(candidates_and_flags.never_asked_candidates(late_adjudication)) == [adjudicated]


def test_a_rehearsal_asks_nobody(late_adjudication):
    late_adjudication.study.batches.filter(scheme="faithfulness").update(is_rehearsal=True)

    assert candidates_and_flags.n_never_asked([late_adjudication]) == {late_adjudication.pk: 6}
    assert candidates_and_flags.never_asked_candidates(late_adjudication).count() == 6


def test_counting_takes_one_query_for_all_batches(late_adjudication, django_assert_num_queries):
    batches = list(late_adjudication.study.batches.all())
    with django_assert_num_queries(1):
        candidates_and_flags.n_never_asked(batches)


# On to faithfulness


def page(client, batch: Batch, **sent) -> str:
    href = reverse("evidence_new", kwargs={"study": batch.study.slug, "batch": batch.pk})
    return (client.post(href, SEARCH | sent) if sent else client.get(href)).text


def test_disputes_that_are_open_are_warned_of(client, plausibility, carol):
    href = reverse("disputes", kwargs={"study": plausibility.study.slug})
    warning = f'<a href="{href}?batch={plausibility.pk}">1 item</a> of the batch'
    assert warning in page(client, plausibility)

    adjudicate(plausibility, carol)

    assert warning not in page(client, plausibility)


def test_at_first_there_is_nothing_to_choose(client, plausibility):
    assert "only_never_asked" not in page(client, plausibility)


def test_late_answers_are_led_on_by_themselves_under_a_name_that_is_free(client, late_adjudication):
    text = page(client, late_adjudication)
    assert "1 answer of them has no judgement of faithfulness yet" in text
    assert 'name="only_never_asked" aria-describedby="id_only_never_asked_helptext" id="id_only_never_asked" checked' in text  # fmt: skip

    page(client, late_adjudication, name="late ones", only_never_asked="on")

    pool = Pool.objects.get(name="late ones")
    adjudicated = late_adjudication.items.get(adjudications__isnull=False).answers.get().candidate
    assert [each.source for each in pool.candidates.all()] == [adjudicated]
    assert pool.rule["only_never_asked"] is True
    # Their evidence is looked for with all of the turn's answers, as that of the others was.
    others = (
        candidates_and_flags.accepted_candidates(late_adjudication)
        .filter(turn=adjudicated.turn)
        .exclude(pk=adjudicated.pk)
    )
    assert Job.objects.get().params["not_asked"] == {
        str(adjudicated.turn_id): [each.pk for each in others]
    }


def test_all_can_be_asked_about_again(client, late_adjudication):
    page(client, late_adjudication, name="all again")

    assert Pool.objects.get(name="all again").candidates.count() == 6


def test_where_all_were_asked_it_says_so(client, plausibility):
    faithfulness_batch_of(plausibility)

    assert "All of them were judged before" in page(client, plausibility)


def test_a_name_that_a_pool_has_is_not_proposed(client, late_adjudication):
    page(client, late_adjudication, name="first round evidence")

    assert 'value="first round evidence 2"' in page(client, late_adjudication)


# The release


def test_a_new_release_says_how_many_would_end_in_silver_unasked(client, late_adjudication):
    text = client.get(reverse("release_changes", args=[late_adjudication.study.slug])).text

    assert "1 plausible answer of <bdi>first round</bdi> was never asked about" in text
    assert (
        reverse("evidence_new", args=[late_adjudication.study.slug, late_adjudication.pk]) in text
    )


def test_it_says_nothing_where_nobody_meant_to_ask(client, plausibility, carol):
    adjudicate(plausibility, carol)

    text = client.get(reverse("release_changes", args=[plausibility.study.slug])).text

    assert "never asked about" not in text


def test_rehearsed_batches_are_offered_only_where_there_are_some(client, late_adjudication):
    href = reverse("release_new", args=[late_adjudication.study.slug])
    assert "is_rehearsal" not in client.get(href).text

    late_adjudication.study.batches.update(is_rehearsal=True)

    assert "is_rehearsal" in client.get(href).text


def test_where_all_were_asked_about_those_never_asked_are_nothing_to_draw(plausibility):
    faithfulness_batch_of(plausibility)
    rule = evidence.EvidenceRule(
        batch=plausibility.name, scorer="none", sas_threshold=None, only_never_asked=True
    )

    with pytest.raises(PoolError, match=r"every plausible answer .* was asked about already"):
        evidence.begin(
            study=plausibility.study,
            dataset=plausibility.pool.dataset,
            name="again",
            plausible=list(candidates_and_flags.accepted_candidates(plausibility)),
            asking=candidates_and_flags.candidates_to_ask(plausibility, only_never_asked=True),
            rule=rule,
            model="none",
            is_rehearsal=False,
            by=plausibility.created_by,
        )

    assert not Pool.objects.filter(name="again").exists()


def test_what_was_asked_in_another_version_of_the_turn_was_asked(plausibility):
    second_round = faithfulness_batch_of(plausibility)
    first = second_round.pool.candidates.first().turn
    copy = TurnFactory(conversation=first.conversation, number=99, same_as=first)
    second_round.pool.candidates.filter(turn=first).update(turn=copy)

    assert candidates_and_flags.n_never_asked([plausibility]) == {}
    assert candidates_and_flags.never_asked_candidates(plausibility).count() == 0
