from django.urls import path

from accounts.api.endpoints import at
from activity.api import jobs

JOBS = "studies/<slug:study>/jobs/"

urlpatterns = [
    path(JOBS, at(get=jobs.jobs), name="api_jobs"),
    path(JOBS + "<int:job>/", at(get=jobs.job), name="api_job"),
    path(JOBS + "<int:job>/problems/", at(get=jobs.job_problems), name="api_job_problems"),
]
