import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("accounts", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="Job",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("kind", models.CharField(max_length=40)),
                ("key", models.CharField(max_length=200)),
                ("params", models.JSONField(default=dict)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("waiting", "Waiting"),
                            ("running", "Running"),
                            ("done", "Done"),
                            ("failed", "Failed"),
                            ("cancelled", "Cancelled"),
                        ],
                        default="waiting",
                        max_length=20,
                    ),
                ),
                ("result", models.JSONField(default=dict)),
                ("message", models.TextField(blank=True)),
                ("n_database_errors", models.PositiveSmallIntegerField(default=0)),
                ("n_errors", models.PositiveIntegerField(default=0)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("is_automatic", models.BooleanField(default=False)),
                ("finished_at", models.DateTimeField(null=True)),
                (
                    "created_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "study",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="jobs",
                        to="accounts.study",
                    ),
                ),
            ],
            options={
                "ordering": ["-created_at", "-pk"],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("state__in", ["waiting", "running"])),
                        fields=("study", "kind", "key"),
                        name="jobs_job_one_unfinished_per_key",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("state__in", ["waiting", "running", "done", "failed", "cancelled"])
                        ),
                        name="jobs_job_state_is_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("finished_at", None), ("state__in", ["waiting", "running"])),
                            models.Q(
                                models.Q(("state__in", ["waiting", "running"]), _negated=True),
                                ("finished_at__isnull", False),
                            ),
                            _connector="OR",
                        ),
                        name="jobs_job_finished_at_when_finished",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Chunk",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("params", models.JSONField(default=dict)),
                ("n_units", models.PositiveIntegerField(default=1)),
                ("is_closing", models.BooleanField(default=False)),
                (
                    "state",
                    models.CharField(
                        choices=[("waiting", "Waiting"), ("leased", "Leased"), ("done", "Done")],
                        default="waiting",
                        max_length=20,
                    ),
                ),
                ("n_attempts", models.PositiveSmallIntegerField(default=0)),
                ("worker", models.CharField(blank=True, max_length=100)),
                ("leased_until", models.DateTimeField(null=True)),
                ("result", models.JSONField(default=dict)),
                (
                    "job",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="chunks",
                        to="jobs.job",
                    ),
                ),
            ],
            options={
                "ordering": ["job_id", "number"],
                "indexes": [
                    models.Index(
                        condition=models.Q(("state", "done"), _negated=True),
                        fields=["job", "number"],
                        name="jobs_chunk_unfinished",
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("job", "number"), name="jobs_chunk_number_is_unique"
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("is_closing", True)),
                        fields=("job",),
                        name="jobs_chunk_one_closes",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("state__in", ["waiting", "leased", "done"])),
                        name="jobs_chunk_state_is_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("leased_until__isnull", False), ("state", "leased")),
                            models.Q(
                                models.Q(("state", "leased"), _negated=True), ("leased_until", None)
                            ),
                            _connector="OR",
                        ),
                        name="jobs_chunk_leased_until_when_leased",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="JobError",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("file", models.CharField(blank=True, max_length=300)),
                ("row", models.CharField(blank=True, max_length=100)),
                ("field", models.CharField(blank=True, max_length=100)),
                ("value", models.TextField(blank=True)),
                ("message", models.TextField()),
                (
                    "job",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="errors",
                        to="jobs.job",
                    ),
                ),
            ],
            options={
                "ordering": ["job_id", "number"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("job", "number"), name="jobs_joberror_number_is_unique"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="WorkerBeat",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("at", models.DateTimeField()),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("id", 1)), name="jobs_workerbeat_is_one_row"
                    )
                ],
            },
        ),
    ]
