"""Qualifications by commands: made, looked at, granted, revoked, asked for by a batch."""

import pytest

from accounts.models import Role
from annotation.actions import checks
from annotation.models import Batch, Standing
from annotation.queries.opening_warnings import NO_GUIDELINE
from tests.annotation.desk import claim_one
from tests.annotation.pools import pool_of
from tests.annotation.trust import settled_batch
from tests.commands.command_calls import open_batch
from tests.conftest import member
from tests.factories import BatchFactory, ConversationFactory, TurnFactory

TRUSTED = ("--qualification", "trusted")


@pytest.fixture
def trusted(commands):
    return commands.run(
        "create_qualification",
        *("--name", "trusted", "--accuracy", "0.8", "--recall", "malformed=0.6"),
        *("--attempts", "2"),
    )


def grant(commands, *names, reason="careful"):
    people = [part for name in names for part in ("--annotator", name)]
    return commands.run("grant", *TRUSTED, *people, "--reason", reason)


def test_a_qualification_is_made_with_its_rule_and_a_group_without(commands, trusted):
    assert trusted == {
        "qualification": "trusted",
        "is_group": False,
        "rule": {
            "min_answers": 10,
            "accuracy": 0.8,
            "recall": {"malformed": 0.6},
            "confidence": 0.95,
            "attempts": 2,
            "acts": False,
        },
    }
    made = commands.run("create_qualification", "--name", "finnish", "--group")
    assert made == {"qualification": "finnish", "is_group": True, "rule": {}}


def test_control_items_are_added_from_a_file_of_keys(commands, pool, tmp_path):
    open_batch(commands, pool, "--control-every", 5)
    conversation = ConversationFactory(dataset=pool.dataset, key="keys", position=99)
    turn = TurnFactory(conversation=conversation, number=1)
    keys = tmp_path / "keys.csv"
    rows = f"turn,answer,label,explanation\n{turn.key},In 1852.,plausible,It was built then.\n"
    keys.write_text(rows, encoding="utf-8")

    added = commands.run("add_controls", "plausible", "--keys", keys)

    assert (added["n_added"], added["n_by_label"]["plausible"]) == (1, 1)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--name", "g", "--group", "--accuracy", "0.5"), "--group: a group has no rule"),
        (("--name", "g", "--recall", "malformed"), "--recall: Line 1: write a label and a share"),
        (("--name", "g", "--recall", "malformed=7"), "recall: malformed: 7.0 is not a share"),
        (
            ("--name", "g", "--recall", "maleformed=0.6"),
            "recall: maleformed is a label of no scheme",
        ),
        (("--name", "g", "--accuracy", "1"), "accuracy: 1.0 is not a share between 0 and 1"),
        (("--name", "trusted"), "there is a qualification trusted already"),
    ],
)
def test_what_makes_no_sense_is_refused_in_a_sentence(commands, trusted, options, says):
    assert says in commands.error("create_qualification", *options)


def test_people_are_granted_it_and_it_is_revoked_of_them(commands, trusted, study, bob, dora):
    assert grant(commands, "bob", "dora") == {"qualification": "trusted", "n_granted": 2}

    revoked = commands.run("revoke", *TRUSTED, "--annotator", "bob", "--reason", "too fast")

    assert revoked == {"qualification": "trusted", "n_revoked": 1, "n_given_back": 0}
    (listed,) = commands.run("standings", *TRUSTED)["qualifications"]
    assert listed["n_granted"] == 1
    assert [(each["annotator"], each["state"], each["by"]) for each in listed["people"]] == [
        ("bob", "revoked", "alice"),
        ("dora", "granted", "alice"),
    ]


def test_who_or_what_is_not_there_is_named(commands, trusted, bob, mallory):
    says = commands.error("grant", *TRUSTED, "--annotator", "mallory", "--reason", "x")
    assert says == "mallory is not in the study lighthouses: add_member adds people"
    says = commands.error("grant", "--qualification", "q", "--annotator", "bob", "--reason", "x")
    assert says == "the study lighthouses has no qualification q; it has trusted"
    says = commands.error("revoke", *TRUSTED, "--annotator", "bob", "--reason", "x")
    assert says == "bob does not hold trusted"


def test_annotators_may_not_look_at_standings(commands, trusted, bob):
    assert "bob is not requester" in commands.error("standings", "--by", "bob")


