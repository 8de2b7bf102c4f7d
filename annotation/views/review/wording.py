"""Decisions on work and their effects in words."""

from annotation.queries import item_takers
from annotation.queries.review_effects import Effects
from annotation.review_decisions import Decision
from annotation.review_reasons import COUNTED, PAID, in_words, outcome_in_words
from sampling.pay import Money


def decision_in_words(decision: Decision) -> str:
    """For example "Paid: in good faith. Not counted: random answer: always 3." """
    paid = outcome_in_words(PAID, decision.is_paid).capitalize()
    counted = outcome_in_words(COUNTED, decision.is_counted).capitalize()
    why_paid = in_words(decision.paid_code, decision.paid_reason)
    why_counted = in_words(decision.counted_code, decision.counted_reason)
    return f"{paid}: {why_paid}. {counted}: {why_counted}."


def effect_sentences(effects: Effects) -> list[str]:
    sentences = [
        f"{_count(effects.n_decided, 'judgement')} of {_count(effects.n_items, 'item')}: decided."
    ]
    if effects.n_same:
        sentences.append(
            f"{_count(effects.n_same, 'judgement')}: already decided like this, unchanged."
        )
    if effects.n_counted_no_more:
        sentences.append(
            f"Excluded from results: {_count(effects.n_counted_no_more, 'judgement')}."
        )
    if effects.n_counted_again:
        sentences.append(f"Restored to results: {_count(effects.n_counted_again, 'judgement')}.")
    sentences += _payment_sentences(effects)
    sentences += _outcome_sentences(effects)
    if effects.n_opened:
        reopens = "; the batch opens again" if effects.reopens else ""
        sentences.append(f"Re-annotate: {_count(effects.n_opened, 'judgement')}{reopens}.")
    if effects.n_nobody:
        sentences.append(f"{_count(effects.n_nobody, 'item')}: {item_takers.NOBODY}.")
    return sentences


def _count(n: int, thing: str) -> str:
    return f"{n:,} {thing}{'' if n == 1 else 's'}"


def _payment_sentences(effects: Effects) -> list[str]:
    sentences = []
    if effects.n_paid_no_more:
        sentences.append(f"Payment refused: {_count(effects.n_paid_no_more, 'judgement')}.")
    if effects.n_paid_again:
        sentences.append(f"Payment restored: {_count(effects.n_paid_again, 'judgement')}.")
    if effects.unpaid:
        verb = "not paid" if effects.unpaid > 0 else "paid again"
        sentences.append(f"{Money(abs(effects.unpaid), effects.currency)} {verb}.")
    return sentences


def _outcome_sentences(effects: Effects) -> list[str]:
    if not effects.n_counted_no_more and not effects.n_counted_again:
        return ["No verdict changes."]
    n = sum(each.n for each in effects.changes)
    when = (
        f"When the batch is settled again by the rule {effects.rule}"
        if effects.is_settled
        else f"The batch is not settled yet; by the rule {effects.rule}"
    )
    sentences = [
        f"{when}, the label of {_count(n, 'item')} would change."
        if n
        else f"{when}, no label would change."
    ]
    if effects.n_lose_verdict:
        sentences.append(
            f"Items that would lose their verdict: {_count(effects.n_lose_verdict, 'item')}."
        )
    if effects.n_too_few:
        sentences.append(
            f"Items that would have too few judgements: {_count(effects.n_too_few, 'item')}."
        )
    if effects.n_adjudicated:
        sentences.append(f"Adjudicated, unchanged: {_count(effects.n_adjudicated, 'item')}.")
    return sentences
