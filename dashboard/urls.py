from django.urls import path

from dashboard import home, study

urlpatterns = [
    path("", home.home, name="home"),
    path("studies/<slug:study>/", study.study, name="study"),
]
