"""A release, read back and written again, has the same bytes, and its scores are those of its evaluate.py."""

import json
from collections.abc import Mapping
from pathlib import Path
from unittest.mock import patch

import pytest

from accounts.models import Study
from corpus.models import Answer, Dataset
from demo import everyday
from demo.build import create_people
from exports.errata.actions import note_erratum
from exports.models import Release
from exports.releases import actions as release_actions
from exports.releases import difference_queries
from exports.releases.version_numbers import LEAST, Label
from exports.rows.ids import answer_id
from exports.verification.program import verify
from exports.writers import evaluate
from scoring.actions import run_measures, similarity
from scoring.denominators import Denominator
from scoring.text_hashes import text_sha256
from tests import real_data, whole_way
from tests.annotation.pools import launched
from tests.corpus.release_folders import accepted, write_release
from tests.exports.judged_batches import find_evidence, judge_and_settle, manifest_of, release
from tests.golden.folders import ROOT, StandIn
from tests.whole_way import touchstone

FILES = ("gold.json", "silver.json")
FIGURES = {"truth": "reference", "gold": "extended", "silver": "extended"}


@pytest.fixture(params=["gold", "silver"])
def tier(request):
    return request.param


@pytest.fixture
def released(plausibility, bob, dora, tmp_path, tier):
    """The folder of a release whose accepted answers are all of one tier."""
    if tier == "gold":
        batch = launched(find_evidence(plausibility), scheme="faithfulness")
        judge_and_settle(batch, bob, dora, label="faithful")
    release(plausibility, tmp_path / "release")
    return tmp_path / "release"


@pytest.fixture
def stand_in_model(monkeypatch):
    monkeypatch.chdir(ROOT)
    with patch.object(similarity, "model", lambda name, *, bf16=False: StandIn()):
        yield


def read_back(study: Study, name: str, folder: Path) -> Dataset:
    options = ("--study", study.slug, "--name", name, "--format", "release", "--new-version")
    touchstone("import_dataset", *options, folder)
    return study.datasets.by_name(name)


def exported(dataset: Dataset, folder: Path) -> dict[str, bytes]:
    touchstone(
        *("export_dataset", "--study", dataset.study.slug, "--dataset", dataset, "--out", folder)
    )
    return {name: (folder / name).read_bytes() for name in FILES}


def computed(dataset: Dataset) -> dict[tuple[str, str, str], float | None]:
    """EM and F1 of each run by the references that they are measured against."""
    for chosen in FIGURES:
        options = ("--dataset", dataset, "--metric", "em", "f1", "--references", chosen)
        touchstone("score", "--study", dataset.study.slug, *options)
    scorers = [each for each in run_measures.scorers(dataset) if each.metric in ("em", "f1")]
    comparison = run_measures.comparison_now(dataset, scorers, Denominator.ALL_TURNS)
    names = dict(dataset.runs.values_list("pk", "name"))
    by_scorer = {scorer.pk: scorer for scorer in scorers}
    return {
        (names[run], by_scorer[scorer].references, by_scorer[scorer].metric): figure.value
        for (run, scorer), figure in comparison.figures.items()
    }


def evaluated(dataset: Dataset, folder: Path) -> dict[tuple[str, str, str], float | None]:
    """The same by the program of the release."""
    found: dict[tuple[str, str, str], float | None] = {}
    for run, answers in answers_by_run(dataset).items():
        for chosen, key in FIGURES.items():
            truth = evaluate.read_truth(
                str(folder / f"{'gold' if chosen == 'truth' else chosen}.json")
            )
            means = evaluate.score(truth, answers)[key]
            found |= {(run, chosen, measure): value for measure, value in means.items()}
    return found


def answers_by_run(dataset: Dataset) -> Mapping[str, dict[str, str | None]]:
    found: dict[str, dict[str, str | None]] = {}
    answers = Answer.objects.of_systems(dataset).select_related("run", "turn__conversation")
    for answer in answers:
        found.setdefault(answer.run.name, {})[answer.turn.key] = answer.text
    return found


def complaints(folder: Path) -> list[str]:
    """What verify.py says of the accepted answers of a release."""
    found = verify(folder).found
    of_gold = found[
        "gold.json, silver.json and the shared task's files follow from the tables"
    ].problems
    of_all = [str(each) for of in found.values() for each in of.problems]
    return [*map(str, of_gold), *(each for each in of_all if "accepted" in each)]


@pytest.mark.database
def test_a_release_that_was_read_back_is_written_with_the_same_bytes(
    study, released, tier, tmp_path
):
    dataset = read_back(study, "touch", released)

    assert exported(dataset, tmp_path / "out") == {
        name: (released / name).read_bytes() for name in FILES
    }
    assert dataset.release[f"n_{tier}"] == 3


@pytest.mark.database
def test_scores_against_gold_and_silver_are_those_of_the_releases_own_program(
    study, released, tier
):
    dataset = read_back(study, "touch", released)

    found = computed(dataset)

    assert found == evaluated(dataset, released)
    assert found["alder", "truth", "f1"] < found["alder", tier, "f1"]


def test_a_release_of_the_new_version_accepts_the_same_again(
    study, released, plausibility, tmp_path
):
    """What was decided on the version before stands, so it is not counted as of an earlier release."""
    dataset = read_back(study, "touch", released)

    again = release_actions.release(
        study=study, dataset=dataset, out=tmp_path / "again", by=dataset.created_by
    )

    assert (tmp_path / "again" / "silver.json").read_bytes() == (
        released / "silver.json"
    ).read_bytes()
    assert "accepted_earlier" not in again.report


