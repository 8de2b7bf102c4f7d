"""What became of every answer of every run: the third table of a release.

Beside exports.rows, because it puts together what corpus, sampling and the items' rows say.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from annotation.models import Batch
from annotation.schemes import ACCEPTANCE, GROUNDING
from corpus.models import Answer, Dataset, Run
from corpus.queries import turn_ids
from exports.rows.columns import AnswerRow, ItemRow
from exports.rows.ids import answer_id
from exports.rows.outcomes import NO_EVIDENCE, UNJUDGED, ending
from exports.rows.tiers import tier
from sampling.models import Candidate, Fate, Pool, Purpose
from sampling.pools.selection import State
from scoring import queries as scoring_tables

NOT_IN_POOL = "not_in_pool"
NOT_ASKED = "not_asked"
# What of the evidence that an answer was asked by is its run's own (columns.AnswerRow.own_evidence).
QUOTED, CITED, POOL, NONE = "quoted", "cited", "pool", "none"


@dataclass(frozen=True)
class _Sampled:
    state: str = NOT_IN_POOL
    candidate_id: str = ""
    score: float | None = None


def answer_rows(
    dataset: Dataset, batches: Sequence[Batch], items: Iterable[ItemRow]
) -> list[AnswerRow]:
    """One row for each answer of each system and baseline, sorted by run and turn."""
    # A faithfulness verdict whose plausibility verdict changed since is not accepted: as if not asked.
    with_say = [item for item in items if item.is_newest and item.stands and not item.is_control]
    endings = {
        (item.scheme, item.answer_id): ending(item.state, item.verdict, item.set_aside_reason)
        for item in with_say
    }
    own = _own(with_say)
    turns = {pk: key for key, pk in turn_ids(dataset).items()}
    sampled = _sampled(_pools(batches), turns)
    runs = {run.pk: run for run in dataset.runs.all()}
    # As plain values: with a row object for its run and turn each, a large data set does not fit.
    answers = Answer.objects.of_systems(dataset).values_list("pk", "run_id", "turn_id", "text")
    rows = [
        _row(dataset, runs[run], turns[turn], text, sampled.get(pk, _Sampled()), endings, own)
        for pk, run, turn, text in answers
    ]
    return _with_first_credit(sorted(rows, key=lambda row: (row.run, row.turn_id)))


def _pools(batches: Sequence[Batch]) -> list[Pool]:
    """The pools of answers that the batches asked about, oldest first."""
    pools = {batch.pool_id: batch.pool for batch in batches}
    drawn = [pool for pool in pools.values() if pool.purpose == Purpose.ANSWERS]
    return sorted(drawn, key=lambda pool: pool.pk)


def _sampled(pools: Iterable[Pool], turns: Mapping[int, str]) -> dict[int, _Sampled]:
    """The fate of each answer: drawn where any pool drew it, else as the newest pool says."""
    found: dict[int, _Sampled] = {}
    for pool in pools:
        own_scores = scoring_tables.values(pool.dataset, pool.scorer) if pool.scorer else {}
        candidates = _candidates(pool, turns)
        fates = Fate.objects.filter(pool=pool).values_list("answer_id", "state", "candidate_id")
        for answer, state, candidate in fates:
            if found.get(answer, _Sampled()).state == State.DRAWN:
                continue
            name, drawn_score = candidates.get(candidate, ("", None))
            score = drawn_score if state == State.DRAWN else own_scores.get(answer)
            found[answer] = _Sampled(state, name, score)
    return found


def _candidates(pool: Pool, turns: Mapping[int, str]) -> dict[int | None, tuple[str, float | None]]:
    """How each candidate is called, and the score that it was drawn with."""
    candidates = Candidate.objects.filter(pool=pool)
    return {
        pk: (answer_id(turns[turn], sha256), score)
        for pk, turn, sha256, score in candidates.values_list(
            "pk", "turn_id", "text_sha256", "score"
        )
    }


def _own(with_say: Iterable[ItemRow]) -> dict[str, dict[str, str]]:
    """By answer, and "" for a run that the evidence holds nothing of, what of it is each run's own."""
    found: dict[str, dict[str, str]] = {}
    for item in with_say:
        if item.scheme == GROUNDING.name:
            spans = json.loads(item.evidence or "[]")
            cited = {run: CITED for span in spans for run in span["cited_by"]}
            quoted = {run: QUOTED for span in spans for run in span["quoted_by"]}
            found[item.answer_id] = {"": POOL if spans else NONE} | cited | quoted
    return found


def _row(
    dataset: Dataset,
    run: Run,
    turn: str,
    text: str,
    sampled: _Sampled,
    endings: Mapping[tuple[str, str], str],
    own: Mapping[str, Mapping[str, str]],
) -> AnswerRow:
    is_drawn = sampled.state == State.DRAWN
    name = sampled.candidate_id if is_drawn else ""
    plausibility = endings.get((ACCEPTANCE.name, name), UNJUDGED) if is_drawn else ""
    asked = endings.get((GROUNDING.name, name), NOT_ASKED)
    faithfulness = asked if plausibility == ACCEPTANCE.accepted else ""
    is_asked = faithfulness not in ("", NOT_ASKED, NO_EVIDENCE)
    own_of = own.get(name, {}) if is_asked else {}
    return AnswerRow(
        study=dataset.study.slug,
        dataset=str(dataset),
        run=run.name,
        kind=run.kind,
        team=run.team,
        system=run.system,
        setup=run.setup,
        turn_id=turn,
        answer=text,
        sampled=sampled.state,
        score=sampled.score,
        answer_id=name,
        represented_by="" if is_drawn else sampled.candidate_id,
        plausibility=plausibility,
        faithfulness=faithfulness,
        tier=tier(plausibility, faithfulness),
        first_credit=False,
        own_evidence=own_of.get(run.name, own_of.get("", "")),
    )


def _with_first_credit(rows: Sequence[AnswerRow]) -> list[AnswerRow]:
    """Each distinct answer credited to one run: the first by name, which no order of files changes."""
    first: dict[str, int] = defaultdict(lambda: -1)
    for index, row in reversed(list(enumerate(rows))):
        if row.answer_id:
            first[row.answer_id] = index
    chosen = set(first.values())
    return [
        replace(row, first_credit=True) if index in chosen else row
        for index, row in enumerate(rows)
    ]
