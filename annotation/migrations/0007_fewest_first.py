from django.db import migrations, models
from django.db.models import F, Q


class Migration(migrations.Migration):
    dependencies = [("annotation", "0006_furthest")]

    operations = [
        migrations.RemoveConstraint("batch", "annotation_batch_grouping_is_known"),
        migrations.AlterField(
            "batch",
            "grouping",
            models.CharField(
                max_length=10,
                choices=[("question", "Question"), ("fewest", "Fewest"), ("none", "None")],
                default="question",
            ),
        ),
        migrations.AddConstraint(
            "batch",
            models.CheckConstraint(
                condition=Q(grouping__in=["question", "fewest", "none"]),
                name="annotation_batch_grouping_is_known",
            ),
        ),
        migrations.AddField("cursor", "round", models.PositiveSmallIntegerField(default=0)),
        migrations.AddIndex(
            "item",
            models.Index(
                F("batch"),
                F("n_wanted") - F("n_open"),
                F("position"),
                condition=Q(n_open__gt=0, is_excluded=False),
                name="annotation_item_round",
            ),
        ),
    ]
