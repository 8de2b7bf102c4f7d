"""The rows of answers.csv: every answer of every run, with its fate and its outcomes."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from django.db.models import Exists, OuterRef

from annotation.models import Batch
from annotation.schemes import ACCEPTANCE, GROUNDING
from corpus import versions
from corpus.models import Answer, Citation, Dataset, Run, RunKind, turn_key
from corpus.queries import turn_ids
from exports.rows.columns import NOT_IN_POOL, AnswerRow, ItemRow
from exports.rows.ids import answer_id
from exports.rows.outcomes import NO_EVIDENCE, UNJUDGED, outcome
from exports.rows.scores import Scores, by_scorer
from exports.rows.shown_answers import pools_leaving_out
from exports.rows.tiers import tier
from performance.compiled_queries import Compiled
from sampling.late_run_queries import LIKE
from sampling.models import Candidate, Fate, Pool, Purpose
from sampling.pools.selection import State

NOT_ASKED = "not_asked"
# Values of the column `own_evidence`.
QUOTED, CITED, POOL, NONE = "quoted", "cited", "pool", "none"
# What is read run by run. Plain values: model instances of a large data set do not fit into memory.
_ANSWERS = Compiled(
    lambda *, dataset, run: (
        Answer.objects.of_systems(dataset)
        .filter(run=run)
        .order_by()
        .values_list("pk", "turn_id", "text")
    )
)
_FATES = Compiled(
    lambda *, pool, run: (
        Fate.objects.filter(pool=pool, answer__run=run)
        .order_by()
        .values_list("answer_id", "state", "candidate_id")
    )
)


@dataclass(frozen=True)
class _Draw:
    """The fate of an answer, the id of the candidate that it is or is represented by, and its
    score.
    """

    state: str = NOT_IN_POOL
    candidate_id: str = ""
    score: float | None = None


def answer_rows(
    dataset: Dataset, batches: Sequence[Batch], items: Iterable[ItemRow]
) -> list[AnswerRow]:
    """One row for each answer of each system and baseline, sorted by run and turn."""
    return list(iter_answer_rows(dataset, batches, items))


def iter_answer_rows(
    dataset: Dataset, batches: Sequence[Batch], items: Iterable[ItemRow]
) -> Iterator[AnswerRow]:
    """Yield `answer_rows` run by run, so that those of one run are held at a time."""
    # Items whose plausibility verdict has changed since are left out: faithfulness counts as not asked.
    deciding_items = [
        item for item in items if item.is_newest and item.stands and not item.is_control
    ]
    outcomes = {
        (item.scheme, item.answer_id): outcome(item.state, item.verdict, item.set_aside_reason)
        for item in deciding_items
    }
    own_evidence = _own_evidence(deciding_items)
    turns = {pk: key for key, pk in turn_ids(dataset).items()}
    pools = _drawn_pools(dataset, batches)
    credited: set[str] = set()
    for run in sorted(dataset.runs.all(), key=lambda run: run.name):
        draws = _draws(pools, run)
        answers = _ANSWERS.all(dataset=dataset.pk, run=run.pk)
        passages = extracted_passages(run)
        rows = [
            replace(
                _row(
                    *(dataset, run, turns[turn], text, draws.get(pk, _Draw())),
                    outcomes,
                    own_evidence,
                ),
                passage_id=passages.get(pk, ""),
            )
            for pk, turn, text in answers
        ]
        for row in sorted(rows, key=lambda row: row.turn_id):
            # Of equal answers the one of the first run by name has the credit.
            is_first = row.answer_id != "" and row.answer_id not in credited
            credited.add(row.answer_id)
            yield replace(row, first_credit=True) if is_first else row


def extracted_passages(run: Run) -> dict[int, str]:
    """Return by answer of a run of extracted sentences the passage that it stands in; of other runs nothing."""
    if run.kind != RunKind.EXTRACTED:
        return {}
    cited = Citation.objects.filter(answer__run=run).order_by("pk")
    return dict(cited.values_list("answer_id", "passage__docid"))


def _answer_pools(batches: Sequence[Batch]) -> list[Pool]:
    """Return the pools of answers that the batches ask about."""
    pools = {batch.pool_id: batch.pool for batch in batches}
    return [pool for pool in pools.values() if pool.purpose == Purpose.ANSWERS]


@dataclass(frozen=True)
class _DrawnPool:
    """A pool with its candidates (see `_candidates`) and each answer's own score by its scorer.

    Of a pool of an earlier version `copies` has, by answer that it drew, the copy in this one, where the turn
    is the same. `of_pools` limits the fates to those with a candidate of these pools.
    """

    pool: Pool
    candidates: Mapping[int | None, tuple[str, float | None]]
    own_scores: Scores
    copies: Mapping[int, int] | None
    of_pools: Sequence[Pool] | None

    @classmethod
    def read(
        cls, pool: Pool, dataset: Dataset, of_pools: Sequence[Pool] | None = None
    ) -> "_DrawnPool":
        """Return the pool with what the database has of it."""
        turns = {pk: key for key, pk in turn_ids(pool.dataset).items()}
        scores = (
            by_scorer(pool.dataset, pool.scorer, turns) if pool.scorer is not None else Scores()
        )
        is_own = pool.dataset_id == dataset.pk
        copies = None if is_own else versions.own_answers(dataset, [pool.dataset_id])
        return cls(pool, _candidates(pool, turns), scores, copies, of_pools)

    def fates(self, run: Run) -> Iterator[tuple[int, int, str, int | None]]:
        """Yield of each of the run's answers its primary key, that of the answer drawn, state and candidate."""
        for drawn, state, candidate in self._drawn(run):
            answer = drawn if self.copies is None else self.copies.get(drawn)
            if answer is not None:
                yield answer, drawn, state, candidate

    def _drawn(self, run: Run) -> Iterable[tuple[int, str, int | None]]:
        """Return the answer drawn, state and candidate of each of the run's answers, in the version of the pool."""
        if self.copies is None and self.of_pools is None:
            return _FATES.all(pool=self.pool.pk, run=run.pk)
        fates = Fate.objects.filter(pool=self.pool).order_by()
        if self.of_pools is not None:
            fates = fates.filter(candidate__pool__in=self.of_pools)
        if self.copies is None:
            own = fates.filter(answer__run=run)
        else:
            own = fates.alias(first=versions.first_run("answer__run__")).filter(
                first=run.carried_from_id or run.pk
            )
        return own.values_list("answer_id", "state", "candidate_id")


