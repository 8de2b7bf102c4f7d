from django.urls import path

from corpus.views import datasets, imports, runs

urlpatterns = [
    path("studies/<slug:study>/datasets/", datasets.datasets, name="datasets"),
    path("studies/<slug:study>/datasets/import/", imports.dataset_import, name="dataset_import"),
    # A name may hold a slash.
    path(
        "studies/<slug:study>/datasets/<path:name>/<int:version>/", datasets.dataset, name="dataset"
    ),
    path(
        "studies/<slug:study>/dataset-parts/<int:dataset>/<int:place>/",
        datasets.dataset_part,
        name="dataset_part",
    ),
    path("studies/<slug:study>/carry-over/<int:dataset>/", datasets.carry_over, name="carry_over"),
    path("studies/<slug:study>/runs/", runs.runs, name="runs"),
    path("studies/<slug:study>/runs/import/", imports.run_import, name="run_import"),
    path("studies/<slug:study>/runs/<int:run>/", runs.run, name="run"),
    path("studies/<slug:study>/imports/<int:job>/", imports.import_checked, name="import_checked"),
]
