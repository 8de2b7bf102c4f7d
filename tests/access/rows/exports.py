from typing import Any

from django.utils import timezone

from corpus.models import Turn
from exports.late_runs.stored_figures import LateFigures
from exports.leave_one_team_out.stored_figures import LeftOutFigures
from jobs.models import Job, JobState
from scoring.models import ImportedScore, Scorer
from tests.access.rows.accounts import ADMINISTRATORS, SIGNED_IN
from tests.access.rows.corpus import run
from tests.access.table import Row, in_study, only
from tests.access.world import World
from tests.exports.leave_one_team_out import worked_example
from tests.exports.rows_for_tests import agreement_result
from tests.factories import AnswerFactory, BatchFactory


def release(world: World) -> dict[str, Any]:
    return {"study": world.study.slug, "number": world.release.number}


def question(world: World) -> dict[str, Any]:
    return {"study": world.study.slug, "turn": world.batch.items.order_by("pk")[0].turn_id}


def release_by_number(world: World) -> dict[str, Any]:
    return {"study": world.study.slug, "release": world.release.number}


def file(world: World) -> dict[str, Any]:
    return {**release(world), "name": "gold.json"}


def batch(world: World) -> dict[str, Any]:
    return {"study": world.study.slug, "batch": world.batch.pk}


def curated(world: World) -> dict[str, Any]:
    """A batch in which questions are curated, of which there are none."""
    made = BatchFactory(pool=world.batch.pool, scheme="curation")
    return {"study": world.study.slug, "batch": made.pk}


def curated_file(world: World) -> dict[str, Any]:
    return {**curated(world), "name": "questions.csv"}


def batch_table(world: World) -> dict[str, Any]:
    return {**batch(world), "table": "items", "form": "csv"}


def computed(world: World) -> dict[str, Any]:
    """The batch, with figures of agreement."""
    Job.objects.get_or_create(
        study=world.study,
        kind="agreement",
        key=world.batch.name,
        state=JobState.DONE,
        defaults={
            "result": agreement_result(),
            "created_by": world.persons["requester"],
            "finished_at": timezone.now(),
        },
    )
    return batch(world)


def picture(world: World) -> dict[str, Any]:
    return {**computed(world), "asked": 1, "picture": "confusion"}


def audit(world: World) -> dict[str, Any]:
    return {"study": world.study.slug, "pool": world.audit.pk}


def dataset(world: World) -> dict[str, Any]:
    return {"dataset": world.batch.pool.dataset_id}


def member_of(world: World) -> int:
    return world.study.memberships.get(user=world.persons["annotator"]).pk


def annotator(world: World) -> dict[str, Any]:
    return {**batch(world), "member": member_of(world)}


def in_study_annotator(world: World) -> dict[str, Any]:
    return {**in_study(world), "member": member_of(world)}


def table(world: World) -> dict[str, Any]:
    return {**audit(world), "table": "runs"}


def compared(world: World) -> dict[str, Any]:
    """A batch of ratings."""
    batch = world.study.batches.filter(scheme="rating").first()
    if batch is None:
        batch = BatchFactory(pool=world.batch.pool, scheme="rating")
    return {"study": world.study.slug, "batch": batch.pk}


def compared_file(world: World) -> dict[str, Any]:
    return {**compared(world), "name": "batches.csv"}


def compared_study_file(world: World) -> dict[str, Any]:
    return {"study": compared(world)["study"], "name": "answers.csv"}


def question_results_file(world: World) -> dict[str, Any]:
    """Of a data set whose questions have types, with the score of an answer."""
    turns = Turn.objects.filter(conversation__dataset=world.run.dataset)
    turns.update(meta={"type": "open"})
    if not ImportedScore.objects.filter(answer__run=world.run).exists():
        answer = AnswerFactory(run=world.run, turn=turns[0])
        scorer = Scorer.objects.create(
            study=world.study, metric="correctness", name="gpt-4", version="imported"
        )
        ImportedScore.objects.create(scorer=scorer, answer=answer, value=0.5)
    return {"study": world.study.slug, "name": "results.csv"}


def results(world: World) -> dict[str, Any]:
    return {"study": world.study.slug, **dataset(world)}


def results_table(world: World) -> dict[str, Any]:
    return {**results(world), "table": "pairs"}


