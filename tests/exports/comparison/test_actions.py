"""A comparison as a folder: every figure follows from its tables alone, and the same judgements give the same bytes."""

import ast
import hashlib
import json
import re
from math import exp, isclose

import pytest
from django.conf import settings

from accounts.permissions import NotAllowedError
from exports.comparison import actions as comparison_actions
from exports.comparison import queries as comparison_queries
from exports.comparison.errors import ComparisonError
from exports.comparison.records_from_rows import Rows
from exports.comparison.result import comparison_result
from exports.jobs import BOOTSTRAP
from exports.writers.errors import ReleaseError
from tests.exports import compared_runs
from tests.exports.judged_batches import reject
from tests.parts import part
from tests.recomputed_compared import comparison
from tests.recomputed_tables import table


def write(study, out, *batches, by=None):
    return comparison_actions.write(
        study=study,
        batches=batches,
        out=out,
        bootstrap=BOOTSTRAP,
        by=by or study.created_by,
    )


def figures(folder):
    return json.loads((folder / "figures.json").read_text(encoding="utf-8"))


def near(one, other):
    return one == other or (one is not None and other is not None and isclose(one, other))


def assert_is(result, recomputed, what):
    """A figure of the program and the same anew: value, interval and what they rest on."""
    if recomputed is None:
        assert result["value"] is None, what
        assert result["reason"], what
        return
    assert near(result["value"], recomputed["value"]), what
    assert near(result["low"], recomputed["low"]), what
    assert near(result["high"], recomputed["high"]), what
    assert int(result["n_questions"]) == recomputed["n_questions"], what


def as_figure(row):
    numbers = {key: float(row[key]) if row[key] else None for key in ("value", "low", "high")}
    return numbers | {"n_questions": row["n_questions"], "reason": row["reason"]}


@part
def written_folder(study, folder, rated, preferred, retrieved):
    reject(rated.items.first().assignments.first().judgements.get())
    write(study, folder / "out")
    return folder / "out"


@pytest.mark.parametrize("pool", ["gold", "retrieved"])
def test_every_figure_of_a_run_follows_from_the_tables_alone(written_folder, pool):
    anew = comparison(written_folder, pool)

    rows = [row for row in table(written_folder, "systems") if row["pool"] == pool]
    of_tables = {row["measure"] for row in rows} & anew.keys()
    assert len(of_tables) == 6 + 3 + 6
    for row in rows:
        if row["measure"] in of_tables:
            assert_is(as_figure(row), anew[row["measure"]][row["run"]], row)


@pytest.mark.parametrize("pool", ["gold", "retrieved"])
def test_every_interval_for_people_like_those_who_judged_follows_from_the_tables_alone(
    written_folder, pool
):
    anew = comparison(written_folder, pool)["people"]

    rows = [row for row in table(written_folder, "systems") if row["pool"] == pool]
    found = [row for row in rows if row["run"] in anew.get(row["measure"], {})]
    assert found
    for row in found:
        assert_people(row, anew[row["measure"]][row["run"]])


@pytest.mark.parametrize("pool", ["gold", "retrieved"])
def test_every_test_of_two_runs_follows_from_the_tables_alone(written_folder, pool):
    anew = comparison(written_folder, pool)["tests"]

    rows = [row for row in table(written_folder, "pairs") if row["pool"] == pool]
    found = [row for row in rows if (row["one"], row["other"]) in anew[row["measure"]]]
    assert {row["p_of"] for row in found} >= {"like them"} or pool == "retrieved"
    for row in found:
        expected = anew[row["measure"]][row["one"], row["other"]]
        assert_people(row, expected)
        assert row["p_of"] == expected["p_of"], row
        for key in ("p", "p_these_people", "p_people"):
            assert near(number(row[key]), expected[key]), (key, row)
        if "detectable" in expected:
            assert near(number(row["detectable"]), expected["detectable"]), row


def assert_people(row, expected):
    assert int(row["n_annotators"]) == expected["n"], row
    for column, key in (
        ("people_low", "low"),
        ("people_high", "high"),
        ("share_of_people", "share"),
    ):
        assert near(number(row[column]), expected[key]), (column, row)
    assert (row["people_interval_reason"] == "") == (expected["low"] is not None), row


