from django.urls import path

from accounts.api.endpoints import at
from jobs import api

JOBS = "studies/<slug:study>/jobs/"

urlpatterns = [
    path(JOBS, at(get=api.jobs), name="api_jobs"),
    path(JOBS + "<int:job>/", at(get=api.job), name="api_job"),
    path(JOBS + "<int:job>/problems/", at(get=api.job_problems), name="api_job_problems"),
]
