"""Everything that people's judgements say of the runs in a setup, as JSON values. Plain Python.

Computed from three tables alone: batches.csv, judgements.csv and answers.csv (`exports.comparison.columns`). A setup is
a pool; its runs are those that have an answer in it, systems first, then baselines and references, each by name.
docs/comparing.md has the formulas.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from fractions import Fraction
from typing import Any

from annotation.schemes.preference import SCHEME as PREFERENCE
from exports.agreement.figures import on_a_scale, panel
from exports.comparison.automatic_measures import automatic, scored
from exports.comparison.columns import AnswerRow, BatchRow
from exports.comparison.measures import AUTOMATIC
from exports.comparison.preference_agreement import of_one_answer
from exports.comparison.records_from_rows import Taken, counted, submission, taken
from exports.rows.columns import JudgementRow
from exports.rows.per_run import KINDS
from stats import ratings as rating_stats
from stats.agreement.registry import IN_COLUMNS
from stats.bootstrap_settings import Bootstrap
from stats.interval_cautions import caution
from stats.interval_coverage import LENGTH_RATED
from stats.metric_correlation import answer_correlations, cautions, system_correlations
from stats.pairwise import length_bias, pairwise_tests
from stats.pairwise.bradley_terry import bradley_terry
from stats.pairwise.identifiability import Model
from stats.pairwise.position_bias import left_bias, one_row_per_judgement
from stats.pairwise.records import Rating
from stats.pairwise.win_rate import POLICIES, win_rates
from stats.relevance_labels import faithful_to, qrels, relevance

Json = dict[str, Any]
SETUPS = ("gold", "retrieved")
RATINGS: Mapping[str, Callable[[Rating], Fraction | None]] = {
    "faithful": rating_stats.faithful,
    "appropriate": rating_stats.appropriate,
    "both": rating_stats.both,
}
MODELS: tuple[Model, ...] = ("half", "davidson")
# In the order in which they are asked; of others agreement is told after them.
ASKED = ("confidence", "appropriate", "unknown", "incoherent", "relevant", "faithful", "supports")
OF_AGREEMENT = ("level", "quote", *IN_COLUMNS, "prevalence")


def setups(
    batches: Sequence[BatchRow], judgements: Sequence[JudgementRow], answers: Sequence[AnswerRow]
) -> list[tuple[list[BatchRow], list[JudgementRow], list[AnswerRow]]]:
    """The rows of each setup: gold passages first, then retrieved ones, then by the pool's name."""
    found = []
    for pool in sorted({(_rank(row.setup), row.pool) for row in batches}):
        own = [row for row in batches if row.pool == pool[1]]
        names = {row.batch for row in own}
        found.append(
            (
                own,
                [row for row in judgements if row.batch in names],
                [row for row in answers if row.pool == pool[1]],
            )
        )
    return found


def _rank(setup: str) -> int:
    return SETUPS.index(setup) if setup in SETUPS else len(SETUPS)


def of_setup(
    batches: Sequence[BatchRow],
    judgements: Sequence[JudgementRow],
    answers: Sequence[AnswerRow],
    bootstrap: Bootstrap,
) -> Json:
    """The figures of one pool's rows."""
    drawn = asdict(bootstrap)
    unanswerable = {row.turn_id for row in answers if not row.is_answerable}
    found = taken(judgements, unanswerable)
    kinds = {row.run: row.kind for row in answers}
    runs = sorted(kinds, key=lambda run: (KINDS.index(kinds[run]), run))
    said = counted(judgements)
    return {
        "pool": batches[0].pool,
        "setup": batches[0].setup,
        "batches": [row.batch for row in batches],
        "schemes": sorted({row.scheme for row in batches}),
        "n_questions": len({row.turn_id for row in answers}),
        "n_unanswerable": len(unanswerable),
        "n_unjudged": len({row.turn_id for row in answers} - {row.turn_id for row in said}),
        "n_judgements": len({submission(row) for row in said}),
        "n_annotators": len({row.annotator for row in said}),
        "n_excluded": sum(row.n_excluded for row in batches),
        "runs": [{"run": run, "kind": kinds[run]} for run in runs],
        "scales": [
            asdict(each) for each in rating_stats.rating_scales(found.rated, runs=runs, **drawn)
        ],
        **_preference(found, runs, drawn),
        "apart": _apart(found, runs, drawn),
        "length": _length(found, answers, drawn),
        "agreement": _agreement(said, drawn),
        "relevance": _relevance(found, unanswerable, runs, drawn),
        "automatic": _automatic(found, answers, runs, drawn),
    }


