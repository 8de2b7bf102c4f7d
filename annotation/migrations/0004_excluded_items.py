from typing import Any

from django.db import migrations, models
from django.db.models import Q


def fill(apps: Any, schema_editor: Any) -> None:
    """From the latest exclusion of each item."""
    excluded = apps.get_model("annotation", "Exclusion").objects.filter(
        is_excluded=True, replaced_by=None
    )
    items = apps.get_model("annotation", "Item").objects
    items.filter(pk__in=excluded.values("item")).update(is_excluded=True)


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0003_latest_work"),
    ]

    operations = [
        migrations.AddField(
            model_name="item",
            name="is_excluded",
            field=models.BooleanField(default=False),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
        migrations.RemoveIndex(model_name="item", name="annotation_item_open"),
        migrations.AddIndex(
            model_name="item",
            index=models.Index(
                condition=Q(n_open__gt=0, is_excluded=False),
                fields=["batch", "position"],
                name="annotation_item_open",
            ),
        ),
    ]
