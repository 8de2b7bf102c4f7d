"""A person's answers in a settled batch beside the labels that others decided.

An item counts where its expected label rests on nothing that the person said:

- it is a control item: the label of its key, unless it is excluded;
- an adjudicator decided it: their label;
- else at least two other people's judgements of it are counted, and all give the same label: that label, also where
  the person's own judgement put the item in dispute.

Other items say nothing of the person: those of two judgements are left to an adjudicator, because the one other
person may be wrong. What the person answered is their judgement that was not taken back, whether a review counts
it or not.
"""

import json
from collections import defaultdict
from collections.abc import Mapping

from accounts.errors import ActionError
from accounts.models import User
from annotation import schemes
from annotation.models import Batch, Judgement, Key, Source, Verdict, VerdictState
from annotation.queries import outcomes

# The expected label and the label given, of one item.
Answer = tuple[str, str]

LEAST_OTHERS = 2


class NotSettledError(ActionError):
    """The batch says nothing of people's answers yet; the message says why."""


def answers_of(person: User, batch: Batch) -> list[Answer]:
    """Return the person's answers in the order of the batch; the rules are those of this module.

    Raises NotSettledError, and WrongSchemeError for a scheme without a verdict.
    """
    return answers_by_person(batch).get(person.pk, [])


def answers_by_person(batch: Batch) -> dict[int, list[Answer]]:
    """Return answers_of() of everybody who judged in the batch, by the person's key, in six queries."""
    scheme = schemes.verdict_scheme(batch.scheme)
    current = Verdict.objects.current().filter(item__batch=batch)
    verdicts = list(current.values_list("item_id", "state", "label", "source"))
    keys = Key.objects.filter(item__batch=batch, item__is_excluded=False)
    known = dict(keys.values_list("item_id", "label"))
    if not verdicts and not known:
        raise NotSettledError(
            f"the batch {batch.name} is not settled: there is nothing to hold answers against"
        )
    known |= {
        item: label
        for item, state, label, source in verdicts
        if state == VerdictState.DECIDED and source == Source.ADJUDICATION
    }
    settled = {item for item, *_ in verdicts}
    votes = outcomes.counted_votes(batch)
    found: dict[int, list[Answer]] = defaultdict(list)
    given = Judgement.objects.not_withdrawn().filter(assignment__item__batch=batch)
    columns = ("assignment__item_id", "assignment__annotator_id", outcomes.as_text())
    for item, person, response in given.order_by("assignment__item__position").values_list(
        *columns
    ):
        expected = known.get(item)
        if expected is None and item in settled:
            expected = label_of_others(votes.get(item, {}), str(person))
        found[person] += [(expected, scheme.label(json.loads(response)))] if expected else []
    return dict(found)


def label_of_others(votes: Mapping[str, str], person: str) -> str | None:
    """Return the one label of at least two others; None where they are fewer or differ. Votes are by person.

    >>> label_of_others({"ann": "a", "ben": "a", "cat": "b"}, "cat")
    'a'

    Wrong: b of ann's vote, against which only one other person stands beside cat.

    >>> label_of_others({"ann": "b", "cat": "a"}, "cat")
    """
    others = [label for each, label in votes.items() if each != person]
    return others[0] if len(others) >= LEAST_OTHERS and len(set(others)) == 1 else None
