"""Pools of writing: what is drawn, what is refused, and the batch on one."""

import pytest

from annotation.actions import batches
from annotation.actions.batches import BatchError
from annotation.schemes.payloads import sha256
from audit.models import Event
from sampling.actions.pools import PoolError
from sampling.models import PoolPassage, Purpose
from tests.annotation.pools import launched, pool_of
from tests.parts import part
from tests.sampling.writing_dataset import (
    DEV,
    KEEPERS,
    LAMP,
    SHORT,
    create_writing_dataset,
    draw_writing,
    question,
)


@part
def lights(study, folder):
    return create_writing_dataset(study, folder)


def drawn(dataset, name="writing", **rule):
    return draw_writing(dataset, name=name, **rule)


def keys(pool):
    passages = PoolPassage.objects.filter(pool=pool).select_related("turn__conversation")
    return sorted(each.turn.key for each in passages)


def test_each_question_comes_with_its_passage_and_short_ones_are_left_out(lights):
    pool = drawn(lights)

    assert keys(pool) == ["1_1", "2_1", "4_1"]
    assert pool.purpose == Purpose.WRITING
    assert pool.counts == {"n_turns": 3, "n_candidates": 0, "n_eligible": 3, "n_too_short": 1}
    assert {each.position for each in pool.passages.all()} == {1}
    assert pool.rule == {"parts": [], "n_questions": None, "min_sentences": 6, "seed": 1}
    event = Event.objects.get(verb="drew")
    assert event.details["n_turns"] == 3


def test_parts_numbers_and_shorter_passages_are_a_choice(lights):
    assert keys(drawn(lights, "train", parts=("train.jsonl",))) == ["4_1"]
    assert keys(drawn(lights, "all", min_sentences=3)) == ["1_1", "2_1", "3_1", "4_1"]
    assert len(keys(drawn(lights, "two", n_questions=2))) == 2


def test_the_same_rule_draws_the_same(lights):
    assert keys(drawn(lights, "a", n_questions=2)) == keys(drawn(lights, "b", n_questions=2))


def test_of_several_passages_that_of_the_truth_is_taken(study, tmp_path):
    output = {
        "answer": "In 1702.",
        "selected_sentences": [LAMP["sentences"][0]],
        "meta": {"annotator": [1], "round": 1, "skip": False},
    }
    several = question("5", "when", LAMP, output=[output])
    dataset = create_writing_dataset(study, tmp_path, dev=(several,))

    (row,) = drawn(dataset).passages.all()

    assert row.passage.docid == "5-1"


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        (
            (question("5", "when", LAMP), question("6", "who", {**KEEPERS, "sentences": []})),
            "1 question has a passage that the file does not split into sentences: 6_1",
        ),
        (
            (*DEV, question("6", "who", LAMP, passages=[])),
            "1 question has no passage with text: 6_1",
        ),
        (
            (
                question(
                    "6",
                    "who",
                    LAMP,
                    passages=[
                        {"text": " ".join(each["sentences"]), **each} for each in (LAMP, KEEPERS)
                    ],
                ),
            ),
            "1 question has more than one passage, of which the truth names none or several: 6_1",
        ),
        (
            tuple(question(str(n), f"who {n}", LAMP, passages=[]) for n in range(10, 17)),
            "7 questions have no passage with text: 10_1, 11_1, 12_1, 13_1, 14_1 and 2 more",
        ),
        (
            (question("7", "who lives there", SHORT),),
            "no question is drawn: no passage has at least 6 sentences",
        ),
    ],
)
def test_questions_without_a_passage_to_write_from_are_named(study, tmp_path, lines, why):
    dataset = create_writing_dataset(study, tmp_path, dev=lines)

    with pytest.raises(PoolError, match=f"^{why}$"):
        drawn(dataset)
    assert not study.pools.exists()


def test_an_unknown_part_and_a_taken_name_are_refused(lights):
    with pytest.raises(PoolError, match=r"has no part test; it has dev\.jsonl, train\.jsonl"):
        drawn(lights, parts=("test",))
    drawn(lights)
    with pytest.raises(PoolError, match="there is a pool writing already"):
        drawn(lights)


def test_a_batch_on_it_asks_one_item_a_question_with_the_passage_alone(lights):
    batch = launched(drawn(lights), scheme="writing")

    items = list(batch.items.select_related("turn__conversation"))
    assert len(items) == 3
    lamp = next(each for each in items if each.turn.key == "1_1")
    assert lamp.payload["passages"] == [
        {
            "number": 1,
            "title": LAMP["title"],
            "text": " ".join(LAMP["sentences"]) + " ",
            "sentences": LAMP["sentences"],
        }
    ]
    assert lamp.payload["answers"] == []
    assert lamp.payload_sha256 == sha256(lamp.payload)
    assert batch.expected_seconds == 300


def test_no_other_scheme_asks_about_it_nor_writing_about_other_pools(study, lights):
    pool = drawn(lights)

    for scheme in ("plausibility", "relevance", "relation"):
        with pytest.raises(BatchError, match=f"the scheme {scheme} needs a pool of"):
            launched(pool, scheme=scheme)
    with pytest.raises(BatchError, match="the scheme writing needs a pool of writing"):
        launched(pool_of(study, n_turns=1, n_each=1), scheme="writing")
    PoolPassage.objects.filter(pool=pool).delete()
    with pytest.raises(BatchError, match="the pool writing has no passages"):
        batches.create(study=study, name="b", scheme="writing", pool=pool, by=study.created_by)
