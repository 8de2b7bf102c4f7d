"""Made questions of the study `written`: curated, in dispute, adjudicated, their next version; and a batch that waits for
people.

A rehearsal decides nothing of a data set, so here bob, dora and carol are played: what they say of each question was
written with the questions, in made/decisions.json.
"""

import json
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any

from demo.commands import DEMO_FOLDER, file, step, summary, touchstone

STUDY = "written"
IN_STUDY = ("--study", STUDY)
GUIDELINE = "guideline-curation.md"
CURATORS = ("bob", "dora")
SECONDS = 40  # that a question takes them


def import_data() -> None:
    step("Questions that a program made from texts, with answers and proofs")
    for name, questions in (("harbour", "questions"), ("lighthouse", "more-questions")):
        touchstone(
            *("import_questions", *IN_STUDY, "--dataset", name, file(f"made/{questions}.jsonl")),
            *("--types", "closed,open,comparison"),
        )


def curate(out: Path) -> None:
    """Play the curation of one data set, make its next version, and export it."""
    step("Two people curate each question: what bob, dora and carol say is SIMULATED")
    open_batch("curated", dataset="harbour")
    judge("curated")
    batch = (*IN_STUDY, "--batch", "curated")
    touchstone("close_batch", *batch)
    touchstone("settle", *batch, "--rule", "unanimous")
    step("Where they differ, carol decides")
    adjudicate("curated")
    step("The next version of the data set, with the texts as they were decided")
    touchstone("export_curated", *batch, "--out", str(out), "--next-version")


def open_batch(name: str, *, dataset: str) -> None:
    touchstone("draw_curation", *IN_STUDY, "--dataset", dataset, "--name", name)
    touchstone(
        *("open_batch", *IN_STUDY, "--name", name, "--scheme", "curation", "--pool", name),
        *("--judgements", "2", "--guideline", file(GUIDELINE)),
    )


def decisions() -> dict[str, dict[str, Any]]:
    """What each curator says of each question, and where they differ the adjudicator, by the question's id."""
    text = (DEMO_FOLDER / "made" / "decisions.json").read_text(encoding="utf-8")
    found: dict[str, dict[str, Any]] = json.loads(text)
    return found


def judge(name: str, study: str = STUDY) -> None:
    """Have the curators say what is written of each question, at the desk."""
    # They read models, which are there once Django is set up.
    from django.utils import timezone  # noqa: PLC0415

    from accounts.models import User  # noqa: PLC0415
    from annotation.actions import claims, guideline_readings, judgements  # noqa: PLC0415
    from annotation.models import Batch  # noqa: PLC0415

    batch = Batch.objects.get(study__slug=study, name=name)
    said = decisions()
    for curator in CURATORS:
        person = User.objects.get(username=curator)
        guideline_readings.confirm(batch=batch, by=person)
        now = timezone.now() - timedelta(seconds=SECONDS * (len(said) + 1))
        for number in range(len(said)):
            (held,) = claims.claim(batch=batch, by=person, now=now)
            shown_at, now = now, now + timedelta(seconds=SECONDS)
            submission = judgements.Submission(
                client_id=f"{curator} {number}",
                response=said[_question_id(held.item.turn)][curator],
                shown_at=shown_at,
                active_seconds=SECONDS,
            )
            judgements.submit(assignment=held, submission=submission, by=person, now=now)


def adjudicate(name: str) -> None:
    """Have the adjudicator decide each dispute: as one of the curators did, or with a label."""
    from annotation.models import Assignment, Item  # noqa: PLC0415

    disputes = summary("disputes", *IN_STUDY, "--batch", name)["disputes"]
    assert isinstance(disputes, list)  # noqa: S101  what the command promises
    for dispute in disputes:
        item = Item.objects.get(public_id=dispute["item"])
        decision: Mapping[str, str] = decisions()[_question_id(item.turn)]["carol"]
        by = (*IN_STUDY, "--by", "carol")
        if "as" in decision:
            held = Assignment.objects.get(item=item, annotator__username=decision["as"])
            touchstone("mark_correct", *by, "--assignment", str(held.public_id))
        else:
            touchstone(
                *("adjudicate", *by, "--item", str(item.public_id)),
                *("--label", decision["label"], "--reason", decision["reason"]),
            )


def _question_id(turn: Any) -> str:
    return str(turn.key).rpartition("_")[0]