def _drawn_pools(dataset: Dataset, batches: Sequence[Batch]) -> list["_DrawnPool"]:
    """Return the pools that the batches ask about, and those that left out answers because these have them, oldest first.

    Of the latter, which may have nothing else to ask about, only the fates of such answers.
    """
    asked = _answer_pools(batches)
    stands = Fate.objects.filter(pool=OuterRef("pk"), candidate__pool__in=asked)
    leaving_out = pools_leaving_out(
        dataset, is_rehearsal=any(each.is_rehearsal for each in batches)
    )
    others = leaving_out.filter(Exists(stands)).select_related("dataset", "scorer")
    drawn = [_DrawnPool.read(pool, dataset) for pool in asked]
    drawn += [_DrawnPool.read(pool, dataset, asked) for pool in others if pool not in asked]
    return sorted(drawn, key=lambda each: each.pool.pk)


def _draws(pools: Iterable[_DrawnPool], run: Run) -> dict[int, _Draw]:
    """The draw of each of the run's answers by primary key: a pool that drew it, else the newest.

    What a pool left out because it stands in another one was drawn there.
    """
    found: dict[int, _Draw] = {}
    for each in pools:
        for answer, drawn, state, candidate in each.fates(run):
            if found.get(answer, _Draw()).state == State.DRAWN:
                continue
            name, drawn_score = each.candidates.get(candidate, ("", None))
            if state == State.STANDS:
                state = State.DRAWN
            score = drawn_score if state == State.DRAWN else each.own_scores.get(drawn)
            found[answer] = _Draw(state, name, score)
    return found


def _candidates(pool: Pool, turns: Mapping[int, str]) -> dict[int | None, tuple[str, float | None]]:
    """The answer id of each candidate and its score in the draw, by primary key.

    Among them those of other pools that stand for answers that this pool left out.
    """
    candidates = Candidate.objects.filter(pool=pool)
    found: dict[int | None, tuple[str, float | None]] = {
        pk: (answer_id(turns[turn], sha256), score)
        for pk, turn, sha256, score in candidates.values_list(
            "pk", "turn_id", "text_sha256", "score"
        )
    }
    if pool.rule.get("leaves_out_standing") or LIKE in pool.counts:
        fates = Fate.objects.filter(pool=pool, candidate__isnull=False).exclude(
            candidate__pool=pool
        )
        standing = Candidate.objects.filter(pk__in=fates.values("candidate"))
        # A turn that is the same has the same id.
        rows = standing.values_list("pk", turn_key("turn__"), "text_sha256", "score")
        found |= {pk: (answer_id(turn, sha256), score) for pk, turn, sha256, score in rows}
    return found


def _own_evidence(deciding_items: Iterable[ItemRow]) -> dict[str, dict[str, str]]:
    """Return the values of `own_evidence` by answer id and run; "" stands for all other runs."""
    found: dict[str, dict[str, str]] = {}
    for item in deciding_items:
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
    draw: _Draw,
    outcomes: Mapping[tuple[str, str], str],
    own_evidence: Mapping[str, Mapping[str, str]],
) -> AnswerRow:
    is_drawn = draw.state == State.DRAWN
    name = draw.candidate_id if is_drawn else ""
    plausibility = outcomes.get((ACCEPTANCE.name, name), UNJUDGED) if is_drawn else ""
    asked = outcomes.get((GROUNDING.name, name), NOT_ASKED)
    faithfulness = asked if plausibility == ACCEPTANCE.accepted else ""
    is_asked = faithfulness not in ("", NOT_ASKED, NO_EVIDENCE)
    by_run = own_evidence.get(name, {}) if is_asked else {}
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
        sampled=draw.state,
        score=draw.score,
        answer_id=name,
        represented_by="" if is_drawn else draw.candidate_id,
        plausibility=plausibility,
        faithfulness=faithfulness,
        tier=tier(plausibility, faithfulness),
        first_credit=False,
        own_evidence=by_run.get(run.name, by_run.get("", "")),
    )
