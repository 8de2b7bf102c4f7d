"""The end of a run names the tests that passed only when they were run again (pytest-rerunfailures)."""

import pytest


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    reruns = {report.nodeid for report in terminalreporter.getreports("rerun")}
    passed = {report.nodeid for report in terminalreporter.getreports("passed")}
    if found := sorted(reruns & passed):
        terminalreporter.section("flaky:")
        for name in found:
            terminalreporter.line(name)
