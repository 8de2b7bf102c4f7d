"""What the commands on batches and items share."""

import uuid

from django.core.management.base import CommandError

from accounts.models import Study
from annotation.models import Assignment, Batch, Item
from sampling.models import Pool


def batch_called(name: str, study: Study) -> Batch:
    batch = study.batches.select_related("study", "pool__dataset").filter(name=name).first()
    if batch is None:
        raise CommandError(f"the study {study.slug} has no batch {name}")
    return batch


def pool_called(name: str, study: Study) -> Pool:
    pool = study.pools.filter(name=name).first()
    if pool is None:
        raise CommandError(f"the study {study.slug} has no pool {name}")
    return pool


def item_called(public_id: str, study: Study) -> Item:
    item = Item.objects.filter(batch__study=study, public_id=_uuid(public_id)).first()
    if item is None:
        raise CommandError(f"the study {study.slug} has no item {public_id}")
    return item


def assignment_called(public_id: str, study: Study) -> Assignment:
    own = Assignment.objects.filter(item__batch__study=study, public_id=_uuid(public_id))
    assignment = own.select_related("item").first()
    if assignment is None:
        raise CommandError(f"the study {study.slug} has no assignment {public_id}")
    return assignment


def said(text: str) -> str:
    """A reason that says something. Raises ValueError, which argparse puts in words."""
    if not text.strip():
        raise ValueError
    return text


def _uuid(text: str) -> uuid.UUID:
    try:
        return uuid.UUID(text)
    except ValueError as error:
        raise CommandError(f"{text} is not an id") from error
