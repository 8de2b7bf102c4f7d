"""Tests of the order of a person's work: drift within and between sessions, and sticking keys."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from stats.annotators.entries import Entry, blocks, sessions
from stats.annotators.peers import Pairs
from stats.annotators.permutation import Floats, Ints, permutation_test

# From fewer nothing is said of the order.
LEAST_ENTRIES = 20

TOO_FEW = f"fewer than {LEAST_ENTRIES} labels"
TOO_FEW_PAIRED = f"fewer than {LEAST_ENTRIES} labels on what others judged too"
ONE_SESSION = "a single session"
ONE_LABEL = "one label only"
ONE_QUESTION = "a single question in each session"
ONE_ANSWER = "each screen shows one answer"
ALL_THE_SAME = "the same share of the others agreed with each label"


@dataclass(frozen=True, slots=True)
class Test:
    """The observed and the expected statistic if order has no effect, with the p-value.

    `seen`, `expected` and `p` are None exactly if there is a `reason`. `n` is the number of
    entries.
    """

    seen: float | None
    expected: float | None
    p: float | None
    n: int
    reason: str | None = None


def _undefined_test(n: int, reason: str) -> Test:
    return Test(None, None, None, n, reason)


def within_session_test(pairs: Sequence[Pairs], *, seed: int) -> Test:
    """Test how much less others agree with the second halves of sessions than with the first.

    `seen` is the mean share of the others that agree in the first halves minus that in the second,
    over all sessions; an entry in the middle of a session is in neither half. Questions are
    shuffled.
    """
    if len(pairs) < LEAST_ENTRIES:
        return _undefined_test(len(pairs), TOO_FEW_PAIRED)
    session = np.asarray(sessions([each.entry for each in pairs]))
    half = _halves(session)
    weight = np.where(half == 0, 1 / max(1, (half == 0).sum()), 0.0)
    weight -= np.where(half == 1, 1 / max(1, (half == 1).sum()), 0.0)
    return _weighted_test(pairs, weight, session, seed)


def _halves(session: Ints) -> Ints:
    """Return 0 for the first half of a session, 1 for the second, -1 for its middle."""
    half = np.full(len(session), -1)
    for number in np.unique(session):
        (places,) = np.nonzero(session == number)
        n = len(places) // 2
        half[places[:n]] = 0
        half[places[len(places) - n :]] = 1
    return half


def between_session_test(pairs: Sequence[Pairs], *, seed: int) -> Test:
    """Test how much agreement with others falls from one session to the next.

    `seen` is the fall a session, minus the slope of least squares. Questions are shuffled over all
    sessions.
    """
    if len(pairs) < LEAST_ENTRIES:
        return _undefined_test(len(pairs), TOO_FEW_PAIRED)
    number = np.asarray(sessions([each.entry for each in pairs]), np.float64)
    away = number - number.mean()
    if not away.any():
        return _undefined_test(len(pairs), ONE_SESSION)
    weight = -away / (away**2).sum()
    return _weighted_test(pairs, weight, np.zeros(len(pairs), np.int64), seed)


def _weighted_test(pairs: Sequence[Pairs], weight: Floats, session: Ints, seed: int) -> Test:
    """Test the weighted sum of agreements."""
    agrees = np.array([each.n_same / each.n_others for each in pairs])
    if (agrees == agrees[0]).all():
        return _undefined_test(len(pairs), ALL_THE_SAME)
    block = blocks([each.entry for each in pairs])
    if not _can_be_shuffled(block, session):
        return _undefined_test(len(pairs), ONE_QUESTION)
    found = permutation_test(
        lambda order: agrees[order] @ weight, block, session.tolist(), seed=seed
    )
    return Test(found.seen, found.mean, found.p, len(pairs))


def _can_be_shuffled(block: Sequence[int], session: Ints) -> bool:
    pairs = set(zip(block, session.tolist(), strict=True))
    return len(pairs) > len(set(session.tolist()))


def repeat_test(entries: Sequence[Entry], *, seed: int) -> Test:
    """Test how often the same label of the screen comes twice in a row: the key that sticks.

    `seen` is the share of neighbours (consecutive entries of a session) with equal labels;
    `expected` its mean with the questions of each session shuffled. Likeness within a question and
    the prevalence are the same in every shuffle, so the test is about neither.
    """
    if len(entries) < LEAST_ENTRIES:
        return _undefined_test(len(entries), TOO_FEW)
    codes = _coded([each.screen_label for each in entries])
    if not codes.any():
        return _undefined_test(len(entries), ONE_LABEL)
    block, session = blocks(entries), np.asarray(sessions(entries), np.int64)
    if not _can_be_shuffled(block, session):
        return _undefined_test(len(entries), ONE_QUESTION)
    is_pair = session[1:] == session[:-1]

    def share(order: Ints) -> Floats:
        label = codes[order]
        same: Floats = ((label[:, 1:] == label[:, :-1]) & is_pair).sum(axis=1) / is_pair.sum()
        return same

    found = permutation_test(share, block, session.tolist(), seed=seed)
    return Test(found.seen, found.mean, found.p, len(entries))


def position_test(entries: Sequence[Entry], *, seed: int) -> Test:
    """Test whether labels depend on the place, on screens with several answers.

    The order on the screen was drawn at random, so labels can be exchanged between the places of a
    screen. `seen` is the sum of (n - e)^2 / e over places and labels, n how often the label was
    given there and e the mean of that when each screen's labels are shuffled; `expected` its mean
    then. Both answers of a pair have a label here.
    """
    entries = [side for each in entries for side in _sides(each)]
    screens = _coded([each.submission for each in entries])
    sizes = np.bincount(screens) if len(entries) else np.zeros(1, np.int64)
    if sizes.max(initial=0) < 2:
        return _undefined_test(len(entries), ONE_ANSWER)
    kept = [each for each, code in zip(entries, screens, strict=True) if sizes[code] > 1]
    if len(kept) < LEAST_ENTRIES:
        return _undefined_test(len(kept), TOO_FEW)
    kept.sort(key=lambda each: each.submission)  # stable: within a screen as they came
    labels = _coded([each.label for each in kept])
    if not labels.any():
        return _undefined_test(len(kept), ONE_LABEL)
    screen = _coded([each.submission for each in kept])
    places = _coded([f"{each.position:09d}" for each in kept])
    expected = _expected(labels, screen, places)

    def distance(order: Ints) -> Floats:
        said, total = labels[order], np.zeros(len(order))
        for (place, label), mean in np.ndenumerate(expected):
            if mean:
                n = ((said == label) & (places == place)).sum(axis=1)
                total += (n - mean) ** 2 / mean
        return total

    found = permutation_test(distance, list(range(len(kept))), screen.tolist(), seed=seed)
    return Test(found.seen, found.mean, found.p, len(kept))


def _sides(entry: Entry) -> tuple[Entry, ...]:
    return (entry, entry.mirrored) if entry.is_pair else (entry,)


def _expected(labels: Ints, screen: Ints, places: Ints) -> Floats:
    """Return the mean count of each label (column) at each place (row)."""
    of_screen = np.zeros((screen.max() + 1, labels.max() + 1))
    np.add.at(of_screen, (screen, labels), 1)
    of_screen /= of_screen.sum(axis=1, keepdims=True)
    expected = np.zeros((places.max() + 1, labels.max() + 1))
    np.add.at(expected, places, of_screen[screen])
    return expected


def _coded(names: Sequence[str]) -> Ints:
    return np.unique(np.asarray(names, dtype=object).astype(str), return_inverse=True)[1].astype(
        np.int64
    )
