"""What a release says it was made from: exports/writers/manifests.py."""

import hashlib
from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from annotation.actions import guideline_versions, open_batches, qualifications, rehearsals
from annotation.models import Batch
from exports.rows.ids import timestamp
from scoring.models import ImportedScore
from tests.annotation.pools import launched
from tests.exports.judged_batches import (
    close_batch,
    judge_and_settle,
    judge_batch,
    manifest_of,
    release,
    settle_batch,
)
from tests.recomputed_tables import table

GUIDELINE = "# Judge what is there.\r\nNot what you know: “é”.\n"


@pytest.fixture
def out(tmp_path):
    return tmp_path / "release"


def sha256(held):
    return hashlib.sha256(held).hexdigest()


def test_every_file_stands_in_the_manifest_with_its_sha256(pool, bob, dora, out):
    release(judge_and_settle(launched(pool, guideline=GUIDELINE), bob, dora), out)

    there = {
        path.relative_to(out).as_posix(): sha256(path.read_bytes())
        for path in out.rglob("*")
        if path.is_file() and path.name != "manifest.json"
    }
    assert manifest_of(out)["files"] == there
    assert len(there) == 19


def test_the_guideline_is_a_file_called_after_its_batch(pool, bob, dora, out):
    batch = launched(pool, name="First round / pilot", guideline=GUIDELINE)
    release(judge_and_settle(batch, bob, dora), out)

    [batch] = manifest_of(out)["batches"]
    name = batch["guideline_file"]
    assert name == "guidelines/first-round-pilot.md"
    assert (out / name).read_bytes() == GUIDELINE.encode("utf-8")
    assert manifest_of(out)["files"][name] == batch["guideline_sha256"]
    assert {row["guideline_sha256"] for row in table(out, "judgements")} == {
        batch["guideline_sha256"]
    }


def test_an_empty_guideline_is_no_file(plausibility, out):
    release(plausibility, out)

    assert not (out / "guidelines").exists()


def test_a_batch_says_how_it_was_handed_out(pool, bob, dora, out):
    deadline = timezone.now() + timedelta(days=9)
    batch = launched(pool, claim_seconds=90, largest_share=0.75, deadline_at=deadline)
    release(judge_and_settle(batch, bob, dora), out)

    [told] = manifest_of(out)["batches"]

    assert (told["claim_seconds"], told["largest_share"]) == (90, 0.75)
    assert told["deadline_at"] == timestamp(deadline)
    assert told["rehearsal"] is None


def test_without_a_share_and_a_deadline_there_is_nothing(plausibility, out):
    release(plausibility, out)

    [told] = manifest_of(out)["batches"]
    assert told["largest_share"] is told["deadline_at"] is None


def test_a_rehearsed_batch_says_how_its_people_were_made_up(pool, alice, out):
    for name, seed in (("one", 5), ("one more", 6)):
        batch = launched(pool, name=name)
        rehearsals.rehearse(batch=batch, n_annotators=3, accuracy=0.75, seed=seed, by=alice)
        settle_batch(close_batch(batch))
    release(batch, out, is_rehearsal=True, set_aside_disputes=True)

    made_up = {each["name"]: each["rehearsal"] for each in manifest_of(out)["batches"]}

    same = {"accuracy": 0.75, "n_annotators": 3, "n_judgements": 6}
    assert made_up == {"one": {"seed": 5, **same}, "one more": {"seed": 6, **same}}


def test_a_scorer_says_what_it_is_and_the_sha256_of_its_scores(plausibility, out):
    release(plausibility, out)

    [scorer] = manifest_of(out)["scorers"]

    scores = ImportedScore.objects.select_related("answer__run", "answer__turn__conversation")
    lines = sorted(
        f"{each.answer.run.name}\t{each.answer.turn.key}\t{each.value!r}\n" for each in scores
    )
    assert scorer == {
        "name": "paper#imported",
        "metric": "sas",
        "is_imported": True,
        "identity": {},
        "n_scores": len(lines),
        "scores_sha256": sha256("".join(lines).encode("utf-8")),
    }


