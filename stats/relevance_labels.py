"""The passages that people found relevant to the questions, and the support of answers by them.

A passage's label is that of more than half of its annotators; as many for as against is undecided,
which is counted and never taken for either.

    questions         questions that have a judged passage
    several           those with two relevant passages or more
    none              those whose judged passages all are irrelevant
    open              those without a relevant passage and with an undecided one: may be none, may be not
    after_all         unanswerable questions that have a relevant passage all the same
    supported         of the answers found faithful, a mean of 3 or more, those that at least one passage supports, by
                      more than half of the annotators who judged that passage's support

Only annotators who rate an answer 3 or more are asked for its support, so `supported` is over the
answers with any such judgement; `n_not_asked` of the faithful ones are left out. An answer counts
once for each run.

Qrels are the rows (question, passage, 0 or 1) of decided passages.

Right: yes, yes, no → relevant. yes, no → undecided. Wrong: yes, no → irrelevant, because not more
than half say yes.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from stats.clustered_means import Figure, share
from stats.pairwise.records import PassageJudgement, Rating, SupportJudgement

FAITHFUL = 3
NONE_FAITHFUL = "nobody was asked what supports an answer that was found faithful"

Key = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Relevance:
    n_questions: int
    n_several: int
    n_none: int
    n_open: int
    n_passages: int
    n_undecided: int
    n_unanswerable: int  # of n_questions
    after_all: tuple[str, ...]  # the questions


@dataclass(frozen=True, slots=True)
class FaithfulTo:
    """The support of one run's answers; `share` is over `n_faithful` less `n_not_asked`."""

    run: str
    n_faithful: int
    n_not_asked: int
    n_supported: int
    share: Figure


@dataclass(frozen=True, slots=True)
class Qrel:
    question: str
    passage: str
    relevance: int


def majority(votes: Iterable[bool]) -> bool | None:
    """Return the label of more than half; None for a tie or without votes."""
    counts = Counter(votes)
    if counts[True] == counts[False]:
        return None
    return counts[True] > counts[False]


def passage_labels(judgements: Iterable[PassageJudgement]) -> dict[Key, bool | None]:
    """Return the label of each judged passage, sorted by question and passage."""
    found: defaultdict[Key, list[bool]] = defaultdict(list)
    for each in judgements:
        found[each.question, each.passage].append(each.is_relevant)
    return {key: majority(found[key]) for key in sorted(found)}


def relevance(judgements: Iterable[PassageJudgement], unanswerable: Iterable[str]) -> Relevance:
    decided = passage_labels(judgements)
    of_question: defaultdict[str, list[bool | None]] = defaultdict(list)
    for (question, _), label in decided.items():
        of_question[question].append(label)
    without = {question: each for question, each in of_question.items() if True not in each}
    judged = sorted(set(unanswerable) & of_question.keys())
    return Relevance(
        n_questions=len(of_question),
        n_several=sum(each.count(True) > 1 for each in of_question.values()),
        n_none=sum(None not in each for each in without.values()),
        n_open=sum(None in each for each in without.values()),
        n_passages=len(decided),
        n_undecided=sum(label is None for label in decided.values()),
        n_unanswerable=len(judged),
        after_all=tuple(question for question in judged if question not in without),
    )


def faithful_to(
    ratings: Iterable[Rating],
    supported: Iterable[SupportJudgement],
    *,
    runs: Sequence[str],
) -> list[FaithfulTo]:
    """Return one figure for each run, in their order."""
    faithful = _faithful(ratings)
    by_answer = _supported(supported)
    return [_run_figure(run, faithful[run], by_answer) for run in runs]


def qrels(judgements: Iterable[PassageJudgement]) -> tuple[list[Qrel], int]:
    """Return the rows, sorted, and the number of undecided passages."""
    decided = passage_labels(judgements)
    rows = [Qrel(*key, int(label)) for key, label in decided.items() if label is not None]
    return rows, len(decided) - len(rows)


def _faithful(ratings: Iterable[Rating]) -> defaultdict[str, set[str]]:
    """Return the questions to which the answer was found faithful, by run."""
    by_answer: defaultdict[Key, list[Fraction]] = defaultdict(list)
    for each in ratings:
        if each.faithful is not None:
            by_answer[each.run, each.question].append(Fraction(each.faithful))
    found: defaultdict[str, set[str]] = defaultdict(set)
    for (run, question), values in by_answer.items():
        if sum(values) >= FAITHFUL * len(values):
            found[run].add(question)
    return found


def _supported(supported: Iterable[SupportJudgement]) -> dict[Key, bool]:
    """Return whether any passage supports the answer, by run and question."""
    votes: defaultdict[tuple[str, str, str], list[bool]] = defaultdict(list)
    for each in supported:
        votes[each.run, each.question, each.passage].append(each.supports)
    found: dict[Key, bool] = {}
    for (run, question, _), values in votes.items():
        found[run, question] = found.get((run, question), False) or majority(values) is True
    return found


def _run_figure(run: str, faithful: set[str], by_answer: Mapping[Key, bool]) -> FaithfulTo:
    supports = {
        question: by_answer[run, question] for question in faithful if (run, question) in by_answer
    }
    return FaithfulTo(
        run=run,
        n_faithful=len(faithful),
        n_not_asked=len(faithful) - len(supports),
        n_supported=sum(supports.values()),
        share=share(supports, without=NONE_FAITHFUL),
    )
