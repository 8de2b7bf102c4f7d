"""What became of each run's answers: one row a run, counted from the table of answers.

Counts. Every answer of a run falls into exactly one column of the partition

    n_answers = empty + no_reference + no_score + not_in_pool + same_as_reference + same_as_question
              + represented + below_threshold + too_few_in_turn + turn_not_drawn + capped      not drawn: `sampled`
              + plausible + implausible + malformed                           settled: `plausibility`
              + disputed + excluded + too_few_judgements + skipped_by_all + unjudged   not settled

`drawn` is the sum of the last two lines. Every plausible answer falls into exactly one column of

    plausible = faithful + unfaithful + irrelevant                            settled: `faithfulness`
              + faithfulness_disputed + faithfulness_excluded + faithfulness_too_few_judgements
              + faithfulness_skipped_by_all + no_evidence + faithfulness_unjudged + not_asked

and every faithful one into exactly one of

    faithful = faithful_to_quoted + faithful_to_cited + faithful_to_pool           by `own_evidence`
             + faithful_without_evidence

`gold` and `silver` count the accepted answers by `tier`. These counts credit every run that gave the
very text. The columns that begin with `first_` count rows with `first_credit` only: there an answer
counts for one run, so that their sums over the runs are numbers of distinct answers.

Rates. With settled = plausible + implausible + malformed,

    plausible_rate      = plausible / settled
    plausible_rate_low  = plausible / drawn                        none of the unsettled is plausible
    plausible_rate_high = (plausible + drawn - settled) / drawn    all of the unsettled are
    faithful_rate       = faithful / (faithful + unfaithful + irrelevant)
    faithful_rate_low, faithful_rate_high: the same two bounds over all the run's plausible answers

A rate is None exactly where its denominator is 0. An unjudged answer is never wrong: it widens the
bounds and leaves the rate as it is.

Right: 6 drawn, 3 plausible, 1 implausible, 2 unjudged → rate 3/4, bounds 3/6 and 5/6.
Wrong: 3/6 as the rate.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from annotation.schemes import ACCEPTANCE, GROUNDING, VerdictScheme
from exports.rows.columns import AnswerRow, PerRun
from exports.rows.tiers import TIERS

NOT_DRAWN = (
    "empty",
    "no_reference",
    "no_score",
    "not_in_pool",
    "same_as_reference",
    "same_as_question",
    "represented",
    "below_threshold",
    "too_few_in_turn",
    "turn_not_drawn",
    "capped",
)
ENDINGS_OF_DRAWN = (
    *ACCEPTANCE.labels,
    "disputed",
    "excluded",
    "too_few_judgements",
    "skipped_by_all",
    "unjudged",
)
# ending of a plausible answer -> its column, which is another where the word already counts plausibility
ENDINGS_OF_PLAUSIBLE = {label: label for label in GROUNDING.labels} | {
    "disputed": "faithfulness_disputed",
    "excluded": "faithfulness_excluded",
    "too_few_judgements": "faithfulness_too_few_judgements",
    "skipped_by_all": "faithfulness_skipped_by_all",
    "no_evidence": "no_evidence",
    "unjudged": "faithfulness_unjudged",
    "not_asked": "not_asked",
}
# what of a faithful answer's evidence is its run's own -> its column
OWN_OF_FAITHFUL = {
    "quoted": "faithful_to_quoted",
    "cited": "faithful_to_cited",
    "pool": "faithful_to_pool",
    "none": "faithful_without_evidence",
}
CREDITED_ONCE = ("drawn", *ACCEPTANCE.labels, *GROUNDING.labels, *TIERS)
KINDS = ("system", "baseline", "reference")


def per_run(answers: Iterable[AnswerRow]) -> list[PerRun]:
    """One row a run: systems, then baselines, then references, each by name (code points).

    Raises ValueError for an answer that falls into no column: it would be missing from the sum.
    """
    rows_of: dict[tuple[str, ...], list[AnswerRow]] = {}
    for row in answers:
        who = (row.run, row.kind, row.team, row.system, row.setup)
        rows_of.setdefault(who, []).append(row)
    in_order = sorted(rows_of, key=lambda who: (KINDS.index(who[1]), who))
    return [_of_run(who, rows_of[who]) for who in in_order]


def _of_run(who: tuple[str, ...], rows: Sequence[AnswerRow]) -> PerRun:
    run, kind, team, system, setup = who
    drawn = [row for row in rows if row.sampled == "drawn"]
    left_out = Counter(
        _known(row.sampled, NOT_DRAWN, row) for row in rows if row.sampled != "drawn"
    )
    every = _endings(drawn)
    once = _endings([row for row in drawn if row.first_credit])
    columns = (*ENDINGS_OF_DRAWN, "drawn", *ENDINGS_OF_PLAUSIBLE.values(), *TIERS)
    return PerRun(
        run=run,
        kind=kind,
        team=team,
        system=system,
        setup=setup,
        n_answers=len(rows),
        **{column: left_out[column] for column in NOT_DRAWN},
        **{column: every[column] for column in columns},
        **{f"first_{column}": once[column] for column in CREDITED_ONCE},
        **{column: every[column] for column in OWN_OF_FAITHFUL.values()},
        **_rates(ACCEPTANCE, every, n_asked=every["drawn"]),
        **_rates(GROUNDING, every, n_asked=every["plausible"]),
    )


def _endings(drawn: Sequence[AnswerRow]) -> Counter[str]:
    found = Counter(_known(row.plausibility, ENDINGS_OF_DRAWN, row) for row in drawn)
    for row in drawn:
        if row.plausibility == ACCEPTANCE.accepted:
            found[ENDINGS_OF_PLAUSIBLE[_known(row.faithfulness, ENDINGS_OF_PLAUSIBLE, row)]] += 1
            if row.faithfulness == GROUNDING.accepted:
                found[OWN_OF_FAITHFUL[_known(row.own_evidence, OWN_OF_FAITHFUL, row)]] += 1
    found.update(row.tier for row in drawn if row.tier)
    found["drawn"] = len(drawn)
    return found


def _known(ending: str, endings: Collection[str], row: AnswerRow) -> str:
    if ending in endings:
        return ending
    raise ValueError(f"run {row.run!r}, turn {row.turn_id!r}: {ending!r} is no known ending")


def _rates(scheme: VerdictScheme, counts: Counter[str], *, n_asked: int) -> dict[str, Any]:
    n_accepted, n_settled = counts[scheme.accepted], sum(counts[label] for label in scheme.labels)
    return {
        f"{scheme.accepted}_rate": _share(n_accepted, n_settled),
        f"{scheme.accepted}_rate_low": _share(n_accepted, n_asked),
        f"{scheme.accepted}_rate_high": _share(n_accepted + n_asked - n_settled, n_asked),
    }


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None
