"""What a decision on work would change, in sentences."""

from annotation.queries.review_effects import Effects
from annotation.review_decisions import Decision
from annotation.review_reasons import COUNTED, PAID, in_words, said


def decided(decision: Decision) -> str:
    """Right: "Paid: in good faith. Not counted: random answer: always 3." """
    paid = said(PAID, decision.is_paid).capitalize()
    counted = said(COUNTED, decision.is_counted).capitalize()
    why_paid = in_words(decision.paid_code, decision.paid_reason)
    why_counted = in_words(decision.counted_code, decision.counted_reason)
    return f"{paid}: {why_paid}. {counted}: {why_counted}."


def sentences(effects: Effects) -> list[str]:
    found = [f"{_n(effects.n_decided, 'judgement')} of {_n(effects.n_items, 'item')}: decided."]
    if effects.n_same:
        found.append(f"{_n(effects.n_same, 'judgement')}: decided so already, and left as it is.")
    if effects.n_counted_no_more:
        found.append(f"Counted no more: {_n(effects.n_counted_no_more, 'judgement')}.")
    if effects.n_counted_again:
        found.append(f"Counted again: {_n(effects.n_counted_again, 'judgement')}.")
    found += _money(effects)
    found += _endings(effects)
    if effects.n_opened:
        reopens = "; the batch opens again" if effects.reopens else ""
        found.append(f"Asked for anew: {_n(effects.n_opened, 'judgement')}{reopens}.")
    return found


def _n(n: int, thing: str) -> str:
    return f"{n:,} {thing}{'' if n == 1 else 's'}"


def _money(effects: Effects) -> list[str]:
    found = []
    if effects.n_paid_no_more:
        found.append(f"Paid no more: {_n(effects.n_paid_no_more, 'judgement')}.")
    if effects.n_paid_again:
        found.append(f"Paid again: {_n(effects.n_paid_again, 'judgement')}.")
    if effects.unpaid:
        verb = "not paid" if effects.unpaid > 0 else "paid again"
        found.append(
            f"Money {verb}: {abs(effects.unpaid):f} {effects.currency}.".replace(" .", ".")
        )
    return found


def _endings(effects: Effects) -> list[str]:
    if not effects.n_counted_no_more and not effects.n_counted_again:
        return ["No verdict changes."]
    n = sum(each.n for each in effects.changes)
    when = (
        f"Once the batch is settled again by the rule {effects.rule}"
        if effects.is_settled
        else f"The batch is not settled yet; by the rule {effects.rule}"
    )
    found = [
        f"{when}, {_n(n, 'item')} would end otherwise."
        if n
        else f"{when}, every item ends as it would without this."
    ]
    if effects.n_lose_verdict:
        found.append(f"Of these lose their verdict: {_n(effects.n_lose_verdict, 'item')}.")
    if effects.n_too_few:
        found.append(f"Of these have too few judgements then: {_n(effects.n_too_few, 'item')}.")
    if effects.n_adjudicated:
        found.append(f"Adjudicated, and staying as it is: {_n(effects.n_adjudicated, 'item')}.")
    return found
