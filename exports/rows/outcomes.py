"""The outcomes of distinct answers, as in a release, without reading its other tables."""

from collections.abc import Collection

from annotation.models import Batch, ItemAnswer, SetAside, Source, Verdict, VerdictState
from annotation.schemes import ACCEPTANCE
from corpus.models import Dataset
from exports.rows.shown_answers import released_batches
from sampling.models import Pool

UNJUDGED = "unjudged"
NO_EVIDENCE = "no_evidence"
SET_ASIDE_OUTCOMES = {
    SetAside.DISAGREEMENT: "disputed",
    SetAside.EXCLUDED: "excluded",
    SetAside.NO_EVIDENCE: NO_EVIDENCE,
    SetAside.TOO_FEW: "too_few_judgements",
    SetAside.SKIPPED_BY_ALL: "skipped_by_all",
}
# A distinct answer: its turn's key and the hash of its text.
DistinctAnswer = tuple[int, str]


def outcome(state: str, label: str, set_aside_reason: str) -> str:
    """The label of a verdict, or one word that says why there is no label."""
    if state == VerdictState.DECIDED:
        return label
    if state == VerdictState.DISPUTED:
        return "disputed"
    if state == VerdictState.SET_ASIDE:
        return SET_ASIDE_OUTCOMES[SetAside(set_aside_reason)]
    return UNJUDGED


def plausibility_outcomes(
    dataset: Dataset, *, is_rehearsal: bool, pools: Collection[Pool] | None = None
) -> dict[DistinctAnswer, str]:
    """The outcome of each answer that a closed plausibility batch asked about.

    `pools` limits them to batches on these pools. Where several batches asked about an answer, an
    adjudication decides, else the batch that was created last.
    """
    closed = released_batches(dataset, is_rehearsal=is_rehearsal).filter(scheme=ACCEPTANCE.name)
    if pools is not None:
        closed = closed.filter(pool__in=pools)
    ranks = {pk: rank for rank, pk in enumerate(closed.values_list("pk", flat=True))}
    current = Verdict.objects.current().filter(item__batch__in=list(ranks))
    verdicts = {
        item: (source == Source.ADJUDICATION, outcome(state, label, reason))
        for item, source, state, label, reason in current.values_list(
            "item_id", "source", "state", "label", "set_aside_reason"
        )
    }
    asked = ItemAnswer.objects.filter(item__batch__in=list(ranks), item__n_wanted__isnull=False)
    best: dict[DistinctAnswer, tuple[bool, int, int, str]] = {}
    for turn, sha256, item, batch in asked.values_list(
        "candidate__turn_id", "candidate__text_sha256", "item_id", "item__batch_id"
    ):
        is_adjudicated, name = verdicts.get(item, (False, UNJUDGED))
        found = (is_adjudicated, ranks[batch], item, name)
        best[turn, sha256] = max(best.get((turn, sha256), found), found)
    return {answer: name for answer, (_, _, _, name) in best.items()}


def is_rehearsed(pools: Collection[Pool]) -> bool:
    """Whether the pools have plausibility batches, and all of them are rehearsals."""
    batches = Batch.objects.filter(pool__in=pools, scheme=ACCEPTANCE.name)
    return batches.exists() and not batches.filter(is_rehearsal=False).exists()
