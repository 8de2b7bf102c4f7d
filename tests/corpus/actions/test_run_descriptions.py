"""Names and descriptions of runs are corrected as a whole or not at all, and each change is kept."""

import pytest

from accounts.permissions import NotAllowedError
from audit.models import Event
from audit.wording import action_in_words, summary
from corpus import queries
from corpus.actions import run_descriptions
from corpus.actions.run_descriptions import DescriptionError, RunsAtWorkError, fingerprint
from corpus.models import Answer, RunChange
from jobs.actions import jobs
from tests.corpus.imports import answer, create_dataset, create_run, turn
from tests.parts import part

ANSWERS = [answer(1, "A dark stone.")]


@part
def dataset(study, folder):
    return create_dataset(study, folder, [turn(1, "A stone.")])


@part
def alder(dataset, folder):
    return create_run(dataset, folder, ANSWERS, name="alder")


@part
def birch(dataset, folder):
    return create_run(dataset, folder, [answer(1, "Black.")], name="birch")


def describe(run, by, seen=None, **values):
    wanted = {run.pk: values}
    return run_descriptions.describe(dataset=run.dataset, wanted=wanted, by=by, seen=seen)


def test_every_field_is_changed_and_the_change_is_kept_with_both_values(alder, alice):
    values = {"team": "Quarry", "system": "Pick", "setup": "original", "kind": "baseline"}
    describe(alder, alice, name="ultron", **values)

    alder.refresh_from_db()
    assert (alder.name, alder.team, alder.system) == ("ultron", "Quarry", "Pick")
    assert (alder.setup, alder.kind) == ("original", "baseline")
    change = RunChange.objects.get()
    assert change.before == {
        "name": "alder",
        "team": "",
        "system": "",
        "setup": "",
        "kind": "system",
    }
    assert (change.after, change.changed_by) == ({"name": "ultron"} | values, alice)


def test_the_history_says_what_it_was_and_what_it_is(alder, alice):
    describe(alder, alice, name="ultron", team="Quarry")

    event = Event.objects.get(verb="changed the description of")
    assert action_in_words(event.verb, event.target) == "changed the description of run alder"
    words = "name: alder → ultron; team: not specified → Quarry"
    assert summary(event.verb, event.details) == words
    assert event.details["dataset"] == "touch@1"


def test_the_answers_stay(alder, alice):
    before = list(Answer.objects.filter(run=alder).values())
    describe(alder, alice, name="ultron")

    digests = alder.digest, alder.answers_digest
    alder.refresh_from_db()
    assert list(Answer.objects.filter(run=alder).values()) == before
    assert (alder.digest, alder.answers_digest) == digests


def test_the_same_values_again_are_no_change(alder, alice):
    assert describe(alder, alice, name=" alder ", team="") == ()
    assert not RunChange.objects.exists()


def test_two_runs_may_change_names_with_each_other(dataset, alder, birch, alice):
    wanted = {alder.pk: {"name": "birch"}, birch.pk: {"name": "alder"}}
    run_descriptions.describe(dataset=dataset, wanted=wanted, by=alice)

    names = dict(dataset.runs.exclude(kind="reference").values_list("pk", "name"))
    assert names == {alder.pk: "birch", birch.pk: "alder"}


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"name": "birch"}, "“birch” is the name of another run"),
        ({"name": "a|b"}, "has a |"),
        ({"name": " "}, "a run needs a name"),
        ({"team": "two\nlines"}, "U+000A"),
        ({"team": "x" * 201}, "200 characters"),
        ({"kind": "reference"}, "is not system or baseline"),
        ({"kind": ""}, "is not system or baseline"),
    ],
)
def test_one_wrong_value_changes_nothing(dataset, alder, birch, alice, values, message):
    wanted = {birch.pk: {"team": "Quarry"}, alder.pk: values}
    with pytest.raises(DescriptionError, match="nothing was changed") as raised:
        run_descriptions.describe(dataset=dataset, wanted=wanted, by=alice)

    assert message in str(raised.value)
    assert [flaw.run for flaw in raised.value.flaws] == [alder.pk]
    birch.refresh_from_db()
    assert birch.team == ""


def test_references_cannot_be_described(dataset, alice):
    reference = dataset.runs.get(kind="reference")
    with pytest.raises(DescriptionError, match="no run of touch@1"):
        describe(reference, alice, name="truth")


def test_what_somebody_else_changed_meanwhile_is_not_overwritten(alder, alice):
    seen = {alder.pk: fingerprint(alder)}
    describe(alder, alice, team="Quarry")

    with pytest.raises(DescriptionError, match="changed meanwhile and now has: name alder, team Q"):
        describe(alder, alice, seen=seen, team="Pit")


def test_a_run_keeps_its_name_while_a_job_reads_the_data_set(dataset, alder, alice):
    jobs.start(study=dataset.study, kind="score", key="x", params={"dataset": dataset.pk}, by=alice)
    with pytest.raises(RunsAtWorkError, match="rename them when it has ended"):
        describe(alder, alice, name="ultron")

    describe(alder, alice, team="Quarry")  # nothing reads that by name
    alder.refresh_from_db()
    assert (alder.name, alder.team) == ("alder", "Quarry")


def test_only_requesters_describe_runs(alder, bob):
    with pytest.raises(NotAllowedError):
        describe(alder, bob, team="Quarry")


def test_a_run_is_found_by_the_name_that_it_had(dataset, alder, birch, alice):
    before = RunChange().changed_at
    wanted = {alder.pk: {"name": "birch"}, birch.pk: {"name": "alder"}}
    run_descriptions.describe(dataset=dataset, wanted=wanted, by=alice)

    assert queries.runs_by_name_at(dataset, before)["alder"] == alder
    assert queries.runs_by_name_at(dataset, RunChange().changed_at)["alder"] == birch
