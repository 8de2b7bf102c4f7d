from django.urls import path

from exports.views import agreement, home, measures, missed, releases, study

RELEASE = "studies/<slug:study>/releases/<int:number>/"
MISSED = "studies/<slug:study>/pools/<int:pool>/missed/"
MEASURES = "studies/<slug:study>/scores/people/"
AGREEMENT = "studies/<slug:study>/batches/<int:batch>/agreement/"

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
    path(MEASURES, measures.measures, name="measures"),
    path(MEASURES + "compute/", measures.measures_start, name="measures_start"),
    path(MISSED, missed.pool_missed, name="pool_missed"),
    path(MISSED + "<slug:table>.csv", missed.pool_missed_table, name="pool_missed_table"),
]
