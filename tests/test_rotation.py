import pytest

from tests import rotation, touched

pytest_plugins = ["pytester"]

TESTS = """
import pytest
from hypothesis import given, settings, strategies

@pytest.mark.parametrize("n", range(40))
@pytest.mark.faults
def test_of_faults(n): pass

@pytest.mark.parametrize("n", range(200))
@pytest.mark.browser
def test_in_a_browser(n): pass

@pytest.mark.smoke
@pytest.mark.browser
def test_smoke(): pass

def test_of_an_act(): pass
"""
PROPERTY = """
from hypothesis import given, strategies

N = []

@given(strategies.integers())
def test_property(n): N.append(n)

def test_number(): assert len(N) == {n}
"""
OPTIONS = ("-p", "tests.rotation", "-p", "no:django", "-p", "no:randomly", "-p", "no:cacheprovider")


@pytest.fixture
def collected(pytester, monkeypatch):
    """A function that returns the names of the tests that a run takes."""
    pytester.makeini("[pytest]\nmarkers =\n  faults\n  browser\n  smoke\n")
    path = pytester.makepyfile(test_rotating=TESTS)
    ranks = {}
    monkeypatch.setattr(touched, "change", lambda: frozenset())
    monkeypatch.setattr(touched, "ranks", lambda tests, changed: ranks)

    def run(*options, is_touched=False):
        ranks.update({path: 0} if is_touched else {})
        recorded = pytester.inline_run("--collect-only", *OPTIONS, *options)
        (finish,) = recorded.getcalls("pytest_collection_finish")
        return [item.name for item in finish.session.items]

    return run


def test_four_quarters_take_each_test_that_rotates_once_and_all_others_each_time(collected):
    everything = collected()
    quarters = [collected("--quarter", str(n)) for n in range(rotation.N_QUARTERS)]

    each_time = {"test_smoke", "test_of_an_act"}
    rotating = [name for names in quarters for name in names if name not in each_time]
    assert all(each_time <= set(names) for names in quarters)
    assert sorted([*rotating, *each_time]) == sorted(everything)
    assert min(map(len, quarters)) > 40


def test_the_quarter_of_a_landing_is_the_one_whose_turn_it_is(collected, monkeypatch):
    monkeypatch.setattr(rotation, "n_commits", lambda: 4 * 250 + 3)

    assert collected("--quarter", "auto") == collected("--quarter", "3")


def test_what_the_change_touches_is_taken_besides_up_to_a_number_in_browsers_and_elsewhere(
    collected,
):
    quarter = collected("--quarter", "1")

    with_touched = collected("--quarter", "1", is_touched=True)

    more = set(with_touched) - set(quarter)
    in_browser = {name for name in more if name.startswith("test_in_a_browser")}
    assert len(in_browser) == rotation.MOST_TOUCHED
    assert len(more - in_browser) == rotation.MOST_TOUCHED


def test_the_properties_of_a_file_are_tried_on_more_examples_when_it_is_in_turn(
    pytester, monkeypatch
):
    monkeypatch.delenv("HYPOTHESIS_PROFILE", raising=False)
    turn = rotation.quarter_of("test_property.py")
    for number in range(rotation.N_QUARTERS):
        pytester.makepyfile(test_property=PROPERTY.format(n=100 if number == turn else 15))

        pytester.inline_run(*OPTIONS, "--quarter", str(number)).assertoutcome(passed=2)


@pytest.mark.parametrize(
    ("file", "test"),
    [
        ("tests/browser/test_releases.py", "test_releases"),
        ("tests/annotation/desk_pages.py", "test_desk"),
        ("templates/exports/releases/new.html", "test_releases"),
        ("exports/releases/views.py", "test_releases"),
        ("static/js/desk/keys.js", "test_desk_keyboard"),
        ("static/css/desk.css", "test_desk"),
    ],
)
def test_a_change_touches_the_tests_of_what_uses_it(file, test):
    tests = touched.ROOT.glob("tests/browser/test_*.py")

    found = touched.ranks(tests, frozenset([file]))

    assert test in {path.stem for path in found}
    assert "test_second_factor" not in {path.stem for path in found}
