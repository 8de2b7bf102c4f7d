"""A comparison of systems is released: what compare_systems writes, recorded and kept."""

import json
from pathlib import Path

import pytest
from django.test import override_settings

from accounts.permissions import NotAllowedError
from annotation.actions import analysis_plans, batches, open_batches, withdrawn_batches
from annotation.models import Batch
from audit.models import Event
from audit.wording import action_in_words, summary
from exports.comparison import actions as comparison_actions
from exports.comparison.errors import ComparisonError
from exports.comparison_releases import actions as comparison_release_actions
from exports.jobs import BOOTSTRAP
from exports.models import Release, ReleaseContents
from exports.verification.program import verify
from exports.withdrawals.queries import rests_on_batch, rests_on_run
from exports.writers.errors import ReleaseError
from tests.exports import compared_runs
from tests.exports.judged_batches import release as release_dataset
from tests.exports.releases.stored_release import folder_of
from tests.parts import part

pytestmark = pytest.mark.usefixtures("releases_of_parts")


@part
def closed(rated, preferred):
    for batch in (rated, preferred):
        batches.close(batch=batch, by=batch.created_by)
    return [rated, preferred]


@part
def released(study, closed, folder, releases_folder) -> Path:
    """The folder of the release of all batches."""
    with override_settings(RELEASES=releases_folder):
        release(study, folder / "out")
    return folder / "out"


def release(study, out, *names, by=None, **options):
    return comparison_release_actions.release(
        study=study,
        batches=names,
        out=out,
        bootstrap=BOOTSTRAP,
        by=by or study.created_by,
        **options,
    )


def manifest_in(folder):
    return json.loads((folder / "manifest.json").read_text(encoding="utf-8"))


def test_the_folder_is_that_of_compare_systems_with_a_manifest_that_says_more(
    study, closed, tmp_path
):
    comparison_actions.write(
        study=study, batches=[], out=tmp_path / "plain", bootstrap=BOOTSTRAP, by=study.created_by
    )
    release(study, tmp_path / "out")

    names = sorted(path.name for path in (tmp_path / "plain").iterdir())
    assert {*names, "verify.py"} == {path.name for path in (tmp_path / "out").iterdir()}
    for name in set(names) - {"manifest.json"}:
        assert (tmp_path / "plain" / name).read_bytes() == (tmp_path / "out" / name).read_bytes()
    plain, made = manifest_in(tmp_path / "plain"), manifest_in(tmp_path / "out")
    files = plain.pop("files").items(), made.pop("files").items()
    assert files[0] <= files[1]
    assert plain.items() <= made.items()
    assert made.keys() - plain.keys() == {
        *("contents", "created_at", "licence", "citation", "release")
    }


def test_its_files_columns_and_people_are_verified(released):
    assert verify(released).is_good

    (released / "systems.csv").write_text("run\n", encoding="utf-8")

    problems = [str(each) for of in verify(released).found.values() for each in of.problems]
    assert problems[0].startswith("manifest.json.files.systems.csv: computed ")
    assert problems[1].startswith("systems.csv (its columns): computed ['")


def test_it_is_recorded_with_a_number_of_the_study_and_kept_as_the_copy_is(study, closed, tmp_path):
    assert [release(study, tmp_path / name).number for name in ("one", "two")] == [1, 2]

    kept = Release.objects.get(number=1)
    assert (kept.contents, kept.dataset) == (ReleaseContents.COMPARISON, None)
    for path in (tmp_path / "one").iterdir():
        assert (folder_of(kept) / path.name).read_bytes() == path.read_bytes()


def test_it_is_in_the_history(study, released):
    event = Event.objects.get(verb="released the comparison of")
    assert action_in_words(event.verb, event.target) == f"released the comparison of study {study}"
    assert summary(event.verb, event.details).startswith("as release 1, ")


