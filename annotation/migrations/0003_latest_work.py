from typing import Any

from django.db import migrations, models
from django.db.models import OuterRef, Q, Subquery


def fill(apps: Any, schema_editor: Any) -> None:
    """From the one judgement of each submitted assignment that stands."""
    judgements = apps.get_model("annotation", "Judgement").objects.filter(
        assignment=OuterRef("pk"), withdrawal=None
    )
    apps.get_model("annotation", "Assignment").objects.filter(state="submitted").update(
        submitted_at=Subquery(judgements.order_by("-number").values("submitted_at")[:1])
    )


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0002_plain_batch_names"),
    ]

    operations = [
        migrations.AddField(
            model_name="assignment",
            name="submitted_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
        migrations.AddIndex(
            model_name="assignment",
            index=models.Index(
                fields=["annotator", "state", "submitted_at"], name="annotation_assignment_own"
            ),
        ),
        migrations.AddConstraint(
            model_name="assignment",
            constraint=models.CheckConstraint(
                condition=Q(state="submitted", submitted_at__isnull=False)
                | (~Q(state="submitted") & Q(submitted_at=None)),
                name="annotation_assignment_submitted_at_when_submitted",
            ),
        ),
    ]
