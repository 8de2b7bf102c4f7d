"""The rows of per_run.csv: counts and rates of each run, computed from the rows of answers.csv.

Counts. Every answer of a run is counted in exactly one column of

    n_answers = empty + no_reference + no_score + not_in_pool + same_as_reference + same_as_question
              + represented + below_threshold + too_few_in_turn + turn_not_drawn + capped      not drawn: `sampled`
              + plausible + implausible + malformed                           settled: `plausibility`
              + disputed + excluded + too_few_judgements + skipped_by_all + unjudged   not settled

`drawn` is the sum of the last two lines. Every plausible answer is counted in exactly one column of

    plausible = faithful + unfaithful + irrelevant                            settled: `faithfulness`
              + faithfulness_disputed + faithfulness_excluded + faithfulness_too_few_judgements
              + faithfulness_skipped_by_all + no_evidence + faithfulness_unjudged + not_asked

and every faithful answer in exactly one of

    faithful = faithful_to_quoted + faithful_to_cited + faithful_to_pool           by `own_evidence`
             + faithful_without_evidence

`gold` and `silver` count the accepted answers by `tier`. These columns credit an answer to every
run that gave its very text. The columns that begin with `first_` count only rows with
`first_credit`, so that their sums over the runs are numbers of distinct answers.

Rates. With settled = plausible + implausible + malformed,

    plausible_rate      = plausible / settled
    plausible_rate_low  = plausible / drawn                        none of the unsettled is plausible
    plausible_rate_high = (plausible + drawn - settled) / drawn    all of the unsettled are
    faithful_rate       = faithful / (faithful + unfaithful + irrelevant)
    faithful_rate_low, faithful_rate_high: the same two bounds over all the run's plausible answers

A rate is None exactly where its denominator is 0. An unjudged answer widens the bounds and does not
change the rate.

Example: 6 drawn, 3 plausible, 1 implausible, 2 unjudged: the rate is 3/4 (not 3/6), the bounds 3/6
and 5/6.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from annotation.schemes import ACCEPTANCE, GROUNDING, VerdictScheme
from exports.rows.columns import AnswerRow, RunRow
from exports.rows.tiers import TIERS

FATES_NOT_DRAWN = (
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
PLAUSIBILITY_OUTCOMES = (
    *ACCEPTANCE.labels,
    "disputed",
    "excluded",
    "too_few_judgements",
    "skipped_by_all",
    "unjudged",
)
# Outcome of faithfulness -> column. It has another name where the word is a column of plausibility.
FAITHFULNESS_COLUMNS = {label: label for label in GROUNDING.labels} | {
    "disputed": "faithfulness_disputed",
    "excluded": "faithfulness_excluded",
    "too_few_judgements": "faithfulness_too_few_judgements",
    "skipped_by_all": "faithfulness_skipped_by_all",
    "no_evidence": "no_evidence",
    "unjudged": "faithfulness_unjudged",
    "not_asked": "not_asked",
}
# Own evidence of a faithful answer -> column.
OWN_EVIDENCE_COLUMNS = {
    "quoted": "faithful_to_quoted",
    "cited": "faithful_to_cited",
    "pool": "faithful_to_pool",
    "none": "faithful_without_evidence",
}
FIRST_CREDIT_COLUMNS = ("drawn", *ACCEPTANCE.labels, *GROUNDING.labels, *TIERS)
KINDS = ("system", "baseline", "reference", "extracted")


def run_rows(answers: Iterable[AnswerRow]) -> list[RunRow]:
    """The rows of the runs: systems, baselines, references, extracted sentences, each by name (code points).

    Raises ValueError for an answer that no column counts.
    """
    rows_of: dict[tuple[str, ...], list[AnswerRow]] = {}
    for row in answers:
        identity = (row.run, row.kind, row.team, row.system, row.setup)
        rows_of.setdefault(identity, []).append(row)
    in_order = sorted(rows_of, key=lambda identity: (KINDS.index(identity[1]), identity))
    return [_row(identity, rows_of[identity]) for identity in in_order]


def _row(identity: tuple[str, ...], rows: Sequence[AnswerRow]) -> RunRow:
    run, kind, team, system, setup = identity
    drawn = [row for row in rows if row.sampled == "drawn"]
    not_drawn = Counter(
        _known_outcome(row.sampled, FATES_NOT_DRAWN, row) for row in rows if row.sampled != "drawn"
    )
    counts = _counts(drawn)
    first_credit = _counts([row for row in drawn if row.first_credit])
    columns = (*PLAUSIBILITY_OUTCOMES, "drawn", *FAITHFULNESS_COLUMNS.values(), *TIERS)
    return RunRow(
        run=run,
        kind=kind,
        team=team,
        system=system,
        setup=setup,
        n_answers=len(rows),
        **{column: not_drawn[column] for column in FATES_NOT_DRAWN},
        **{column: counts[column] for column in columns},
        **{f"first_{column}": first_credit[column] for column in FIRST_CREDIT_COLUMNS},
        **{column: counts[column] for column in OWN_EVIDENCE_COLUMNS.values()},
        **_rates(ACCEPTANCE, counts, n_asked=counts["drawn"]),
        **_rates(GROUNDING, counts, n_asked=counts["plausible"]),
    )


def _counts(drawn: Sequence[AnswerRow]) -> Counter[str]:
    found = Counter(_known_outcome(row.plausibility, PLAUSIBILITY_OUTCOMES, row) for row in drawn)
    for row in drawn:
        if row.plausibility == ACCEPTANCE.accepted:
            found[
                FAITHFULNESS_COLUMNS[_known_outcome(row.faithfulness, FAITHFULNESS_COLUMNS, row)]
            ] += 1
            if row.faithfulness == GROUNDING.accepted:
                found[
                    OWN_EVIDENCE_COLUMNS[
                        _known_outcome(row.own_evidence, OWN_EVIDENCE_COLUMNS, row)
                    ]
                ] += 1
    found.update(row.tier for row in drawn if row.tier)
    found["drawn"] = len(drawn)
    return found


def _known_outcome(outcome: str, known: Collection[str], row: AnswerRow) -> str:
    if outcome in known:
        return outcome
    raise ValueError(f"run {row.run!r}, turn {row.turn_id!r}: {outcome!r} is no known ending")


def _rates(scheme: VerdictScheme, counts: Counter[str], *, n_asked: int) -> dict[str, Any]:
    n_accepted, n_settled = counts[scheme.accepted], sum(counts[label] for label in scheme.labels)
    return {
        f"{scheme.accepted}_rate": _share(n_accepted, n_settled),
        f"{scheme.accepted}_rate_low": _share(n_accepted, n_asked),
        f"{scheme.accepted}_rate_high": _share(n_accepted + n_asked - n_settled, n_asked),
    }


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None
