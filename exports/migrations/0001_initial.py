import uuid

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("accounts", "0001_initial"),
        ("annotation", "0001_initial"),
        ("corpus", "0001_initial"),
        ("sampling", "0001_initial"),
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
                ("comment", models.CharField(blank=True, max_length=1000)),
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
            name="PrimaryComparison",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "measure",
                    models.CharField(
                        choices=[
                            ("faithful", "Faithful"),
                            ("appropriate", "Appropriate"),
                            ("both", "F+A"),
                            ("preference", "Preference"),
                        ],
                        max_length=20,
                    ),
                ),
                ("pairs", models.JSONField(blank=True, default=list)),
                ("n_judgements", models.PositiveIntegerField()),
                ("named_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "named_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "pool",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="primary_comparisons",
                        to="sampling.pool",
                    ),
                ),
                (
                    "study",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="primary_comparisons",
                        to="accounts.study",
                    ),
                ),
            ],
            options={
                "ordering": ["study_id", "pk"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            ("measure__in", ["faithful", "appropriate", "both", "preference"])
                        ),
                        name="exports_primarycomparison_measure_is_known",
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
                ("is_withdrawn", models.BooleanField(default=False)),
                (
                    "contents",
                    models.CharField(
                        choices=[("dataset", "data set"), ("comparison", "comparison of systems")],
                        default="dataset",
                        max_length=10,
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("is_rehearsal", models.BooleanField()),
                ("version", models.CharField(blank=True, max_length=32)),
                ("note", models.CharField(blank=True, max_length=1000)),
                ("manifest", models.JSONField()),
                ("folder", models.TextField()),
                ("n_not_asked", models.JSONField(null=True)),
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
                        null=True,
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
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("version", ""), _negated=True),
                        fields=("dataset", "is_rehearsal", "version"),
                        name="exports_release_version_is_unique",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("contents", "dataset"), ("dataset__isnull", False)),
                            models.Q(("contents", "comparison"), ("dataset", None)),
                            _connector="OR",
                        ),
                        name="exports_release_of_a_dataset_or_a_comparison",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Erratum",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("answer_id", models.CharField(max_length=300)),
                ("answer", models.TextField()),
                ("reason", models.CharField(max_length=1000)),
                ("noted_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "noted_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "release",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="errata",
                        to="exports.release",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "errata",
                "ordering": ["release_id", "pk"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("answer_id", ""), _negated=True),
                        name="exports_erratum_names_an_answer",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("reason", ""), _negated=True),
                        name="exports_erratum_says_why",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="ReleaseDifference",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("version", models.PositiveIntegerField()),
                ("contents", models.JSONField()),
                (
                    "after",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="differences",
                        to="exports.release",
                    ),
                ),
                (
                    "before",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="later_differences",
                        to="exports.release",
                    ),
                ),
            ],
            options={
                "ordering": ["after_id", "before_id"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("before", "after"),
                        name="exports_releasedifference_one_of_two_releases",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="ReleaseWithdrawal",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("is_withdrawn", models.BooleanField()),
                ("reason", models.CharField(max_length=1000)),
                ("withdrawn_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "release",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="withdrawals",
                        to="exports.release",
                    ),
                ),
                (
                    "replaces",
                    models.OneToOneField(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="replaced_by",
                        to="exports.releasewithdrawal",
                    ),
                ),
                (
                    "withdrawn_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
                "abstract": False,
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("replaces", None)),
                        fields=("release",),
                        name="exports_releasewithdrawal_one_first_per_release",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("reason", ""), _negated=True),
                        name="exports_releasewithdrawal_says_why",
                    ),
                ],
            },
        ),
    ]
