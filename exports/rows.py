"""The three tables of a release, one dataclass a row. Plain Python.

Every number of a report is computed from these rows, and they are what the CSV files hold: one column a
field, in this order. Empty text and None are both written as an empty cell; booleans as true and false;
times in UTC with microseconds as 2026-01-31T12:00:00.000000Z; numbers as Python writes them.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class JudgementRow:
    """One judgement, one answer that it speaks of, one question that was asked.

    `question` is the name of the question asked (for a scheme with one question, the scheme's name).
    `runs` are the names of the runs that gave the very text, sorted, joined with "|".
    `value` is a number where the question asks for one, `label` a label where it asks for that.
    A judgement is counted when `counted` is true; then it is neither withdrawn nor surplus.
    """

    study: str
    batch: str
    scheme: str
    item_id: str
    turn_id: str
    question: str
    answer_id: str
    answer: str
    runs: str
    annotator: str
    assignment_id: str
    value: float | None
    label: str
    comment: str
    position: int
    shown_at: str
    submitted_at: str
    active_seconds: float
    withdrawn: bool
    surplus: bool
    flagged: bool
    is_control: bool
    is_rehearsal: bool
    paid: bool
    paid_reason: str
    counted: bool
    counted_reason: str
    guideline_sha256: str
    payload_sha256: str


@dataclass(frozen=True, slots=True)
class ItemRow:
    """One item and one answer that it shows, with how it ended.

    `state` is decided, disputed, set aside, or "" for an item that was not settled; `verdict` is the
    label of a decided item; `source` consensus, adjudication or decision; `votes` the votes that the
    verdict was made from, as JSON with sorted keys. `is_newest` is false where another batch of the
    scheme has the say on the same answer (an adjudication wins, else the newest closed batch).
    `came_from` is the plausibility item of a faithfulness item; `stands` is false for one whose
    plausibility verdict changed since. `evidence` is the paragraph as JSON: a list of
    {"passage_id", "start", "end", "text"}. `runs` as in the judgements.
    """

    study: str
    batch: str
    scheme: str
    item_id: str
    turn_id: str
    question: str
    answer_id: str
    answer: str
    runs: str
    state: str
    verdict: str
    source: str
    rule: str
    set_aside_reason: str
    votes: str
    n_wanted: int | None
    n_counted: int
    is_excluded: bool
    is_control: bool
    is_rehearsal: bool
    is_newest: bool
    came_from: str
    stands: bool
    inclusion_probability: float
    score: float | None
    evidence: str
    decided_at: str


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """One run's answer to one turn, and what became of it.

    `sampled` is what the pool's rule made of it (sampling.selection.State, or "not_in_pool" where the
    run came after the pool). `answer_id` and `represented_by` name a candidate: the answer's own text,
    or the one whose bag it shares. `plausibility` is how a drawn answer's item ended: a label, or
    disputed, excluded, too_few_judgements, skipped_by_all, unjudged; "" for one that was not drawn.
    `faithfulness` likewise, for a plausible one: a label, disputed, excluded, too_few_judgements,
    skipped_by_all, no_evidence, unjudged, or not_asked. `tier` is gold, silver or "".
    `first_credit` is true for the one run, first by name, that gets the answer where each counts once.
    """

    study: str
    dataset: str
    run: str
    kind: str
    team: str
    system: str
    setup: str
    turn_id: str
    answer: str
    sampled: str
    score: float | None
    answer_id: str
    represented_by: str
    plausibility: str
    faithfulness: str
    tier: str
    first_credit: bool
