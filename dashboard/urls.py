from django.urls import path

from dashboard import help, home, search, study

urlpatterns = [
    path("", home.home, name="home"),
    path("help/", help.help_index, name="help"),
    path("help/<slug:document>/", help.help_document, name="help_document"),
    path("studies/<slug:study>/search/", search.search, name="search"),
    path("studies/<slug:study>/", study.study, name="study"),
]
