from django.urls import path

from accounts.api import studies

urlpatterns = [
    path("studies/", studies.StudyList.as_view(), name="api_studies"),
    path("studies/<slug:study>/", studies.StudyDetail.as_view(), name="api_study"),
]
