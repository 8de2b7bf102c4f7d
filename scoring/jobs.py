"""The scoring job: answers without a score, in chunks. Nothing is scored twice."""

from collections.abc import Mapping, Sequence
from typing import Any

from corpus.models import Answer, Dataset, References, Turn
from jobs.garbage_collection import garbage_collection_off
from jobs.handlers import Beat, Handler, JobFailedError, PlannedChunk
from jobs.models import Job, JobQuerySet
from jobs.transactions import PIECE_SIZE
from scoring import queries as scoring_queries
from scoring import retrieval, score_queries
from scoring.actions import calibration, derived_relevance, score_rows, similarity
from scoring.actions.score_rows import NewScore
from scoring.models import Metric, Score, Scorer
from scoring.registry import MEASURES, Inputs
from scoring.similarity_models import ModelError

# Big enough to batch well, small enough that a killed worker loses little.
CHUNK_SIZE = 512
# Of measures, which take microseconds an answer: as many rows as a long write has in a piece.
MEASURE_CHUNK_SIZE = PIECE_SIZE
# From so many on, answers are read by their turns.
ANSWERS_A_TURN = 4
# Where relevance is derived, from all passages that a turn knows.
TURNS_A_CHUNK = 50


def plan(job: Job) -> list[PlannedChunk]:
    """Chunks of answers whose texts have no score yet: each distinct pair once.

    For a model short texts come first, which batch well. For a measure those with the same references
    are together, in the order of the scores' index: each reference is read and split once, and each
    page of the index is written once.
    """
    dataset = Dataset.objects.get(pk=job.params["dataset"])
    scorer = scorer_of(job)
    if scorer.derives_relevance:
        return _turn_chunks(dataset, scorer)
    with garbage_collection_off():
        return _pair_chunks(job, dataset, scorer)


def _pair_chunks(job: Job, dataset: Dataset, scorer: Scorer) -> list[PlannedChunk]:
    keys = score_queries.computed_keys(scorer)
    # The length and not the text: a million texts are too many to hold.
    missing: dict[tuple[str, str], tuple[int, int, int]] = {}
    inputs, chosen = scoring_queries.inputs_of(scorer.metric), References(scorer.references)
    for pair in scoring_queries.iter_pairs(dataset, inputs, chosen=chosen):
        key = pair.key
        if key not in keys and scoring_queries.can_be_scored(pair.prediction, scorer.metric):
            missing.setdefault(key, (len(pair.prediction), pair.answer_id, pair.turn_id))
    if scorer.metric in MEASURES:
        ordered, size = sorted(missing), MEASURE_CHUNK_SIZE
    else:
        ordered, size = sorted(missing, key=lambda key: (missing[key][0], key)), CHUNK_SIZE
    size = job.params.get("chunk_size", size)
    parts = (ordered[start : start + size] for start in range(0, len(ordered), size))
    return [_chunk(scorer, [missing[key] for key in part]) for part in parts]


def _chunk(scorer: Scorer, planned: Sequence[tuple[int, int, int]]) -> PlannedChunk:
    """Return the chunk of answers, each with its length and its turn.

    It names the turns if they are few, and known: the answers are found by them faster.
    """
    params = {"scorer": scorer.pk, "answers": [answer_id for _, answer_id, _ in planned]}
    turns = {turn_id for _, _, turn_id in planned}
    if 0 not in turns and len(planned) > ANSWERS_A_TURN * len(turns):
        params["on_turns"] = sorted(turns)
    return PlannedChunk(params, n_units=len(planned))


def _turn_chunks(dataset: Dataset, scorer: Scorer) -> list[PlannedChunk]:
    """Chunks of turns: the relevant passages are known only once the chunk has derived them."""
    turns = list(Turn.objects.of(dataset).values_list("pk", flat=True))
    parts = (turns[start : start + TURNS_A_CHUNK] for start in range(0, len(turns), TURNS_A_CHUNK))
    return [PlannedChunk({"scorer": scorer.pk, "turns": part}, n_units=len(part)) for part in parts]


def scorer_of(job: Job) -> Scorer:
    """The job's scorer in this worker's version. Raises JobFailedError if its model cannot be used."""
    metric, chosen = job.params["metric"], chosen_references(job)
    if metric in MEASURES:
        derives_relevance = job.params.get("derives_relevance", False)
        return _measure_scorer(metric, chosen, derives_relevance=derives_relevance)
    try:
        if metric in similarity.BERTSCORE:
            return similarity.bert_scorer(metric, chosen)
        if "calibrated" in job.params:
            return calibration.scorer_of_job(job.params)
        return similarity.scorer(job.params["scorer"], chosen, bf16=job.params["bf16"])
    except ModelError as error:
        raise JobFailedError(str(error)) from error


def chosen_references(job: Job) -> References:
    return References(job.params.get("references", References.TRUTH))


