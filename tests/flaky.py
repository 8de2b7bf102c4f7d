"""The end of a run names the tests that passed only when they were run again (pytest-rerunfailures), and says how each
failed first.
"""

import pytest


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    passed = {report.nodeid for report in terminalreporter.getreports("passed")}
    reruns = [each for each in terminalreporter.getreports("rerun") if each.nodeid in passed]
    if reruns:
        terminalreporter.section("flaky:")
    for report in sorted(reruns, key=lambda each: each.nodeid):
        terminalreporter.line(report.nodeid)
        terminalreporter.line(report.longreprtext)