def late(world: World) -> dict[str, Any]:
    """The data set, with figures of its late runs."""
    stored = LateFigures(world.study, world.batch.pool.dataset)
    Job.objects.get_or_create(
        study=world.study,
        kind=stored.kind,
        key=stored.key,
        state=JobState.DONE,
        defaults={
            "result": {**stored.stamp(), "is_rehearsal": False, "runs": []},
            "created_by": world.persons["requester"],
            "finished_at": timezone.now(),
        },
    )
    return results(world)


def late_form(world: World) -> dict[str, Any]:
    """Of a run that cannot be topped up, which the page then says."""
    return {"pool": world.batch.pool_id, "run": world.run.pk}


def left_out(world: World) -> dict[str, Any]:
    """The data set, with figures of each team left out."""
    stored = LeftOutFigures(world.study, world.batch.pool.dataset)
    Job.objects.get_or_create(
        study=world.study,
        kind=stored.kind,
        key=stored.key,
        state=JobState.DONE,
        defaults={
            "result": worked_example.result(),
            "created_by": world.persons["requester"],
            "finished_at": timezone.now(),
        },
    )
    return results(world)


def left_out_table(world: World) -> dict[str, Any]:
    return {**left_out(world), "table": "runs"}


def written(world: World) -> dict[str, Any]:
    """A batch of written answers, in which nobody wrote yet."""
    batch = world.study.batches.filter(scheme="writing").first()
    if batch is None:
        batch = BatchFactory(pool=world.batch.pool, scheme="writing")
    return {"study": world.study.slug, "batch": batch.pk}


def precision(world: World) -> dict[str, Any]:
    return {"study": world.study.slug, "audit": world.audited.audit_id}


def precision_item(world: World) -> dict[str, Any]:
    return {**precision(world), "item": world.audited.public_id}


def dataset_of(world: World) -> dict[str, Any]:
    return {**in_study(world), **dataset(world)}