def _preference(found: Taken, runs: Sequence[str], drawn: Mapping[str, int]) -> Json:
    said = one_row_per_judgement(found.compared)
    n_ties = sum(each.preferred == "tie" for each in said)
    return {
        "win_rates": {
            policy: asdict(win_rates(found.compared, runs=runs, policy=policy, **drawn))
            for policy in POLICIES
        },
        "preferences": {"n_judgements": len(said), "n_ties": n_ties},
        "bradley_terry": {
            model: asdict(bradley_terry(found.compared, runs=runs, model=model, **drawn))
            for model in MODELS
        },
        "left_bias": asdict(left_bias(found.compared, **drawn)),
    }


def _apart(found: Taken, runs: Sequence[str], drawn: Mapping[str, int]) -> Json:
    ratings = {
        name: pairwise_tests.rating_tests(found.rated, rating, runs=runs, **drawn)
        for name, rating in RATINGS.items()
    }
    by_preference = pairwise_tests.preference_tests(found.compared, runs=runs, **drawn)
    every = {**ratings, PREFERENCE.name: by_preference}
    return {name: asdict(pairs) for name, pairs in every.items()}


def _length(found: Taken, answers: Sequence[AnswerRow], drawn: Mapping[str, int]) -> Json:
    lengths = {(row.turn_id, row.run): row.length for row in answers}
    ratings = [each for each in found.rated if each.is_answerable]
    rated = {
        name: length_bias.rating_by_length(ratings, rating, lengths, **drawn)
        for name, rating in RATINGS.items()
    }
    intervals = (each.interval for each in rated.values())
    return {
        "preferred": asdict(length_bias.preference_by_length(found.compared, lengths, **drawn)),
        "rated": {name: asdict(each) for name, each in rated.items()},
        "caution_of_rated": caution(intervals, LENGTH_RATED, "coefficient"),
    }


def _agreement(said: Sequence[JudgementRow], drawn: Mapping[str, int]) -> Json:
    """By the question that was asked. The flags and supports are labels, so nominal."""
    asked = {row.question for row in said}
    order = [*(name for name in (*ASKED, PREFERENCE.name) if name in asked), *sorted(asked)]
    found: Json = {}
    for name in dict.fromkeys(order):
        rows = [row for row in said if row.question == name]
        rows = of_one_answer(rows) if name == PREFERENCE.name else rows
        known = rows if on_a_scale(rows) else [row for row in rows if row.label]
        figures = panel(known, **drawn)
        found[name] = {key: figures[key] for key in OF_AGREEMENT if key in figures}
    return found


def _relevance(
    found: Taken, unanswerable: set[str], runs: Sequence[str], drawn: Mapping[str, int]
) -> Json:
    rows, n_undecided = qrels(found.said)
    return {
        **asdict(relevance(found.said, unanswerable)),
        "faithful_to": [
            asdict(each) for each in faithful_to(found.rated, found.supported, runs=runs, **drawn)
        ],
        "asks_what_supports": bool(found.supported),
        "qrels": [[row.question, row.passage, row.relevance] for row in rows],
        "n_without_qrel": n_undecided,
    }


def _automatic(
    found: Taken, answers: Sequence[AnswerRow], runs: Sequence[str], drawn: Mapping[str, int]
) -> Json:
    """Of each run, and beside what people said of answers to answerable questions."""
    of_run = {run: [row for row in answers if row.run == run] for run in runs}
    return {
        "runs": [
            {"run": run}
            | {name: asdict(each) for name, each in automatic(of_run[run], **drawn).items()}
            for run in runs
        ],
        **_beside([each for each in found.rated if each.is_answerable], answers, drawn),
    }


def _beside(
    rated: Sequence[Rating], answers: Sequence[AnswerRow], drawn: Mapping[str, int]
) -> Json:
    values = {measure: scored(answers, measure) for measure in AUTOMATIC}
    coefficients = {
        (measure, scale): answer_correlations(rated, rating, values[measure], **drawn)
        for measure in AUTOMATIC
        for scale, rating in RATINGS.items()
    }
    return {
        "beside": [
            {
                "measure": measure,
                "scale": scale,
                "answers": [asdict(each) for each in every],
                "systems": [
                    asdict(each)
                    for each in system_correlations(rated, RATINGS[scale], values[measure], **drawn)
                ],
            }
            for (measure, scale), every in coefficients.items()
        ],
        "cautions": cautions([each for every in coefficients.values() for each in every]),
    }