def test_it_refuses_while_people_judge_unless_that_is_wanted(study, rated, preferred, tmp_path):
    with pytest.raises(ComparisonError, match="people still judge in preference gold, rating gold"):
        release(study, tmp_path / "refused")
    assert not Release.objects.exists()
    assert not (tmp_path / "refused").exists()

    release(study, tmp_path / "out", with_open_batches=True)

    assert manifest_in(tmp_path / "out")["open_batches"] == ["preference gold", "rating gold"]


def test_batches_may_be_named(study, closed, tmp_path):
    made = release(study, tmp_path / "out", "rating gold")

    assert made.figures["batches"] == ["rating gold"]


def test_real_and_rehearsed_batches_are_never_in_one(study, gold, closed, tmp_path):
    simulated = compared_runs.open_batch(gold, "rating", name="simulated")
    Batch.objects.filter(pk=simulated.pk).update(is_rehearsal=True)

    with pytest.raises(ComparisonError, match="never counted together"):
        release(study, tmp_path / "mixed", "simulated", "rating gold")
    release(study, tmp_path / "out")

    assert not Release.objects.get().is_rehearsal


def test_a_rehearsal_is_released_as_one(study, closed, tmp_path):
    Batch.objects.update(is_rehearsal=True)

    release(study, tmp_path / "out")

    assert Release.objects.get().is_rehearsal
    assert manifest_in(tmp_path / "out")["is_rehearsal"]


def test_what_nobody_judged_is_not_released(study, gold, tmp_path):
    compared_runs.open_batch(gold, "rating")

    with pytest.raises(ComparisonError, match="nobody has compared anything yet"):
        release(study, tmp_path / "out", with_open_batches=True)


def test_a_batch_that_is_withdrawn_meanwhile_ends_it(study, closed, alice):
    draft = comparison_release_actions.prepare(
        study=study, batches=[], bootstrap=BOOTSTRAP, by=alice
    )
    withdrawn_batches.withdraw(batch=closed[0], reason="The wrong guideline.", by=alice)

    with pytest.raises(ReleaseError, match="rating gold was opened, closed or withdrawn while"):
        comparison_release_actions.record(draft=draft)
    assert not Release.objects.exists()


def test_only_a_requester_may(study, closed, tmp_path, bob, carol):
    for who in (bob, carol):
        with pytest.raises(NotAllowedError):
            release(study, tmp_path / "out", by=who)


def test_it_is_no_release_before_that_of_the_data_set(released, plausibility, tmp_path):
    assert release_dataset(plausibility, tmp_path / "out").number == 2


def test_who_withdraws_a_run_is_told_that_it_is_in_it(closed, released):
    run = closed[0].pool.dataset.runs.get(name="alder")

    assert "Releases that contain it, which do not change: 1." in rests_on_run(run)
    assert any("which do not change: 1." in each for each in rests_on_batch(closed[0]))


def test_a_released_batch_that_is_renamed_later_still_says_which_release_contains_it(
    study, closed, released
):
    rated = batches.reopen(batch=closed[0], by=study.created_by)

    renamed = open_batches.rename(batch=rated, name="second name", by=study.created_by)

    assert "Releases that contain it, which do not change: 1." in rests_on_batch(renamed)


def test_a_plan_of_analysis_is_in_the_release_and_verified(study, closed, alice, tmp_path):
    batch = study.batches.order_by("pk")[0]
    plan = analysis_plans.freeze(batch=batch, text="F+A decides.", by=alice)

    release(study, tmp_path / "out")

    entries = json.loads((tmp_path / "out" / "manifest.json").read_text("utf-8"))["batches"]
    [told] = [each for each in entries if "analysis_plans" in each]
    [entry] = told["analysis_plans"]
    assert (told["name"], entry["sha256"]) == (batch.name, plan.sha256)
    assert not entry["is_before_judgements"]
    file = tmp_path / "out" / entry["file"]
    assert file.read_text("utf-8") == "F+A decides."
    assert verify(tmp_path / "out").is_good
    file.write_text("Preferences decide.", encoding="utf-8")
    assert not verify(tmp_path / "out").is_good
