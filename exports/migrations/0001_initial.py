import uuid

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("accounts", "0001_initial"),
        ("accounts", "__first__"),
        ("annotation", "0001_initial"),
        ("corpus", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="PrecisionAudit",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("is_rehearsal", models.BooleanField()),
                ("seed", models.BigIntegerField()),
                ("n_gold", models.PositiveIntegerField()),
                ("n_silver", models.PositiveIntegerField()),
                ("drawn_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "dataset",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="precision_audits",
                        to="corpus.dataset",
                    ),
                ),
                (
                    "drawn_by",
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
                        related_name="precision_audits",
                        to="accounts.study",
                    ),
                ),
            ],
            options={
                "ordering": ["dataset_id", "number"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("dataset", "number"), name="exports_precisionaudit_number_is_unique"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="PrecisionItem",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("public_id", models.UUIDField(default=uuid.uuid4, unique=True)),
                (
                    "tier",
                    models.CharField(
                        choices=[("gold", "Gold"), ("silver", "Silver")], max_length=10
                    ),
                ),
                (
                    "audit",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="items",
                        to="exports.precisionaudit",
                    ),
                ),
                (
                    "faithfulness_item",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="annotation.item",
                    ),
                ),
                (
                    "plausibility_item",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="annotation.item",
                    ),
                ),
            ],
            options={
                "ordering": ["audit_id", "pk"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("audit", "plausibility_item"),
                        name="exports_precisionitem_once_per_audit",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("faithfulness_item__isnull", False), ("tier", "gold")),
                            models.Q(("faithfulness_item", None), ("tier", "silver")),
                            _connector="OR",
                        ),
                        name="exports_precisionitem_faithfulness_of_gold",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="PrecisionJudgement",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("scheme", models.CharField(max_length=40)),
                ("label", models.CharField(max_length=40)),
                ("judged_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "item",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="judgements",
                        to="exports.precisionitem",
                    ),
                ),
                (
                    "judged_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "replaces",
                    models.OneToOneField(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="replaced_by",
                        to="exports.precisionjudgement",
                    ),
                ),
            ],
            options={
                "ordering": ["item_id", "pk"],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("replaces", None)),
                        fields=("item", "scheme"),
                        name="exports_precisionjudgement_one_first_per_question",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Release",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("is_rehearsal", models.BooleanField()),
                ("manifest", models.JSONField()),
                ("folder", models.TextField()),
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
                    "dataset",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="releases",
                        to="corpus.dataset",
                    ),
                ),
                (
                    "study",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="releases",
                        to="accounts.study",
                    ),
                ),
            ],
            options={
                "ordering": ["study_id", "number"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("study", "number"), name="exports_release_number_is_unique"
                    )
                ],
            },
        ),
    ]