def test_a_release_after_a_read_back_without_new_judgements_is_a_patch(
    study, plausibility, tmp_path
):
    """The runs of references have another digest in every version, and are no runs that compete."""
    release(plausibility, tmp_path / "first", label=Label("1.0.0"))
    dataset = read_back(study, "touch", tmp_path / "first")

    again = release_actions.release(
        study=study,
        dataset=dataset,
        out=tmp_path / "again",
        by=dataset.created_by,
        label=Label(LEAST),
    )

    assert again.version == "1.0.1"
    found = difference_queries.compared(*study.releases.order_by("number"))
    assert (found.runs_gone, found.runs_added, found.runs_renamed) == ([], [], [])


def test_a_release_keeps_what_was_accepted_elsewhere_in_the_one_that_its_data_set_has_read(
    study, released, tmp_path
):
    records = json.loads((released / "silver.json").read_text(encoding="utf-8"))
    elsewhere = accepted("A stone of judgement.")
    records[0]["Truth_answers_alternative"].insert(0, elsewhere)
    of = manifest_of(released)["dataset"]
    dataset = read_back(study, "touch", write_release(tmp_path / "other", records, dataset=of))

    made = release_actions.release(
        study=study, dataset=dataset, out=tmp_path / "again", by=dataset.created_by
    )

    again = json.loads((tmp_path / "again" / "gold.json").read_text(encoding="utf-8"))
    assert elsewhere in again[0]["Truth_answers_alternative"]
    assert made.report["accepted_earlier"] == {"gold": 1, "silver": 0, "gold_also_silver": 0}
    assert "answers more are those of an earlier" in (tmp_path / "again" / "README.md").read_text()
    assert manifest_of(tmp_path / "again")["dataset"]["release"]["study"] == "elsewhere"


def test_the_program_that_verifies_a_release_builds_its_gold_with_the_earlier_answers(
    study, released, tmp_path
):
    records = json.loads((released / "silver.json").read_text(encoding="utf-8"))
    records[0]["Truth_answers_alternative"].insert(0, accepted("A stone of judgement."))
    of = manifest_of(released)["dataset"]
    dataset = read_back(study, "touch", write_release(tmp_path / "other", records, dataset=of))
    again = tmp_path / "again"

    release_actions.release(study=study, dataset=dataset, out=again, by=dataset.created_by)

    assert complaints(again) == []
    earlier = json.loads((again / "earlier.json").read_text(encoding="utf-8"))
    earlier["1_1"][0]["answer"] = "Another one."
    (again / "earlier.json").write_text(json.dumps(earlier), encoding="utf-8")
    assert any(each.startswith("gold.json") for each in complaints(again))


@pytest.mark.parametrize("tier", ["silver"], indirect=True)
def test_errata_say_the_tier_that_an_answer_has_by_an_earlier_release(
    study, released, alice, tmp_path
):
    records = json.loads((released / "silver.json").read_text(encoding="utf-8"))
    text = records[0]["Truth_answers_alternative"][0]["answer"]
    about = answer_id("1_1", text_sha256(text))
    note_erratum(release=Release.objects.get(), answer_id=about, reason="The year.", by=alice)
    records[0]["Truth_answers_alternative"][0] = accepted(text)
    of = manifest_of(released)["dataset"]
    dataset = read_back(study, "touch", write_release(tmp_path / "other", records, dataset=of))
    again = tmp_path / "again"

    release_actions.release(study=study, dataset=dataset, out=again, by=dataset.created_by)

    (erratum,) = json.loads((again / "errata.json").read_text(encoding="utf-8"))
    (record, *_) = json.loads((again / "gold.json").read_text(encoding="utf-8"))
    assert text in [each["answer"] for each in record["Truth_answers_alternative"]]
    assert erratum["tier"] == "gold"
    assert complaints(again) == []


@pytest.mark.journey
def test_both_hold_of_the_demonstration(db, tmp_path, stand_in_model):
    create_people()
    everyday.import_data("rehearsed", "Everyday knowledge, rehearsed")
    everyday.rehearse_study(tmp_path / "release")

    dataset = read_back(Study.objects.get(slug="rehearsed"), "everyday", tmp_path / "release")

    assert exported(dataset, tmp_path / "out") == {
        name: (tmp_path / "release" / name).read_bytes() for name in FILES
    }
    assert computed(dataset) == evaluated(dataset, tmp_path / "release")


@pytest.mark.journey
@pytest.mark.real_data
def test_both_hold_of_the_real_data(db, tmp_path, stand_in_model):
    real_data.folder()
    whole_way.people()
    whole_way.real_pool(whole_way.random.Random(0))
    whole_way.judged("plausibility", "plausibility", "pool", "unanimous")
    whole_way.in_study("find_evidence", "--batch", "plausibility", "--name", "evidence")
    whole_way.judged("faithfulness", "faithfulness", "evidence", "majority")
    folder = ("--dataset", "data", "--out", tmp_path / "release")
    whole_way.in_study("release", *folder, "--rehearsal", "--set-aside-disputes")

    dataset = read_back(Study.objects.get(slug=whole_way.STUDY), "data", tmp_path / "release")

    assert exported(dataset, tmp_path / "out") == {
        name: (tmp_path / "release" / name).read_bytes() for name in FILES
    }
    assert computed(dataset) == evaluated(dataset, tmp_path / "release")
