"""The figures of the runs in each setup of a comparison, as JSON values. Imports no Django.

They are computed from batches.csv, judgements.csv and answers.csv alone
(`exports.comparison.columns`). A setup is a pool. Its runs are those with an answer in it: systems,
then baselines, then references, each by name. docs/comparing.md has the formulas.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from fractions import Fraction
from typing import Any

from annotation.schemes.preference import SCHEME as PREFERENCE
from exports.agreement.figures import is_scale, panel
from exports.comparison import records_from_rows
from exports.comparison.automatic_measures import automatic_figures, values_by_answer
from exports.comparison.columns import AnswerRow, BatchRow
from exports.comparison.measures import AUTOMATIC
from exports.comparison.preference_agreement import rows_of_one_answer
from exports.comparison.records_from_rows import Records, counted_rows, submission_id
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
# The order of the questions in figures of agreement. Other questions come after them, by name.
QUESTION_ORDER = (
    "confidence",
    "appropriate",
    "unknown",
    "incoherent",
    "relevant",
    "faithful",
    "supports",
)
OF_AGREEMENT = ("level", "quote", *IN_COLUMNS, "prevalence")


def setups(
    batches: Sequence[BatchRow], judgements: Sequence[JudgementRow], answers: Sequence[AnswerRow]
) -> list[tuple[list[BatchRow], list[JudgementRow], list[AnswerRow]]]:
    """The rows of each setup: gold passages first, then retrieved ones, then by the name of the
    pool.
    """
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


def setup_figures(
    batches: Sequence[BatchRow],
    judgements: Sequence[JudgementRow],
    answers: Sequence[AnswerRow],
    bootstrap: Bootstrap,
) -> Json:
    """The figures of a setup from its rows."""
    settings = asdict(bootstrap)
    unanswerable = {row.turn_id for row in answers if not row.is_answerable}
    records = records_from_rows.records(judgements, unanswerable)
    kinds = {row.run: row.kind for row in answers}
    runs = sorted(kinds, key=lambda run: (KINDS.index(kinds[run]), run))
    rows = counted_rows(judgements)
    return {
        "pool": batches[0].pool,
        "setup": batches[0].setup,
        "batches": [row.batch for row in batches],
        "schemes": sorted({row.scheme for row in batches}),
        "n_questions": len({row.turn_id for row in answers}),
        "n_unanswerable": len(unanswerable),
        "n_unjudged": len({row.turn_id for row in answers} - {row.turn_id for row in rows}),
        "n_judgements": len({submission_id(row) for row in rows}),
        "n_annotators": len({row.annotator for row in rows}),
        "n_excluded": sum(row.n_excluded for row in batches),
        "runs": [{"run": run, "kind": kinds[run]} for run in runs],
        "scales": [
            asdict(each)
            for each in rating_stats.rating_scales(records.ratings, runs=runs, **settings)
        ],
        **_preference(records, runs, settings),
        "apart": _pairwise_tests(records, runs, settings),
        "length": _length(records, answers, settings),
        "agreement": _agreement(rows, settings),
        "relevance": _relevance(records, unanswerable, runs, settings),
        "automatic": _automatic(records, answers, runs, settings),
    }


def _preference(records: Records, runs: Sequence[str], settings: Mapping[str, int]) -> Json:
    judgements = one_row_per_judgement(records.comparisons)
    n_ties = sum(each.preferred == "tie" for each in judgements)
    return {
        "win_rates": {
            policy: asdict(win_rates(records.comparisons, runs=runs, policy=policy, **settings))
            for policy in POLICIES
        },
        "preferences": {"n_judgements": len(judgements), "n_ties": n_ties},
        "bradley_terry": {
            model: asdict(bradley_terry(records.comparisons, runs=runs, model=model, **settings))
            for model in MODELS
        },
        "left_bias": asdict(left_bias(records.comparisons, **settings)),
    }


def _pairwise_tests(records: Records, runs: Sequence[str], settings: Mapping[str, int]) -> Json:
    ratings = {
        name: pairwise_tests.rating_tests(records.ratings, rating, runs=runs, **settings)
        for name, rating in RATINGS.items()
    }
    by_preference = pairwise_tests.preference_tests(records.comparisons, runs=runs, **settings)
    every = {**ratings, PREFERENCE.name: by_preference}
    return {name: asdict(pairs) for name, pairs in every.items()}


def _length(records: Records, answers: Sequence[AnswerRow], settings: Mapping[str, int]) -> Json:
    lengths = {(row.turn_id, row.run): row.length for row in answers}
    ratings = [each for each in records.ratings if each.is_answerable]
    rated = {
        name: length_bias.rating_by_length(ratings, rating, lengths, **settings)
        for name, rating in RATINGS.items()
    }
    intervals = (each.interval for each in rated.values())
    return {
        "preferred": asdict(
            length_bias.preference_by_length(records.comparisons, lengths, **settings)
        ),
        "rated": {name: asdict(each) for name, each in rated.items()},
        "caution_of_rated": caution(intervals, LENGTH_RATED, "coefficient"),
    }


def _agreement(rows: Sequence[JudgementRow], settings: Mapping[str, int]) -> Json:
    """The figures of agreement by question."""
    asked = {row.question for row in rows}
    order = [
        *(name for name in (*QUESTION_ORDER, PREFERENCE.name) if name in asked),
        *sorted(asked),
    ]
    found: Json = {}
    for name in dict.fromkeys(order):
        own = [row for row in rows if row.question == name]
        own = rows_of_one_answer(own) if name == PREFERENCE.name else own
        known = own if is_scale(own) else [row for row in own if row.label]
        figures = panel(known, **settings)
        found[name] = {key: figures[key] for key in OF_AGREEMENT if key in figures}
    return found


def _relevance(
    records: Records, unanswerable: set[str], runs: Sequence[str], settings: Mapping[str, int]
) -> Json:
    rows, n_undecided = qrels(records.passage_judgements)
    return {
        **asdict(relevance(records.passage_judgements, unanswerable)),
        "faithful_to": [
            asdict(each)
            for each in faithful_to(
                records.ratings, records.support_judgements, runs=runs, **settings
            )
        ],
        "asks_what_supports": bool(records.support_judgements),
        "qrels": [[row.question, row.passage, row.relevance] for row in rows],
        "n_without_qrel": n_undecided,
    }


def _automatic(
    records: Records, answers: Sequence[AnswerRow], runs: Sequence[str], settings: Mapping[str, int]
) -> Json:
    """Automatic measures of each run, and their correlations with ratings of answerable questions."""
    of_run = {run: [row for row in answers if row.run == run] for run in runs}
    return {
        "runs": [
            {"run": run}
            | {
                name: asdict(each)
                for name, each in automatic_figures(of_run[run], **settings).items()
            }
            for run in runs
        ],
        **_correlations(
            [each for each in records.ratings if each.is_answerable], answers, settings
        ),
    }


def _correlations(
    rated: Sequence[Rating], answers: Sequence[AnswerRow], settings: Mapping[str, int]
) -> Json:
    values = {measure: values_by_answer(answers, measure) for measure in AUTOMATIC}
    coefficients = {
        (measure, scale): answer_correlations(rated, rating, values[measure], **settings)
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
                    for each in system_correlations(
                        rated, RATINGS[scale], values[measure], **settings
                    )
                ],
            }
            for (measure, scale), every in coefficients.items()
        ],
        "cautions": cautions([each for every in coefficients.values() for each in every]),
    }
