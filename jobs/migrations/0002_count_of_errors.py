"""Count the errors of a job's input, and keep the first thousand of them."""

from typing import Any

from django.db import migrations, models

KEPT = 1_000


def count(apps: Any, schema_editor: Any) -> None:
    alias = schema_editor.connection.alias
    jobs = apps.get_model("jobs", "Job").objects.using(alias)
    errors = apps.get_model("jobs", "JobError").objects.using(alias).order_by()
    for job, n in errors.values_list("job").annotate(n=models.Count("pk")):
        jobs.filter(pk=job).update(n_errors=n)
    errors.filter(number__gte=KEPT).delete()


class Migration(migrations.Migration):
    dependencies = [("jobs", "0001_initial")]

    operations = [
        migrations.AddField("job", "n_errors", models.PositiveIntegerField(default=0)),
        migrations.RunPython(count, migrations.RunPython.noop),
    ]
