import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models

import corpus.models.fields


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("accounts", "0001_initial"),
        ("corpus", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="Relevance",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("docids", models.JSONField()),
                ("known_sha256", models.CharField(max_length=64)),
                (
                    "turn",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="relevance",
                        to="corpus.turn",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "relevance",
            },
        ),
        migrations.CreateModel(
            name="Scorer",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "metric",
                    models.CharField(max_length=40, validators=[corpus.models.fields.plain_name]),
                ),
                (
                    "name",
                    models.CharField(max_length=200, validators=[corpus.models.fields.plain_name]),
                ),
                ("version", models.CharField(max_length=600)),
                (
                    "references",
                    models.CharField(
                        choices=[("truth", "Truth"), ("gold", "Gold"), ("silver", "Silver")],
                        default="truth",
                        max_length=20,
                    ),
                ),
                ("identity", models.JSONField(default=dict)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "study",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="scorers",
                        to="accounts.study",
                    ),
                ),
            ],
            options={
                "ordering": ["metric", "name", "pk"],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("study", None)),
                        fields=("metric", "name", "version", "references"),
                        name="scoring_scorer_computed_version_is_unique",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("study__isnull", False)),
                        fields=("study", "metric", "name", "version"),
                        name="scoring_scorer_imported_version_is_unique",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("references__in", ["truth", "gold", "silver"])),
                        name="scoring_scorer_references_are_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("name__contains", "#"), _negated=True),
                        name="scoring_scorer_name_has_no_hash",
                        violation_error_message="a scorer's name has no #: it begins the version",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Score",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("prediction_sha256", models.CharField(max_length=64)),
                ("references_sha256", models.CharField(max_length=64)),
                ("value", models.FloatField()),
                (
                    "scorer",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="scores",
                        to="scoring.scorer",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("scorer", "references_sha256", "prediction_sha256"),
                        name="scoring_score_once_per_texts",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="ImportedScore",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("value", models.FloatField()),
                (
                    "answer",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="imported_scores",
                        to="corpus.answer",
                    ),
                ),
                (
                    "scorer",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="imported_scores",
                        to="scoring.scorer",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("scorer", "answer"), name="scoring_importedscore_once_per_answer"
                    )
                ],
            },
        ),
    ]
