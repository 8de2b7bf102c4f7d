from typing import Any

from django.db import migrations, models
from django.db.models import F, Max, OuterRef, Subquery
from django.db.models.functions import Coalesce


def look_back(apps: Any, schema_editor: object) -> None:
    """As far as each person has been in the batch."""
    assignments = apps.get_model("annotation", "Assignment").objects
    own = assignments.filter(
        item__batch=OuterRef("batch"), annotator=OuterRef("annotator")
    ).order_by()
    most = own.values("annotator").annotate(most=Max("item__position")).values("most")
    cursors = apps.get_model("annotation", "Cursor").objects
    cursors.update(furthest=Coalesce(Subquery(most), F("position")))


class Migration(migrations.Migration):
    dependencies = [("annotation", "0005_fewer_indexes")]

    operations = [
        migrations.AddField("cursor", "furthest", models.PositiveIntegerField(default=0)),
        migrations.RunPython(look_back, migrations.RunPython.noop),
    ]