def _measure_scorer(metric: str, chosen: References, *, derives_relevance: bool = False) -> Scorer:
    measure = MEASURES[metric]
    name = measure.scorer + (retrieval.DERIVED if derives_relevance else "")
    scorer, _ = Scorer.objects.get_or_create(
        metric=metric, name=name, version=measure.version, references=chosen, study=None
    )
    return scorer


def compute(job: Job, params: Mapping[str, Any], beat: Beat) -> list[NewScore]:
    scorer = scorer_of(job)
    if scorer.pk != params["scorer"]:
        raise JobFailedError(
            f"this worker has the scorer {scorer.short}, the job was begun with another version:"
            " give every worker the same model, or cancel the job and start it again"
        )
    dataset = Dataset.objects.get(pk=job.params["dataset"])
    if scorer.derives_relevance:
        return _scores_by_derived_relevance(dataset, scorer, params["turns"], beat)
    if scorer.metric in MEASURES:
        with garbage_collection_off():
            return _measure_scores(job, dataset, scorer, params, beat)
    pairs = _planned_pairs(dataset, scorer, params)
    beat()
    try:
        if scorer.metric in similarity.BERTSCORE:
            return _bert_scores(job, scorer, pairs)
        if "calibrated" in job.params:
            return _two_stage_scores(job, scorer, pairs, beat)
        numbers = similarity.best_similarities(job.params["scorer"], pairs, bf16=job.params["bf16"])
    except ModelError as error:
        raise JobFailedError(str(error)) from error
    return _scores(scorer, pairs, numbers)


def _planned_pairs(
    dataset: Dataset, scorer: Scorer, params: Mapping[str, Any]
) -> list[scoring_queries.Pair]:
    """Return the chunk's pairs in the planned order, which follows from the texts.

    What shares a batch must not depend on the order in which runs were imported, because it shows in the
    last digits.
    """
    inputs = scoring_queries.inputs_of(scorer.metric)
    on_turns = params.get("on_turns")
    chosen = References(scorer.references)
    pairs = scoring_queries.pairs(
        dataset, params["answers"], inputs, on_turns=on_turns, chosen=chosen
    )
    by_answer = {pair.answer_id: pair for pair in pairs}
    return [by_answer[answer_id] for answer_id in params["answers"]]


def _scores_by_derived_relevance(
    dataset: Dataset, scorer: Scorer, turns: Sequence[int], beat: Beat
) -> list[NewScore]:
    """Derive relevance for these turns and score their rankings that have no score yet."""
    measures = list(MEASURES)
    begin_at = measures.index(scorer.metric) * len(turns) // len(measures)
    derived_relevance.derive(dataset, turns, beat, begin_at=begin_at)
    relevant = scoring_queries.relevant_docids(dataset, turns, derived=True)
    answers = Answer.objects.of_systems(dataset).filter(turn__in=turns).order_by("pk")
    rows = answers.values_list("pk", "turn_id", "text", "rewrite").iterator()
    by_key = {pair.key: pair for pair in scoring_queries.ranking_pairs(rows, relevant)}
    stored = Score.objects.filter(scorer=scorer, references_sha256__in={key[0] for key in by_key})
    for key in stored.values_list("references_sha256", "prediction_sha256"):
        by_key.pop(key, None)
    pairs = list(by_key.values())
    return _scores_of_measures(dataset, {scorer.metric: scorer}, pairs)


def _measure_scores(
    job: Job, dataset: Dataset, scorer: Scorer, params: Mapping[str, Any], beat: Beat
) -> list[NewScore]:
    """Return the scores of this measure, and of those that other unfinished jobs compute from the same texts.

    So each text is read once. Pairs that one of those jobs has scored meanwhile are skipped.
    """
    pairs = _planned_pairs(dataset, scorer, params)
    beat()
    inputs = MEASURES[scorer.metric].inputs
    others = _unfinished(job).exclude(params__has_key="derives_relevance")
    metrics = {scorer.metric, *others.values_list("params__metric", flat=True)}
    scorers = {
        metric: _measure_scorer(metric, chosen_references(job))
        for metric in sorted(metrics & MEASURES.keys())
        if MEASURES[metric].inputs is inputs
    }
    return _scores_of_measures(dataset, scorers, _without_score(scorer, pairs))


def _scores_of_measures(
    dataset: Dataset, scorers: Mapping[str, Scorer], pairs: Sequence[scoring_queries.Pair]
) -> list[NewScore]:
    """Return the pairs' scores by each metric's scorer; the metrics have the same inputs."""
    measures = [MEASURES[metric] for metric in scorers]
    against: Sequence[Sequence[str]] = [pair.references for pair in pairs]
    if measures[0].inputs is Inputs.PASSAGES:
        texts = scoring_queries.passage_texts(dataset, pairs)
        against = [texts[pair.answer_id] for pair in pairs]
    # All measures of one text before the next one: they share its words.
    by_measure = zip(
        *(
            [measure.value(pair.prediction, texts) for measure in measures]
            for pair, texts in zip(pairs, against, strict=True)
        ),
        strict=True,
    )
    return [
        score
        for scorer, numbers in zip(scorers.values(), by_measure, strict=False)
        for score in _scores(scorer, pairs, numbers)
    ]


