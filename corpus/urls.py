from django.urls import path

from corpus.views import dataset_description, datasets, imports, passages, run_table, runs

RUN_TABLE = "studies/<slug:study>/datasets/<int:dataset>/runs/"

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
    path(
        "studies/<slug:study>/datasets/<int:dataset>/description/",
        dataset_description.dataset_description,
        name="dataset_description",
    ),
    path(
        "studies/<slug:study>/datasets/<int:dataset>/passages/", passages.passages, name="passages"
    ),
    path("studies/<slug:study>/datasets/passage-<int:passage>/", passages.passage, name="passage"),
    path(RUN_TABLE, run_table.run_table, name="run_table"),
    path(RUN_TABLE + "runs.csv", run_table.run_table_csv, name="run_table_csv"),
    path(RUN_TABLE + "check/", run_table.run_table_check, name="run_table_check"),
    path(RUN_TABLE + "save/", run_table.run_table_save, name="run_table_save"),
    path("studies/<slug:study>/carry-over/<int:dataset>/", datasets.carry_over, name="carry_over"),
    path("studies/<slug:study>/runs/", runs.runs, name="runs"),
    path("studies/<slug:study>/runs/import/", imports.run_import, name="run_import"),
    path("studies/<slug:study>/runs/<int:run>/", runs.run, name="run"),
    path("studies/<slug:study>/runs/<int:run>/file/", runs.run_file, name="run_file"),
    path("studies/<slug:study>/imports/<int:job>/", imports.import_checked, name="import_checked"),
]
