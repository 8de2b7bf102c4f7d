from django.urls import path

from jobs import views

urlpatterns = [
    path("studies/<slug:study>/jobs/", views.jobs, name="jobs"),
    path("studies/<slug:study>/jobs/<int:job>/", views.job, name="job"),
    path("studies/<slug:study>/jobs/<int:job>/problems.csv", views.problems, name="job_problems"),
    path("studies/<slug:study>/jobs/<int:job>/cancel/", views.cancel, name="job_cancel"),
    path("studies/<slug:study>/jobs/<int:job>/resume/", views.resume, name="job_resume"),
]
