"""export_written: the lines of CLAP-NQ, the table, and what is left out. The world is in rounds.py."""

import csv
import io
import json

import pytest

from accounts.permissions import NotAllowedError
from annotation.actions import judgements
from annotation.models import Batch, Judgement
from corpus.actions import datasets
from corpus.readers.clapnq import read_parts
from exports.writers.errors import ReleaseError
from exports.written import actions, queries
from exports.written.actions import WrittenError
from stats.bootstrap_settings import Bootstrap
from tests.annotation import rounds as two_rounds
from tests.exports.judged_batches import reject
from tests.exports.written import rounds
from tests.sampling.writing_dataset import LAMP

FEW = Bootstrap(replicates=1_000, seed=0)  # the least


def export(dataset, out, *batches, by=None):
    by = by or dataset.study.created_by
    return actions.export(dataset=dataset, batches=batches, out=out, bootstrap=FEW, by=by)


def lines(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def outputs(path):
    """By question the answer, the sentences by number, and meta of each output."""
    return {
        each["id"]: [
            (one["answer"], [number(text) for text in one["selected_sentences"]], one["meta"])
            for one in each["output"]
        ]
        for each in lines(path)
    }


def number(text):
    return 0 if text == LAMP["title"] else LAMP["sentences"].index(text) + 1


def meta(*annotators, round, minimal=False, non_consecutive=False, skip=False):
    return {
        "annotator": list(annotators),
        "has_minimal_answer": minimal,
        "non_consecutive": non_consecutive,
        "round": round,
        "skip": skip,
    }


def rows(folder):
    text = (folder / "written.csv").read_text(encoding="utf-8")
    return list(csv.DictReader(io.StringIO(text, newline="")))


def test_each_question_has_one_line_in_its_part_in_the_order_of_the_import(lights, tmp_path):
    export(lights, tmp_path / "out")

    assert outputs(tmp_path / "out/answers/dev.jsonl") == {
        "1": [("It was lit in 1702.", [1, 3], meta(1, 2, round=2, non_consecutive=True))],
        "2": [
            ("It burnt oil.", [2, 5], meta(1, round=1, non_consecutive=True)),
            ("It burnt oil and gas.", [2, 3, 5], meta(2, round=2, non_consecutive=True)),
        ],
        "3": [
            ("Nobody.", [0, 1, 3], meta(1, round=1, non_consecutive=True)),
            ("", [], meta(2, round=2, skip=True)),
        ],
        "4": [("", [], meta(1, 2, round=2))],
    }
    train = tmp_path / "out/answers/train.jsonl"
    pilot = ("Gas.", [3])
    assert outputs(train) == {
        "7": [(*pilot, meta(1, round=1)), (*pilot, meta(2, round=1))],
        "8": [("", [], rounds.NOTHING[0]["meta"])],
    }
    assert [each["id"] for each in lines(train)] == ["7", "8"]
    one_alone = ("Oil.", [2, 4], meta(1, round=1, minimal=True, non_consecutive=True))
    assert outputs(tmp_path / "out/round1.jsonl") == {"5": [one_alone]}


def test_what_is_exported_is_read_back_byte_for_byte_but_for_the_outputs(study, lights, tmp_path):
    export(lights, tmp_path / "out")
    read = read_parts(paths=sorted((tmp_path / "out/answers").iterdir()))
    datasets.save(study=study, name="back", read=read, by=study.created_by, format="clapnq")

    imported = (tmp_path / "out/answers/train.jsonl").read_text(encoding="utf-8").splitlines()
    eighth = queries.questions(lights, {})
    assert imported[1] == next(each.line for each in eighth if each.id == "8_1")
    assert {each["input"] for each in lines(tmp_path / "out/answers/dev.jsonl")} == {
        f"question {n}" for n in range(1, 5)
    }


def test_the_table_has_a_row_for_each_person_question_and_round(lights, tmp_path):
    export(lights, tmp_path / "out")

    found = rows(tmp_path / "out")
    assert len(found) == 12
    changed = next(row for row in found if row["answer"] == "It burnt oil and gas.")
    first = next(row for row in found if row["answer"] == "It burnt oil.")
    assert (changed["round"], changed["kept"], changed["sentences"]) == ("2", "modify", "2|3|5")
    assert (changed["first_item_id"], first["first_item_id"]) == (first["item_id"], "")
    skipped = [(row["round"], row["outcome"], row["reason"], row["kept"]) for row in found]
    assert ("2", "skip", "unclear", "") in skipped
    assert [row["sentences"] for row in found if row["answer"] == "Nobody."] == ["0|1|3"]


def test_texts_are_exact(lights, tmp_path):
    text = '=1+1, "é"\nnew line\t/ \u2028 מה'
    fifth = rounds.item_of(Batch.objects.get(name="R1"), "5")
    judged = Judgement.objects.filter(assignment__item=fifth)
    judged.update(response=rounds.answered(text, 1))

    export(lights, tmp_path / "out")

    assert text in [row["answer"] for row in rows(tmp_path / "out")]
    assert outputs(tmp_path / "out/round1.jsonl")["5"][0][0] == text


def test_what_does_not_count_is_left_out_and_so_is_what_was_made_of_it(lights, tmp_path):
    batch = Batch.objects.get(name="R1")
    reject(Judgement.objects.get(assignment__item=rounds.item_of(batch, "2")))
    withdrawn = Judgement.objects.get(assignment__item=rounds.item_of(batch, "5"))
    judgements.take_back(judgement=withdrawn, by=withdrawn.assignment.annotator)
    Batch.objects.get(name="pilot").items.update(is_excluded=True)

    figures = export(lights, tmp_path / "out")

    assert figures["counts"]["n_without_first"] == 1
    assert "2" not in outputs(tmp_path / "out/answers/dev.jsonl")
    assert list(outputs(tmp_path / "out/answers/train.jsonl")) == ["8"]
    assert outputs(tmp_path / "out/round1.jsonl") == {}


def test_the_manifest_names_sources_and_files_and_the_same_answers_give_the_same_bytes(
    lights, tmp_path
):
    export(lights, tmp_path / "one")
    export(lights, tmp_path / "two")

    files = {
        path.relative_to(tmp_path / "one"): path.read_bytes()
        for path in (tmp_path / "one").rglob("*")
        if path.is_file()
    }
    assert files == {name: (tmp_path / "two" / name).read_bytes() for name in files}
    manifest = json.loads((tmp_path / "one/manifest.json").read_text(encoding="utf-8"))
    assert [each["name"] for each in manifest["batches"]] == ["R1", "R2", "pilot"]
    assert sorted(manifest["files"]) == sorted(
        str(name) for name in files if name.name != "manifest.json"
    )


def test_batches_are_named_with_the_round_that_they_rest_on(lights, tmp_path):
    with pytest.raises(WrittenError, match="R1 is the first round of a batch named"):
        export(lights, tmp_path / "out", "R2")
    with pytest.raises(WrittenError, match="no batch R3 of written answers"):
        export(lights, tmp_path / "out", "R3")
    export(lights, tmp_path / "out", "R1")

    assert list(outputs(tmp_path / "out/round1.jsonl")) == ["1", "2", "3", "4", "5"]


def test_a_folder_that_is_there_is_left_as_it_is_and_nothing_is_half_written(lights, bob, tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out/mine").touch()

    with pytest.raises(ReleaseError):
        export(lights, tmp_path / "out")
    with pytest.raises(NotAllowedError):
        export(lights, tmp_path / "other", by=bob)
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_without_any_answer_nothing_is_exported(study, folder_of_dataset, tmp_path):
    dataset = rounds.lights(study, folder_of_dataset)
    with pytest.raises(WrittenError, match="has written answers: draw_writing"):
        export(dataset, tmp_path / "out")


@pytest.fixture
def folder_of_dataset(tmp_path_factory):
    return tmp_path_factory.mktemp("files")


def test_what_two_people_say_at_the_desk_comes_out_as_one_answer_if_it_is_kept(
    study, folder_of_dataset, bob, dora, tmp_path
):
    first = two_rounds.first_round(study, folder_of_dataset, n=2)
    for _ in range(2):
        two_rounds.write(first, bob, two_rounds.GAPS)
    second = two_rounds.second_round(first)
    two_rounds.write(second, dora, two_rounds.GAPS | {"kept": "keep"})
    two_rounds.write(second, dora, two_rounds.answered(2, text="Oil.", kept="modify"))

    figures = export(first.pool.dataset, tmp_path / "out")

    assert (figures["counts"]["n_kept"], figures["counts"]["n_differing"]) == (1, 1)
    said = outputs(tmp_path / "out/answers/dev.jsonl").values()
    assert sorted([(one[0], one[2]["annotator"]) for one in each] for each in said) == [
        [(two_rounds.OIL, [1]), ("Oil.", [2])],
        [(two_rounds.OIL, [1, 2])],
    ]
