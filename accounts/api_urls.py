from django.urls import path

from accounts.api import studies
from accounts.api.endpoints import at

urlpatterns = [
    path("studies/", at(get=studies.studies), name="api_studies"),
    path("studies/<slug:study>/", at(get=studies.study), name="api_study"),
]
