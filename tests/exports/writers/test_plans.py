"""Plans of analysis in a release: file, manifest, README, and what verify.py says of them."""

import hashlib
import json
import shutil
from datetime import timedelta

import pytest

from accounts.models import User
from annotation.actions import analysis_plans, guideline_versions
from annotation.models import AnalysisPlan, Batch
from exports.rows.ids import timestamp
from exports.verification.program import verify
from tests.annotation.desk import NOW
from tests.annotation.pools import launched
from tests.exports.judged_batches import judge_and_settle, judge_batch, manifest_of, release
from tests.parts import part

PLAN = "# Plan\r\n\nUnanimous. <b>Two</b> judgements.\n"


@pytest.fixture
def out(tmp_path):
    return tmp_path / "release"


@part
def planned(pool, alice: User, bob: User, dora: User) -> Batch:
    """A plan before the first judgement, another guideline and another plan after the first ones."""
    batch = launched(pool, guideline="Be kind.")
    analysis_plans.freeze(batch=batch, text=PLAN, by=alice)
    AnalysisPlan.objects.update(frozen_at=NOW - timedelta(days=1))  # NOW: when people judge
    judge_batch(batch, bob)
    guideline_versions.change(batch=batch, text="Be strict.", by=alice)
    batch.refresh_from_db()
    settled = judge_and_settle(batch, dora)
    analysis_plans.freeze(batch=batch, text="By majority.\n", by=alice)
    return settled


def problems_of(folder):
    found = verify(folder).found.values()
    return [str(problem) for each in found for problem in each.problems]


def test_a_release_has_the_plans_their_times_and_what_was_decided_later(planned, out):
    release(planned, out)

    [told] = manifest_of(out)["batches"]
    first, second = told["analysis_plans"]
    assert (out / first["file"]).read_bytes() == PLAN.encode()
    assert first["file"] == f"plans/{first['sha256']}.md"
    assert (first["n_judgements"], first["is_before_judgements"]) == (0, True)
    assert (second["n_judgements"] > 0, second["is_before_judgements"]) == (True, False)
    assert [each["what"] for each in told["deviations"]] == [
        "the guideline was changed: version 2",
        f"another plan was frozen, judgements until then: {second['n_judgements']}",
    ]
    text = (out / "README.md").read_text("utf-8")
    assert f"- `{first['file']}`, frozen {first['frozen_at']}, before the first judgement\n" in text
    assert f"**after {second['n_judgements']} judgements**" in text
    assert (
        f"- deviation, {told['deviations'][0]['at']}: the guideline was changed: version 2" in text
    )
    assert "alice" not in json.dumps(told)
    assert problems_of(out) == []


def test_a_release_without_a_plan_says_nothing_of_plans(plausibility, out):
    release(plausibility, out)

    [told] = manifest_of(out)["batches"]
    assert {"analysis_plans", "deviations"}.isdisjoint(told)
    assert "plan" not in (out / "README.md").read_text("utf-8").lower()
    assert not (out / "plans").exists()


def _changed(whole, tmp_path, change):
    folder = shutil.copytree(whole, tmp_path / "changed")
    manifest = json.loads((folder / "manifest.json").read_text("utf-8"))
    change(folder, manifest["batches"][0]["analysis_plans"][0], manifest)
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    return problems_of(folder)


def another_text(folder, plan, manifest):
    (folder / plan["file"]).write_text("By majority from the start.\n", encoding="utf-8")


def another_text_and_sum(folder, plan, manifest):
    another_text(folder, plan, manifest)

    manifest["files"][plan["file"]] = hashlib.sha256(
        (folder / plan["file"]).read_bytes()
    ).hexdigest()


def later_time(folder, plan, manifest):
    plan["frozen_at"] = "2999-01-01T00:00:00.000000Z"


def a_minute_later(folder, plan, manifest):
    """As the plan was frozen while the first judgements were being submitted; NOW is when people judge."""
    plan["frozen_at"] = timestamp(NOW + timedelta(seconds=59))


def half_an_hour_later(folder, plan, manifest):
    plan["frozen_at"] = timestamp(NOW + timedelta(minutes=30))


def no_time(folder, plan, manifest):
    plan["frozen_at"] = "yesterday"


def not_before(folder, plan, manifest):
    plan["is_before_judgements"] = False


def no_file(folder, plan, manifest):
    del manifest["files"][plan["file"]]
    (folder / plan["file"]).unlink()


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (another_text, "plans/"),
        (another_text_and_sum, "analysis_plans[0].sha256"),
        (later_time, "judgements in the tables were submitted more than 60 s before 2999"),
        (half_an_hour_later, "judgements in the tables were submitted more than 60 s before"),
        (no_time, "analysis_plans[0].frozen_at"),
        (not_before, "analysis_plans[0].is_before_judgements"),
        (no_file, "analysis_plans[0].sha256"),
    ],
)
def test_a_plan_that_was_changed_afterwards_is_found(planned, out, tmp_path, change, says):
    release(planned, out)

    assert any(says in each for each in _changed(out, tmp_path, change))


def test_a_judgement_that_was_on_its_way_when_the_plan_was_frozen_is_no_complaint(
    planned, out, tmp_path
):
    release(planned, out)

    assert _changed(out, tmp_path, a_minute_later) == []
