"""What the form that opens the full batch does, and what is not final yet, in words."""

from annotation.models import Batch, BatchState, Qualification
from annotation.queries.batch_progress import BatchLine
from exports.after_pilot.figures import FullBatch
from exports.after_pilot.people_queries import People
from pages.templatetags.pages import count
from sampling.models import Pool
from sampling.pay import work_time


def not_final(line: BatchLine) -> list[str]:
    """Return a sentence for each reason why the figures of the batch can still change; [] if they are final."""
    sentences = []
    batch = line.batch
    if batch.state != BatchState.CLOSED:
        sentences.append(
            f"The batch is {batch.state}: {line.n_counted} of {count(line.n_wanted, 'judgement')} are there."
        )
    elif line.has_verdict and not line.is_settled:
        n_left = line.n_items - line.n_verdicts
        sentences.append(f"It is not settled: {count(n_left, 'item')} without a verdict.")
    if line.n_disputed:
        sentences.append(
            f"{count(line.n_disputed, 'item')} in dispute: what an adjudicator decides changes the yield, and who passes."
        )
    return sentences


def _why_too_few(full: FullBatch) -> str:
    if full.n_people_needed == full.judgements:
        return f"each item needs {full.judgements} different ones"
    most = count(full.most_per_person or 0, "item")
    return f"nobody is handed more than {most}, so that it needs {full.n_people_needed} people"


def consequences(
    pilot: Batch,
    pool: Pool,
    full: FullBatch,
    asked: Qualification | None,
    people: People,
    bar: float,
    n_ticked: int,
    *,
    is_rules: bool,
) -> list[str]:
    """Return what pressing the button does, with the people who are ticked now; `is_rules`: as the rule says."""
    holders = sum(each.line.is_held for each in people.people)
    name = f"“{asked.name}”" if asked else "The new qualification"
    by_rule = "" if people.why_no_rule or not is_rules else f", as the rule says at {bar:g}"
    ticked = "1 person is" if n_ticked == 1 else f"{n_ticked} people are"
    sentences = [
        f"{name} is granted to the ticked people, with your reason. {ticked} ticked{by_rule}; you can change that."
    ]
    if holders:
        keep = "1 person holds it already and keeps it."
        sentences.append(keep if holders == 1 else f"{holders} people hold it already and keep it.")
    sentences.append(
        f"The batch opens at once with {count(full.n_items, 'item')} of the pool {pool.name},"
        f" {count(full.judgements, 'judgement')} of each: {count(full.n_judgements, 'judgement')},"
        f" {work_time(full.hours)} of work" + (f", {full.cost}." if full.cost else ", unpaid.")
    )
    if not full.can_finish(n_ticked + holders):
        sentences.append(f"With these people nobody can finish it: {_why_too_few(full)}.")
    sentences.append(
        f"Scheme, guideline, pay and all other settings are those of {pilot.name}, without its deadline."
        " Who works on it is frozen."
    )
    return sentences