def _unfinished(job: Job) -> JobQuerySet:
    """Return this job and the other unfinished ones that score the same data set by the same references."""
    same = Job.objects.unfinished().filter(study=job.study_id, kind=job.kind)
    same = same.filter(params__dataset=job.params["dataset"])
    if "references" in job.params:
        return same.filter(params__references=job.params["references"])
    return same.exclude(params__has_key="references")


def _without_score(
    scorer: Scorer, pairs: Sequence[scoring_queries.Pair]
) -> list[scoring_queries.Pair]:
    stored = score_queries.values_of(scorer, pairs)
    return [pair for pair in pairs if pair.answer_id not in stored]


def _scores(
    scorer: Scorer, pairs: Sequence[scoring_queries.Pair], numbers: Sequence[float | None]
) -> list[NewScore]:
    scorer_id = scorer.pk
    return [
        NewScore(scorer_id, *pair.key, number)
        for pair, number in zip(pairs, numbers, strict=True)
        if number is not None
    ]


def _bert_scores(job: Job, scorer: Scorer, pairs: list[scoring_queries.Pair]) -> list[NewScore]:
    """Return the scores of this BERTScore metric and of those that other unfinished jobs compute.

    So each text is embedded once. Pairs that one of those jobs has scored meanwhile are skipped.
    """
    new = _without_score(scorer, pairs)
    unfinished = _unfinished(job).filter(params__metric__in=list(similarity.BERTSCORE))
    metrics = {scorer.metric, *unfinished.values_list("params__metric", flat=True)}
    by_metric = similarity.bert_scores(metrics, new)
    return [
        score
        for metric, numbers in sorted(by_metric.items())
        for score in _scores(similarity.bert_scorer(metric, chosen_references(job)), new, numbers)
    ]


def _two_stage_scores(
    job: Job, scorer: Scorer, pairs: list[scoring_queries.Pair], beat: Beat
) -> list[NewScore]:
    """Return the scores, and those of the first stage, which are complete and usable by themselves.

    The second stage's are not saved: a mean over the answers near the threshold says nothing about
    a run. Stored scores of either model are used again.
    """
    band = calibration.calibration_of(scorer)
    first_scorer = similarity.scorer(job.params["first"], bf16=job.params["bf16"])
    first, new = _stored_and_missing(job, "first", pairs)
    beat()
    near = [pair for pair in pairs if band.is_in_band(first[pair.answer_id])]
    second, _ = _stored_and_missing(job, "scorer", near)
    values = [
        second[pair.answer_id] if pair.answer_id in second else band.value(first[pair.answer_id])
        for pair in pairs
    ]
    of_first = _scores(first_scorer, new, [first[pair.answer_id] for pair in new])
    return [*of_first, *_scores(scorer, pairs, values)]


def _stored_and_missing(
    job: Job, stage: str, pairs: list[scoring_queries.Pair]
) -> tuple[dict[int, float], list[scoring_queries.Pair]]:
    """Return each answer's stored score by the stage's model, and the pairs without one."""
    name, bf16 = job.params[stage], job.params["bf16"]
    identity = similarity.model(name, bf16=bf16).identity
    scorer = Scorer.objects.filter(
        metric=Metric.SAS,
        name=identity.name,
        version=identity.version,
        references=References.TRUTH,
        study=None,
    ).first()
    stored = score_queries.values_of(scorer, pairs) if scorer else {}
    new = [pair for pair in pairs if pair.answer_id not in stored]
    numbers = similarity.best_similarities(name, new, bf16=bf16)
    return stored | {pair.answer_id: n for pair, n in zip(new, numbers, strict=True)}, new


def save(job: Job, params: Mapping[str, Any], scores: list[NewScore]) -> dict[str, Any]:
    # Another data set's job may have scored the same texts meanwhile, with the same result.
    score_rows.write(scores)
    return {"n_scored": sum(score.scorer_id == params["scorer"] for score in scores)}


def finish(job: Job) -> dict[str, Any]:
    chunks = list(job.chunks.all())
    n_scored = sum(chunk.result["n_scored"] for chunk in chunks)
    # The chunks know what they were scored with; whoever ends the job need not have the model.
    scorer = Scorer.objects.get(pk=chunks[0].params["scorer"]) if chunks else scorer_of(job)
    return {"metric": scorer.metric, "scorer": scorer.short, "n_scored": n_scored}


SCORE = Handler(
    plan=plan, compute=compute, save=save, finish=finish, release=similarity.release_models
)
