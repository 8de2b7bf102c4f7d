"""What holds after every fault: each acknowledged judgement is stored, once."""

from collections import Counter

from tests.faults.annotators import Panel
from tests.faults.fault_installation import BatchContents, FaultInstallation, Work


def assert_nothing_lost(installation: FaultInstallation, panel: Panel) -> None:
    """Assert that every acknowledged judgement is stored, with the server up or down."""
    outcomes = set(panel.outcomes())  # asked first: whatever it holds is stored by now
    assert outcomes <= installation.stored()


def assert_kept(installation: FaultInstallation, panel: Panel) -> BatchContents:
    """Assert that the acknowledged judgements and no others are stored, after everybody stopped."""
    outcomes = panel.outcomes()
    contents = installation.batch_contents()
    times = Counter(each.client_id for each in contents.judgements)
    assert set(times.values()) <= {1}
    assert times.keys() == outcomes.keys()
    for each in contents.judgements:
        expected = outcomes[each.client_id]
        assert (expected.outcome, expected.label, expected.words) == ("saved", expected.chosen, "")
        assert (each.assignment, each.label, each.is_surplus) == (
            expected.assignment,
            expected.chosen,
            False,
        )
    return contents


def assert_kept_and_full(installation: FaultInstallation, panel: Panel, work: Work) -> None:
    contents = assert_kept(installation, panel)
    assert len(contents.judgements) == work.n_judgements
    assert contents.n_full == contents.n_items
