"""The references of a data set by turn, and what its pools draw without a team."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from annotation.models import Batch
from corpus.models import Citation, Dataset, Offer, RunKind, Turn
from corpus.queries import turn_ids
from exports.leave_one_team_out.figures import OFFERED, Text, team_key
from sampling import queries as sampling_queries
from sampling.models import Pool, Purpose
from sampling.pools import draws
from sampling.pools.rule import Rule
from sampling.pools.selection import State, TurnAnswers
from scoring import queries as scoring_tables


def truth_by_turn(dataset: Dataset) -> dict[str, tuple[str, ...]]:
    """Return the references of each turn that has some, by the turn's id."""
    references = scoring_tables.references(dataset)
    return {key: references[pk] for key, pk in turn_ids(dataset).items() if pk in references}


def givers_of_passages(dataset: Dataset) -> dict[Text, set[str]]:
    """Return by turn and passage of each extracted sentence the teams of the runs that cite the passage there.

    With OFFERED among them if the data set offers the passage for the turn, or its truth names it.
    """
    sentences = Citation.objects.filter(
        answer__run__in=dataset.runs.counting().filter(kind=RunKind.EXTRACTED)
    )
    rows = sentences.order_by().values_list("answer__turn_id", "passage_id", "passage__docid")
    docids = {(turn, passage): docid for turn, passage, docid in rows}
    if not docids:
        return {}
    names = {pk: key for key, pk in turn_ids(dataset).items()}
    found = {(names[turn], docid): set[str]() for (turn, _), docid in docids.items()}
    # As parts of the queries: there may be more than a query can name.
    turns, passages = (
        sentences.order_by().values(column) for column in ("answer__turn", "passage")
    )
    offered = Offer.objects.filter(turn__in=turns, passage__in=passages)
    of_truth = Turn.objects.filter(pk__in=turns).values_list("pk", "truth_passages")
    given = {
        (names[turn], docids[turn, passage])
        for turn, passage in offered.values_list("turn", "passage")
        if (turn, passage) in docids
    }
    given |= {(names[turn], docid) for turn, named in of_truth for docid in named}
    for place in given & found.keys():
        found[place].add(OFFERED)
    cited = Citation.objects.filter(
        answer__run__in=dataset.runs.counting().competing(),
        answer__turn__in=turns,
        passage__in=passages,
    )
    by_run = cited.values_list("answer__turn", "passage", "answer__run__team", "answer__run__name")
    for turn, passage, team, run in by_run.iterator():
        if (turn, passage) in docids:
            found[names[turn], docids[turn, passage]].add(team_key(team, run))
    return found


@dataclass(frozen=True)
class Redrawn:
    """What the pools draw from all runs that they were drawn from, and without each of the teams."""

    drawn: set[Text]
    without: Mapping[str, set[Text]]


def redrawn(dataset: Dataset, batches: Sequence[Batch], beat: Callable[[], None]) -> Redrawn:
    """Draw the pools of the batches anew, from all runs and without each team in turn.

    It reads all answers of each pool's data set, so call it in a job. `beat` is called between draws.
    """
    teams = _teams_by_first_run(dataset)
    sources = [_Source.read(pool, _team_by_run(pool, teams)) for pool in _pools_with_rule(batches)]
    drawn: set[Text] = set()
    without: dict[str, set[Text]] = {
        team: set() for source in sources for team in source.competing_teams
    }
    for source in sources:
        by_all = source.drawn_by(set(source.team_of))
        drawn |= by_all
        for team, found in without.items():
            beat()
            others = {run for run, of in source.team_of.items() if of != team}
            found |= by_all if len(others) == len(source.team_of) else source.drawn_by(others)
    return Redrawn(drawn, without)


@dataclass(frozen=True)
class _Source:
    """A pool's rule, the answers that it was drawn from, and the team of each of its runs."""

    rule: Rule
    turns: Sequence[TurnAnswers]
    team_of: Mapping[str, str]
    competing_teams: frozenset[str]

    @classmethod
    def read(cls, pool: Pool, team_of: Mapping[str, str]) -> "_Source":
        """Return what the pool was drawn from. Raises ValueError if its scorer is gone."""
        if pool.scorer is None:
            raise ValueError(f"the pool {pool.name} has no scorer")
        turns = sampling_queries.turn_answers(pool.dataset, pool.scorer)
        competing = pool.dataset.runs.competing().values_list("name", flat=True)
        teams = frozenset(team_of[name] for name in competing if name in team_of)
        return cls(Rule.from_dict(pool.rule), turns, team_of, teams)

    def drawn_by(self, runs: set[str]) -> set[Text]:
        """Return what the rule draws from these runs only, as if there had been no others."""
        if not runs:
            return set()
        turns = (
            replace(turn, answers=tuple(each for each in turn.answers if each.run in runs))
            for turn in self.turns
        )
        result = draws.draw(replace(self.rule, runs=frozenset(runs)), turns)
        return {
            (fate.turn, fate.candidate_text)
            for fate in result.fates
            if fate.state in (State.DRAWN, State.STANDS) and fate.candidate_text is not None
        }


def _pools_with_rule(batches: Iterable[Batch]) -> Iterator[Pool]:
    pools = {batch.pool_id: batch.pool for batch in batches}
    for pool in pools.values():
        if pool.purpose == Purpose.ANSWERS and pool.audit_of_id is None:
            yield pool


def _teams_by_first_run(dataset: Dataset) -> dict[int, str]:
    return {
        run.carried_from_id or run.pk: team_key(run.team, run.name)
        for run in dataset.runs.counting()
    }


def _team_by_run(pool: Pool, teams: Mapping[int, str]) -> dict[str, str]:
    """Return the team of each run that the pool was drawn from, by the run's name in the pool's version."""
    drawn_from = sampling_queries.n_answers_by_run(pool)
    return {
        run.name: teams.get(run.carried_from_id or run.pk, team_key(run.team, run.name))
        for run in pool.dataset.runs.counting()
        if run.name in drawn_from
    }
