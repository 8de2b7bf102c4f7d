"""How distinct answers ended, as a release says it, without the rest of a release's tables."""

from collections.abc import Collection

from annotation.models import Batch, ItemAnswer, SetAside, Source, Verdict, VerdictState
from annotation.schemes import ACCEPTANCE
from corpus.models import Dataset
from exports.rows.shown_answers import released_batches
from sampling.models import Pool

UNJUDGED = "unjudged"
NO_EVIDENCE = "no_evidence"
ENDINGS = {
    SetAside.DISAGREEMENT: "disputed",
    SetAside.EXCLUDED: "excluded",
    SetAside.NO_EVIDENCE: NO_EVIDENCE,
    SetAside.TOO_FEW: "too_few_judgements",
    SetAside.SKIPPED_BY_ALL: "skipped_by_all",
}
# A distinct answer: its turn's key and the hash of its text.
Distinct = tuple[int, str]


def ending(state: str, label: str, set_aside_reason: str) -> str:
    """A label, or in one word why there is none."""
    if state == VerdictState.DECIDED:
        return label
    if state == VerdictState.DISPUTED:
        return "disputed"
    if state == VerdictState.SET_ASIDE:
        return ENDINGS[SetAside(set_aside_reason)]
    return UNJUDGED


def of_plausibility(
    dataset: Dataset, *, is_rehearsal: bool, pools: Collection[Pool] | None = None
) -> dict[Distinct, str]:
    """How each answer ended that a closed plausibility batch asked about, or one on these pools.

    Of several batches an adjudication has the say, else the batch that was made last.
    """
    closed = released_batches(dataset, is_rehearsal=is_rehearsal).filter(scheme=ACCEPTANCE.name)
    if pools is not None:
        closed = closed.filter(pool__in=pools)
    ranks = {pk: rank for rank, pk in enumerate(closed.values_list("pk", flat=True))}
    current = Verdict.objects.current().filter(item__batch__in=list(ranks))
    verdicts = {
        item: (source == Source.ADJUDICATION, ending(state, label, reason))
        for item, source, state, label, reason in current.values_list(
            "item_id", "source", "state", "label", "set_aside_reason"
        )
    }
    asked = ItemAnswer.objects.filter(item__batch__in=list(ranks), item__n_wanted__isnull=False)
    best: dict[Distinct, tuple[bool, int, int, str]] = {}
    for turn, sha256, item, batch in asked.values_list(
        "candidate__turn_id", "candidate__text_sha256", "item_id", "item__batch_id"
    ):
        is_adjudicated, ended = verdicts.get(item, (False, UNJUDGED))
        found = (is_adjudicated, ranks[batch], item, ended)
        best[turn, sha256] = max(best.get((turn, sha256), found), found)
    return {answer: ended for answer, (_, _, _, ended) in best.items()}


def is_rehearsed(pools: Collection[Pool]) -> bool:
    """Whether only simulated people have judged answers of these pools."""
    batches = Batch.objects.filter(pool__in=pools, scheme=ACCEPTANCE.name)
    return batches.exists() and not batches.filter(is_rehearsal=False).exists()
