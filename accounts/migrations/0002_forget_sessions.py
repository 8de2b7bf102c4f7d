"""Everybody signs in again: sessions are now stored under a hash of their key.

The keys were stored as they are until now, and others on the machine could read them.
"""

from typing import Any

from django.db import migrations


def forget_sessions(apps: Any, schema_editor: Any) -> None:
    apps.get_model("sessions", "Session").objects.using(
        schema_editor.connection.alias
    ).all().delete()


class Migration(migrations.Migration):
    dependencies = [("accounts", "0001_initial"), ("sessions", "0001_initial")]

    operations = [migrations.RunPython(forget_sessions, forget_sessions)]
