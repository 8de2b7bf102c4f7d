import uuid

import django.db.models.deletion
import django.db.models.expressions
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

import annotation.models.limits
import corpus.models.fields


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("accounts", "0001_initial"),
        ("corpus", "0001_initial"),
        ("sampling", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="AdjudicatorPreference",
            fields=[
                (
                    "adjudicator",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="adjudicator_preference",
                        serialize=False,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("hides_votes", models.BooleanField(default=False)),
            ],
        ),
        migrations.CreateModel(
            name="ComprehensionCheck",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("questions", models.JSONField()),
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
                        related_name="checks",
                        to="accounts.study",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("study", "sha256"), name="annotation_check_text_is_unique"
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
        migrations.CreateModel(
            name="BatchPreset",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("scheme", models.CharField(max_length=40)),
                ("settings", models.JSONField(default=dict)),
                (
                    "study",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="batch_presets",
                        to="accounts.study",
                    ),
                ),
                (
                    "guideline",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="annotation.guideline",
                    ),
                ),
            ],
            options={
                "ordering": ["study_id", "scheme"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("study", "scheme"), name="annotation_batchpreset_once_per_scheme"
                    )
                ],
            },
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
                "indexes": [
                    models.Index(fields=["guideline", "read_by"], name="annotation_guideline_read")
                ],
            },
        ),
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
                "constraints": [
                    models.UniqueConstraint(
                        fields=("study", "name"), name="annotation_qualification_name_is_unique"
                    )
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
                ("is_withdrawn", models.BooleanField(default=False)),
                (
                    "name",
                    models.CharField(max_length=100, validators=[corpus.models.fields.plain_name]),
                ),
                ("scheme", models.CharField(max_length=40)),
                ("guideline_since", models.DateTimeField(blank=True, null=True)),
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
                (
                    "prefetch_depth",
                    models.PositiveSmallIntegerField(
                        default=5, validators=[annotation.models.limits.require_items_ahead]
                    ),
                ),
                (
                    "skip_reasons",
                    models.JSONField(
                        blank=True,
                        default=annotation.models.limits.default_skip_reasons,
                        validators=[annotation.models.limits.require_skip_reasons],
                    ),
                ),
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
                ("shows_markdown", models.BooleanField(default=False)),
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
                ("gives_feedback", models.BooleanField(default=False)),
                (
                    "control_every",
                    models.PositiveSmallIntegerField(
                        blank=True,
                        null=True,
                        validators=[annotation.models.limits.require_control_every],
                    ),
                ),
                (
                    "repeat_every",
                    models.PositiveSmallIntegerField(
                        blank=True,
                        null=True,
                        validators=[annotation.models.limits.require_repeat_every],
                    ),
                ),
                ("notice_since", models.DateTimeField(blank=True, null=True)),
                ("seed", models.BigIntegerField(default=1)),
                ("first_name", models.CharField(blank=True, max_length=100)),
                ("is_rehearsal", models.BooleanField(default=False)),
                (
                    "purpose",
                    models.CharField(
                        choices=[("work", "Work"), ("pilot", "Pilot"), ("training", "Training")],
                        default="work",
                        max_length=10,
                    ),
                ),
                (
                    "routes",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("gaps", "gaps"),
                            ("unanswerable", "unanswerable"),
                            ("all", "all"),
                        ],
                        max_length=12,
                    ),
                ),
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
                    "first_round",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="second_rounds",
                        to="annotation.batch",
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
                (
                    "comprehension_check",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="batches",
                        to="annotation.comprehensioncheck",
                    ),
                ),
                (
                    "guideline",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="batches",
                        to="annotation.guideline",
                    ),
                ),
                (
                    "qualification",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="batches",
                        to="annotation.qualification",
                    ),
                ),
                (
                    "trains_for",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="trainings",
                        to="annotation.qualification",
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
                        condition=models.Q(
                            ("control_every", None), ("control_every__gte", 2), _connector="OR"
                        ),
                        name="annotation_batch_controls_are_fewer_than_items",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("repeat_every", None), ("repeat_every__gte", 2), _connector="OR"
                        ),
                        name="annotation_batch_repeats_are_fewer_than_items",
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
                    models.CheckConstraint(
                        condition=models.Q(("purpose__in", ["work", "pilot", "training"])),
                        name="annotation_batch_purpose_is_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("control_every", None),
                                ("is_rehearsal", False),
                                ("purpose", "training"),
                                ("repeat_every", None),
                            ),
                            models.Q(
                                models.Q(("purpose", "training"), _negated=True),
                                ("trains_for", None),
                            ),
                            _connector="OR",
                        ),
                        name="annotation_batch_training_fits",
                        violation_error_message="Only training decides on a qualification; it hides no control items or repeats, and it is for people, not for a rehearsal.",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("first_round", None), ("routes", "")),
                            models.Q(
                                ("first_round__isnull", False),
                                ("routes__in", ["gaps", "unanswerable", "all"]),
                            ),
                            _connector="OR",
                        ),
                        name="annotation_batch_second_round_says_which",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("is_withdrawn", False), ("state", "closed"), _connector="OR"
                        ),
                        name="annotation_batch_closed_when_withdrawn",
                    ),
                ],
            },
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
                ("n_controls", models.PositiveIntegerField(default=0)),
                ("last_turn", models.BigIntegerField(null=True)),
                ("run_from", models.PositiveIntegerField(default=0)),
                ("n_waiting", models.PositiveIntegerField(default=0)),
                ("n_part", models.PositiveIntegerField(default=0)),
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
            name="GuidelineVersion",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveSmallIntegerField()),
                ("created_at", models.DateTimeField()),
                (
                    "batch",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="guideline_versions",
                        to="annotation.batch",
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
                    "guideline",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="versions",
                        to="annotation.guideline",
                    ),
                ),
            ],
            options={
                "ordering": ["batch_id", "number"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("batch", "number"),
                        name="annotation_guidelineversion_number_is_unique",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Notice",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("text", models.CharField(max_length=1000)),
                ("written_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "batch",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="notices",
                        to="annotation.batch",
                    ),
                ),
                (
                    "written_by",
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
                        condition=models.Q(("text", ""), _negated=True),
                        name="annotation_notice_says_something",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="NoticeDismissal",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("dismissed_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "dismissed_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "notice",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="dismissals",
                        to="annotation.notice",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("notice", "dismissed_by"),
                        name="annotation_noticedismissal_once_per_person",
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
                ("is_of_study", models.BooleanField(default=False)),
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
            name="Message",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("public_id", models.UUIDField(default=uuid.uuid4, unique=True)),
                ("text", models.CharField(max_length=1000)),
                ("sent_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("read_at", models.DateTimeField(null=True)),
                (
                    "batch",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="messages",
                        to="annotation.batch",
                    ),
                ),
                (
                    "read_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "sent_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="messages",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "study",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="messages",
                        to="accounts.study",
                    ),
                ),
                (
                    "refusal",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="replies",
                        to="annotation.reviewact",
                    ),
                ),
            ],
            options={
                "ordering": ["sent_at", "pk"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("text", ""), _negated=True),
                        name="annotation_message_says_something",
                    ),
                    models.UniqueConstraint(
                        fields=("refusal", "sent_by"),
                        name="annotation_message_one_reply_to_a_refusal",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("read_at", None), ("read_by", None)),
                            models.Q(("read_at__isnull", False), ("read_by__isnull", False)),
                            _connector="OR",
                        ),
                        name="annotation_message_read_at_and_by",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="MessageAnswer",
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
                    "message",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="answers",
                        to="annotation.message",
                    ),
                ),
            ],
            options={
                "ordering": ["message_id", "pk"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("text", ""), _negated=True),
                        name="annotation_messageanswer_says_something",
                    )
                ],
            },
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
        migrations.CreateModel(
            name="SourcesShown",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("shown_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "batch",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="sources_shown",
                        to="annotation.batch",
                    ),
                ),
                (
                    "shown_to",
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
                    models.UniqueConstraint(
                        fields=("batch", "shown_to"), name="annotation_sourcesshown_once_per_person"
                    )
                ],
            },
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
                "indexes": [
                    models.Index(
                        fields=["qualification", "user", "-id"], name="annotation_standing_newest"
                    )
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("state__in", ["granted", "revoked", "failed"])),
                        name="annotation_standing_state_is_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("reason", ""), _negated=True),
                        name="annotation_standing_says_why",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="AnalysisPlan",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("text", models.TextField()),
                ("sha256", models.CharField(max_length=64)),
                ("n_judgements", models.PositiveIntegerField()),
                ("frozen_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "frozen_by",
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
                        related_name="analysis_plans",
                        to="annotation.batch",
                    ),
                ),
            ],
            options={
                "ordering": ["batch_id", "pk"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("text", ""), _negated=True),
                        name="annotation_analysisplan_says_something",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="BatchWithdrawal",
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
                    "batch",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="withdrawals",
                        to="annotation.batch",
                    ),
                ),
                (
                    "replaces",
                    models.OneToOneField(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="replaced_by",
                        to="annotation.batchwithdrawal",
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
                        fields=("batch",),
                        name="annotation_batchwithdrawal_one_first_per_batch",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("reason", ""), _negated=True),
                        name="annotation_batchwithdrawal_says_why",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="CheckAttempt",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveSmallIntegerField()),
                ("answers", models.JSONField()),
                ("is_passed", models.BooleanField()),
                ("taken_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "batch",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="check_attempts",
                        to="annotation.batch",
                    ),
                ),
                (
                    "taken_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="check_attempts",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("batch", "taken_by", "number"), name="annotation_checkattempt_once"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("number__gte", 1), ("number__lte", 2)),
                        name="annotation_checkattempt_number_is_allowed",
                    ),
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
                ("n_reserved", models.PositiveSmallIntegerField(default=0)),
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
                    "repeats",
                    models.OneToOneField(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="repeat",
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
                                ("n_reserved", 0),
                                ("n_wanted", None),
                            ),
                            models.Q(
                                (
                                    "n_wanted__gte",
                                    django.db.models.expressions.CombinedExpression(
                                        django.db.models.expressions.CombinedExpression(
                                            django.db.models.expressions.CombinedExpression(
                                                models.F("n_open"), "+", models.F("n_reserved")
                                            ),
                                            "+",
                                            models.F("n_claimed"),
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
                    models.CheckConstraint(
                        condition=models.Q(
                            ("repeats", None),
                            models.Q(("n_wanted", None), ("position__gt", 1610612736)),
                            _connector="OR",
                        ),
                        name="annotation_item_repeat_has_no_places",
                    ),
                ],
            },
        ),
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
                ("skip_choice", models.CharField(blank=True, max_length=60)),
                ("skip_reason", models.CharField(blank=True, max_length=1000)),
                ("is_reserved", models.BooleanField(default=False)),
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
                (
                    "item",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="assignments",
                        to="annotation.item",
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
                    models.UniqueConstraint(
                        fields=("item", "annotator"), name="annotation_assignment_once_per_person"
                    ),
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
                            ("skip_choice", ""), ("state", "skipped"), _connector="OR"
                        ),
                        name="annotation_assignment_skip_choice_when_skipped",
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
                ("response", models.JSONField(blank=True, default=dict)),
                ("between_sha256", models.CharField(blank=True, default="", max_length=64)),
                ("reason", models.CharField(max_length=1000)),
                ("after_sources", models.BooleanField(default=False)),
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
            name="Reservation",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("reserved_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("handed_at", models.DateTimeField(null=True)),
                ("ended_at", models.DateTimeField(null=True)),
                ("end_reason", models.CharField(blank=True, max_length=1000)),
                (
                    "annotator",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="reservations",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "batch",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="reservations",
                        to="annotation.batch",
                    ),
                ),
                (
                    "ended_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "item",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="reservations",
                        to="annotation.item",
                    ),
                ),
                (
                    "reserved_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
                "indexes": [
                    models.Index(
                        condition=models.Q(("ended_at", None), ("handed_at", None)),
                        fields=["batch", "annotator", "id"],
                        name="annotation_reservation_waiting",
                    ),
                    models.Index(fields=["batch", "annotator"], name="annotation_reservation_own"),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("ended_at", None)),
                        fields=("item", "annotator"),
                        name="annotation_reservation_once_per_person",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("end_reason", ""), ("ended_at", None), ("ended_by", None)),
                            models.Q(
                                ("ended_at__isnull", False),
                                ("ended_by__isnull", False),
                                models.Q(("end_reason", ""), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="annotation_reservation_end_says_who_and_why",
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
                (
                    "draw",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="asked",
                        to="annotation.seconddraw",
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
                "indexes": [
                    models.Index(
                        condition=models.Q(("state", "disputed")),
                        fields=["item"],
                        name="annotation_verdict_disputed",
                    )
                ],
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
            name="Key",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("label", models.CharField(max_length=40)),
                ("explanation", models.TextField(blank=True)),
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
                    "item",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="key",
                        to="annotation.item",
                    ),
                ),
                (
                    "from_verdict",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="keys",
                        to="annotation.verdict",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("label", ""), _negated=True),
                        name="annotation_key_has_a_label",
                    )
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
        migrations.AddField(
            model_name="Item",
            name="rewrites",
            field=models.ForeignKey(
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="rewritten_in",
                to="annotation.judgement",
            ),
        ),
        migrations.AddConstraint(
            model_name="Item",
            constraint=models.UniqueConstraint(
                condition=models.Q(("rewrites__isnull", False)),
                fields=("rewrites", "batch"),
                name="annotation_item_rewrites_once",
            ),
        ),
        migrations.AddConstraint(
            model_name="Item",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("rewrites", None), ("came_from__isnull", False), _connector="OR"
                ),
                name="annotation_item_rewrites_what_it_came_from",
            ),
        ),
    ]
