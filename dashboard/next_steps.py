"""The one thing that a requester does next with a study's batches."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from annotation.models import Batch, BatchState
from annotation.queries.batch_progress import BatchLine
from annotation.queries.completion import Shortfall
from annotation.schemes import ACCEPTANCE, GROUNDING
from dashboard.changed_versions import ChangedVersion
from sampling.models import Pool, Purpose


@dataclass(frozen=True)
class NextAction:
    """The next action: its step, the words of its button, and its page.

    The words are in two parts; `name` is the name of a batch or pool. `about` is its key in the
    page's address; `why` explains more than a button can.
    """

    step: str  # scores | pool | acceptance | evidence | grounding | labels | release | compared
    before: str
    page: str
    about: int | None = None
    name: str = ""
    query: str = ""
    why: str = ""

    @property
    def words(self) -> str:
        return " ".join(filter(None, (self.before, self.name and f"“{self.name}”")))


@dataclass(frozen=True)
class Situation:
    """The data that the next action depends on. Batches and pools are in order of creation."""

    acceptance: Sequence[BatchLine]
    grounding: Sequence[BatchLine]
    labels: Sequence[BatchLine]  # batches of a release on which no answer depends
    pools: Sequence[Pool]
    # By acceptance batch that leads_to_evidence(), its accepted answers without an item.
    never_asked: Mapping[int, int]
    shortfalls: Mapping[int, Shortfall]  # of the batches that the people there are cannot finish
    n_annotators: int
    n_adjudicators: int
    is_released: bool
    now: datetime
    changed_versions: Sequence[ChangedVersion] = ()


def next_comparison_action(
    lines: Sequence[BatchLine],
    *,
    shortfalls: Mapping[int, Shortfall],
    n_annotators: int,
    now: datetime,
) -> NextAction | None:
    """Return the next action for batches that compare systems: their figures need no settlement.

    Returns None if all are closed: then there are the results to look at.
    """
    if all(line.batch.state == BatchState.DRAFT for line in lines):
        for line in lines[-1:]:
            return NextAction("compared", "Open", "batch_open", line.batch.pk, line.batch.name)
        return NextAction("compared", "New batch", "batch_new")
    for line in lines:
        for act in _closing("compared", line, now):
            return act
    for line in lines:
        for act in _running("compared", line, shortfalls, n_annotators):
            return act
    return None


def next_action(situation: Situation) -> NextAction | None:
    """Return the first thing to do, or None when nothing is left.

    Actions that wait for the requester come before work that goes on without them.
    """
    return next(_actions(situation), None)


def evidence_action(situation: Situation) -> NextAction | None:
    """Return the way from a settled batch to judging its accepted answers by evidence, if there is one.

    It need not wait until the disputes of the batch are settled.
    """
    return next((act for line in situation.acceptance for act in _evidence(line, situation)), None)


def _actions(situation: Situation) -> Iterator[NextAction]:
    for line in situation.acceptance:
        yield from _awaiting_requester("acceptance", line, situation)
    for line in situation.acceptance:
        yield from _evidence(line, situation)
    for line in situation.grounding:
        yield from _awaiting_requester("grounding", line, situation)
    for line in situation.labels:
        yield from _awaiting_requester("labels", line, situation)
    for version in situation.changed_versions:
        yield from _changed_turns(version)
    for step, lines in (
        ("grounding", situation.grounding),
        ("acceptance", situation.acceptance),
        ("labels", situation.labels),
    ):
        for line in lines:
            yield from _running(step, line, situation.shortfalls, situation.n_annotators)
    yield from _first_batch(situation)
    if not situation.is_released:
        yield NextAction("release", "Create the release", "release_new")


def _awaiting_requester(step: str, line: BatchLine, situation: Situation) -> Iterator[NextAction]:
    """Yield what the requester has to do before the batch goes on."""
    batch = line.batch
    yield from _closing(step, line, situation.now)
    if batch.state == BatchState.CLOSED and line.has_verdict and not line.is_settled:
        why = "It is closed; settling makes verdicts of its judgements."
        yield NextAction(step, "Settle", "batch_settle", batch.pk, batch.name, why=why)
    if batch.state == BatchState.CLOSED and line.n_disputed:
        disputes = "1 dispute" if line.n_disputed == 1 else f"{line.n_disputed:,} disputes"
        yield NextAction(
            step,
            f"{disputes} of",
            "disputes",
            name=batch.name,
            query=f"?batch={batch.pk}",
            why="An adjudicator settles them, each with a reason."
            if situation.n_adjudicators
            else "Nobody can settle them yet: make somebody an adjudicator, under People.",
        )


def _closing(step: str, line: BatchLine, now: datetime) -> Iterator[NextAction]:
    batch = line.batch
    if batch.state in (BatchState.OPEN, BatchState.PAUSED) and line.n_items:
        is_over = batch.deadline_at is not None and batch.deadline_at <= now
        if not line.n_left and not line.n_claimed:
            yield NextAction(
                step, "Close", "batch_close", batch.pk, batch.name, why="All is judged."
            )
        elif is_over:
            why = "Its deadline has passed: no more items are assigned."
            yield NextAction(step, "Close", "batch_close", batch.pk, batch.name, why=why)


def _evidence(line: BatchLine, situation: Situation) -> Iterator[NextAction]:
    """Yield the actions from a settled batch to judging its accepted answers by evidence."""
    batch, n_missing = line.batch, situation.never_asked.get(line.batch.pk, 0)
    if not n_missing or not leads_to_evidence(line, situation.pools, situation.grounding):
        return
    answers = "1 answer" if n_missing == 1 else f"{n_missing:,} answers"
    newest = _newest_evidence_pool(batch, situation.pools)
    if newest is None:
        yield NextAction(
            "evidence",
            f"On to {GROUNDING.name} with",
            "evidence_new",
            batch.pk,
            batch.name,
            why=f"It is settled, and {answers} {'is' if n_missing == 1 else 'are'} {ACCEPTANCE.accepted}.",
        )
        return
    last = _last_batch(newest, situation.grounding)
    if newest.built_at is None:
        why = "The passages are being searched for evidence."
        yield NextAction("evidence", "Monitor progress of", "pool", newest.pk, newest.name, why=why)
    elif last is None:
        words, query = f"Make the {GROUNDING.name} batch on", f"?pool={newest.pk}"
        yield NextAction("grounding", words, "batch_new", name=newest.name, query=query)
    elif last.state == BatchState.DRAFT:
        yield NextAction("grounding", "Open", "batch_open", last.pk, last.name)
    else:
        yield NextAction(
            "evidence",
            f"On to {GROUNDING.name} with {answers} of",
            "evidence_new",
            batch.pk,
            batch.name,
            why=f"Found {ACCEPTANCE.accepted} after the evidence was drawn. Unless they are asked"
            " about, they end in silver.",
        )


def leads_to_evidence(
    line: BatchLine, pools: Sequence[Pool], grounding: Sequence[BatchLine]
) -> bool:
    """Return whether an answer of the acceptance batch without an item in these grounding batches is seen to next.

    None is before the batch is settled, nor once people judge a sample: what that left out was left out on purpose.
    """
    if not line.is_settled:
        return False
    newest = _newest_evidence_pool(line.batch, pools)
    if newest is None or newest.built_at is None or newest.rule.get("sample") is None:
        return True
    last = _last_batch(newest, grounding)
    return last is None or last.state == BatchState.DRAFT


def _newest_evidence_pool(batch: Batch, pools: Sequence[Pool]) -> Pool | None:
    """Return the newest pool of evidence for the accepted answers of the batch; None if there is none."""
    of_batch = (
        pool
        for pool in reversed(pools)
        if pool.purpose == Purpose.EVIDENCE and pool.rule.get("batch") == batch.name
    )
    return next(of_batch, None)


def _last_batch(pool: Pool, lines: Sequence[BatchLine]) -> Batch | None:
    """Return the newest of these batches that is on the pool; None if there is none."""
    on_pool = (line.batch for line in reversed(lines) if line.batch.pool_id == pool.pk)
    return next(on_pool, None)


def _changed_turns(version: ChangedVersion) -> Iterator[NextAction]:
    """Yield the action that is missing before people are asked about the changed turns of a version."""
    query, why = f"?dataset={version.dataset.pk}", version.advice
    if version.step == "scores":
        yield NextAction("scores", "Compute scores", "score_start", query=query, why=why)
    elif version.step == "pool":
        yield NextAction("pool", "Draw a pool", "pool_new", query=query, why=why)
    elif pool := version.to_ask_about:
        words, query = f"Make the {ACCEPTANCE.name} batch on", f"?pool={pool.pk}"
        yield NextAction("acceptance", words, "batch_new", name=pool.name, query=query, why=why)


def _running(
    step: str, line: BatchLine, shortfalls: Mapping[int, Shortfall], n_annotators: int
) -> Iterator[NextAction]:
    """Yield the action for a batch that people judge or could judge."""
    batch = line.batch
    if batch.state == BatchState.PAUSED:
        yield NextAction(step, "Resume", "batch_resume", batch.pk, batch.name)
    if batch.state == BatchState.OPEN and n_annotators:
        yield _watching(step, batch, shortfalls.get(batch.pk))
    if batch.state == BatchState.OPEN and not n_annotators:
        why = "A batch is open, and nobody can judge yet."
        yield NextAction(step, "Invite annotators", "invitations", why=why)


def _watching(step: str, batch: Batch, shortfall: Shortfall | None) -> NextAction:
    """Return the action for an open batch: to watch it, or to see why people cannot finish it."""
    if shortfall is None:
        why = "People can judge: close it when complete."
        return NextAction(step, "Monitor progress of", "batch", batch.pk, batch.name, why=why)
    if shortfall.is_complete:
        why = "Nobody can take what is left: its page says why, and what helps."
    else:
        why = "The present annotators cannot give all its judgements: its page says why."
    before = "See why people cannot finish"
    return NextAction(step, before, "batch", batch.pk, batch.name, why=why)


def _first_batch(situation: Situation) -> Iterator[NextAction]:
    """Yield the action for the first batch. Drafts are ignored once a batch was opened."""
    yield from _opening("labels", situation.labels)
    yield from _opening("acceptance", situation.acceptance)
    if all(line.batch.state == BatchState.DRAFT for line in situation.acceptance):
        yield NextAction("acceptance", "New batch", "batch_new")


def _opening(step: str, lines: Sequence[BatchLine]) -> Iterator[NextAction]:
    if all(line.batch.state == BatchState.DRAFT for line in lines):
        for line in lines[-1:]:
            yield NextAction(step, "Open", "batch_open", line.batch.pk, line.batch.name)
