"""Work for annotators, in an empty database (process.py)."""

import tempfile
from pathlib import Path

from django.conf import settings
from django.core.management import call_command
from django.db import transaction
from django.urls import reverse

from accounts.actions import members, studies
from accounts.models import Role, Study, User
from annotation import schemes
from annotation.models import GuidelineReading
from tests.annotation.desk_pages import client_of
from tests.corpus.imports import answer, create_dataset, create_run, turn
from tests.factories import BatchFactory, ItemFactory, TurnFactory, UserFactory
from tests.scoring.score_jobs import score_job


def create_work(
    *,
    n_items: int,
    n_people: int,
    judgements_per_item: int = 3,
    claim_seconds: int = 1800,
    n_scored: int = 0,
) -> dict[str, object]:
    """An open batch and its people; with `n_scored` a job too that scores so many answers, a chunk each."""
    call_command("migrate", verbosity=0)
    with transaction.atomic():
        alice = UserFactory(username="alice")
        study = studies.create_study(slug="stones", title="Stones", requester=alice)
        batch = BatchFactory(
            pool__dataset__study=study,
            judgements_per_item=judgements_per_item,
            claim_seconds=claim_seconds,
        )
        shown = TurnFactory(conversation__dataset=batch.pool.dataset)
        for position in range(1, n_items + 1):
            ItemFactory(batch=batch, turn=shown, position=position)
        annotators = []
        for n in range(1, n_people + 1):
            user = UserFactory(username=f"annotator-{n}")
            members.add(study=study, user=user, roles=[Role.ANNOTATOR], by=alice)
            GuidelineReading.objects.create(guideline=batch.guideline, read_by=user)
            session = client_of(user).cookies[settings.SESSION_COOKIE_NAME].value
            annotators.append((user.username, session))
    if n_scored:
        start_scoring(study, n_scored)
    return {
        "desk": reverse("desk", args=[study.slug, batch.pk]),
        "session_cookie": settings.SESSION_COOKIE_NAME,
        "people": annotators,
        "requester": client_of(alice).cookies[settings.SESSION_COOKIE_NAME].value,
        "scheme": batch.scheme,
        "labels": list(schemes.get(batch.scheme).labels),
        "depth": batch.prefetch_depth,
        "n_judgements": n_items * judgements_per_item,
    }


def set_password(*, user: str, password: str) -> None:
    found = User.objects.get(username=user)
    found.set_password(password)
    found.save()


def start_scoring(study: Study, n: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        turns = [turn(number, f"A dark stone, {number}.") for number in range(1, n + 1)]
        answers = [answer(number, f"A stone, {number}.") for number in range(1, n + 1)]
        dataset = create_dataset(study, Path(folder), turns)
        create_run(dataset, Path(folder), answers)
    score_job(dataset, chunk_size=1)
