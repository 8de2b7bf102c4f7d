from django.urls import path

from scoring.views import scores, starting

urlpatterns = [
    path("studies/<slug:study>/scores/", scores.scores, name="scores"),
    path("studies/<slug:study>/scores/start/", starting.score_start, name="score_start"),
    path("studies/<slug:study>/scores/import/", starting.scores_import, name="scores_import"),
    path("studies/<slug:study>/scores/average/", scores.scores_average, name="scores_average"),
]