def number(text):
    return float(text) if text else None


def test_what_is_said_of_preferences_follows_from_the_tables_alone(written_folder):
    anew, result = comparison(written_folder, "gold"), figures(written_folder)["setups"][0]

    assert result["win_rates"]["zero"]["tie_share"] == anew["tie_share"]
    for figure, key in (
        (result["left_bias"]["share"], "left"),
        (result["length"]["preferred"]["longer"], "longer"),
    ):
        assert_is({**figure, **figure["interval"], "reason": figure["reason"]}, anew[key], key)


def test_what_speaks_against_its_intervals_stands_beside_every_figure(written_folder):
    result = figures(written_folder)["setups"][0]

    of_means = [
        *(result["apart"][measure]["caution"] for measure in ("appropriate", "both", "preference")),
        result["length"]["preferred"]["caution"],
    ]
    of_bootstrap = [result["length"]["caution_of_rated"], *result["automatic"]["cautions"]]
    assert len(of_bootstrap) == 3
    assert all("fewer than 10 questions: do not trust" in each for each in of_means)
    assert all("fewer than 30 questions: do not trust" in each for each in of_bootstrap)


def test_every_difference_follows_from_the_tables_alone(written_folder):
    for pool in ("gold", "retrieved"):
        anew = comparison(written_folder, pool)["differences"]
        for row in table(written_folder, "pairs"):
            if row["pool"] == pool:
                result = float(row["difference"]) if row["difference"] else None
                assert near(result, anew[row["measure"]][row["one"], row["other"]]), row


def test_what_is_said_of_passages_follows_from_the_tables_alone(written_folder):
    anew, result = (
        comparison(written_folder, "retrieved")["passages"],
        figures(written_folder)["setups"][1],
    )

    assert {key: result["relevance"][key] for key in anew} == anew
    assert anew["after_all"] == ["3_1"]


def test_the_correlation_of_answers_follows_from_the_tables_alone(written_folder):
    (row,) = [
        row
        for row in table(written_folder, "automatic")
        if (row["pool"], row["over"], row["measure"], row["scale"], row["coefficient"])
        == ("gold", "answers", "rouge_l", "both", "kendall_tau_b")
    ]

    assert near(float(row["value"]), comparison(written_folder, "gold")["tau"])


def test_by_the_strengths_each_run_is_expected_to_win_as_often_as_it_did(written_folder):
    """What makes the fit of Bradley-Terry the best one: wins, with half the ties, are those expected."""
    fit = figures(written_folder)["setups"][0]["bradley_terry"]["half"]
    rates = figures(written_folder)["setups"][0]["win_rates"]["half"]["rates"]
    strength = {each["run"]: each["strength"] for each in fit["strengths"]}

    assert isclose(sum(strength.values()), 0, abs_tol=1e-8)
    for rate in rates:  # each was compared with either other six times
        others = [strength[run] for run in strength if run != rate["run"]]
        expected = sum(6 / (1 + exp(each - strength[rate["run"]])) for each in others)
        assert isclose(expected, rate["n_wins"] + rate["n_ties"] / 2, abs_tol=1e-6)


def test_the_same_judgements_give_the_same_bytes(study, tmp_path, written_folder):
    write(study, tmp_path / "again")

    names = sorted(path.name for path in written_folder.iterdir())
    assert names == sorted(path.name for path in (tmp_path / "again").iterdir())
    for name in names:
        assert (written_folder / name).read_bytes() == (tmp_path / "again" / name).read_bytes(), (
            name
        )


