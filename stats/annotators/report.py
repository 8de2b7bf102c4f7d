"""The report on every annotator of a table of judgements: figures, signals, ranks."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from stats.annotators import (
    agreement_with_others,
    control_recall,
    label_runs,
    order_tests,
    signals,
)
from stats.annotators.agreement_with_others import Share
from stats.annotators.confusion import Confusion, Estimate, confusion
from stats.annotators.control_recall import Recall
from stats.annotators.entries import Entry, by_asked, sessions, sorted_entries, submissions
from stats.annotators.estimated_confusion import estimated_confusion
from stats.annotators.label_runs import Run
from stats.annotators.order_tests import Test
from stats.annotators.peers import Crowd
from stats.annotators.reading_floor import Floor, reading_floor
from stats.annotators.robust_z import Measurement
from stats.annotators.signals import Signal
from stats.annotators.speed import Speed, batch_medians, relative_log_time, speed
from stats.annotators.work_timeline import Piece, work_timeline
from stats.multiplicity import holm

NO_OTHERS = "nobody else was asked this"
Beat = Callable[[], None]


@dataclass(frozen=True, slots=True)
class AskedReport:
    """One person's labels for one question asked: counts, the longest run, the tests of order."""

    asked: str
    n: int
    shares: dict[str, int]
    shares_of_others: dict[str, float]
    run_label: str
    run_length: int
    run_p: float | None
    repeats: Test
    position: Test
    confusion: Confusion


@dataclass(frozen=True, slots=True)
class Person:
    annotator: str
    n_items: int
    n_extra: int
    n_sessions: int
    speed: Speed
    agreement: Share
    leave_one_out: Share
    n_tied: int
    recalls: list[Recall]
    asked: list[AskedReport]
    fall_within: Test
    fall_between: Test
    signals: list[Signal]
    course: list[Piece]
    floor: Floor

    @property
    def reasons(self) -> list[Signal]:
        """Return the signals that are rare in honest work; the floor of reading is beside them."""
        return [each for each in self.signals if each.is_reason]

    @property
    def reasons_in_words(self) -> list[str]:
        floor = [self.floor.words] if self.floor.is_under else []
        return floor + [each.words for each in self.reasons]

    @property
    def least(self) -> float:
        """Return the smallest p-value, by which people are ranked."""
        return min((each.p for each in self.signals if each.p is not None), default=1.0)


@dataclass(frozen=True, slots=True)
class Report:
    """All people, the strongest signal first; p-values are adjusted for `n_tests`."""

    people: list[Person]
    n_tests: int
    n_judgements: int


def examine(
    entries: Iterable[Entry],
    *,
    replicates: int,
    seed: int,
    estimate: Estimate = estimated_confusion,
    beat: Beat = lambda: None,
) -> Report:
    """Return figures and signals of everybody.

    It refuses nobody: it gives people an order and reasons.

    Who works faster than anybody reads comes first, whatever others do. The others are ranked by
    their strongest signal alone, not by a sum: one thing that honest work does
    not explain is enough for a look, and many slightly odd things are not. A signal is a reason if
    its p-value, adjusted for all signals of all people (Holm), is at most .05.
    """
    by_worker = _by_worker(entries)
    everybody = [each for own in by_worker.values() for each in own]
    table = _Table(by_worker, Crowd(everybody), everybody, estimate, replicates, seed)
    people = []
    for worker in sorted(by_worker):
        people.append(_person(worker, table))
        beat()
    people = _with_adjusted_p(people)
    return Report(
        people=sorted(
            people, key=lambda each: (not each.floor.is_under, each.least, each.annotator)
        ),
        n_tests=sum(each.p is not None for person in people for each in person.signals),
        n_judgements=len({each.submission for each in everybody}),
    )


def _by_worker(entries: Iterable[Entry]) -> dict[str, list[Entry]]:
    found: dict[str, list[Entry]] = defaultdict(list)
    for each in sorted_entries(entries):
        found[each.worker].append(each)
    return dict(found)


class _Table:
    """The values that all people are compared with, computed once."""

    def __init__(
        self,
        by_worker: dict[str, list[Entry]],
        crowd: Crowd,
        everybody: Sequence[Entry],
        estimate: Estimate,
        replicates: int,
        seed: int,
    ) -> None:
        self.by_worker, self.crowd, self.everybody = by_worker, crowd, everybody
        self.together = agreement_with_others.Together(crowd)
        self.replicates, self.seed = replicates, seed
        usually = batch_medians(by_worker.values())
        self.typical: Mapping[str, Measurement | None] = {
            worker: relative_log_time(own, usually) for worker, own in by_worker.items()
        }
        self.estimated = {asked: estimate(own) for asked, own in by_asked(everybody)}
        self.labels = {
            asked: sorted({each.label for each in own}) for asked, own in by_asked(everybody)
        }
        self.n_screen_labels = {
            asked: len({each.screen_label for each in own}) for asked, own in by_asked(everybody)
        }

    def others_speeds(self, worker: str) -> list[float]:
        return [each.value for name, each in self.typical.items() if name != worker and each]


