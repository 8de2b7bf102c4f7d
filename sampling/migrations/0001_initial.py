import django.db.models.deletion
import django.db.models.functions.comparison
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

import corpus.models.fields


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("accounts", "0001_initial"),
        ("corpus", "0001_initial"),
        ("scoring", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="Pool",
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
                (
                    "purpose",
                    models.CharField(
                        choices=[
                            ("answers", "Answers"),
                            ("evidence", "Evidence"),
                            ("comparison", "Comparison"),
                            ("references", "References"),
                            ("pairs", "Pairs"),
                            ("writing", "Writing"),
                            ("curation", "Curation"),
                        ],
                        max_length=20,
                    ),
                ),
                ("rule", models.JSONField()),
                ("counts", models.JSONField(default=dict)),
                ("odds", models.JSONField(default=dict)),
                ("costs", models.JSONField(default=dict)),
                ("is_rehearsal", models.BooleanField(default=False)),
                ("built_at", models.DateTimeField(null=True)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "audit_of",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="audits",
                        to="sampling.pool",
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
                        related_name="pools",
                        to="corpus.dataset",
                    ),
                ),
                (
                    "scorer",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="pools",
                        to="scoring.scorer",
                    ),
                ),
                (
                    "study",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="pools",
                        to="accounts.study",
                    ),
                ),
            ],
            options={
                "ordering": ["study_id", "created_at"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("study", "name"), name="sampling_pool_name_is_unique"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "purpose__in",
                                [
                                    "answers",
                                    "evidence",
                                    "comparison",
                                    "references",
                                    "pairs",
                                    "writing",
                                    "curation",
                                ],
                            )
                        ),
                        name="sampling_pool_purpose_is_known",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Candidate",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("text", models.TextField()),
                ("text_sha256", models.CharField(max_length=64)),
                ("score", models.FloatField(null=True)),
                ("inclusion_probability", models.FloatField(default=1.0)),
                (
                    "source",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="drawn_again",
                        to="sampling.candidate",
                    ),
                ),
                (
                    "turn",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="candidates",
                        to="corpus.turn",
                    ),
                ),
                (
                    "pool",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="candidates",
                        to="sampling.pool",
                    ),
                ),
            ],
            options={
                "ordering": ["pool_id", "pk"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("pool", "turn", "text_sha256"),
                        name="sampling_candidate_text_is_unique",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("text", ""), _negated=True),
                        name="sampling_candidate_text_is_said",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("inclusion_probability__gt", 0), ("inclusion_probability__lte", 1)
                        ),
                        name="sampling_candidate_inclusion_is_a_probability",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Fate",
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
                            ("drawn", "drawn"),
                            ("stands", "stands"),
                            ("represented", "represented"),
                            ("same_as_reference", "same_as_reference"),
                            ("same_as_question", "same_as_question"),
                            ("below_threshold", "below_threshold"),
                            ("too_few_in_turn", "too_few_in_turn"),
                            ("turn_not_drawn", "turn_not_drawn"),
                            ("capped", "capped"),
                            ("empty", "empty"),
                            ("no_reference", "no_reference"),
                            ("no_score", "no_score"),
                        ],
                        max_length=20,
                    ),
                ),
                (
                    "answer",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="fates",
                        to="corpus.answer",
                    ),
                ),
                (
                    "candidate",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="fates",
                        to="sampling.candidate",
                    ),
                ),
                (
                    "pool",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="fates",
                        to="sampling.pool",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("pool", "answer"), name="sampling_fate_once_per_answer"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "state__in",
                                [
                                    "drawn",
                                    "stands",
                                    "represented",
                                    "same_as_reference",
                                    "same_as_question",
                                    "below_threshold",
                                    "too_few_in_turn",
                                    "turn_not_drawn",
                                    "capped",
                                    "empty",
                                    "no_reference",
                                    "no_score",
                                ],
                            )
                        ),
                        name="sampling_fate_state_is_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("candidate__isnull", False),
                                ("state__in", ["drawn", "stands", "represented"]),
                            ),
                            models.Q(
                                models.Q(
                                    ("state__in", ["drawn", "stands", "represented"]), _negated=True
                                ),
                                ("candidate", None),
                            ),
                            _connector="OR",
                        ),
                        name="sampling_fate_candidate_when_drawn_or_represented",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="EvidenceSpan",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("position", models.PositiveIntegerField()),
                ("start", models.PositiveIntegerField()),
                ("end", models.PositiveIntegerField()),
                (
                    "source",
                    models.CharField(
                        choices=[("overlap", "Overlap"), ("cited", "Cited")],
                        default="overlap",
                        max_length=20,
                    ),
                ),
                ("sas", models.FloatField(null=True)),
                (
                    "passage",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="spans",
                        to="corpus.passage",
                    ),
                ),
                (
                    "turn",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="spans",
                        to="corpus.turn",
                    ),
                ),
                (
                    "pool",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="spans",
                        to="sampling.pool",
                    ),
                ),
            ],
            options={
                "ordering": ["pool_id", "turn_id", "position"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("pool", "turn", "position"), name="sampling_span_position_is_unique"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("start__gte", 0), ("start__lt", models.F("end"))),
                        name="sampling_span_is_not_empty",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("source__in", ["overlap", "cited"])),
                        name="sampling_span_source_is_known",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="AnswerPair",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("position", models.PositiveIntegerField()),
                (
                    "first",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="pairs_as_first",
                        to="sampling.candidate",
                    ),
                ),
                (
                    "second",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="pairs_as_second",
                        to="sampling.candidate",
                    ),
                ),
                (
                    "pool",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="pairs",
                        to="sampling.pool",
                    ),
                ),
            ],
            options={
                "ordering": ["pool_id", "position"],
                "constraints": [
                    models.UniqueConstraint(
                        django.db.models.functions.comparison.Least("first", "second"),
                        django.db.models.functions.comparison.Greatest("first", "second"),
                        name="sampling_answerpair_once_in_either_order",
                    ),
                    models.UniqueConstraint(
                        fields=("pool", "position"), name="sampling_answerpair_position_is_unique"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("first", models.F("second")), _negated=True),
                        name="sampling_answerpair_has_two_answers",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("position__gte", 1)),
                        name="sampling_answerpair_counts_from_one",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="PoolPassage",
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
                        related_name="pool_passages",
                        to="corpus.passage",
                    ),
                ),
                (
                    "pool",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="passages",
                        to="sampling.pool",
                    ),
                ),
                (
                    "turn",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="pool_passages",
                        to="corpus.turn",
                    ),
                ),
            ],
            options={
                "ordering": ["pool_id", "turn_id", "position"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("pool", "turn", "passage"), name="sampling_poolpassage_once"
                    ),
                    models.UniqueConstraint(
                        fields=("pool", "turn", "position"),
                        name="sampling_poolpassage_position_is_unique",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("position__gte", 1)),
                        name="sampling_poolpassage_counts_from_one",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="PoolWithdrawal",
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
                    "pool",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="withdrawals",
                        to="sampling.pool",
                    ),
                ),
                (
                    "replaces",
                    models.OneToOneField(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="replaced_by",
                        to="sampling.poolwithdrawal",
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
                        fields=("pool",),
                        name="sampling_poolwithdrawal_one_first_per_pool",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("reason", ""), _negated=True),
                        name="sampling_poolwithdrawal_says_why",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="SpanCitation",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "citation",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="spans",
                        to="corpus.citation",
                    ),
                ),
                (
                    "span",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="citations",
                        to="sampling.evidencespan",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("span", "citation"), name="sampling_spancitation_once"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="SpanMatch",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("f1", models.FloatField()),
                (
                    "candidate",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="matches",
                        to="sampling.candidate",
                    ),
                ),
                (
                    "span",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="matches",
                        to="sampling.evidencespan",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("span", "candidate"), name="sampling_spanmatch_once_per_answer"
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("candidate", None)),
                        fields=("span",),
                        name="sampling_spanmatch_once_for_the_reference",
                    ),
                ],
            },
        ),
    ]