def test_the_manifest_names_every_file_and_what_it_was_made_from(written_folder):
    made = json.loads((written_folder / "manifest.json").read_text(encoding="utf-8"))

    found = {path.name for path in written_folder.iterdir()} - {"manifest.json"}
    assert made["files"].keys() == found
    for name, sha256 in made["files"].items():
        assert hashlib.sha256((written_folder / name).read_bytes()).hexdigest() == sha256
    assert [batch["name"] for batch in made["batches"]] == [
        "preference gold",
        "rating gold",
        "rating retrieved",
    ]
    assert [run["name"] for run in made["datasets"][0]["runs"]][:3] == ["alder", "birch", "cedar"]
    assert {"columns.md", "table7.tex", "qrels-2.txt", "win_rate-1.svg"} <= found


def test_batches_may_be_named(study, tmp_path, rated, preferred):
    result = write(study, tmp_path / "out", "rating gold")

    assert result["batches"] == ["rating gold"]
    assert {row["batch"] for row in table(tmp_path / "out", "judgements")} == {"rating gold"}


def test_without_such_a_batch_nothing_is_written(study, tmp_path, pool):
    with pytest.raises(ComparisonError, match="no batch of the study lighthouses compares runs"):
        write(study, tmp_path / "out")
    with pytest.raises(ComparisonError, match="has no batch slate"):
        write(study, tmp_path / "out", "slate")
    assert not (tmp_path / "out").exists()


def test_real_and_simulated_people_are_not_counted_together(study, tmp_path, gold, rated, alice):
    simulated = compared_runs.open_batch(gold, "rating", name="simulated")
    type(simulated).objects.filter(pk=simulated.pk).update(is_rehearsal=True)

    with pytest.raises(ComparisonError, match="never counted together"):
        write(study, tmp_path / "out", "simulated", "rating gold")
    assert write(study, tmp_path / "out")["batches"] == ["rating gold"]


def test_a_folder_that_is_taken_is_refused(study, tmp_path, rated):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "note.txt").write_text("mine")

    with pytest.raises(ReleaseError, match="not an empty folder"):
        write(study, tmp_path / "out")


def test_only_a_requester_may(study, tmp_path, rated, bob, carol):
    for who in (bob, carol):
        with pytest.raises(NotAllowedError):
            write(study, tmp_path / "out", by=who)


def test_what_the_documentation_computes_with_pandas_is_what_the_tables_say(
    written_folder, monkeypatch
):
    """Its examples in their order, each ending with a figure of every pool and run."""
    monkeypatch.chdir(written_folder)
    page = (settings.BASE_DIR / "docs" / "comparing.md").read_text(encoding="utf-8")
    names: dict[str, object] = {}
    _, ratings, win_rates, lengths = [
        example_result(example, names)
        for example in re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    ]

    systems = {
        (row["pool"], row["run"], row["measure"]): float(row["value"])
        for row in table(written_folder, "systems")
        if row["value"]
    }
    for (pool, run), row in ratings.iterrows():
        for measure in ("faithful", "appropriate", "both"):
            assert isclose(row[measure], systems[pool, run, measure])
    for measure, found in (("win_rate_zero", win_rates), ("length", lengths)):
        for (pool, run), value in found.items():
            assert isclose(value, systems[pool, run, measure])
    assert (len(ratings), len(win_rates), len(lengths)) == (6, 3, 6)


def example_result(example, names):
    """What the last line of an example comes to."""
    *steps, last = ast.parse(example).body
    exec(compile(ast.Module([*steps], []), "comparing.md", "exec"), names)
    if not isinstance(last, ast.Expr):
        exec(compile(ast.Module([last], []), "comparing.md", "exec"), names)
        return None
    return eval(compile(ast.Expression(last.value), "comparing.md", "eval"), names)


def test_ratings_beside_lengths_are_those_of_answerable_questions(rated):
    """On question 3, which has no answer, all is rated 1 whatever its length."""
    batches, judgements, answers = (
        getattr(comparison_queries.rows([rated]), name)
        for name in ("batches", "judgements", "answers")
    )
    answerable = [row for row in judgements if row.turn_id != "3_1"]

    every, some = (
        comparison_result(Rows(batches, said, answers), BOOTSTRAP)["setups"][0]["length"]["rated"]
        for said in (judgements, answerable)
    )

    assert len(answerable) < len(judgements)
    assert every == some
    assert every["faithful"]["n_questions"] == 2
