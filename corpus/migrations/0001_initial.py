import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

import corpus.models.fields


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("accounts", "0001_initial"),
        ("jobs", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="Dataset",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("is_withdrawn", models.BooleanField(default=False)),
                (
                    "name",
                    models.CharField(max_length=100, validators=[corpus.models.fields.plain_name]),
                ),
                ("version", models.PositiveIntegerField(default=1)),
                ("format", models.CharField(max_length=40)),
                (
                    "licence",
                    models.CharField(
                        blank=True, max_length=200, validators=[corpus.models.fields.plain_name]
                    ),
                ),
                ("citation", models.TextField(blank=True)),
                ("digest", models.CharField(max_length=64)),
                ("files", models.JSONField(default=list)),
                ("release", models.JSONField(blank=True, default=dict, editable=False)),
                ("comparison", models.JSONField(blank=True, default=dict, editable=False)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "continues",
                    models.ForeignKey(
                        blank=True,
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="continued_by",
                        to="corpus.dataset",
                    ),
                ),
                (
                    "created_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "staged_by",
                    models.ForeignKey(
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="jobs.job",
                    ),
                ),
                (
                    "study",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="datasets",
                        to="accounts.study",
                    ),
                ),
            ],
            options={
                "ordering": ["study_id", "name", "-version"],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("staged_by", None)),
                        fields=("study", "name", "version"),
                        name="corpus_dataset_version_is_unique",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("name__contains", "@"), _negated=True),
                        name="corpus_dataset_name_has_no_at",
                        violation_error_message="a dataset's name has no @: it begins the version",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Conversation",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("key", models.CharField(max_length=200)),
                ("position", models.PositiveIntegerField()),
                (
                    "dataset",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="conversations",
                        to="corpus.dataset",
                    ),
                ),
            ],
            options={
                "ordering": ["dataset_id", "position"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("dataset", "key"), name="corpus_conversation_key_is_unique"
                    ),
                    models.UniqueConstraint(
                        fields=("dataset", "position"),
                        name="corpus_conversation_position_is_unique",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="DatasetWithdrawal",
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
                    "dataset",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="withdrawals",
                        to="corpus.dataset",
                    ),
                ),
                (
                    "replaces",
                    models.OneToOneField(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="replaced_by",
                        to="corpus.datasetwithdrawal",
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
                        fields=("dataset",),
                        name="corpus_datasetwithdrawal_one_first_per_dataset",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("reason", ""), _negated=True),
                        name="corpus_datasetwithdrawal_says_why",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Passage",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("docid", models.CharField(max_length=2000)),
                ("text", models.TextField(null=True)),
                ("url", models.TextField(blank=True)),
                ("title", models.TextField(blank=True)),
                ("sentences", models.JSONField(default=list)),
                (
                    "dataset",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="passages",
                        to="corpus.dataset",
                    ),
                ),
            ],
            options={
                "ordering": ["dataset_id", "pk"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("dataset", "docid"), name="corpus_passage_docid_is_unique"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("docid", ""), _negated=True),
                        name="corpus_passage_docid_is_said",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Run",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("is_withdrawn", models.BooleanField(default=False)),
                (
                    "name",
                    models.CharField(max_length=200, validators=[corpus.models.fields.plain_name]),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("system", "System"),
                            ("baseline", "Baseline"),
                            ("reference", "Reference"),
                            ("extracted", "Extracted"),
                        ],
                        default="system",
                        max_length=20,
                    ),
                ),
                (
                    "tier",
                    models.CharField(
                        blank=True,
                        choices=[("gold", "Gold"), ("silver", "Silver")],
                        editable=False,
                        max_length=20,
                    ),
                ),
                (
                    "team",
                    models.CharField(
                        blank=True, max_length=200, validators=[corpus.models.fields.plain_name]
                    ),
                ),
                (
                    "system",
                    models.CharField(
                        blank=True, max_length=200, validators=[corpus.models.fields.plain_name]
                    ),
                ),
                (
                    "setup",
                    models.CharField(
                        blank=True, max_length=200, validators=[corpus.models.fields.plain_name]
                    ),
                ),
                ("digest", models.CharField(max_length=64)),
                ("answers_digest", models.CharField(db_index=True, max_length=64)),
                ("files", models.JSONField(default=list)),
                ("n_answers", models.PositiveIntegerField(default=0)),
                ("n_empty", models.PositiveIntegerField(default=0)),
                ("n_citing", models.PositiveIntegerField(default=0)),
                ("n_left_out", models.PositiveIntegerField(default=0)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "carried_from",
                    models.ForeignKey(
                        blank=True,
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="carried_to",
                        to="corpus.run",
                    ),
                ),
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
                        related_name="runs",
                        to="corpus.dataset",
                    ),
                ),
                (
                    "staged_by",
                    models.ForeignKey(
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="jobs.job",
                    ),
                ),
            ],
            options={
                "ordering": ["dataset_id", "name"],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("staged_by", None)),
                        fields=("dataset", "name"),
                        name="corpus_run_name_is_unique",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("kind__in", ["system", "baseline", "reference", "extracted"])
                        ),
                        name="corpus_run_kind_is_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("tier", ""),
                            models.Q(("kind", "reference"), ("tier__in", ["gold", "silver"])),
                            _connector="OR",
                        ),
                        name="corpus_run_tier_is_of_references",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("name__contains", "|"), _negated=True),
                        name="corpus_run_name_has_no_bar",
                        violation_error_message="a run's name has no |: it parts the names of runs in tables",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="RunChange",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("before", models.JSONField()),
                ("after", models.JSONField()),
                ("changed_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "changed_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "run",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="changes",
                        to="corpus.run",
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
            },
        ),
        migrations.CreateModel(
            name="RunWithdrawal",
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
                    "replaces",
                    models.OneToOneField(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="replaced_by",
                        to="corpus.runwithdrawal",
                    ),
                ),
                (
                    "run",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="withdrawals",
                        to="corpus.run",
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
                        fields=("run",),
                        name="corpus_runwithdrawal_one_first_per_run",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("reason", ""), _negated=True),
                        name="corpus_runwithdrawal_says_why",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Turn",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("question", models.TextField(blank=True)),
                ("rewrite", models.TextField(blank=True)),
                ("truth_passages", models.JSONField(default=list)),
                ("source", models.JSONField(default=dict)),
                ("record", models.TextField(blank=True)),
                ("part", models.CharField(blank=True, max_length=200)),
                ("meta", models.JSONField(blank=True, default=dict, editable=False)),
                ("accepted", models.TextField(blank=True, editable=False)),
                (
                    "conversation",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="turns",
                        to="corpus.conversation",
                    ),
                ),
                (
                    "same_as",
                    models.ForeignKey(
                        blank=True,
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="same_later",
                        to="corpus.turn",
                    ),
                ),
            ],
            options={
                "ordering": ["conversation_id", "number"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("conversation", "number"), name="corpus_turn_number_is_unique"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Answer",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("text", models.TextField(blank=True)),
                ("rewrite", models.TextField(blank=True)),
                (
                    "run",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="answers",
                        to="corpus.run",
                    ),
                ),
                (
                    "turn",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="answers",
                        to="corpus.turn",
                    ),
                ),
            ],
            options={
                "ordering": ["run_id", "turn_id"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("run", "turn"), name="corpus_answer_once_per_turn"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Citation",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("rank", models.PositiveIntegerField(null=True)),
                ("score", models.FloatField(null=True)),
                ("quote", models.TextField(blank=True)),
                ("quote_status", models.CharField(blank=True, max_length=40)),
                (
                    "answer",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="citations",
                        to="corpus.answer",
                    ),
                ),
                (
                    "passage",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="citations",
                        to="corpus.passage",
                    ),
                ),
            ],
            options={
                "ordering": ["answer_id", "rank"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("answer", "passage"), name="corpus_citation_once"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Offer",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("position", models.PositiveIntegerField()),
                (
                    "passage",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="offers",
                        to="corpus.passage",
                    ),
                ),
                (
                    "turn",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="offers",
                        to="corpus.turn",
                    ),
                ),
            ],
            options={
                "ordering": ["turn_id", "position"],
                "constraints": [
                    models.UniqueConstraint(fields=("turn", "passage"), name="corpus_offer_once"),
                    models.UniqueConstraint(
                        fields=("turn", "position"), name="corpus_offer_position_is_unique"
                    ),
                ],
            },
        ),
    ]
