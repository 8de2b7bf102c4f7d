"""What a top-up takes of a late run, by the rule of its pool: read from the database, and drawn without writing."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from corpus.models import Run
from corpus.queries import turn_ids
from sampling import late_run_queries as late
from sampling import queries as sampling_queries
from sampling.late_run_queries import LateAnswer, Text
from sampling.models import Pool
from sampling.pools import draws
from sampling.pools.late_answers import TOPPED_UP, Standing
from sampling.pools.rule import Rule
from sampling.pools.selection import DrawResult, Fate, State, TurnAnswers
from scoring.models import Scorer
from scoring.queries import MOST_KEYS_PER_QUERY

# An answer to be asked about, or of which the very text may be asked about elsewhere.
MAY_BE_KNOWN = (Standing.EXACT, Standing.NEAR, *TOPPED_UP)


@dataclass(frozen=True)
class TopUp:
    """The rule of a top-up, the turns that it draws from, each with one answer of the run, and the run's answers that
    a candidate has already: `known` has that candidate by turn and text.
    """

    rule: Rule
    turns: Sequence[TurnAnswers]
    known: Mapping[Text, int]

    def draw(self) -> DrawResult:
        return draws.draw(self.rule, self.turns)

    def with_known(self, result: DrawResult, run: str) -> DrawResult:
        """Return the result with the fates of the answers that a candidate has already: they stand."""
        standing = (Fate(turn, run, State.STANDS, text) for turn, text in self.known)
        return replace(result, fates=(*result.fates, *standing))


def top_up(pool: Pool, run: Run, scorer: Scorer) -> TopUp:
    """Return what the pool would be topped up with, on the turns that it asks about."""
    asked = {name: turn for name, turn in late.asked_turns(pool).items() if turn.candidates}
    answers = late.late_answers(pool, run, asked)
    return of_answers(pool, run, scorer, list(answers), late.known_candidates(pool))


def of_answers(
    pool: Pool,
    run: Run,
    scorer: Scorer,
    answers: Collection[LateAnswer],
    candidates: Mapping[Text, int],
) -> TopUp:
    """Return the same of answers that were read already; `candidates` as of late_run_queries.known_candidates()."""
    own = [each for each in answers if each.is_asked and each.standing in MAY_BE_KNOWN]
    texts = ((each.turn, each.text) for each in own)
    known = {text: candidates[text] for text in texts if text in candidates}
    wanted = {
        each.turn
        for each in own
        if each.standing in TOPPED_UP and (each.turn, each.text) not in known
    }
    return TopUp(_rule(pool, run), list(_turns(pool, run, scorer, wanted)), known)


def _rule(pool: Pool, run: Run) -> Rule:
    """Return the pool's rule for one answer a turn, on turns that are chosen already."""
    return replace(
        Rule.from_dict(pool.rule),
        runs=frozenset([run.name]),
        min_candidates=1,
        cap_per_turn=None,
        n_turns=None,
        strata=None,
        allocation="proportional",
        prefer=None,
        leaves_out_standing=False,
    )


def _turns(pool: Pool, run: Run, scorer: Scorer, wanted: Collection[str]) -> Iterator[TurnAnswers]:
    if not wanted:
        return
    keys = primary_keys(pool, wanted)
    for turn in sampling_queries.turn_answers(pool.dataset, scorer, keys):
        if turn.turn in wanted:
            own = tuple(each for each in turn.answers if each.run == run.name)
            yield replace(turn, answers=own, standing=frozenset())


def primary_keys(pool: Pool, turns: Collection[str]) -> list[int] | None:
    """Return the primary keys of these turns; None, for all turns, if they are too many to name."""
    if len(turns) > MOST_KEYS_PER_QUERY:
        return None
    keys = turn_ids(pool.dataset)
    return [keys[turn] for turn in turns]
