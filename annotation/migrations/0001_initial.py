import uuid

import django.db.models.deletion
import django.db.models.expressions
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

import annotation.models.limits
import corpus.models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("accounts", "0001_initial"),
        ("accounts", "__first__"),
        ("corpus", "0001_initial"),
        ("sampling", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="Assignment",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("public_id", models.UUIDField(default=uuid.uuid4, unique=True)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("claimed", "Claimed"),
                            ("submitted", "Submitted"),
                            ("skipped", "Skipped"),
                            ("expired", "Expired"),
                            ("withdrawn", "Withdrawn"),
                        ],
                        default="claimed",
                        max_length=10,
                    ),
                ),
                ("claimed_at", models.DateTimeField()),
                ("expires_at", models.DateTimeField()),
                ("submitted_at", models.DateTimeField(blank=True, null=True)),
                ("skip_reason", models.CharField(blank=True, max_length=1000)),
                ("first_part", models.JSONField(blank=True, null=True)),
                (
                    "annotator",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="assignments",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("state", "claimed")),
                        fields=["expires_at"],
                        name="annotation_assignment_claimed",
                    ),
                    models.Index(
                        fields=["annotator", "state", "submitted_at"],
                        name="annotation_assignment_own",
                    ),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "state__in",
                                ["claimed", "submitted", "skipped", "expired", "withdrawn"],
                            )
                        ),
                        name="annotation_assignment_state_is_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("skip_reason", ""), ("state", "skipped"), _connector="OR"
                        ),
                        name="annotation_assignment_skip_reason_when_skipped",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("state", "submitted"), ("submitted_at__isnull", False)),
                            models.Q(
                                models.Q(("state", "submitted"), _negated=True),
                                ("submitted_at", None),
                            ),
                            _connector="OR",
                        ),
                        name="annotation_assignment_submitted_at_when_submitted",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Batch",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=100, validators=[corpus.models.plain_name])),
                ("scheme", models.CharField(max_length=40)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("draft", "Draft"),
                            ("open", "Open"),
                            ("paused", "Paused"),
                            ("closed", "Closed"),
                        ],
                        default="draft",
                        max_length=10,
                    ),
                ),
                (
                    "judgements_per_item",
                    models.PositiveSmallIntegerField(
                        default=2, validators=[annotation.models.limits.require_judgements]
                    ),
                ),
                (
                    "claim_seconds",
                    models.PositiveIntegerField(
                        default=1800, validators=[annotation.models.limits.require_claim_seconds]
                    ),
                ),
                ("prefetch_depth", models.PositiveSmallIntegerField(default=5)),
                (
                    "grouping",
                    models.CharField(
                        choices=[("question", "Question"), ("fewest", "Fewest"), ("none", "None")],
                        default="question",
                        max_length=10,
                    ),
                ),
                (
                    "largest_share",
                    models.FloatField(
                        blank=True, null=True, validators=[annotation.models.limits.require_share]
                    ),
                ),
                ("most_per_person", models.PositiveIntegerField(blank=True, null=True)),
                ("deadline_at", models.DateTimeField(blank=True, null=True)),
                (
                    "opponents_per_answer",
                    models.PositiveSmallIntegerField(
                        blank=True,
                        null=True,
                        validators=[annotation.models.limits.require_opponents],
                    ),
                ),
                ("shows_context", models.BooleanField(default=True)),
                ("marks_evidence", models.BooleanField(default=False)),
                (
                    "reward",
                    models.DecimalField(
                        blank=True,
                        decimal_places=4,
                        max_digits=9,
                        null=True,
                        validators=[annotation.models.limits.require_reward],
                    ),
                ),
                (
                    "currency",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("USD", "USD"),
                            ("GBP", "GBP"),
                            ("EUR", "EUR"),
                            ("CHF", "CHF"),
                            ("CAD", "CAD"),
                            ("AUD", "AUD"),
                        ],
                        max_length=3,
                    ),
                ),
                (
                    "expected_seconds",
                    models.PositiveIntegerField(
                        default=30, validators=[annotation.models.limits.require_expected_seconds]
                    ),
                ),
                ("seed", models.BigIntegerField(default=1)),
                ("is_rehearsal", models.BooleanField(default=False)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("closed_at", models.DateTimeField(blank=True, null=True)),
                (
                    "closed_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
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
                    "pool",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="batches",
                        to="sampling.pool",
                    ),
                ),
                (
                    "study",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="batches",
                        to="accounts.study",
                    ),
                ),
            ],
            options={
                "ordering": ["study_id", "created_at"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("study", "name"), name="annotation_batch_name_is_unique"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("state__in", ["draft", "open", "paused", "closed"])),
                        name="annotation_batch_state_is_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("grouping__in", ["question", "fewest", "none"])),
                        name="annotation_batch_grouping_is_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("judgements_per_item__gte", 1)),
                        name="annotation_batch_asks_at_least_once",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("largest_share", None),
                            models.Q(("largest_share__gt", 0), ("largest_share__lte", 1)),
                            _connector="OR",
                        ),
                        name="annotation_batch_largest_share_is_a_share",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("opponents_per_answer", None),
                            ("opponents_per_answer__gte", 1),
                            _connector="OR",
                        ),
                        name="annotation_batch_opponents_are_some",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("currency", ""), ("reward", None)),
                            models.Q(
                                ("currency__in", ["USD", "GBP", "EUR", "CHF", "CAD", "AUD"]),
                                ("reward__gt", 0),
                                ("reward__isnull", False),
                            ),
                            _connector="OR",
                        ),
                        name="annotation_batch_reward_and_currency_or_none",
                        violation_error_message="A paid batch has a reward and its currency, an unpaid one neither.",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("expected_seconds__gte", 1)),
                        name="annotation_batch_expects_some_time",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("closed_at__isnull", False),
                                ("closed_by__isnull", False),
                                ("state", "closed"),
                            ),
                            models.Q(
                                models.Q(("state", "closed"), _negated=True),
                                ("closed_at", None),
                                ("closed_by", None),
                            ),
                            _connector="OR",
                        ),
                        name="annotation_batch_closed_at_and_by_when_closed",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="ExtraRound",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("rule", models.CharField(max_length=20)),
                ("cap", models.PositiveSmallIntegerField()),
                ("n_unsettled", models.PositiveIntegerField()),
                ("expected_by_next", models.FloatField()),
                ("expected_by_cap", models.FloatField()),
                ("reward", models.DecimalField(decimal_places=4, max_digits=9, null=True)),
                ("currency", models.CharField(blank=True, max_length=3)),
                ("asked_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "asked_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "batch",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="extra_rounds",
                        to="annotation.batch",
                    ),
                ),
            ],
            options={
                "ordering": ["batch_id", "pk"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("cap__gte", 1)),
                        name="annotation_extraround_asks_at_least_once",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Flag",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("public_id", models.UUIDField(default=uuid.uuid4, unique=True)),
                ("message", models.TextField()),
                ("flagged_at", models.DateTimeField()),
                (
                    "assignment",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="flags",
                        to="annotation.assignment",
                    ),
                ),
            ],
            options={
                "ordering": ["flagged_at", "pk"],
            },
        ),
        migrations.CreateModel(
            name="FlagAnswer",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("text", models.CharField(max_length=1000)),
                ("answered_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "answered_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "flag",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="answers",
                        to="annotation.flag",
                    ),
                ),
            ],
            options={
                "ordering": ["flag_id", "pk"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("text", ""), _negated=True),
                        name="annotation_flaganswer_says_something",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Guideline",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("scheme", models.CharField(max_length=40)),
                ("text", models.TextField(blank=True)),
                ("sha256", models.CharField(max_length=64)),
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
                        related_name="guidelines",
                        to="accounts.study",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("study", "scheme", "sha256"),
                        name="annotation_guideline_text_is_unique",
                    )
                ],
            },
        ),
        migrations.AddField(
            model_name="batch",
            name="guideline",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="batches",
                to="annotation.guideline",
            ),
        ),
        migrations.CreateModel(
            name="GuidelineReading",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("read_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "guideline",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="readings",
                        to="annotation.guideline",
                    ),
                ),
                (
                    "read_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("guideline", "read_by"),
                        name="annotation_guidelinereading_once_per_person",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Item",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("public_id", models.UUIDField(default=uuid.uuid4, unique=True)),
                ("position", models.PositiveIntegerField()),
                ("payload", models.JSONField()),
                ("payload_sha256", models.CharField(max_length=64)),
                ("n_wanted", models.PositiveSmallIntegerField(null=True)),
                ("n_open", models.PositiveSmallIntegerField(default=0)),
                ("n_claimed", models.PositiveSmallIntegerField(default=0)),
                ("n_counted", models.PositiveSmallIntegerField(default=0)),
                ("is_excluded", models.BooleanField(default=False)),
                (
                    "batch",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="items",
                        to="annotation.batch",
                    ),
                ),
                (
                    "came_from",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="led_to",
                        to="annotation.item",
                    ),
                ),
                (
                    "turn",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="items",
                        to="corpus.turn",
                    ),
                ),
            ],
            options={
                "ordering": ["batch_id", "position"],
                "indexes": [
                    models.Index(
                        condition=models.Q(("is_excluded", False), ("n_open__gt", 0)),
                        fields=["batch", "position"],
                        name="annotation_item_open",
                    ),
                    models.Index(
                        models.F("batch"),
                        django.db.models.expressions.CombinedExpression(
                            models.F("n_wanted"), "-", models.F("n_open")
                        ),
                        models.F("position"),
                        condition=models.Q(("is_excluded", False), ("n_open__gt", 0)),
                        name="annotation_item_round",
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("batch", "position"), name="annotation_item_position_is_unique"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("n_claimed", 0),
                                ("n_counted", 0),
                                ("n_open", 0),
                                ("n_wanted", None),
                            ),
                            models.Q(
                                (
                                    "n_wanted__gte",
                                    django.db.models.expressions.CombinedExpression(
                                        django.db.models.expressions.CombinedExpression(
                                            models.F("n_open"), "+", models.F("n_claimed")
                                        ),
                                        "+",
                                        models.F("n_counted"),
                                    ),
                                ),
                                ("n_wanted__isnull", False),
                            ),
                            _connector="OR",
                        ),
                        name="annotation_item_never_too_many",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="ExtraAsked",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "round",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="asked",
                        to="annotation.extraround",
                    ),
                ),
                (
                    "item",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="extra_asked",
                        to="annotation.item",
                    ),
                ),
            ],
            options={
                "ordering": ["round_id", "pk"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("round", "item"), name="annotation_extraasked_once_a_round"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Exclusion",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("is_excluded", models.BooleanField()),
                ("reason", models.CharField(max_length=1000)),
                ("excluded_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "excluded_by",
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
                        to="annotation.exclusion",
                    ),
                ),
                (
                    "item",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="exclusions",
                        to="annotation.item",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("replaces", None)),
                        fields=("item",),
                        name="annotation_exclusion_one_first_per_item",
                    )
                ],
            },
        ),
        migrations.AddField(
            model_name="assignment",
            name="item",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="assignments",
                to="annotation.item",
            ),
        ),
        migrations.CreateModel(
            name="Adjudication",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("label", models.CharField(max_length=40)),
                ("reason", models.CharField(max_length=1000)),
                ("adjudicated_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "adjudicated_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "item",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="adjudications",
                        to="annotation.item",
                    ),
                ),
            ],
            options={
                "ordering": ["item_id", "pk"],
            },
        ),
        migrations.CreateModel(
            name="ItemAnswer",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveSmallIntegerField(default=1)),
                (
                    "candidate",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="items",
                        to="sampling.candidate",
                    ),
                ),
                (
                    "item",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="answers",
                        to="annotation.item",
                    ),
                ),
            ],
            options={
                "ordering": ["item_id", "number"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("item", "candidate"),
                        name="annotation_itemanswer_once_per_candidate",
                    ),
                    models.UniqueConstraint(
                        fields=("item", "number"), name="annotation_itemanswer_number_is_unique"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="ItemPassage",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveSmallIntegerField()),
                (
                    "item",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="passages",
                        to="annotation.item",
                    ),
                ),
                (
                    "passage",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="items",
                        to="corpus.passage",
                    ),
                ),
            ],
            options={
                "ordering": ["item_id", "number"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("item", "passage"), name="annotation_itempassage_once_per_passage"
                    ),
                    models.UniqueConstraint(
                        fields=("item", "number"), name="annotation_itempassage_number_is_unique"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Judgement",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveSmallIntegerField()),
                ("client_id", models.CharField(max_length=64)),
                ("response", models.JSONField()),
                ("comment", models.TextField(blank=True)),
                ("order", models.JSONField(default=list)),
                ("shown_at", models.DateTimeField()),
                ("submitted_at", models.DateTimeField()),
                ("active_seconds", models.FloatField()),
                ("is_surplus", models.BooleanField(default=False)),
                ("guideline_sha256", models.CharField(max_length=64)),
                ("payload_sha256", models.CharField(max_length=64)),
                (
                    "assignment",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="judgements",
                        to="annotation.assignment",
                    ),
                ),
            ],
            options={
                "ordering": ["assignment_id", "number"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("assignment", "client_id"),
                        name="annotation_judgement_once_per_client_id",
                    ),
                    models.UniqueConstraint(
                        fields=("assignment", "number"),
                        name="annotation_judgement_number_is_unique",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("client_id", ""), _negated=True),
                        name="annotation_judgement_client_id_is_said",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("active_seconds__gte", 0)),
                        name="annotation_judgement_active_seconds_not_negative",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Note",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("text", models.CharField(max_length=1000)),
                ("noted_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "item",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="notes",
                        to="annotation.item",
                    ),
                ),
                (
                    "noted_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["item_id", "pk"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("text", ""), _negated=True),
                        name="annotation_note_says_something",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Pause",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("is_paused", models.BooleanField()),
                ("reason", models.CharField(max_length=1000)),
                ("paused_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "annotator",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="pauses",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "batch",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="pauses",
                        to="annotation.batch",
                    ),
                ),
                (
                    "paused_by",
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
                        to="annotation.pause",
                    ),
                ),
            ],
            options={
                "ordering": ["batch_id", "pk"],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("replaces", None)),
                        fields=("batch", "annotator"),
                        name="annotation_pause_one_first_per_person",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("reason", ""), _negated=True),
                        name="annotation_pause_says_why",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Retraction",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("retracted_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "adjudication",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="retraction",
                        to="annotation.adjudication",
                    ),
                ),
                (
                    "retracted_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="ReviewAct",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("public_id", models.UUIDField(default=uuid.uuid4, unique=True)),
                ("asks_again", models.BooleanField(default=False)),
                ("reviewed_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "batch",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="review_acts",
                        to="annotation.batch",
                    ),
                ),
                (
                    "reviewed_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "undoes",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="undone",
                        to="annotation.reviewact",
                    ),
                ),
            ],
            options={
                "ordering": ["-pk"],
            },
        ),
        migrations.CreateModel(
            name="Review",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("is_paid", models.BooleanField()),
                (
                    "paid_code",
                    models.CharField(
                        choices=[
                            ("in good faith", "in good faith"),
                            ("random answers", "random answers"),
                            ("not own work", "not own work"),
                            ("test or mistake", "test or mistake"),
                            ("other", "other"),
                            ("undone", "undone"),
                        ],
                        default="other",
                        max_length=20,
                    ),
                ),
                ("paid_reason", models.CharField(blank=True, max_length=1000)),
                ("is_counted", models.BooleanField()),
                (
                    "counted_code",
                    models.CharField(
                        choices=[
                            ("good", "good"),
                            ("random answer", "random answer"),
                            ("misread the task", "misread the task"),
                            ("technical fault", "technical fault"),
                            ("not own work", "not own work"),
                            ("test or mistake", "test or mistake"),
                            ("other", "other"),
                            ("undone", "undone"),
                        ],
                        default="other",
                        max_length=20,
                    ),
                ),
                ("counted_reason", models.CharField(blank=True, max_length=1000)),
                ("reviewed_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "judgement",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="reviews",
                        to="annotation.judgement",
                    ),
                ),
                (
                    "replaces",
                    models.OneToOneField(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="replaced_by",
                        to="annotation.review",
                    ),
                ),
                (
                    "reviewed_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "act",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="reviews",
                        to="annotation.reviewact",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("replaces", None)),
                        fields=("judgement",),
                        name="annotation_review_one_first_per_judgement",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "paid_code__in",
                                (
                                    "in good faith",
                                    "random answers",
                                    "not own work",
                                    "test or mistake",
                                    "other",
                                    "undone",
                                ),
                            )
                        ),
                        name="annotation_review_paid_code_is_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "counted_code__in",
                                (
                                    "good",
                                    "random answer",
                                    "misread the task",
                                    "technical fault",
                                    "not own work",
                                    "test or mistake",
                                    "other",
                                    "undone",
                                ),
                            )
                        ),
                        name="annotation_review_counted_code_is_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("paid_code", "other"), _negated=True),
                            models.Q(("paid_reason", ""), _negated=True),
                            _connector="OR",
                        ),
                        name="annotation_review_other_pay_has_words",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("counted_code", "other"), _negated=True),
                            models.Q(("counted_reason", ""), _negated=True),
                            _connector="OR",
                        ),
                        name="annotation_review_other_count_has_words",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="SecondAsked",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "first",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="second_asked",
                        to="annotation.adjudication",
                    ),
                ),
            ],
            options={
                "ordering": ["draw_id", "pk"],
            },
        ),
        migrations.CreateModel(
            name="SecondAdjudication",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("label", models.CharField(max_length=40)),
                ("reason", models.CharField(max_length=1000)),
                ("adjudicated_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "adjudicated_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "asked",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="second",
                        to="annotation.secondasked",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="SecondDraw",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("share", models.FloatField()),
                ("seed", models.BigIntegerField()),
                ("n_adjudicated", models.PositiveIntegerField()),
                ("drawn_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "batch",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="second_draws",
                        to="annotation.batch",
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
            ],
            options={
                "ordering": ["batch_id", "pk"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("share__gt", 0), ("share__lte", 1)),
                        name="annotation_seconddraw_share_is_a_share",
                    )
                ],
            },
        ),
        migrations.AddField(
            model_name="secondasked",
            name="draw",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="asked",
                to="annotation.seconddraw",
            ),
        ),
        migrations.CreateModel(
            name="UnclearMark",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("section", models.CharField(blank=True, max_length=200)),
                ("is_unclear", models.BooleanField()),
                ("marked_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "item",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="unclear_marks",
                        to="annotation.item",
                    ),
                ),
                (
                    "marked_by",
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
                        to="annotation.unclearmark",
                    ),
                ),
            ],
            options={
                "ordering": ["item_id", "pk"],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("replaces", None)),
                        fields=("item", "section"),
                        name="annotation_unclearmark_one_first_per_section",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Verdict",
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
                            ("decided", "Decided"),
                            ("disputed", "Disputed"),
                            ("set aside", "Set Aside"),
                        ],
                        max_length=10,
                    ),
                ),
                ("label", models.CharField(blank=True, max_length=40)),
                (
                    "set_aside_reason",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("disagreement", "Disagreement"),
                            ("excluded", "Excluded"),
                            ("no evidence", "No Evidence"),
                            ("too few judgements", "Too Few"),
                            ("skipped by all", "Skipped By All"),
                        ],
                        max_length=20,
                    ),
                ),
                (
                    "source",
                    models.CharField(
                        choices=[
                            ("consensus", "Consensus"),
                            ("adjudication", "Adjudication"),
                            ("decision", "Decision"),
                        ],
                        max_length=12,
                    ),
                ),
                ("rule", models.CharField(blank=True, max_length=40)),
                ("votes", models.JSONField(default=dict)),
                ("posterior", models.JSONField(default=dict)),
                ("decided_at", models.DateTimeField()),
                (
                    "adjudication",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="verdicts",
                        to="annotation.adjudication",
                    ),
                ),
                (
                    "decided_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "item",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="verdicts",
                        to="annotation.item",
                    ),
                ),
                (
                    "replaces",
                    models.OneToOneField(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="replaced_by",
                        to="annotation.verdict",
                    ),
                ),
            ],
            options={
                "ordering": ["item_id", "pk"],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("replaces", None)),
                        fields=("item",),
                        name="annotation_verdict_one_first_per_item",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("set_aside_reason", ""),
                                ("state", "decided"),
                                models.Q(("label", ""), _negated=True),
                            ),
                            models.Q(
                                ("label", ""), ("set_aside_reason", ""), ("state", "disputed")
                            ),
                            models.Q(
                                ("label", ""),
                                (
                                    "set_aside_reason__in",
                                    [
                                        "disagreement",
                                        "excluded",
                                        "no evidence",
                                        "too few judgements",
                                        "skipped by all",
                                    ],
                                ),
                                ("state", "set aside"),
                            ),
                            _connector="OR",
                        ),
                        name="annotation_verdict_label_or_reason_as_state_says",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("adjudication__isnull", False), ("source", "adjudication")),
                            models.Q(
                                ("source__in", ["consensus", "decision"]), ("adjudication", None)
                            ),
                            _connector="OR",
                        ),
                        name="annotation_verdict_adjudication_when_adjudicated",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Withdrawal",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("withdrawn_at", models.DateTimeField()),
                (
                    "judgement",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="withdrawal",
                        to="annotation.judgement",
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
        ),
        migrations.CreateModel(
            name="Cursor",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("position", models.PositiveIntegerField(default=0)),
                ("round", models.PositiveSmallIntegerField(default=0)),
                ("furthest", models.PositiveIntegerField(default=0)),
                ("n_taken", models.PositiveIntegerField(default=0)),
                ("is_paused", models.BooleanField(default=False)),
                (
                    "annotator",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="cursors",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "batch",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="cursors",
                        to="annotation.batch",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("batch", "annotator"), name="annotation_cursor_once_per_person"
                    )
                ],
            },
        ),
        migrations.AddConstraint(
            model_name="assignment",
            constraint=models.UniqueConstraint(
                fields=("item", "annotator"), name="annotation_assignment_once_per_person"
            ),
        ),
    ]
