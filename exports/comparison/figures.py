"""The figures of the runs in each setup of a comparison, as JSON values. Imports no Django.

They are computed from batches.csv, judgements.csv and answers.csv alone
(`exports.comparison.columns`). A setup is a pool. Its runs are those with an answer in it: systems,
then baselines, then references, each by name. The turns of a conversation are drawn together.
docs/comparing.md has the formulas.
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
from exports.comparison.records_from_rows import Records, counted_rows, submission_id
from exports.rows.columns import JudgementRow
from exports.rows.ids import conversation
from exports.rows.pairs import rows_of_first_answer
from exports.rows.per_run import KINDS
from stats import ratings as rating_stats
from stats.agreement.registry import IN_COLUMNS
from stats.bootstrap_settings import Bootstrap
from stats.interval_cautions import caution
from stats.interval_coverage import LENGTH_RATED, caution_of_people
from stats.metric_correlation import answer_correlations, cautions, system_correlations
from stats.pairwise import length_bias, pairwise_tests
from stats.pairwise.bradley_terry import bradley_terry
from stats.pairwise.identifiability import Model
from stats.pairwise.position_bias import left_bias, one_row_per_judgement
from stats.pairwise.records import Rating
from stats.pairwise.win_rate import POLICIES, win_rates
from stats.relevance_labels import faithful_to, qrels, relevance

Json = dict[str, Any]
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
OF_AGREEMENT = ("level", "quote", *IN_COLUMNS, "prevalence", "extra")


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
        **_scales(records.ratings, runs),
        **_preference(records, runs, settings),
        "apart": _pairwise_tests(records, runs, {"seed": bootstrap.seed, "cluster": conversation}),
        "length": _length(records, answers, settings),
        "agreement": _agreement(rows, settings),
        "relevance": _relevance(records, unanswerable, runs),
        "automatic": _automatic(records, answers, runs, settings),
    }


def _scales(ratings: Sequence[Rating], runs: Sequence[str]) -> Json:
    found = rating_stats.rating_scales(ratings, runs=runs, cluster=conversation)
    return {
        "scales": [asdict(each) for each in found],
        "caution_of_people": caution_of_people(
            figure.n_annotators for each in found for figure in (each.faithful, each.appropriate)
        ),
    }


def _preference(records: Records, runs: Sequence[str], settings: Mapping[str, int]) -> Json:
    judgements = one_row_per_judgement(records.comparisons)
    n_ties = sum(each.preferred == "tie" for each in judgements)
    return {
        "win_rates": {
            policy: asdict(
                win_rates(records.comparisons, runs=runs, policy=policy, cluster=conversation)
            )
            for policy in POLICIES
        },
        "preferences": {"n_judgements": len(judgements), "n_ties": n_ties},
        "bradley_terry": {
            model: asdict(
                bradley_terry(
                    records.comparisons,
                    runs=runs,
                    model=model,
                    cluster=conversation,
                    **settings,
                )
            )
            for model in MODELS
        },
        "left_bias": asdict(
            left_bias(records.comparisons, seed=settings["seed"], cluster=conversation)
        ),
    }


def _pairwise_tests(records: Records, runs: Sequence[str], settings: Mapping[str, Any]) -> Json:
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
        name: length_bias.rating_by_length(
            ratings, rating, lengths, cluster=conversation, **settings
        )
        for name, rating in RATINGS.items()
    }
    intervals = (each.interval for each in rated.values())
    return {
        "preferred": asdict(
            length_bias.preference_by_length(
                records.comparisons, lengths, seed=settings["seed"], cluster=conversation
            )
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
        own = rows_of_first_answer(row for row in rows if row.question == name)
        known = own if is_scale(own) else [row for row in own if row.label]
        figures = panel(known, **settings)
        found[name] = {key: figures[key] for key in OF_AGREEMENT if key in figures}
    return found


def _relevance(records: Records, unanswerable: set[str], runs: Sequence[str]) -> Json:
    rows, n_undecided = qrels(records.passage_judgements)
    return {
        **asdict(relevance(records.passage_judgements, unanswerable)),
        "faithful_to": [
            asdict(each)
            for each in faithful_to(records.ratings, records.support_judgements, runs=runs)
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
            | {name: asdict(each) for name, each in automatic_figures(of_run[run]).items()}
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
        (measure, scale): answer_correlations(
            rated, rating, values[measure], cluster=conversation, **settings
        )
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
                    for each in system_correlations(rated, RATINGS[scale], values[measure])
                ],
            }
            for (measure, scale), every in coefficients.items()
        ],
        "cautions": cautions([each for every in coefficients.values() for each in every]),
    }
