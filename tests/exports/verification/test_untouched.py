"""Of a release that nobody touched there is no complaint."""

import pytest

from exports.verification.program import verify
from stats.aggregation.consensus import RULES
from tests.exports.verification.changed_release import release
from tests.exports.verification.made_releases.source import Size

SIZES = [
    Size(n_turns=10, n_runs=2, n_people=2, turns_each=1),
    Size(n_turns=9, n_runs=3, n_people=6, n_wanted=3, turns_each=3),
    Size(n_turns=14, n_runs=4, n_people=9, n_wanted=4, is_audited=False, has_sentences=True),
]
CASES = [(seed, rule, SIZES[seed % 3]) for seed in range(7) for rule in RULES]


@pytest.mark.parametrize(("seed", "rule", "size"), CASES)
def test_no_untouched_release_is_complained_of(seed, rule, size, tmp_path):
    outcome = verify(release(tmp_path / "release", seed, rule, size))

    assert [str(each) for of in outcome.found.values() for each in of.problems] == []


@pytest.mark.parametrize("rule", RULES)
def test_its_intervals_are_right_too(rule, tmp_path):
    outcome = verify(release(tmp_path / "release", 1, rule, SIZES[0]), with_intervals=True)

    assert [str(each) for of in outcome.found.values() for each in of.problems] == []
    assert not any(
        "--intervals" in why for of in outcome.found.values() for _, why in of.not_checked
    )
