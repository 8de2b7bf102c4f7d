from django.urls import path

from accounts.api.endpoints import at
from exports.api import judgements, releases

STUDY = "studies/<slug:study>/"
RELEASE = STUDY + "releases/<int:number>/"

urlpatterns = [
    path(
        STUDY + "batches/<int:batch>/judgements/",
        at(get=judgements.judgements),
        name="api_judgements",
    ),
    path(STUDY + "releases/", at(get=releases.releases), name="api_releases"),
    path(RELEASE, at(get=releases.release), name="api_release"),
    path(RELEASE + "files/<str:name>", at(get=releases.release_file), name="api_release_file"),
]
