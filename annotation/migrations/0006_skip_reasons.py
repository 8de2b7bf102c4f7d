from django.db import migrations, models

import annotation.models.limits


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0005_adjudicators_and_study_pauses"),
    ]

    operations = [
        migrations.AddField(
            model_name="assignment",
            name="skip_choice",
            field=models.CharField(blank=True, max_length=60),
        ),
        migrations.AddField(
            model_name="batch",
            name="skip_reasons",
            field=models.JSONField(
                blank=True,
                default=annotation.models.limits.default_skip_reasons,
                validators=[annotation.models.limits.require_skip_reasons],
            ),
        ),
        migrations.AlterField(
            model_name="batch",
            name="prefetch_depth",
            field=models.PositiveSmallIntegerField(
                default=5, validators=[annotation.models.limits.require_items_ahead]
            ),
        ),
        migrations.AddConstraint(
            model_name="assignment",
            constraint=models.CheckConstraint(
                condition=models.Q(("skip_choice", ""), ("state", "skipped"), _connector="OR"),
                name="annotation_assignment_skip_choice_when_skipped",
            ),
        ),
    ]
