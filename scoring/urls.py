from django.urls import path

from scoring.views import downloads, new_scores, scores

urlpatterns = [
    path("studies/<slug:study>/scores/", scores.scores, name="scores"),
    path("studies/<slug:study>/scores/start/", new_scores.score_start, name="score_start"),
    path("studies/<slug:study>/scores/import/", new_scores.scores_import, name="scores_import"),
    path("studies/<slug:study>/scores/count/", scores.scores_count, name="scores_count"),
    path("studies/<slug:study>/scores/table.csv", downloads.scores_csv, name="scores_csv"),
    path("studies/<slug:study>/scores/table.tex", downloads.scores_latex, name="scores_latex"),
    path("studies/<slug:study>/scores/rankings.csv", downloads.rankings_csv, name="rankings_csv"),
]
