import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

import corpus.models.fields


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0005_contact"),
        ("annotation", "0009_disputed_verdicts"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Qualification",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "name",
                    models.CharField(max_length=100, validators=[corpus.models.fields.plain_name]),
                ),
                ("rule", models.JSONField(blank=True, default=dict)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
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
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="qualifications",
                        to="accounts.study",
                    ),
                ),
            ],
            options={
                "ordering": ["study_id", "name"],
            },
        ),
        migrations.AddField(
            model_name="batch",
            name="qualification",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="batches",
                to="annotation.qualification",
            ),
        ),
        migrations.CreateModel(
            name="Standing",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("granted", "Granted"),
                            ("revoked", "Revoked"),
                            ("failed", "Failed"),
                        ],
                        max_length=10,
                    ),
                ),
                ("reason", models.CharField(max_length=1000)),
                ("evidence", models.JSONField(blank=True, default=dict)),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "qualification",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="standings",
                        to="annotation.qualification",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="standings",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
            },
        ),
        migrations.AddConstraint(
            model_name="qualification",
            constraint=models.UniqueConstraint(
                fields=("study", "name"), name="annotation_qualification_name_is_unique"
            ),
        ),
        migrations.AddIndex(
            model_name="standing",
            index=models.Index(
                fields=["qualification", "user", "-id"], name="annotation_standing_newest"
            ),
        ),
        migrations.AddConstraint(
            model_name="standing",
            constraint=models.CheckConstraint(
                condition=models.Q(("state__in", ["granted", "revoked", "failed"])),
                name="annotation_standing_state_is_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="standing",
            constraint=models.CheckConstraint(
                condition=models.Q(("reason", ""), _negated=True),
                name="annotation_standing_says_why",
            ),
        ),
    ]
