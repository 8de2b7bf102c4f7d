"""The migrations say what the models say, and an app's migrations need only what lies upstream of it."""

from io import StringIO

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.migrations.loader import MigrationLoader

# Upstream first: architecture.md's one rule.
APPS = ("accounts", "audit", "jobs", "corpus", "scoring", "sampling", "annotation", "exports")


def own_dependencies():
    """(app, app it depends on) of every migration, between our own apps."""
    loader = MigrationLoader(None)
    return {
        (app, needed)
        for (app, _), migration in loader.disk_migrations.items()
        for needed, _ in [*migration.dependencies, *migration.run_before]
        if app in APPS and needed in APPS and app != needed
    }


def test_no_model_has_changed_without_a_migration(db):
    out = StringIO()

    call_command("makemigrations", check_changes=True, dry_run=True, stdout=out)

    assert out.getvalue() == "No changes detected\n"


def test_migrations_depend_on_what_lies_upstream_and_so_on_no_circle():
    dependencies = own_dependencies()

    assert ("exports", "corpus") in dependencies
    backwards = [pair for pair in dependencies if APPS.index(pair[0]) < APPS.index(pair[1])]
    assert backwards == []


@pytest.mark.parametrize("app", APPS)
def test_an_app_has_one_newest_migration(app):
    assert len(MigrationLoader(None).graph.leaf_nodes(app)) == 1


def test_every_migration_is_applied_and_none_is_unknown(db):
    loader = MigrationLoader(connection)

    assert set(loader.disk_migrations) == set(loader.applied_migrations)
    loader.check_consistent_history(connection)