def test_the_rule_is_looked_at_and_applied_where_it_acts(commands, trusted, study, bob, dora):
    fay = member(study, "fay", Role.ANNOTATOR, by=study.created_by)
    settled_batch(study, {bob: "p" * 12, dora: "p" * 12, fay: "i" * 12})

    looked = commands.run("qualify", *TRUSTED, "--from", "pilot")

    (said,) = (each for each in looked["people"] if each["annotator"] == "fay")
    assert (said["decision"], said["n_right"], said["n_answers"]) == ("failed", 0, 12)
    assert not Standing.objects.exists()
    says = commands.error("qualify", *TRUSTED, "--from", "pilot", "--apply")
    assert says.startswith("the rule of trusted is not set to act")

    commands.run("create_qualification", "--name", "acting", "--acts")
    acting = ("--qualification", "acting", "--from", "pilot")
    assert commands.run("qualify", *acting, "--apply")["n_decided"] == 1
    assert Standing.objects.get().state == "failed"


def test_a_batch_that_is_not_settled_is_refused(commands, trusted, study, bob):
    BatchFactory(pool__dataset__study=study, name="open")

    assert "the batch open is not settled" in commands.error("qualify", *TRUSTED, "--from", "open")


def test_a_batch_asks_for_it_and_warns_while_nobody_holds_it(commands, trusted, study, bob):
    pool = pool_of(study)
    asked = ("--scheme", "plausibility", "--pool", pool.name, *TRUSTED)

    opened = commands.run("open_batch", "--name", "full", *asked)

    nobody = "nobody who annotates holds trusted yet: grant it, or nobody can begin"
    assert nobody in opened["warnings"]
    grant(commands, "bob")
    assert claim_one(Batch.objects.get(name="full"), bob)
    assert nobody not in commands.run("open_batch", "--name", "more", *asked)["warnings"]


def keys_file(tmp_path, text):
    path = tmp_path / "keys.csv"
    path.write_text(f"turn,answer,label,explanation\n{text}")
    return str(path)


def test_a_training_is_opened_with_its_items_in_the_order_of_the_file(
    commands, trusted, study, tmp_path
):
    pool = pool_of(study)
    keys = keys_file(
        tmp_path, "7_2,In 1879.,plausible,The plaque says so.\n7_1,Nobody.,implausible,\n"
    )
    asked = ("--scheme", "plausibility", "--pool", pool.name, "--purpose", "training")

    opened = commands.run(
        "open_batch", "--name", "training", *asked, "--trains-for", "trusted", "--keys", keys
    )

    assert (opened["purpose"], opened["n_items"]) == ("training", 2)
    assert opened["warnings"] == [NO_GUIDELINE]
    batch = Batch.objects.get(name="training")
    assert [each.turn.number for each in batch.items.all()] == [2, 1]
    assert batch.items.first().key.explanation == "The plaque says so."


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--purpose", "training"), "the training t has no items"),
        (("--keys", "keys.csv"), "--keys: only a training consists of keyed items"),
        (("--trains-for", "trusted"), "Only training decides on a qualification"),
    ],
)
def test_a_training_that_makes_no_sense_is_refused(commands, trusted, study, options, says):
    asked = ("--scheme", "plausibility", "--pool", pool_of(study).name)

    assert says in commands.error("open_batch", "--name", "t", *asked, *options)
    assert not Batch.objects.exists()


def test_a_training_with_a_wrong_file_leaves_nothing(commands, study, tmp_path):
    keys = keys_file(tmp_path, "7_9,Nobody.,implausible,\n")
    asked = ("--scheme", "plausibility", "--pool", pool_of(study).name, "--purpose", "training")

    says = commands.error("open_batch", "--name", "t", *asked, "--keys", keys)

    assert "row 2: turn: is no question of the data set" in says
    assert not Batch.objects.exists()


def test_questions_on_the_guideline_come_from_a_file_and_their_results_are_listed(
    commands, study, bob, tmp_path
):
    path = tmp_path / "check.txt"
    path.write_text("Is it lit?\n(x) yes\n( ) no\n")
    asked = ("--scheme", "plausibility", "--pool", pool_of(study).name, "--check", str(path))
    commands.run("open_batch", "--name", "full", *asked)
    checks.take(batch=Batch.objects.get(), number=1, answers=[1], by=bob)

    results = commands.run("check_results", "full")

    assert results["questions"] == [{"question": "Is it lit?", "n": 1, "n_right": 0}]
    (attempt,) = results["attempts"]
    del attempt["at"]
    assert attempt == {"annotator": "bob", "attempt": 1, "is_passed": False, "answers": ["no"]}
    assert "bob is not requester" in commands.error("check_results", "full", "--by", "bob")


def test_a_file_of_questions_that_cannot_be_read_is_refused(commands, study, tmp_path):
    path = tmp_path / "check.txt"
    path.write_text("Is it lit?\n( ) yes\n( ) no\n")
    asked = ("--scheme", "plausibility", "--pool", pool_of(study).name, "--check", str(path))

    says = commands.error("open_batch", "--name", "full", *asked)

    assert says.startswith("--check: It cannot be read: the question in line 1 marks 0 choices")
