"""Draw a pool of curation: questions with their passages, which people keep, edit or reject."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts import permissions
from accounts.models import Role, Study, User
from audit import events
from corpus.models import Dataset
from sampling.actions.offered_passages import offered_passages, questions_of
from sampling.actions.pools import PoolError, new_pool
from sampling.curation.rule import CurationRule, draw
from sampling.models import Pool, PoolPassage, Purpose


def draw_curation(
    *, study: Study, dataset: Dataset, name: str, rule: CurationRule, by: User
) -> Pool:
    """Draw questions with their passages as a pool of its own. The same rule on the same data set draws the same pool.

    A question is shown with the passages that its truth names, else with all that are offered for it; one without any
    that has a text is left out, and counted. Raises PoolError if nothing can be drawn or the name is taken, and
    ValidationError if the name is invalid.
    """
    permissions.require(by, study, Role.REQUESTER)
    if dataset.withdrawn_objection:
        raise PoolError(dataset.withdrawn_objection)
    questions = questions_of(dataset, rule.parts)
    offered = offered_passages(dataset)
    passages: dict[str, list[int]] = {}
    for each in questions:
        of_turn = [passage for passage in offered.get(each.turn, []) if passage.has_text]
        named = [passage for passage in of_turn if passage.docid in each.truth]
        if of_turn:
            passages[each.key] = [passage.passage for passage in named or of_turn]
    if not passages:
        raise PoolError("no question is drawn: none has a passage with text")
    counts = {
        "n_candidates": 0,
        "n_eligible": len(passages),
        "n_without_passage": len(questions) - len(passages),
    }
    turns = {each.key: each.turn for each in questions}
    drawn = {turns[key]: passages[key] for key in draw(passages, rule)}
    return _record(study, dataset, name, rule, drawn, counts | {"n_turns": len(drawn)}, by)


@transaction.atomic
def _record(
    study: Study,
    dataset: Dataset,
    name: str,
    rule: CurationRule,
    drawn: Mapping[int, list[int]],
    counts: dict[str, int],
    by: User,
) -> Pool:
    """`drawn` has the keys of the passages of each turn, by its key."""
    pool = new_pool(
        study=study,
        dataset=dataset,
        name=name,
        purpose=Purpose.CURATION,
        rule=rule.to_dict(),
        counts=counts,
        built_at=timezone.now(),
        created_by=by,
    )
    PoolPassage.objects.bulk_create(
        PoolPassage(pool=pool, turn_id=turn, passage_id=passage, position=position)
        for turn, passages in drawn.items()
        for position, passage in enumerate(passages, start=1)
    )
    events.record(study=study, by=by, verb="drew", target=pool, rule=pool.rule, **counts)
    return pool


def summary(pool: Pool) -> dict[str, Any]:
    """Return the summary of a pool of curation for commands."""
    return {"pool": pool.name, "seed": pool.rule["seed"], **pool.counts}
