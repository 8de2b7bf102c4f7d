"""Training batches: made with their keyed items, and their end, at which a rule that acts decides.

docs/adr/0063-trusted-people.md is the design.
"""

from collections.abc import Sequence
from typing import Any

from django.db import transaction

from accounts.actions.locks import lock_study
from accounts.models import User
from annotation.actions import batches, controls, qualifications
from annotation.control_keys_csv import KeyRow
from annotation.models import Batch, Qualification, Standing
from annotation.queries import standings, training
from annotation.queries.standings import Line
from corpus.problems import Report


@transaction.atomic
def create_and_launch(
    *, rows: Sequence[KeyRow], report: Report, by: User, **settings: Any
) -> Batch:
    """Create a training batch with the items of a file of keys, and open it. If anything fails, nothing is left.

    Raises BatchError, and what controls.add_from_rows() raises.
    """
    draft = batches.create(by=by, **settings)
    controls.add_from_rows(batch=draft, rows=rows, report=report, by=by)
    return batches.launch(batch=draft, by=by)


def conclude(*, batch: Batch, by: User) -> Standing | None:
    """Write what the rule decides of the person's answers in a training that they have finished, if the rule acts.

    Returns None where nothing is decided: they have not finished, more is needed, the rule only suggests, or it was
    decided before, or the training was withdrawn. Called after the last judgement is stored, and again when the end
    page is shown: the study is locked, which comes before all locks of a judgement.
    """
    asked = batch.trains_for
    if not batch.is_training or asked is None or not asked.rule.get("acts"):
        return None
    if Batch.objects.get(pk=batch.pk).is_withdrawn:
        return None
    if not training.has_finished(batch, by) or _new_line(asked, batch, by) is None:
        return None
    with transaction.atomic():
        lock_study(batch.study)
        line = _new_line(asked, batch, by)
        if line is None:  # decided in this moment
            return None
        return qualifications.write_decisions([line], asked, by)[0]


def _new_line(asked: Qualification, batch: Batch, by: User) -> Line | None:
    """The person's line, if the rule decides something of them that is not decided."""
    line = standings.line_of(asked, batch, by)
    return line if line is not None and line.is_new else None
