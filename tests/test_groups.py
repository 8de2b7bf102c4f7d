"""What the suite itself rests on: tests that share an expensive world run in one process, one after another."""

import os

import pytest


@pytest.fixture(scope="module")
def made_once_a_module():
    return object()


def test_tests_that_share_a_fixture_of_their_module_are_a_group(request, made_once_a_module):
    assert request.node.get_closest_marker("xdist_group").args == ("tests.test_groups",)


def test_a_test_that_shares_none_is_in_no_group(request):
    assert request.node.get_closest_marker("xdist_group") is None


@pytest.mark.xdist_group("alone")
def test_a_group_of_tests_is_known_to_who_distributes_them(request):
    if "PYTEST_XDIST_WORKER" not in os.environ:
        pytest.skip("one process does everything")

    assert request.node.nodeid.endswith("@alone")
