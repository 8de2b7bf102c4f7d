from django.urls import path

from exports.after_pilot import views as after_pilot_views
from exports.agreement import study_views as agreement_study_views
from exports.agreement import views as agreement_views
from exports.annotators import views as annotator_views
from exports.batch_tables import views as batch_table_views
from exports.chosen_references import views as chosen_references_views
from exports.comparison import views as comparison_views
from exports.comparison_releases import views as comparison_release_views
from exports.curation import views as curation_views
from exports.deletions import kinds as deletion_kinds
from exports.deletions import views as deletion_views
from exports.errata import views as errata_views
from exports.late_runs import views as late_run_views
from exports.leave_one_team_out import views as left_out_views
from exports.meta_evaluation import views as meta_evaluation_views
from exports.missed_answers import views as missed_answers_views
from exports.personal_data import views as personal_data_views
from exports.planning import views as planning_views
from exports.precision_audit import views as precision_audit_views
from exports.primary_comparison import views as primary_comparison_views
from exports.question_results import views as question_result_views
from exports.questions import views as question_views
from exports.relations import views as relation_views
from exports.releases import difference_views, new_release_views
from exports.releases import views as release_views
from exports.results import views as result_views
from exports.withdrawals import views as withdrawal_views
from exports.written import views as written_views

RELEASE = "studies/<slug:study>/releases/<int:number>/"
MISSED = "studies/<slug:study>/pools/<int:pool>/missed/"
MEASURES = "studies/<slug:study>/scores/people/"
BY_REFERENCES = "studies/<slug:study>/scores/references/"
BY_QUESTION = "studies/<slug:study>/scores/questions/"
AGREEMENT = "studies/<slug:study>/batches/<int:batch>/agreement/"
ANNOTATORS = "studies/<slug:study>/batches/<int:batch>/annotators/"
QUALITY = "studies/<slug:study>/quality/"
RESULTS = "studies/<slug:study>/results/"
LATE = RESULTS + "<int:dataset>/late/"
LEFT_OUT = RESULTS + "<int:dataset>/teams/"
PRECISION = "studies/<slug:study>/precision/"
AGREEMENTS = "studies/<slug:study>/agreement/"
CURATED = "studies/<slug:study>/batches/<int:batch>/curated/"
COMPARED = "studies/<slug:study>/batches/<int:batch>/comparison/"
COMPARED_STUDY = "studies/<slug:study>/comparison/"
WRITTEN = "studies/<slug:study>/written/<int:dataset>/"

WITHDRAWABLE = {
    "batch": "batches/<int:batch>/",
    "run": "runs/<int:run>/",
    "pool": "pools/<int:pool>/",
    "dataset": "datasets/<int:dataset>/",
    "release": "releases/<int:release>/",  # by its number
}
withdrawal_paths = [
    path(f"studies/<slug:study>/{where}{act}/", view, {"kind": kind}, name=f"{kind}_{name}")
    for kind, where in WITHDRAWABLE.items()
    for act, name, view in (
        ("withdraw", "withdraw", withdrawal_views.withdraw),
        ("bring-back", "bring_back", withdrawal_views.bring_back),
    )
]
deletion_paths = [
    path(
        f"studies/<slug:study>/{WITHDRAWABLE[kind]}delete/",
        deletion_views.delete,
        {"kind": kind},
        name=f"{kind}_delete",
    )
    for kind in deletion_kinds.KINDS
]

