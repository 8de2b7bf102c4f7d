import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = []

    operations = [
        migrations.CreateModel(
            name="Event",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("at", models.DateTimeField(db_index=True, default=django.utils.timezone.now)),
                ("study", models.CharField(blank=True, db_index=True, max_length=60)),
                ("actor", models.CharField(max_length=150)),
                ("verb", models.CharField(max_length=60)),
                ("target", models.CharField(max_length=200)),
                ("details", models.JSONField(default=dict)),
            ],
            options={
                "ordering": ["at", "pk"],
                "indexes": [
                    models.Index(fields=["study", "target", "at"], name="audit_event_of_target")
                ],
            },
        ),
    ]
