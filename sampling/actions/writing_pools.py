"""Draw a pool of writing: questions with one passage each, from which people write answers."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts import permissions
from accounts.models import Role, Study, User
from audit import events
from corpus.models import Dataset
from sampling.actions.offered_passages import Offered, Question, offered_passages, questions_of
from sampling.actions.pools import PoolError, new_pool
from sampling.models import Pool, PoolPassage, Purpose
from sampling.writing.rule import WritingDraw, WritingRule, draw

MOST_NAMED = 5  # questions that a message names


def draw_writing(*, study: Study, dataset: Dataset, name: str, rule: WritingRule, by: User) -> Pool:
    """Draw questions with their passages as a pool of its own. The same rule on the same data set draws the same pool.

    Raises PoolError if nothing can be drawn, a question has no passage to write from, or the name is taken, and
    ValidationError if the name is invalid.
    """
    permissions.require(by, study, Role.REQUESTER)
    if dataset.withdrawn_objection:
        raise PoolError(dataset.withdrawn_objection)
    questions = questions_of(dataset, rule.parts)
    passages = _passages(dataset, questions)
    drawn = draw({key: passage.n_sentences for key, passage in passages.items()}, rule)
    if not drawn.questions:
        raise PoolError(
            f"no question is drawn: no passage has at least {rule.min_sentences} sentences"
        )
    turns = {each.key: each.turn for each in questions}
    return _record(study, dataset, name, rule, drawn, turns, passages, by)


def _passages(dataset: Dataset, questions: Iterable[Question]) -> dict[str, Offered]:
    """The passage of each question: of several the one that the truth names, else the one with text. Raises PoolError
    if a question has none with text, has several, or one that is not split into sentences.
    """
    offered = offered_passages(dataset)
    passages: dict[str, Offered] = {}
    without: list[str] = []
    several: list[str] = []
    unsplit: list[str] = []
    for each in questions:
        of_turn = offered.get(each.turn, [])
        named = [passage for passage in of_turn if passage.docid in each.truth]
        of_turn = [passage for passage in named or of_turn if passage.has_text]
        if not of_turn:
            without.append(each.key)
        elif len(of_turn) > 1:
            several.append(each.key)
        elif not of_turn[0].n_sentences:
            unsplit.append(each.key)
        else:
            passages[each.key] = of_turn[0]
    _refuse("have no passage with text", without)
    _refuse("have more than one passage, of which the truth names none or several", several)
    _refuse("have a passage that the file does not split into sentences", unsplit)
    return passages


def _refuse(why: str, keys: list[str]) -> None:
    if not keys:
        return
    named = ", ".join(keys[:MOST_NAMED])
    more = f" and {len(keys) - MOST_NAMED} more" if len(keys) > MOST_NAMED else ""
    what = "1 question" if len(keys) == 1 else f"{len(keys)} questions"
    raise PoolError(f"{what} {_singular(why) if len(keys) == 1 else why}: {named}{more}")


def _singular(why: str) -> str:
    return why.replace("have ", "has ", 1)


@transaction.atomic
def _record(
    study: Study,
    dataset: Dataset,
    name: str,
    rule: WritingRule,
    drawn: WritingDraw,
    turns: Mapping[str, int],
    passages: Mapping[str, Offered],
    by: User,
) -> Pool:
    counts = {
        "n_turns": len(drawn.questions),
        "n_candidates": 0,
        "n_eligible": drawn.n_eligible,
        "n_too_short": drawn.n_too_short,
    }
    pool = new_pool(
        study=study,
        dataset=dataset,
        name=name,
        purpose=Purpose.WRITING,
        rule=rule.to_dict(),
        counts=counts,
        built_at=timezone.now(),
        created_by=by,
    )
    PoolPassage.objects.bulk_create(
        PoolPassage(pool=pool, turn_id=turns[key], passage_id=passages[key].passage, position=1)
        for key in drawn.questions
    )
    events.record(study=study, by=by, verb="drew", target=pool, rule=pool.rule, **counts)
    return pool


def summary(pool: Pool) -> dict[str, Any]:
    """The summary of a pool of writing for commands."""
    return {"pool": pool.name, "seed": pool.rule["seed"], **pool.counts}
