from django.urls import path

from exports.views import (
    agreement,
    annotators,
    compared,
    home,
    measures,
    missed,
    precision,
    releases,
    results,
    study,
    study_agreement,
)

RELEASE = "studies/<slug:study>/releases/<int:number>/"
MISSED = "studies/<slug:study>/pools/<int:pool>/missed/"
MEASURES = "studies/<slug:study>/scores/people/"
AGREEMENT = "studies/<slug:study>/batches/<int:batch>/agreement/"
ANNOTATORS = "studies/<slug:study>/batches/<int:batch>/annotators/"
QUALITY = "studies/<slug:study>/quality/"
RESULTS = "studies/<slug:study>/results/"
PRECISION = "studies/<slug:study>/precision/"
AGREEMENTS = "studies/<slug:study>/agreement/"
COMPARED = "studies/<slug:study>/batches/<int:batch>/comparison/"
COMPARED_STUDY = "studies/<slug:study>/comparison/"

urlpatterns = [
    path("", home.home, name="home"),
    path("studies/<slug:study>/", study.study, name="study"),
    path("studies/<slug:study>/releases/", releases.releases, name="releases"),
    path("studies/<slug:study>/releases/new/", releases.release_new, name="release_new"),
    path(RELEASE, releases.release, name="release"),
    path(RELEASE + "all.zip", releases.release_zip, name="release_zip"),
    path(RELEASE + "files/<path:name>", releases.release_file, name="release_file"),
    path(AGREEMENT, agreement.batch_agreement, name="batch_agreement"),
    path(AGREEMENT + "compute/", agreement.batch_agreement_start, name="batch_agreement_start"),
    path(ANNOTATORS, annotators.batch_annotators, name="batch_annotators"),
    path(ANNOTATORS + "compute/", annotators.batch_annotators_start, name="batch_annotators_start"),
    path(
        ANNOTATORS + "table.csv", annotators.batch_annotators_table, name="batch_annotators_table"
    ),
    path(ANNOTATORS + "<int:member>/", annotators.batch_annotator, name="batch_annotator"),
    path(QUALITY, annotators.quality_annotators, name="quality_annotators"),
    path(
        QUALITY + "compute/", annotators.quality_annotators_start, name="quality_annotators_start"
    ),
    path(
        QUALITY + "table.csv", annotators.quality_annotators_table, name="quality_annotators_table"
    ),
    path(QUALITY + "<int:member>/", annotators.quality_annotator, name="quality_annotator"),
    path(AGREEMENT + "table.csv", agreement.batch_agreement_table, name="batch_agreement_table"),
    path(
        AGREEMENT + "<int:asked>/<slug:picture>.svg",
        agreement.batch_agreement_picture,
        name="batch_agreement_picture",
    ),
    path(AGREEMENTS, study_agreement.study_agreement, name="study_agreement"),
    path(
        AGREEMENTS + "compute/", study_agreement.study_agreement_start, name="study_agreement_start"
    ),
    path(MEASURES, measures.measures, name="measures"),
    path(MEASURES + "compute/", measures.measures_start, name="measures_start"),
    path(RESULTS, results.results_of_study, name="results_of_study"),
    path(RESULTS + "<int:dataset>/", results.results, name="results"),
    path(RESULTS + "<int:dataset>/compute/", results.results_start, name="results_start"),
    path(RESULTS + "<int:dataset>/runs.tex", results.results_tex, name="results_tex"),
    path(RESULTS + "<int:dataset>/<slug:table>.csv", results.results_table, name="results_table"),
    path(RESULTS + "<int:dataset>/audit/", results.precision_draw, name="precision_draw"),
    path(PRECISION, precision.precision_audits, name="precision_audits"),
    path(PRECISION + "<int:audit>/", precision.precision_audit, name="precision_audit"),
    path(PRECISION + "<int:audit>/<uuid:item>/", precision.precision_item, name="precision_item"),
    path(COMPARED, compared.compared_batch, name="compared"),
    path(COMPARED + "compute/", compared.compared_start, name="compared_start"),
    path(COMPARED + "<str:name>", compared.compared_file, name="compared_file"),
    path(COMPARED_STUDY, compared.compared_study, name="compared_study"),
    path(COMPARED_STUDY + "compute/", compared.compared_study_start, name="compared_study_start"),
    path(COMPARED_STUDY + "<str:name>", compared.compared_study_file, name="compared_study_file"),
    path(MISSED, missed.pool_missed, name="pool_missed"),
    path(MISSED + "compute/", missed.pool_missed_start, name="pool_missed_start"),
    path(MISSED + "<slug:table>.csv", missed.pool_missed_table, name="pool_missed_table"),
]
