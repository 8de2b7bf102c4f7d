"""Outlooks on the draw of any rule, from one survey of the answers.

    TurnAnswers -> row_of_turn() -> Row (plain values, for JSON) -> Survey -> under(rule) -> Outlook

They are the counts beside a moving threshold. A threshold only cuts. The texts of a bag, the closed
bags and the text that represents a bag are the same at every threshold (sampling.pools.selection),
and so are the merges of near-duplicates: texts are taken by score, and earlier ones decide
(text.near_duplicates.kept_places). So the turns are surveyed once, with the scores of one scorer,
one kind of bag and one nearness; after that the outlook for every threshold, minimum of candidates,
cap, seed and choice of runs is immediate.

`Survey(rows, runs).under(rule)` counts what `selection.counts(draws.draw(rule, turns))` counts,
for every rule on that scorer with that kind of bag and that nearness; a test compares the two.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from sampling.pools import turns as of_turns
from sampling.pools.histogram import Histogram, histogram
from sampling.pools.rule import Rule
from sampling.pools.selection import Odds, State, by_each_state
from sampling.pools.survey_rows import Row, Runs, ScoredRuns
from sampling.pools.turn_selection import candidates_under_cap
from text import near_duplicates


class OpenBag(NamedTuple):
    """A bag that may give a candidate: the score and the runs of the text that would represent it.

    `place` is that text's place in its turn, `n_scored` the number of the bag's answers with a
    score.
    """

    depth: float  # the score negated: in order of (depth, place) bags are taken
    place: int
    credited: Runs
    n_answers: int
    n_scored: int

    @property
    def score(self) -> float:
        return -self.depth


class Turn(NamedTuple):
    """The answers of the chosen runs in a turn.

    `fixed` counts those whose fate no threshold changes.
    """

    name: str
    bags: list[OpenBag]  # as they are taken
    n_answers: int  # of them
    n_scored: int
    fixed: dict[State, int]
    # For each bag the one that stands for it and how near they are; nothing where each is for itself.
    representatives: list[tuple[int, float]]
    word: str = "other"
    likeness: float | None = None
    standing: frozenset[int] = frozenset()  # the places of texts, as in OpenBag

    def n_above(self, threshold: float) -> int:
        return bisect_left(self.bags, (-threshold,))

    def kept(self, n: int) -> list[int]:
        """Return the places of those of the first n bags that are not merged into another."""
        if not self.representatives:
            return list(range(n))
        return [place for place in range(n) if self.representatives[place][0] == place]

    def represented_by(self, drawn: Sequence[int], n: int) -> Sequence[int]:
        """Return the places of those of the first n bags that the drawn ones represent."""
        if not self.representatives:
            return drawn
        return [place for place in range(n) if self.representatives[place][0] in drawn]


@dataclass(frozen=True)
class Outlook:
    """The contents of a draw by a rule. `by_run` has the number of candidates credited to each run.

    `n_merged` are the texts merged with another as nearly the same (draws.merges), also in
    turns with too few.
    """

    by_state: dict[State, int]
    n_candidates: int
    n_turns: int
    by_run: dict[str, int]
    n_merged: int = 0
    n_turns_not_drawn: int = 0  # that would have given candidates


class Survey:
    """All turns with the answers of the runs of `only`, or of all `runs`."""

    def __init__(
        self, rows: Iterable[Row], runs: Sequence[str], *, only: Iterable[str] | None = None
    ) -> None:
        chosen = set(runs if only is None else only)
        self.runs = {run: 1 << place for place, run in enumerate(runs) if run in chosen}
        self.scores: list[float] = []  # of every answer that has one
        self._chosen = sum(self.runs.values())
        self.turns = [self._turn(row) for row in rows]

    @property
    def open_scores(self) -> list[float]:
        """Return the scores of all distinct answers that may become candidates."""
        return [
            turn.bags[place].score for turn in self.turns for place in turn.kept(len(turn.bags))
        ]

    @cached_property
    def histogram(self) -> Histogram:
        return histogram(self.scores, self.open_scores)

    def under(self, rule: Rule) -> Outlook:
        """Return the outlook.

        The rule's scorer, kind of bag, nearness and runs must be those of the survey.
        """
        states: Counter[State] = Counter()
        credits: Counter[Runs] = Counter()
        n_candidates = n_turns = n_merged = n_not_drawn = 0
        chosen = self.chosen(rule)
        for turn in self.turns:
            before = states[State.TURN_NOT_DRAWN]
            drawn = _count(states, turn, rule, chosen)
            n_not_drawn += states[State.TURN_NOT_DRAWN] > before
            credits.update([turn.bags[place].credited for place in drawn])
            n_candidates += len(drawn)
            n_turns += bool(drawn)
            n_merged += len(_merged_nearness(turn, rule))
        by_run = {
            run: sum(n for runs, n in credits.items() if runs & bit)
            for run, bit in self.runs.items()
        }
        return Outlook(
            by_each_state(states),
            n_candidates,
            n_turns,
            by_run,
            n_merged,
            n_not_drawn,
        )

    def chosen(self, rule: Rule) -> dict[str, float] | None:
        """Return the turns that the rule draws, with their probabilities.

        None if it draws all with candidates.
        """
        return None if rule.turns is None else of_turns.choose(rule.turns, self._eligible(rule))

    def odds(self, rule: Rule) -> dict[str, Odds]:
        """Return the odds of every eligible turn; empty if the rule draws all turns."""
        if rule.turns is None:
            return {}
        chances = of_turns.chances(rule.turns, self._eligible(rule))
        return {
            turn.name: Odds(
                chances[turn.name], len(drawn_places(turn, rule)) / self._n_would_be(turn, rule)
            )
            for turn in self.turns
            if turn.name in chances
        }

    @staticmethod
    def _n_would_be(turn: Turn, rule: Rule) -> int:
        return len(turn.kept(turn.n_above(rule.threshold)))

    def _eligible(self, rule: Rule) -> list[of_turns.Eligible]:
        eligible = []
        for turn in self.turns:
            if n := len(drawn_places(turn, rule)):
                word = turn.word if rule.strata == "question_word" else ""
                name = word or of_turns.stratum(rule.strata, turn.name, "", n)
                eligible.append(of_turns.Eligible(turn.name, name, turn.likeness))
        return eligible

    def turns_with(self, state: State, rule: Rule) -> list[str]:
        """Return the turns in which the rule gives an answer this fate.

        If the threshold alone decides, the turns with an answer next to it come first; otherwise
        they are in the given order.
        """
        distances = []
        chosen = self.chosen(rule)
        for turn in self.turns:
            states: Counter[State] = Counter()
            drawn = _count(states, turn, rule, chosen)
            if states[state]:
                distances.append((_distance(turn, drawn, state, rule), turn.name))
        distances.sort(key=lambda each: each[0])
        return [name for _, name in distances]

    def turns_merged(self, rule: Rule) -> list[str]:
        """Return the turns in which the rule merges near-duplicates, the least near first."""
        nearness = [(_merged_nearness(turn, rule), turn.name) for turn in self.turns]
        nearness.sort(key=lambda each: min(each[0], default=1.0))
        return [name for merged, name in nearness if merged]

    def _turn(self, row: Row) -> Turn:
        bags: dict[int, list[tuple[int, Runs, float | None]]] = {}
        for place, (number, scored_runs) in enumerate(row.texts):
            runs, score = self._credited(scored_runs)
            if runs:
                bags.setdefault(number, []).append((place, runs, score))
        open_bags = [_open_bag(texts) for texts in bags.values()]
        would_be = sorted(bag for bag in open_bags if bag.n_scored)
        fixed = {
            State.EMPTY: row.empty & self._chosen,
            State.NO_REFERENCE: row.no_reference & self._chosen,
            State.SAME_AS_REFERENCE: self._credited(row.same_as_reference)[0],
            State.SAME_AS_QUESTION: self._credited(row.same_as_question)[0],
        }
        n_by_state = {state: runs.bit_count() for state, runs in fixed.items() if runs}
        if len(would_be) < len(open_bags):
            n_by_state[State.NO_SCORE] = sum(bag.n_answers for bag in open_bags if not bag.n_scored)
        n_answers = sum(bag.n_answers for bag in would_be)
        n_scored = sum(bag.n_scored for bag in would_be)
        return Turn(
            row.turn,
            would_be,
            n_answers,
            n_scored,
            n_by_state,
            _representatives(would_be, row.near),
            row.word,
            row.likeness,
            frozenset(row.standing),
        )

    def _credited(self, scored_runs: ScoredRuns) -> tuple[Runs, float | None]:
        """Return the survey's runs among these and their highest score.

        Adds their scores to `self.scores`.
        """
        credited, highest = 0, None
        for runs, score in scored_runs:
            chosen = runs & self._chosen
            credited |= chosen
            if chosen and score is not None:
                self.scores += [score] * chosen.bit_count()
                highest = score if highest is None else max(score, highest)
        return credited, highest


def _open_bag(texts: Sequence[tuple[int, Runs, float | None]]) -> OpenBag:
    n_answers = sum(runs.bit_count() for _, runs, _ in texts)
    scored = [(-score, place, runs) for place, runs, score in texts if score is not None]
    if not scored:
        return OpenBag(0.0, 0, 0, n_answers, 0)
    n_scored = sum(runs.bit_count() for _, _, runs in scored)
    return OpenBag(*min(scored), n_answers, n_scored)


def _representatives(
    would_be: Sequence[OpenBag], pairs: Sequence[tuple[int, int, float]]
) -> list[tuple[int, float]]:
    if not pairs:
        return []
    how_near = {(one, other): nearness for one, other, nearness in pairs}
    places = [bag.place for bag in would_be]
    return near_duplicates.kept_places(
        len(places),
        lambda one, other: how_near.get(
            (min(places[one], places[other]), max(places[one], places[other])), 0.0
        ),
    )


def _merged_nearness(turn: Turn, rule: Rule) -> list[float]:
    """Return the nearness of each merged text to the text that represents it."""
    if not turn.representatives:
        return []
    above = turn.representatives[: turn.n_above(rule.threshold)]
    return [how_near for place, (stands, how_near) in enumerate(above) if stands != place]


def drawn_places(turn: Turn, rule: Rule) -> list[int]:
    """Return the places of the bags that the rule makes candidates of."""
    return candidates_under_cap(rule, turn.name, turn.kept(turn.n_above(rule.threshold)))


def _count(
    states: Counter[State], turn: Turn, rule: Rule, chosen: Container[str] | None
) -> list[int]:
    """Add the fates of the turn's answers to `states`; return the places of the drawn bags."""
    drawn = drawn_places(turn, rule)
    for state, n in turn.fixed.items():
        states[state] += n
    above = turn.bags[: turn.n_above(rule.threshold)]
    n_answers = sum(bag.n_answers for bag in above)
    n_scored = sum(bag.n_scored for bag in above)
    states[State.BELOW_THRESHOLD] += turn.n_scored - n_scored
    states[State.NO_SCORE] += turn.n_answers - turn.n_scored - (n_answers - n_scored)
    if drawn and chosen is not None and turn.name not in chosen:
        states[State.TURN_NOT_DRAWN] += n_answers
        return []
    n_credited = sum(above[place].credited.bit_count() for place in drawn)
    asked = [place for place in drawn if not _stands(turn, place, rule)]
    n_asked = sum(above[place].credited.bit_count() for place in asked)
    n_covered = sum(above[place].n_answers for place in turn.represented_by(drawn, len(above)))
    states[State.DRAWN] += n_asked
    states[State.STANDS] += n_credited - n_asked
    states[State.REPRESENTED] += n_covered - n_credited
    states[State.CAPPED if drawn else State.TOO_FEW_IN_TURN] += n_answers - n_covered
    return asked


def _stands(turn: Turn, place: int, rule: Rule) -> bool:
    """Return whether the rule leaves out this bag, of those it would draw, because its text stands."""
    return rule.leaves_out_standing and turn.bags[place].place in turn.standing


def _distance(turn: Turn, drawn: Sequence[int], state: State, rule: Rule) -> float:
    if state == State.DRAWN:
        return turn.bags[drawn[-1]].score - rule.threshold
    if state == State.BELOW_THRESHOLD:
        return rule.threshold - turn.bags[turn.n_above(rule.threshold)].score
    return 0.0
