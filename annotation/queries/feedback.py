"""How a person's labels agree with the final ones, and what became of their flags.

Only of a batch whose organisers allow it, closed and settled. Blind: no runs, no scores, no other
people's labels, and no word of an adjudicator.
"""

from collections import Counter
from dataclasses import dataclass

from accounts.models import User
from annotation import schemes
from annotation.models import Batch, BatchState, Flag, Item, Judgement, Key, Verdict, VerdictState

# Items with another final label are listed up to this many.
MOST_LISTED = 50


@dataclass(frozen=True)
class Difference:
    """An item whose final label is not the person's."""

    question: str
    answer: str
    own: str
    final: str


@dataclass(frozen=True)
class Count:
    """The items to which the person gave one label.

    n        the number of these items
    n_equal  of those whose final label is the same
    others   the numbers of those with another final label, by that label
    """

    label: str
    n: int
    n_equal: int
    others: dict[str, int]


@dataclass(frozen=True)
class Feedback:
    """A person's labels beside the final ones.

    n       judgements of the person whose item has a final label
    n_open  those whose item has none
    """

    n: int
    n_open: int
    counts: list[Count]
    differences: list[Difference]

    @property
    def n_equal(self) -> int:
        return sum(each.n_equal for each in self.counts)

    @property
    def n_different(self) -> int:
        return self.n - self.n_equal


@dataclass(frozen=True)
class FlagOutcome:
    """What became of a flag, in words; `words` is "" while nothing did."""

    flag: Flag
    words: str


def may_be_given(batch: Batch) -> bool:
    """Whether annotators may see how their labels agree once it is settled."""
    return batch.gives_feedback and batch.state == BatchState.CLOSED and not batch.is_withdrawn


def is_given(batch: Batch) -> bool:
    """Whether annotators may see it now: the batch is settled."""
    return may_be_given(batch) and Verdict.objects.filter(item__batch=batch).exists()


def feedback_for(batch: Batch, annotator: User) -> Feedback:
    scheme = schemes.verdict_scheme(batch.scheme)
    final: dict[int | None, str] = dict(
        Verdict.objects.current()
        .filter(item__batch=batch, state=VerdictState.DECIDED)
        .values_list("item_id", "label")
    )
    # A control item looks as any other: its known label is its final one.
    final |= dict(Key.objects.filter(item__batch=batch).values_list("item_id", "label"))
    # And so does a repeat: its final label is that of its original.
    repeats = Item.objects.filter(batch=batch, repeats__in=final)
    final |= {pk: final[original] for pk, original in repeats.values_list("pk", "repeats")}
    own = Judgement.objects.not_withdrawn().filter(
        assignment__annotator=annotator,
        assignment__item__batch=batch,
    )
    judged = [
        (each.assignment.item, scheme.label(each.response))
        for each in own.select_related("assignment__item").order_by("assignment__item__position")
    ]
    settled = [(item, label, final[item.pk]) for item, label in judged if item.pk in final]
    return Feedback(
        n=len(settled),
        n_open=len(judged) - len(settled),
        counts=_counts(scheme.labels, [(label, end) for _, label, end in settled]),
        differences=[
            Difference(item.payload["question"], _answer(item.payload), label, end)
            for item, label, end in settled
            if label != end
        ][:MOST_LISTED],
    )


def _counts(labels: tuple[str, ...], pairs: list[tuple[str, str]]) -> list[Count]:
    counted = Counter(pairs)
    lines = []
    for label in labels:
        ends = {end: counted[label, end] for end in labels if counted[label, end]}
        if ends:
            n_equal = ends.pop(label, 0)
            lines.append(Count(label, n_equal + sum(ends.values()), n_equal, ends))
    return lines


def _answer(payload: schemes.base.Payload) -> str:
    return " / ".join(each["text"] for each in payload["answers"])


def flag_outcomes(batch: Batch, annotator: User) -> list[FlagOutcome]:
    """The person's flags in the batch, by time, with what became of each."""
    flags = Flag.objects.filter(assignment__annotator=annotator, assignment__item__batch=batch)
    rows = flags.select_related("assignment__item").prefetch_related("answers")
    return [FlagOutcome(flag, outcome_of(flag, batch)) for flag in rows]


def outcome_of(flag: Flag, batch: Batch) -> str:
    """Answered, the item excluded, the guideline changed since: what applies, in words."""
    found = []
    if flag.answers.all():
        found.append("answered")
    if flag.assignment.item.is_excluded:
        found.append("the item was excluded")
    if batch.guideline_since and batch.guideline_since > flag.flagged_at:
        found.append("the guideline was changed since")
    return ", ".join(found)