ROWS = {
    "batch_curated": Row(expected=only("requester"), options=curated),
    # The batch is open: the page says so.
    "batch_curated_version": Row(
        expected=only("requester", allowed=302), options=curated, method="post"
    ),
    "batch_curated_file": Row(expected=only("requester"), options=curated_file),
    "pool_withdraw": Row(expected=only("requester"), options=audit),
    # Nothing is withdrawn in the world, and a batch is open: the pages say so.
    "pool_bring_back": Row(expected=only("requester"), options=audit),
    "pool_delete": Row(expected=only("requester"), options=audit),
    "dataset_withdraw": Row(expected=only("requester"), options=dataset_of),
    "dataset_bring_back": Row(expected=only("requester"), options=dataset_of),
    "dataset_delete": Row(expected=only("requester"), options=dataset_of),
    "run_delete": Row(expected=only("requester"), options=run),
    "batch_withdraw": Row(expected=only("requester"), options=batch),
    "batch_bring_back": Row(expected=only("requester"), options=batch),
    "run_withdraw": Row(expected=only("requester"), options=run),
    "run_bring_back": Row(expected=only("requester"), options=run),
    "release_withdraw": Row(expected=only("requester"), options=release_by_number),
    "release_bring_back": Row(expected=only("requester"), options=release_by_number),
    "study_delete": Row(expected=only("requester"), options=in_study),
    "own_data": Row(expected=SIGNED_IN),
    "user_erase": Row(
        expected=ADMINISTRATORS, options=lambda world: {"user": world.study.created_by.pk}
    ),
    # The signed-out are sent to sign in, people who only annotate to their work.
    "home": Row(expected=(302, 302, 302, 200, 200, 200, 200)),
    "help": Row(expected=SIGNED_IN),
    "help_document": Row(expected=SIGNED_IN, options=lambda world: {"document": "pages"}),
    "search": Row(
        expected=only("requester", "adjudicator"), options=in_study, data=lambda world: {"q": "a"}
    ),
    "study": Row(expected=only("requester"), options=in_study),
    "releases": Row(expected=only("requester"), options=in_study),
    "release_new": Row(expected=only("requester"), options=in_study),
    "release_changes": Row(expected=only("requester"), options=in_study),
    "release": Row(expected=only("requester"), options=release),
    "release_diff": Row(
        expected=only("requester"), options=lambda world: {**release(world), "before": 1}
    ),
    "release_erratum": Row(expected=only("requester"), options=release),
    "release_pairs": Row(expected=only("requester"), options=release),
    "question": Row(expected=only("requester"), options=question),
    "release_file": Row(expected=only("requester"), options=file),
    "release_zip": Row(expected=only("requester"), options=release),
    "batch_table": Row(expected=only("requester"), options=batch_table),
    "batch_agreement": Row(expected=only("requester"), options=batch),
    "batch_agreement_start": Row(
        expected=only("requester", allowed=302), options=batch, method="post"
    ),
    "batch_annotators": Row(expected=only("requester"), options=batch),
    "batch_annotators_start": Row(
        expected=only("requester", allowed=302), options=batch, method="post"
    ),
    "batch_annotators_table": Row(expected=only("requester"), options=batch),
    "batch_annotator": Row(expected=only("requester"), options=annotator),
    "quality_annotators": Row(expected=only("requester"), options=in_study),
    "quality_annotators_start": Row(
        expected=only("requester", allowed=302), options=in_study, method="post"
    ),
    "quality_annotators_table": Row(expected=only("requester"), options=in_study),
    "quality_annotator": Row(expected=only("requester"), options=in_study_annotator),
    "batch_agreement_table": Row(expected=only("requester"), options=computed),
    "batch_agreement_picture": Row(expected=only("requester"), options=picture),
    "study_agreement": Row(expected=only("requester"), options=in_study),
    "study_agreement_start": Row(
        expected=only("requester", allowed=302), options=in_study, method="post"
    ),
    "compared": Row(expected=only("requester"), options=compared),
    "compared_start": Row(expected=only("requester", allowed=302), options=compared, method="post"),
    "compared_file": Row(expected=only("requester"), options=compared_file),
    "compared_study": Row(expected=only("requester"), options=in_study),
    # On to the comparison, where nobody compares runs.
    "compared_study_release": Row(expected=only("requester", allowed=302), options=in_study),
    "compared_study_primary": Row(expected=only("requester"), options=in_study),
    "compared_study_start": Row(
        expected=only("requester", allowed=302), options=in_study, method="post"
    ),
    "compared_study_file": Row(expected=only("requester"), options=compared_study_file),
    "measures": Row(expected=only("requester"), options=in_study),
    "measures_start": Row(
        expected=only("requester", allowed=302), options=in_study, method="post", data=dataset
    ),
    "by_references": Row(expected=only("requester"), options=in_study),
    "by_references_start": Row(
        expected=only("requester", allowed=302), options=in_study, method="post", data=dataset
    ),
    "by_references_table": Row(expected=only("requester"), options=in_study),
    "question_results": Row(expected=only("requester"), options=in_study),
    "question_results_file": Row(expected=only("requester"), options=question_results_file),
    # On to the newest data set.
    "after_pilot": Row(expected=only("requester"), options=batch),
    "after_pilot_start": Row(expected=only("requester", allowed=302), options=batch, method="post"),
    "planning": Row(expected=only("requester"), options=in_study),
    "results_of_study": Row(expected=only("requester", allowed=302), options=in_study),
    "results": Row(expected=only("requester"), options=results),
    "results_start": Row(expected=only("requester", allowed=302), options=results, method="post"),
    "results_table": Row(expected=only("requester"), options=results_table),
    "results_tex": Row(expected=only("requester"), options=results),
    "late_runs": Row(expected=only("requester"), options=late),
    "late_runs_start": Row(expected=only("requester", allowed=302), options=late, method="post"),
    "late_runs_table": Row(expected=only("requester"), options=late),
    "late_runs_top_up": Row(
        expected=only("requester", allowed=302), options=late, method="post", data=late_form
    ),
    "left_out_teams": Row(expected=only("requester"), options=left_out),
    "left_out_teams_start": Row(
        expected=only("requester", allowed=302), options=results, method="post"
    ),
    "left_out_teams_table": Row(expected=only("requester"), options=left_out_table),
    "left_out_teams_tex": Row(expected=only("requester"), options=left_out),
    "left_out_teams_picture": Row(expected=only("requester"), options=left_out),
    "written": Row(expected=only("requester"), options=results),
    "written_start": Row(expected=only("requester", allowed=302), options=results, method="post"),
    # Nobody wrote anything yet.
    "written_zip": Row(expected=only("requester", allowed=404), options=results),
    "batch_written": Row(expected=only("requester"), options=written),
    "precision_draw": Row(expected=only("requester", allowed=302), options=results, method="post"),
    "precision_audits": Row(expected=only("adjudicator", "requester"), options=in_study),
    "precision_audit": Row(expected=only("adjudicator", "requester"), options=precision),
    "precision_item": Row(expected=only("adjudicator", "requester"), options=precision_item),
    "pool_missed": Row(expected=only("requester"), options=audit),
    "pool_missed_start": Row(expected=only("requester", allowed=302), options=audit, method="post"),
    "pool_missed_table": Row(expected=only("requester"), options=table),
}
