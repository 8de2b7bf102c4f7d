"""The questions of a batch of curation with what was decided of them."""

import unicodedata
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from annotation import curating
from annotation.models import Batch, Item, Judgement, Verdict, VerdictState
from annotation.queries import verdict_freshness
from annotation.schemes.curation import originals
from corpus import quotes
from corpus.models import Turn
from exports.curation.acceptance import Made
from exports.curation.columns import QuestionRow

if TYPE_CHECKING:
    from exports.curation.agreement import FieldAgreement

DISPUTED, SET_ASIDE = "in dispute", "set aside"
NOT_SAID = "not said"


@dataclass(frozen=True)
class Curated:
    """A question with its texts before and after; `texts` are None unless it was kept or edited.

    `responses` are the counted ones by pseudonym. A verdict is outdated if settling again would replace it, for
    example after a review. An outdated "edited" is undecided: the texts that it was for may count no more.
    """

    item: Item
    verdict: Verdict | None
    original: Mapping[str, str]
    texts: Mapping[str, str] | None
    type: str
    is_promoted: bool
    responses: Mapping[str, curating.Response]
    is_outdated: bool

    @property
    def turn(self) -> Turn:
        return self.item.turn

    @property
    def original_type(self) -> str:
        return str(self.item.payload["made"]["type"])

    @property
    def outcome(self) -> str:
        """kept, edited or rejected; in dispute or set aside; "" where nothing is decided."""
        if self.verdict is None or (self.is_outdated and self.verdict.label == curating.EDITED):
            return ""
        if self.verdict.state == VerdictState.DISPUTED:
            return DISPUTED
        return self.verdict.label or SET_ASIDE

    @property
    def made(self) -> Made:
        meta = self.turn.meta
        return Made(
            type=meta.get("type") or NOT_SAID,
            section=meta.get("section") or NOT_SAID,
            maker=meta.get("maker", {}).get("model") or NOT_SAID,
            outcome=self.outcome,
        )


def curated(batch: Batch) -> list[Curated]:
    """The questions of the batch in the order of its data set."""
    items = Item.objects.real().filter(batch=batch).select_related("turn__conversation")
    verdicts = Verdict.objects.current().filter(item__batch=batch).select_related("adjudication")
    verdict_of = {each.item_id: each for each in verdicts}
    responses = _counted_responses(batch)
    found = verdict_freshness.outdated_touched_items(batch) if verdict_of else []
    outdated = {each.pk for each in found if each.pk in verdict_of}
    ordered = items.order_by("turn__conversation__position", "turn__number", "pk")
    return [
        _curated(item, verdict_of.get(item.pk), responses[item.pk], item.pk in outdated)
        for item in ordered
    ]


def _counted_responses(batch: Batch) -> Mapping[int, dict[str, curating.Response]]:
    pseudonyms = {each.user_id: each.pseudonym for each in batch.study.memberships.all()}
    rows = Judgement.objects.counted().filter(assignment__item__batch=batch).order_by("pk")
    found: dict[int, dict[str, curating.Response]] = defaultdict(dict)
    for item, person, response in rows.values_list(
        "assignment__item", "assignment__annotator", "response"
    ):
        found[item][pseudonyms[person]] = response
    return found


def _curated(
    item: Item,
    verdict: Verdict | None,
    responses: Mapping[str, curating.Response],
    is_outdated: bool,
) -> Curated:
    original = originals(item.payload)
    own_type = str(item.payload["made"]["type"])
    adjudication = verdict.adjudication if verdict else None
    deciding = [adjudication.response] if adjudication else list(responses.values())
    found = Curated(
        item=item,
        verdict=verdict,
        original=original,
        texts=None,
        type="",
        is_promoted=False,
        responses=responses,
        is_outdated=is_outdated,
    )
    if found.outcome not in (curating.KEPT, curating.EDITED):
        return found
    return replace(
        found,
        texts=curating.decided_texts(original, found.outcome, deciding),
        type=curating.decided_type(own_type, deciding),
        is_promoted=curating.is_promoted(deciding),
    )


def decided(questions: Sequence[Curated]) -> list[Made]:
    """The questions that are kept, edited or rejected."""
    labels = (curating.KEPT, curating.EDITED, curating.REJECTED)
    return [each.made for each in questions if each.outcome in labels]


def agreement_on(questions: Sequence[Curated]) -> "list[FieldAgreement]":
    """How far people agreed on these questions, by text; excluded ones are left out."""
    from exports.curation.agreement import agreement  # noqa: PLC0415  numpy

    return agreement(
        {
            str(each.item.public_id): each.responses
            for each in questions
            if not each.item.is_excluded
        }
    )


def rows(batch: Batch, questions: Sequence[Curated]) -> list[QuestionRow]:
    """The rows of questions.csv."""
    return [_row(batch, each) for each in questions]


def _row(batch: Batch, each: Curated) -> QuestionRow:
    verdict, meta, texts = each.verdict, each.turn.meta, each.texts or {}
    people = sorted(each.responses)
    adjudication = verdict.adjudication if verdict else None
    why = (name for person in people for name in each.responses[person] if name.startswith("why."))
    maker = meta.get("maker", {})
    return QuestionRow(
        study=batch.study.slug,
        dataset=str(batch.pool.dataset),
        batch=batch.name,
        item_id=str(each.item.public_id),
        turn_id=each.turn.key,
        outcome=each.outcome,
        decided_by=verdict.source if verdict and each.outcome not in ("", DISPUTED) else "",
        is_outdated=each.is_outdated,
        reason=adjudication.reason if adjudication else verdict.set_aside_reason if verdict else "",
        annotators="|".join(people),
        votes="|".join(_vote_in_words(each.responses[person]) for person in people),
        why="|".join(dict.fromkeys(name.removeprefix("why.") for name in why)),
        promoted=each.is_promoted,
        question=each.original["question"],
        question_curated=texts.get("question", ""),
        answer=each.original.get("answer", ""),
        answer_curated=texts.get("answer", ""),
        proof=each.original.get("proof", ""),
        proof_curated=texts.get("proof", ""),
        proof_place=place_of(texts.get("proof", ""), passages(each.item)),
        type=meta.get("type", ""),
        type_curated=each.type,
        section=meta.get("section", ""),
        document=meta.get("document", ""),
        model=maker.get("model", ""),
        prompt=maker.get("prompt", ""),
    )


def _vote_in_words(response: curating.Response) -> str:
    """What the response says of question, answer and proof: "keep edit keep"."""
    return " ".join(response[field] for field in curating.TEXTS if field in response)


def passages(item: Item) -> list[str]:
    """The texts that the item shows."""
    return [each["text"] for each in item.payload["passages"]]


def place_of(proof: str, texts: Sequence[str]) -> str:
    """Whether the proof is in one of the texts; "" without a proof."""
    if not proof:
        return ""
    order = list(quotes.PlaceStatus)
    # Edits are stored in NFC, passages as they were imported.
    proof, *texts = (unicodedata.normalize("NFC", each) for each in (proof, *texts))
    return str(min((quotes.place(proof, text).status for text in texts), key=order.index).value)
