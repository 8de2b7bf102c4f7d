"""The demonstration's questions to write answers to keep CLAP-NQ's form; of its made questions all is decided."""

import json
from collections import Counter
from pathlib import Path

import pytest

from annotation import curating, schemes
from annotation.schemes import payloads
from corpus import clapnq
from corpus.quotes import PlaceStatus
from corpus.readers import questions as made_questions
from demo import curated

DEMO = Path(__file__).resolve().parents[1] / "demo"
TYPES = ["closed", "open", "comparison"]


@pytest.mark.parametrize("part", ["train", "desk"])
def test_a_part_comes_out_as_it_went_in_and_each_passage_is_enough_to_write_from(part):
    text = (DEMO / "to-write" / f"{part}.jsonl").read_text(encoding="utf-8")
    lines = [clapnq.record_of(line) for line in text.splitlines()]

    assert text == "".join(f"{clapnq.line_of(line)}\n" for line in lines)
    for line in lines:
        (passage,) = line["passages"]
        assert passage["text"] == " ".join(passage["sentences"])
        assert len(passage["sentences"]) >= 6


@pytest.mark.parametrize(("name", "missing"), [("questions", ["m12"]), ("more-questions", [])])
def test_made_questions_are_of_both_kinds_and_makers_and_all_types(name, missing):
    path = DEMO / "made" / f"{name}.jsonl"

    read = made_questions.read(path)

    metas = [turn.meta for turn in read.turns]
    assert {meta["type"] for meta in metas} == set(TYPES)
    assert {meta["kind"] for meta in metas} == {"text", "table"}
    assert {meta["maker"]["model"] for meta in metas} == {"maker-a", "maker-b"}
    unproved = [turn for turn in read.turns if turn.meta["proof_status"] == PlaceStatus.MISSING]
    assert [turn.conversation for turn in unproved] == missing
    assert path.read_text(encoding="utf-8") == "".join(
        json.dumps(json.loads(line), ensure_ascii=False) + "\n"
        for line in path.read_text(encoding="utf-8").splitlines()
    )


def test_what_is_said_of_the_made_questions_is_what_the_desk_takes_and_decides_all_of_them():
    path = DEMO / "made" / "questions.jsonl"
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    said = curated.decisions()

    assert list(said) == [line["id"] for line in lines]
    outcomes = Counter()
    for line in lines:
        votes = {curating.vote(_cleaned(line, said[line["id"]][name])) for name in curated.CURATORS}
        assert ("carol" in said[line["id"]]) == (len(votes) > 1)
        outcomes[curating.label_of(votes.pop()) if len(votes) == 1 else "in dispute"] += 1
    assert outcomes == {"kept": 5, "edited": 3, "rejected": 2, "in dispute": 2}


def _cleaned(line, response):
    passage = {"title": "", "text": line["passage"]["text"], "sentences": []}
    shown = payloads.payload(
        question=line["question"], context=[], answers=[], evidence=None, passages=[passage]
    )
    made = {key: line[key] for key in ("answer", "proof", "section", "type")} | {"types": TYPES}
    cleaned = schemes.get("curation").clean(response, shown | {"made": made})
    assert cleaned.get("proof_text", "") in line["passage"]["text"]
    return cleaned
