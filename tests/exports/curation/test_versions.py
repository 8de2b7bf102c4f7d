"""When curation makes a version, and what the version has besides the decided texts."""

from dataclasses import replace
from unittest.mock import patch

import pytest

from audit.models import Event
from corpus.models import Dataset, Passage, Turn
from corpus.records import AcceptedRecord
from exports.curation import actions, files, queries
from tests.exports.curation.judged import KEEP, batch_on, judged_alike
from tests.sampling.curation_dataset import create_made_questions, create_with_texts, made_question


def with_answer(text):
    return KEEP | {"answer": "edit", "answer_text": text}


def with_first_question(text):
    return lambda n: KEEP | ({"question": "edit", "question_text": text} if n == 0 else {})


def test_a_changed_turn_loses_its_accepted_answers_and_the_others_keep_them(
    study, alice, bob, dora
):
    accepted = (AcceptedRecord({"answer": "Long.", "tier": "gold"}),)
    turns = [replace(made_question(n), accepted=accepted) for n in range(2)]
    turns[0].source["Truth_rewrite"] = ""
    release = {
        "study": "elsewhere",
        "number": 3,
        "is_rehearsal": False,
        "manifest_sha256": "0" * 64,
    }
    dataset = create_with_texts(study, turns, release=release)
    batch = judged_alike(
        batch_on(dataset),
        [bob, dora],
        lambda n: with_answer("Very long.") if n == 0 else KEEP,
        alice,
    )

    made = actions.make_next_version(batch=batch, by=alice)
    again = actions.make_next_version(batch=batch, by=alice)

    version = study.datasets.by_name("lamps")
    changed, same = Turn.objects.of(version)
    assert (bool(changed.accepted), bool(same.accepted)) == (False, True)
    assert version.release == release | {"n_gold": 1, "n_silver": 0}
    assert changed.source["Truth_answer"] == "Very long."
    assert changed.source["Truth_rewrite"] == ""
    assert (made.created, again.created, again.name) == (True, False, made.name)


def test_where_all_is_kept_or_made_already_a_passage_that_a_run_brought_makes_no_version(
    study, alice, bob, dora
):
    dataset = create_made_questions(study, 1)
    kept = judged_alike(batch_on(dataset), [bob, dora], lambda n: KEEP, alice)
    edited = judged_alike(
        batch_on(dataset, name="edited"), [bob, dora], with_first_question("How long?"), alice
    )

    def bring(docid):
        Passage.objects.create(dataset=dataset, docid=docid, text="Oil is dear.")

    bring("r1")
    first = actions.make_next_version(batch=kept, by=alice)
    second = actions.make_next_version(batch=edited, by=alice)
    bring("r2")
    third = actions.make_next_version(batch=edited, by=alice)

    assert (first.created, first.name) == (False, "lamps@1")
    assert (second.created, second.name) == (True, "lamps@2")
    assert (third.created, third.name) == (False, "lamps@2")
    assert Event.objects.filter(verb="made a version").count() == 1


def test_of_two_batches_on_one_version_the_second_finds_what_the_first_made(
    study, alice, bob, dora
):
    dataset = create_made_questions(study, 1)
    one, other = (
        judged_alike(batch_on(dataset, name=text), [bob, dora], with_first_question(text), alice)
        for text in ("How long?", "Since when?")
    )
    lock = actions.lock_study

    def wait_for_the_first(study):
        with patch("exports.curation.actions.lock_study", lock):
            actions.make_next_version(batch=one, by=alice)

    with (
        patch("exports.curation.actions.lock_study", wait_for_the_first),
        pytest.raises(actions.CurationError, match="there is lamps@2 by now"),
    ):
        actions.make_next_version(batch=other, by=alice)

    assert Dataset.objects.count() == 1  # the first was in the same transaction here


def test_examples_of_one_conversation_have_ids_of_their_own(study, alice, bob, dora):
    turns = [made_question(0), replace(made_question(1), conversation="q00", number=2)]
    batch = judged_alike(
        batch_on(create_with_texts(study, turns)),
        [bob, dora],
        lambda n: KEEP | {"promote": "yes"},
        alice,
    )

    lines = list(files.few_shot(queries.curated(batch)))

    assert [line.split(",")[0] for line in lines] == ['{"id": "q00_1"', '{"id": "q00_2"']