def _person(worker: str, table: _Table) -> Person:
    own, crowd, drawn = table.by_worker[worker], table.crowd, _bootstrap_settings(table)
    typical_of = table.typical[worker]
    fast = speed(own, typical_of, table.others_speeds(worker))
    pairs = crowd.pairs(own)
    why = agreement_with_others.why_no_pairs(own)
    agreement = agreement_with_others.pairwise_share(pairs, why=why, **drawn)
    leave_one_out, n_tied = agreement_with_others.leave_one_out(own, crowd, **drawn)
    recalls = control_recall.recalls(own, table.everybody)
    within = order_tests.within_session_test(pairs, seed=table.seed)
    between = order_tests.between_session_test(pairs, seed=table.seed)
    asked = [_asked_report(name, part, table) for name, part in by_asked(own)]
    found = [
        *(signal for _, signal in asked),
        *(_order_signals([each for each, _ in asked])),
        signals.agreement_signal(
            agreement,
            agreement_with_others.below_the_others(worker, pairs, table.together, why=why),
        ),
        *filter(None, map(signals.recall_signal, recalls)),
        signals.speed_signal(fast, fast.beside, typical_of.value if typical_of else None),
        signals.within_session_signal(within),
        signals.between_session_signal(between),
    ]
    return Person(
        annotator=worker,
        n_items=len({each.item for each in own}),
        n_extra=sum(each.is_extra for each in submissions(own)),
        n_sessions=sessions(submissions(own))[-1] + 1,
        speed=fast,
        agreement=agreement,
        leave_one_out=leave_one_out,
        n_tied=n_tied,
        recalls=recalls,
        asked=[each for each, _ in asked],
        fall_within=within,
        fall_between=between,
        signals=found,
        course=work_timeline(own, crowd),
        floor=reading_floor(own),
    )


def _bootstrap_settings(table: _Table) -> dict[str, int]:
    return {"replicates": table.replicates, "seed": table.seed}


def _asked_report(name: str, entries: Sequence[Entry], table: _Table) -> tuple[AskedReport, Signal]:
    """Return the report on one question asked, and the signal of its longest run.

    The run is the longest of any label of the screen: its p-value is that of the label, times the
    number of labels.
    """
    crowd = table.crowd
    screen_labels = [each.screen_label for each in entries]
    run = label_runs.longest_run(screen_labels)
    assert run is not None  # noqa: S101 - nobody is here without an entry
    p = _run_p(run, entries, screen_labels, table)
    report = AskedReport(
        asked=name,
        n=len(entries),
        shares=dict(sorted(Counter(each.label for each in entries).items())),
        shares_of_others=dict(crowd.prevalence(name, entries[0].worker)),
        run_label=run.label,
        run_length=run.length,
        run_p=p,
        repeats=order_tests.repeat_test(entries, seed=table.seed),
        position=order_tests.position_test(entries, seed=table.seed),
        confusion=confusion(name, entries, crowd, table.estimated[name], table.labels[name]),
    )
    why_not = NO_OTHERS if p is None else None
    return report, signals.run_signal(name, run, screen_labels, p, why_not)


def _run_p(
    run: Run, entries: Sequence[Entry], screen_labels: Sequence[str], table: _Table
) -> float | None:
    """Return the probability of such a run of any label; None where nobody else was asked.

    The null hypothesis is the person's own share of the label. Who gave no other label has no
    share that says how lenient they are; there it is the others' labels.
    """
    chances = table.crowd.chances(entries, run.label)
    if chances is None:
        return None
    n_given = screen_labels.count(run.label)
    own = label_runs.with_own_share(chances, n_given) if n_given < len(entries) else chances
    n_labels = table.n_screen_labels[entries[0].asked]
    return min(1.0, n_labels * label_runs.run_probability(run.length, own))


def _order_signals(reports: Sequence[AskedReport]) -> list[Signal]:
    return [
        *(signals.repeat_signal(each.asked, each.repeats) for each in reports),
        *(signals.position_signal(each.asked, each.position) for each in reports),
    ]


def _with_adjusted_p(people: Sequence[Person]) -> list[Person]:
    adjusted = iter(holm([each.p for person in people for each in person.signals]))
    return [
        replace(person, signals=[replace(each, adjusted=next(adjusted)) for each in person.signals])
        for person in people
    ]


def as_json(examined: Report) -> dict[str, Any]:
    """Return the report as JSON values, with each person's rank and reasons."""
    kept = asdict(examined)
    for rank, (person, row) in enumerate(
        zip(examined.people, kept["people"], strict=True), start=1
    ):
        row["rank"], row["least"] = rank, person.least
        row["reasons"] = person.reasons_in_words
        row["is_too_fast"] = person.floor.is_under
    return kept