urlpatterns = [
    *deletion_paths,
    *withdrawal_paths,
    path("studies/<slug:study>/delete/", deletion_views.delete_study, name="study_delete"),
    path("account/data/", personal_data_views.own_data, name="own_data"),
    path("house/users/<int:user>/erase/", personal_data_views.user_erase, name="user_erase"),
    path("studies/<slug:study>/releases/", release_views.releases, name="releases"),
    path("studies/<slug:study>/releases/new/", new_release_views.release_new, name="release_new"),
    path(
        "studies/<slug:study>/releases/new/changes/",
        new_release_views.release_changes,
        name="release_changes",
    ),
    path(RELEASE, release_views.release, name="release"),
    path(RELEASE + "since/<int:before>/", difference_views.release_diff, name="release_diff"),
    path(RELEASE + "errata/new/", errata_views.release_erratum, name="release_erratum"),
    path(RELEASE + "pairs/", relation_views.release_pairs, name="release_pairs"),
    path(RELEASE + "all.zip", release_views.release_zip, name="release_zip"),
    path(RELEASE + "files/<path:name>", release_views.release_file, name="release_file"),
    path(
        "studies/<slug:study>/batches/<int:batch>/tables/<slug:table>.<slug:form>",
        batch_table_views.batch_table,
        name="batch_table",
    ),
    path(CURATED, curation_views.batch_curated, name="batch_curated"),
    path(f"{CURATED}version/", curation_views.batch_curated_version, name="batch_curated_version"),
    path(
        f"{CURATED}<str:name>",
        curation_views.batch_curated_file,
        name="batch_curated_file",
    ),
    path(
        "studies/<slug:study>/batches/<int:batch>/after/",
        after_pilot_views.after_pilot,
        name="after_pilot",
    ),
    path(
        "studies/<slug:study>/batches/<int:batch>/after/compute/",
        after_pilot_views.after_pilot_start,
        name="after_pilot_start",
    ),
    path(AGREEMENT, agreement_views.batch_agreement, name="batch_agreement"),
    path(
        AGREEMENT + "compute/", agreement_views.batch_agreement_start, name="batch_agreement_start"
    ),
    path(ANNOTATORS, annotator_views.batch_annotators, name="batch_annotators"),
    path(
        ANNOTATORS + "compute/",
        annotator_views.batch_annotators_start,
        name="batch_annotators_start",
    ),
    path(
        ANNOTATORS + "table.csv",
        annotator_views.batch_annotators_table,
        name="batch_annotators_table",
    ),
    path(ANNOTATORS + "<int:member>/", annotator_views.batch_annotator, name="batch_annotator"),
    path(QUALITY, annotator_views.quality_annotators, name="quality_annotators"),
    path(
        QUALITY + "compute/",
        annotator_views.quality_annotators_start,
        name="quality_annotators_start",
    ),
    path(
        QUALITY + "table.csv",
        annotator_views.quality_annotators_table,
        name="quality_annotators_table",
    ),
    path(QUALITY + "<int:member>/", annotator_views.quality_annotator, name="quality_annotator"),
    path(
        AGREEMENT + "table.csv", agreement_views.batch_agreement_table, name="batch_agreement_table"
    ),
    path(
        AGREEMENT + "<int:asked>/<slug:picture>.svg",
        agreement_views.batch_agreement_picture,
        name="batch_agreement_picture",
    ),
    path(AGREEMENTS, agreement_study_views.study_agreement, name="study_agreement"),
    path(
        AGREEMENTS + "compute/",
        agreement_study_views.study_agreement_start,
        name="study_agreement_start",
    ),
    path("studies/<slug:study>/questions/<int:turn>/", question_views.question, name="question"),
    path("studies/<slug:study>/planning/", planning_views.planning, name="planning"),
    path(MEASURES, meta_evaluation_views.measures, name="measures"),
    path(MEASURES + "compute/", meta_evaluation_views.measures_start, name="measures_start"),
    path(BY_REFERENCES, chosen_references_views.by_references, name="by_references"),
    path(
        BY_REFERENCES + "compute/",
        chosen_references_views.by_references_start,
        name="by_references_start",
    ),
    path(
        BY_REFERENCES + "runs.csv",
        chosen_references_views.by_references_table,
        name="by_references_table",
    ),
    path(BY_QUESTION, question_result_views.question_results, name="question_results"),
    path(
        BY_QUESTION + "<str:name>",
        question_result_views.question_results_file,
        name="question_results_file",
    ),
    path(RESULTS, result_views.results_of_study, name="results_of_study"),
    path(RESULTS + "<int:dataset>/", result_views.results, name="results"),
    path(RESULTS + "<int:dataset>/compute/", result_views.results_start, name="results_start"),
    path(LATE, late_run_views.late_runs, name="late_runs"),
    path(LATE + "compute/", late_run_views.late_runs_start, name="late_runs_start"),
    path(LATE + "top-up/", late_run_views.late_runs_top_up, name="late_runs_top_up"),
    path(LATE + "runs.csv", late_run_views.late_runs_table, name="late_runs_table"),
    path(LEFT_OUT, left_out_views.left_out_teams, name="left_out_teams"),
    path(LEFT_OUT + "compute/", left_out_views.left_out_teams_start, name="left_out_teams_start"),
    path(LEFT_OUT + "runs.tex", left_out_views.left_out_teams_tex, name="left_out_teams_tex"),
    path(
        LEFT_OUT + "bias.svg", left_out_views.left_out_teams_picture, name="left_out_teams_picture"
    ),
    path(
        LEFT_OUT + "<slug:table>.csv",
        left_out_views.left_out_teams_table,
        name="left_out_teams_table",
    ),
    path(RESULTS + "<int:dataset>/runs.tex", result_views.results_tex, name="results_tex"),
    path(
        RESULTS + "<int:dataset>/<slug:table>.csv", result_views.results_table, name="results_table"
    ),
    path(RESULTS + "<int:dataset>/audit/", result_views.precision_draw, name="precision_draw"),
    path(PRECISION, precision_audit_views.precision_audits, name="precision_audits"),
    path(PRECISION + "<int:audit>/", precision_audit_views.precision_audit, name="precision_audit"),
    path(
        PRECISION + "<int:audit>/<uuid:item>/",
        precision_audit_views.precision_item,
        name="precision_item",
    ),
    path(COMPARED, comparison_views.batch_comparison, name="compared"),
    path(COMPARED + "compute/", comparison_views.batch_comparison_start, name="compared_start"),
    path(COMPARED + "<str:name>", comparison_views.batch_comparison_file, name="compared_file"),
    path(COMPARED_STUDY, comparison_views.study_comparison, name="compared_study"),
    path(
        COMPARED_STUDY + "primary/",
        primary_comparison_views.primary_comparison,
        name="compared_study_primary",
    ),
    path(
        COMPARED_STUDY + "release/",
        comparison_release_views.comparison_release_new,
        name="compared_study_release",
    ),
    path(
        COMPARED_STUDY + "compute/",
        comparison_views.study_comparison_start,
        name="compared_study_start",
    ),
    path(
        COMPARED_STUDY + "<str:name>",
        comparison_views.study_comparison_file,
        name="compared_study_file",
    ),
    path(WRITTEN, written_views.written, name="written"),
    path(WRITTEN + "compute/", written_views.written_start, name="written_start"),
    path(WRITTEN + "all.zip", written_views.written_zip, name="written_zip"),
    path(
        "studies/<slug:study>/batches/<int:batch>/written/",
        written_views.batch_written,
        name="batch_written",
    ),
    path(MISSED, missed_answers_views.pool_missed, name="pool_missed"),
    path(MISSED + "compute/", missed_answers_views.pool_missed_start, name="pool_missed_start"),
    path(
        MISSED + "<slug:table>.csv",
        missed_answers_views.pool_missed_table,
        name="pool_missed_table",
    ),
]
