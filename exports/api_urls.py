from django.urls import path

from exports.api import judgements, releases

STUDY = "studies/<slug:study>/"
RELEASE = STUDY + "releases/<int:number>/"

urlpatterns = [
    path(
        STUDY + "batches/<int:batch>/judgements/",
        judgements.JudgementList.as_view(),
        name="api_judgements",
    ),
    path(STUDY + "releases/", releases.ReleaseList.as_view(), name="api_releases"),
    path(RELEASE, releases.ReleaseDetail.as_view(), name="api_release"),
    path(RELEASE + "files/<str:name>", releases.ReleaseFile.as_view(), name="api_release_file"),
]
