"""Every address with what each person gets there, from a world in an empty database.

python -m tests.attack.targets, in a process of its own: prints it as JSON.
"""

import json
import os
from typing import Any

import django


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    # These have models, so they are imported after the setup.
    from django.conf import settings  # noqa: PLC0415
    from django.contrib.auth.hashers import make_password  # noqa: PLC0415
    from django.core.management import call_command  # noqa: PLC0415
    from django.db import transaction  # noqa: PLC0415
    from django.urls import reverse  # noqa: PLC0415

    from accounts.actions import consent, passwords, tokens  # noqa: PLC0415
    from annotation.models import GuidelineReading  # noqa: PLC0415
    from pages.database import schema_flaw  # noqa: PLC0415
    from tests.access.rows.accounts import invitation  # noqa: PLC0415
    from tests.access.table import PEOPLE, address_of  # noqa: PLC0415
    from tests.access.world import build  # noqa: PLC0415
    from tests.annotation.desk_pages import client_of  # noqa: PLC0415
    from tests.test_permissions import ROWS  # noqa: PLC0415

    if schema_flaw():  # a look costs less than a migration that finds nothing to do
        call_command("migrate", verbosity=0)
    with transaction.atomic():
        world = build()
        people = {name: user for name, user in world.persons.items() if user is not None}
        hashed = make_password("correct horse")  # once: it is slow by design
        for user in people.values():
            user.password = hashed
            user.save()
        bob = people["annotator"]
        GuidelineReading.objects.get_or_create(guideline=world.batch.guideline, read_by=bob)
        found: list[dict[str, Any]] = []
        for name, row in ROWS.items():
            options = row.options(world)
            is_thing_of_study = "study" in options and len(options) > 1
            found.append(
                {
                    "name": name,
                    "path": address_of(name, options),
                    "elsewhere": address_of(name, options | {"study": world.elsewhere.slug})
                    if is_thing_of_study
                    else "",
                    "method": row.method.upper(),
                    "data": row.data(world),
                    "is_json": row.is_json,
                    "expected": dict(zip(PEOPLE, row.expected, strict=True)),
                }
            )
        sessions = {
            name: client_of(user).cookies[settings.SESSION_COOKIE_NAME].value
            for name, user in people.items()
        }
        made = {
            "targets": found,
            "sessions": sessions,
            "names": {name: user.username for name, user in people.items()},
            "token": tokens.make(name="attack", days=1, by=people["requester"])[1],
            "join": reverse("join", kwargs={"token": invitation(world)[1]}),
            "password_link": reverse(
                "password_link", kwargs={"token": passwords.link_token(bob, by_administrator=True)}
            ),
            "desk": reverse("desk", args=[world.study.slug, world.batch.pk]),
            "consent": consent.sha256(world.study.consent),
            "study": world.study.slug,
        }
    print(json.dumps(made))  # noqa: T201  the caller reads it


if __name__ == "__main__":
    main()
