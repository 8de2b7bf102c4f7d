"""The figures of runs by accepted answers without those of their own team, as JSON values. Imports no Django."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import asdict
from types import MappingProxyType

from exports.rows.columns import NOT_IN_POOL, AnswerRow
from exports.rows.earlier_answers import Earlier
from exports.rows.ids import conversation
from exports.rows.tiers import GOLD, SILVER
from stats.bootstrap_settings import Bootstrap
from stats.leave_one_team_out import LeftOut, leave_one_team_out
from stats.team_scores import Question, TeamRun, given_by_one_team
from text.overlap import exact_match, token_f1

Json = dict[str, object]
# An answer: the id of its turn, and its text.
Text = tuple[str, str]
MEASURES = {"em": exact_match, "f1": token_f1}
# What silver.json has of accepted answers, and gold.json.
ACCEPTED_TIERS = {GOLD: (GOLD,), SILVER: (GOLD, SILVER)}
# Before the name of a run without a team: a team's name has no such letter.
OF_ITSELF = "\0"
# Stands for the data set among the teams that give a passage. No team and no run is called so.
OFFERED = "\0\0"


def team_key(team: str, run: str) -> str:
    """Return the team, or a team of its own for a run without one."""
    return team or f"{OF_ITSELF}{run}"


def accepted_texts(
    answers: Iterable[AnswerRow],
    tiers: Collection[str],
    givers_of_passages: Mapping[Text, Collection[str]] = MappingProxyType({}),
) -> dict[Text, set[str]]:
    """Return the accepted answers of these tiers, each with the teams of which an answer was drawn as it.

    An extracted sentence is given by the teams whose citations offered its passage: `givers_of_passages` has them by
    turn and passage. If the data set offers the passage, or nobody's citation does, no team's absence takes it away.
    """
    found: dict[Text, set[str]] = {}
    for row in answers:
        if row.tier in tiers:
            of_passage = givers_of_passages.get((row.turn_id, row.passage_id), ()) or {OFFERED}
            teams = {team_key(row.team, row.run)} if row.competes else of_passage
            found.setdefault((row.turn_id, row.answer.strip()), set()).update(teams)
    return found


def lost_by_givers(accepted: Mapping[Text, Iterable[str]]) -> dict[Text, frozenset[str]]:
    """Return by accepted answer the team without which it is lost: the only one that gave it, if any."""
    return {text: given_by_one_team(teams) - {OFFERED} for text, teams in accepted.items()}


def never_lost(earlier: Earlier, tiers: Collection[str]) -> dict[Text, frozenset[str]]:
    """Return what an earlier release accepted as one of these tiers, each lost without no team.

    It was accepted before these runs were drawn from, whoever gives it here.
    """
    return {
        (turn, str(each["answer"])): frozenset()
        for turn, records in earlier.items()
        for each in records
        if each["tier"] in tiers
    }


def lost_when_redrawn(
    accepted: Mapping[Text, Collection[str]],
    drawn: Collection[Text],
    drawn_without: Mapping[str, Collection[Text]],
) -> dict[Text, frozenset[str]]:
    """Return by accepted answer the teams without which no pool would have drawn it.

    `drawn` is what the pools draw from all teams, and `drawn_without` what they draw without one. Of an answer that no
    draw explains, such as one of an audit sample, the only team that gave it.
    """
    by_givers = lost_by_givers(accepted)
    return {
        text: frozenset(team for team, kept in drawn_without.items() if text not in kept)
        | by_givers[text]  # an extracted sentence stays among the answers that are drawn from
        if text in drawn
        else by_givers[text]
        for text in accepted
    }


def figures(
    answers: Sequence[AnswerRow],
    truth: Mapping[str, tuple[str, ...]],
    lost: Mapping[Text, frozenset[str]],
    *,
    bootstrap: Bootstrap,
    beat: Callable[[], None],
) -> Json:
    """Return the figures by measure.

    `truth` has the references of every turn that has some, `lost` the accepted answers with the teams without which
    each is lost. Raises ValueError without a turn with truth, or without a run.
    """
    by_turn: dict[str, dict[str, frozenset[str]]] = {}
    for (turn, text), teams in lost.items():
        by_turn.setdefault(turn, {})[text] = teams
    questions = [
        Question(turn, conversation(turn), references, by_turn.get(turn, {}))
        for turn, references in truth.items()
    ]
    runs = _runs(answers, truth)
    return {
        name: _as_json(leave_one_team_out(questions, runs, measure, **asdict(bootstrap), beat=beat))
        for name, measure in MEASURES.items()
    }


def n_without_team(answers: Iterable[AnswerRow]) -> int:
    """Return the number of runs that compete and have no team."""
    return len({row.run for row in answers if row.competes and not row.team})


def _as_json(found: LeftOut) -> Json:
    """Return the figures, with an empty team for a run that is a team of its own."""
    runs = [
        asdict(run) | {"team": "" if run.team.startswith(OF_ITSELF) else run.team}
        for run in found.runs
    ]
    return asdict(found) | {"runs": runs}


def _runs(answers: Iterable[AnswerRow], truth: Collection[str]) -> list[TeamRun]:
    texts: dict[tuple[str, str], dict[str, str]] = {}
    drawn_from = set()
    for row in answers:
        if not row.competes:
            continue
        if row.sampled != NOT_IN_POOL:
            drawn_from.add(row.run)
        of_run = texts.setdefault((row.run, team_key(row.team, row.run)), {})
        if row.turn_id in truth:
            of_run[row.turn_id] = row.answer.strip()
    return [
        TeamRun(run, team, found, is_late=run not in drawn_from)
        for (run, team), found in sorted(texts.items())
    ]