def test_another_score_is_another_sha256(plausibility, tmp_path):
    release(plausibility, tmp_path / "first")
    score = ImportedScore.objects.filter(answer__run__name="fir").first()
    ImportedScore.objects.filter(pk=score.pk).update(value=0.3)
    release(plausibility, tmp_path / "second")

    first, second = (manifest_of(tmp_path / name)["scorers"][0] for name in ("first", "second"))
    assert first["n_scores"] == second["n_scores"]
    assert first["scores_sha256"] != second["scores_sha256"]


def test_a_release_holds_what_each_column_means(plausibility, out):
    release(plausibility, out)

    for name in ("judgements", "items", "answers", "per_run"):
        told = (out / "columns.md").read_text(encoding="utf-8").partition(f"## {name}.csv\n")[2]
        for column in table(out, name)[0]:
            assert f"\n- `{column}` (" in told.partition("\n## ")[0]


def test_only_the_clock_differs_between_two_releases_of_the_same(plausibility, tmp_path):
    release(plausibility, tmp_path / "first")
    release(plausibility, tmp_path / "second")

    first, second = (manifest_of(tmp_path / name) for name in ("first", "second"))
    assert first.pop("created_at") < second.pop("created_at")
    assert (first.pop("release"), second.pop("release")) == (1, 2)
    assert first == second


def test_an_instant_is_written_in_utc():
    at = datetime(2026, 1, 31, 12, tzinfo=UTC)

    assert timestamp(at) == "2026-01-31T12:00:00.000000Z"
    assert timestamp(None) == ""


def test_a_guideline_that_was_changed_is_released_in_all_versions(pool, alice, bob, dora, out):
    batch = launched(pool, guideline="Be kind.")
    judge_batch(batch, bob)
    guideline_versions.change(batch=batch, text="Be strict.", by=alice)
    batch.refresh_from_db()
    release(judge_and_settle(batch, dora), out)

    [told] = manifest_of(out)["batches"]

    versions = told["guideline_versions"]
    assert [each["version"] for each in versions] == [1, 2]
    assert versions[1]["sha256"] == told["guideline_sha256"]
    files = (f"guidelines/{versions[0]['sha256']}.md", told["guideline_file"])
    assert [(out / name).read_text("utf-8") for name in files] == ["Be kind.", "Be strict."]


def test_a_release_says_who_could_work_on_a_batch_and_how_often_controls_came(
    pool, alice, bob, dora, out
):
    trusted = qualifications.create(
        study=pool.dataset.study, name="trusted", rule={"accuracy": 0.8}, by=alice
    )
    batch = launched(pool)
    Batch.objects.filter(pk=batch.pk).update(
        qualification=trusted, control_every=9, repeat_every=20
    )
    qualifications.grant(qualification=trusted, people=[bob, dora], reason="good", by=alice)
    batch.refresh_from_db()
    release(judge_and_settle(batch, bob, dora), out)

    [told] = manifest_of(out)["batches"]

    assert told["audience"] == {"qualification": "trusted", "rule": trusted.rule}
    assert told["control_every"] == 9
    assert told["repeat_every"] == 20
    readme = (out / "README.md").read_text("utf-8")
    assert "Only people with trusted (a qualification with a rule, in `manifest.json`)" in readme


def test_a_batch_of_everybody_under_one_guideline_says_no_more_of_either(plausibility, out):
    release(plausibility, out)

    [told] = manifest_of(out)["batches"]
    unsaid = {"guideline_versions", "first_name", "audience", "control_every", "repeat_every"}
    assert unsaid.isdisjoint(told)


def test_a_renamed_batch_says_by_which_name_its_orders_were_drawn(pool, alice, bob, dora, out):
    batch = open_batches.rename(batch=launched(pool), name="better", by=alice)
    release(judge_and_settle(batch, bob, dora), out)

    [told] = manifest_of(out)["batches"]
    assert (told["name"], told["first_name"]) == ("better", "plausibility")
