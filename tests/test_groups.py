"""What the suite itself rests on: tests that share an expensive world run in one process, one after another."""

import os

import pytest


@pytest.mark.xdist_group("alone")
def test_a_group_of_tests_is_known_to_who_distributes_them(request):
    if "PYTEST_XDIST_WORKER" not in os.environ:
        pytest.skip("one process does everything")

    assert request.node.nodeid.endswith("@alone")
