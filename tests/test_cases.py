import inspect

import pytest

from tests.cases import all_cases

RAN = []


@all_cases(("one", "other"), [(1, 1), (1, 2), (2, 3), (4, 4)])
def equal(folder, one, other):
    RAN.append((folder, one, other))
    assert one == other


@all_cases("one", [1, 2], ids=["first", "second"])
@all_cases("other", [1, 2])
def none_raises(one, other):
    with pytest.raises(ValueError, match="no"):
        RAN.append((one, other))


def test_every_case_is_run_and_each_that_fails_is_named():
    RAN.clear()

    with pytest.raises(ExceptionGroup, match="2 of 4 cases fail: 1, 2; 2, 3") as raised:
        equal(folder="here")

    assert RAN == [("here", 1, 1), ("here", 1, 2), ("here", 2, 3), ("here", 4, 4)]
    assert [each.__notes__ for each in raised.value.exceptions] == [
        ["The case: 1, 2"],
        ["The case: 2, 3"],
    ]


def test_sets_of_cases_are_combined():
    RAN.clear()

    with pytest.raises(BaseExceptionGroup, match="2 of 2 cases fail: first; second"):
        none_raises()

    assert RAN == [(1, 1), (1, 2), (2, 1), (2, 2)]


def test_what_is_no_parameter_of_a_case_is_a_fixture():
    assert [*inspect.signature(equal).parameters] == ["folder"]
    assert [*inspect.signature(none_raises).parameters] == []
