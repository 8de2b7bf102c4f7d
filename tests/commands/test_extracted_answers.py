"""From runs to a release with sentences of evidence among its answers, by commands: draw_spans, find_reference_evidence."""

import json

import pytest

from exports.verification.program import verify
from tests.annotation.pools import launched
from tests.exports.judged_batches import judge_and_settle
from tests.exports.missed_answers.test_views import judged_by
from tests.parts import part

DRAW = ("--dataset", "touch", "--scorer", "paper", "--threshold", "0.8", "--min-candidates", "1")
GOLD, BLACK = "It is used to test gold.", "Most of them are black."


def find(batch, name):
    return ("find_evidence", "--batch", batch, "--name", name, "--sas-threshold", "none")


def judge(study, name, people, labels, scheme):
    """Open a batch on the pool of that name, have it judged, and settle it."""
    batch = launched(study.pools.get(name=name), name=f"{scheme} of {name}", scheme=scheme)
    if labels:
        return judged_by(batch, people, labels)
    return judge_and_settle(batch, *people, label="faithful")


@part
def sentences(commands, pool, study, folder, bob, dora):
    """The pool is judged, and its evidence asked about: of two sentences one is a candidate now."""
    commands.run(
        "find_reference_evidence", "--dataset", "touch", "--name", "refs", "--sas-threshold", "none"
    )
    judge(study, "pool", (bob, dora), {"Green.": "implausible"}, "plausibility")
    commands.run(*find("plausibility of pool", "evidence"))
    commands.run("draw_spans", "--pool", "evidence", "--most", 1)
    scores = folder / "extracted.csv"
    scores.write_text("id,run,sas\n1_1,extracted,0.9\n1_2,extracted,0.85\n")
    commands.run(
        "import_scores", "--dataset", "touch", "--metric", "sas", "--scorer", "paper", scores
    )
    commands.run("draw_pool", *DRAW, "--name", "sentences", "--runs", "extracted")
    return study.pools.get(name="sentences")


def test_sentences_are_candidates_of_a_run_of_their_kind(sentences):
    assert set(sentences.candidates.values_list("text", flat=True)) == {GOLD, BLACK}
    runs = sentences.fates.values_list("answer__run__name", "answer__run__kind")
    assert set(runs) == {("extracted", "extracted")}


def test_a_release_has_them_in_gold_with_credit(commands, sentences, study, bob, dora, tmp_path):
    judge(study, "sentences", (bob, dora), {"nothing": "malformed"}, "plausibility")
    commands.run(*find("plausibility of sentences", "more"))
    judge(study, "more", (bob, dora), None, "faithfulness")

    out = tmp_path / "release"
    commands.run("release", "--dataset", "touch", "--out", out)

    gold, correct = (
        json.loads((out / name).read_text()) for name in ("gold.json", "scai_qrecc.json")
    )
    assert [
        (each["answer"], each["tier"], each["runs"])
        for record in gold
        for each in record["Truth_answers_alternative"]
    ] == [(GOLD, "gold", ["extracted"]), (BLACK, "gold", ["extracted"])]
    assert [record["Answers"] for record in correct] == [
        ["A touchstone is a dark stone.", GOLD],
        ["As dark as coal.", BLACK],
    ]
    assert [str(each) for of in verify(out).found.values() for each in of.problems] == []


def test_no_figure_compares_them_with_systems(commands, sentences, study, bob, dora, tmp_path):
    judge(study, "sentences", (bob, dora), {"nothing": "malformed"}, "plausibility")
    out = tmp_path / "release"
    commands.run("release", "--dataset", "touch", "--out", out)

    report = json.loads((out / "report.json").read_text())
    assert {row["run"] for row in report["per_run"]} >= {"extracted"}
    for measure in report["runs"]["measures"].values():
        compared = {rate["run"] for rate in measure["rates"]}
        assert "extracted" not in compared | {pair["one"] for pair in measure["pairs"]}


def test_plausible_sentences_alone_are_correct_answers_of_the_shared_task(
    commands, sentences, study, bob, dora, tmp_path
):
    """Nobody is asked whether a sentence is faithful to the passage that it stands in: it is silver."""
    judge(study, "sentences", (bob, dora), {BLACK: "implausible"}, "plausibility")
    out = tmp_path / "release"
    commands.run("release", "--dataset", "touch", "--out", out)

    correct = json.loads((out / "scai_qrecc.json").read_text())
    assert [(record["ID"], record["Answers"][1:], record["Evidence"]) for record in correct] == [
        ("1_1", [GOLD], {"touch": ["A touchstone is a small dark tablet.", GOLD]})
    ]
    assert [str(each) for of in verify(out).found.values() for each in of.problems] == []


def test_they_stay_correct_after_their_release_is_read_back_whatever_runs_are_called(
    commands, sentences, study, bob, dora, tmp_path
):
    """They stand by the earlier release alone: the batch that found them is left out."""
    batch = judge(study, "sentences", (bob, dora), {BLACK: "implausible"}, "plausibility")
    one, two = (tmp_path / name for name in ("one", "two"))
    commands.run("release", "--dataset", "touch", "--out", one)
    again = ("--name", "touch", "--format", "release", "--new-version", one)
    commands.run("import_dataset", *again)
    runs = study.datasets.by_name("touch").runs
    for run, name in (("extracted", "spans"), ("alder", "extracted")):
        runs.filter(name=run).update(name=name)

    commands.run("release", "--dataset", "touch", "--out", two, "--without", batch.name)

    assert runs.get(name="extracted").kind == "system"
    assert json.loads((two / "earlier.json").read_text())["1_1"][-1]["extracted_from"] == ["touch"]
    correct = json.loads((two / "scai_qrecc.json").read_text())
    assert [record["Answers"][1:] for record in correct if record["ID"] == "1_1"] == [[GOLD]]
    assert [str(each) for of in verify(two).found.values() for each in of.problems] == []


def test_a_sentence_is_lost_with_no_team_where_the_data_set_offers_its_passage(
    commands, sentences, study, bob, dora
):
    judge(study, "sentences", (bob, dora), {"nothing": "malformed"}, "plausibility")

    said = commands.run("leave_one_team_out", "--dataset", "touch", "--tier", "silver")

    runs = {run["run"]: run for run in said["measures"]["em"]["runs"]}
    assert "extracted" not in runs
    assert said["n_without_team"] == len(runs) == 6
    assert said["n_accepted"] == 4


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (("--pool", "nowhere"), "has no pool nowhere"),
        (("--pool", "pool"), "the pool pool has no evidence"),
        (("--pool", "evidence", "--most", 0), "--most: Ensure this value is greater than"),
        (("--pool", "evidence"), "has a run extracted already"),
    ],
)
def test_what_cannot_be_extracted_is_refused(options, why, commands, sentences):
    assert why in commands.error("draw_spans", *options)
