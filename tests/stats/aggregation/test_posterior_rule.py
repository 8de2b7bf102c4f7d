from stats.aggregation import consensus, posteriors
from stats.aggregation.posteriors import Posterior


def test_a_label_that_nobody_said_is_no_verdict_however_likely(monkeypatch):
    likely = Posterior((("a", 0.01), ("b", 0.99)), "confusion")
    monkeypatch.setattr(posteriors, "posteriors", lambda votes, labels: {1: likely})

    outcome = consensus.posterior({1: {"x": "a", "y": "a", "z": "a"}}, labels=("a", "b"))[1]

    assert (outcome.label, outcome.reason) == (None, consensus.UNCERTAIN)
