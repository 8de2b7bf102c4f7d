"""A comparison of runs: its questions by stratum, and the questions left out."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Count, Exists, OuterRef, Q
from django.http import QueryDict
from django.urls import reverse

from accounts.guards import StudyRequest
from corpus import queries as corpus_queries
from corpus.models import Answer, Passage, Turn, turn_key
from pages.listing import Column, Filter, Listing
from sampling import queries as sampling_queries
from sampling.comparisons.rule import ComparisonRule
from sampling.forms.comparisons import ComparisonForm
from sampling.models import Candidate, Fate, Pool, PoolPassage
from sampling.pools.selection import State
from scoring.text_hashes import stripped

COLUMNS = (
    Column("turn", "Turn", ("conversation__position", "number")),
    Column("question", "Question, answers and passages", ("question",)),
    Column("answers", "Answers", ("n_candidates",), is_number=True),
    Column("passages", "Passages", ("n_passages",), is_number=True),
)
PER_PAGE = 10


@dataclass
class ComparedQuestion:
    """A question with its texts and their runs, the runs with an empty answer, and its passages."""

    turn: Turn
    is_answerable: bool = False
    answers: list[tuple[str, list[str]]] = field(default_factory=list)
    silent: list[str] = field(default_factory=list)
    passages: list[Passage] = field(default_factory=list)


def context(request: StudyRequest, pool: Pool) -> dict[str, Any]:
    listing = _listing(request, pool)
    rule = ComparisonRule.from_dict(pool.rule)
    n_turns = pool.counts["n_turns"]
    n_missed = pool.counts["n_missed"]
    return {
        "rule": rule,
        "again": _form_address(request, pool, rule),
        "counts": pool.counts,
        "by_run": [
            (run, states[State.DRAWN], states[State.EMPTY], n_missed.get(run))
            for run, states in sorted(sampling_queries.n_answers_by_run(pool).items())
        ],
        "per_question": pool.counts["n_candidates"] / n_turns,
        "passages_per_question": pool.counts["n_passages"] / n_turns,
        "listing": listing,
        "compared": _compared_questions(pool, list(listing.page)),
    }


def _form_address(request: StudyRequest, pool: Pool, rule: ComparisonRule) -> str:
    """Return the address of the form with this rule.

    It asks for references by one field, and so names none of their runs.
    """
    query = QueryDict(mutable=True)
    query["dataset"] = str(pool.dataset_id)
    plain: dict[str, Any] = rule.to_dict()
    if rule.quotas is not None:
        plain |= {**plain["quotas"], "n_questions": None}
    competing = set(pool.dataset.runs.counting().competing().values_list("name", flat=True))
    now = corpus_queries.runs_by_name_at(pool.dataset, pool.created_at)
    names = [now[name].name for name in rule.runs or () if name in now]
    plain["runs"] = [name for name in names if name in competing]
    for name in ComparisonForm.base_fields:
        value = plain.get(name)
        if isinstance(value, list):
            query.setlist(name, value)
        elif value is not None and value is not False:
            query[name] = "on" if value is True else str(value)
    return f"{reverse('comparison_new', kwargs={'study': request.study.slug})}?{query.urlencode()}"


def _listing(request: StudyRequest, pool: Pool) -> Listing:
    candidates_of_turn = Candidate.objects.filter(pool=pool, turn=OuterRef("pk"))
    references = Answer.objects.references(pool.dataset).filter(turn=OuterRef("pk"))
    says = Q(Exists(references.filter(text__regex=r"\S")))
    answerable = Filter(
        "answerable",
        "Answerable",
        {"yes": ("answerable", says), "no": ("unanswerable", ~says)},
    )
    turns = Turn.objects.filter(Exists(candidates_of_turn))
    parts = turns.exclude(part="").order_by("part").values_list("part", flat=True).distinct()
    by_part = Filter("part", "Split", {part: (part, Q(part=part)) for part in parts})
    rows = (
        turns.select_related("conversation")
        .defer("source", "record")
        .annotate(
            key_in_files=turn_key(),
            n_candidates=Count("candidates", Q(candidates__pool=pool), distinct=True),
            n_passages=Count("pool_passages", Q(pool_passages__pool=pool), distinct=True),
        )
        .order_by("conversation__position", "number")
    )
    return Listing(
        request,
        rows,
        columns=COLUMNS,
        search=("question", "rewrite", "key_in_files"),
        filters=(answerable, by_part) if len(by_part.choices) > 1 else (answerable,),
        per_page=PER_PAGE,
    )


def _compared_questions(pool: Pool, turns: Sequence[Turn]) -> list[ComparedQuestion]:
    """The turns of a page with their answers and passages in the pool."""
    found = {turn.pk: ComparedQuestion(turn) for turn in turns}
    references = Answer.objects.references(pool.dataset).filter(turn__in=turns)
    for turn_id, text in references.values_list("turn_id", "text"):
        found[turn_id].is_answerable |= bool(stripped(text))
    credits: dict[int, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    fates = Fate.objects.filter(pool=pool, answer__turn__in=turns).order_by("answer__run__name")
    for turn_id, run, state, text in fates.values_list(
        "answer__turn_id", "answer__run__name", "state", "candidate__text"
    ):
        if state == State.EMPTY:
            found[turn_id].silent.append(run)
        else:
            credits[turn_id][text].append(run)
    for turn_id, texts in credits.items():
        found[turn_id].answers = sorted(texts.items(), key=lambda each: (each[1], each[0]))
    pool_passages = PoolPassage.objects.filter(pool=pool, turn__in=turns).select_related("passage")
    for each in pool_passages.order_by("turn", "position"):
        found[each.turn_id].passages.append(each.passage)
    return list(found.values())
