from django.urls import path

from jobs import api

JOBS = "studies/<slug:study>/jobs/"

urlpatterns = [
    path(JOBS, api.JobList.as_view(), name="api_jobs"),
    path(JOBS + "<int:job>/", api.JobDetail.as_view(), name="api_job"),
    path(JOBS + "<int:job>/problems/", api.JobProblemList.as_view(), name="api_job_problems"),
]
