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


def assert_controls_count_nowhere(installation: FaultInstallation) -> None:
    """Assert that control items were judged, and that settling the batch gives verdicts to all items but these."""
    contents = installation.batch_contents()
    assert {each.assignment for each in contents.judgements} & set(contents.controls)
    assert (contents.n_verdicts, contents.n_of_controls) == (contents.n_items, 0)


def assert_kept_and_full(installation: FaultInstallation, panel: Panel, work: Work) -> None:
    contents = assert_kept(installation, panel)
    controls = set(contents.controls)
    n_of_controls = sum(each.assignment in controls for each in contents.judgements)
    assert len(contents.judgements) - n_of_controls == work.n_judgements
    assert contents.n_full == contents.n_items
