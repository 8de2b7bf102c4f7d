"""Fill the database that the environment names with a batch of each scheme; print how to get to them.

python -m tests.browser.fill_desks N_ITEMS
"""

import importlib
import json
import os
import sys

import django


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    # They have models, so not before setup.
    actions = importlib.import_module("accounts.actions")
    for name in ("members", "studies", "users"):
        importlib.import_module(f"accounts.actions.{name}")
    hard_items = importlib.import_module("tests.browser.hard_items")
    role = importlib.import_module("accounts.models").Role.ANNOTATOR
    settings = importlib.import_module("django.conf").settings
    backend = importlib.import_module("accounts.backends").SESSION_BACKEND
    client = importlib.import_module("django.test").Client()

    requester = actions.users.create_user(name="requester", password=None)
    study = actions.studies.create_study(slug="effort", title="Effort", requester=requester)
    annotator = actions.users.create_user(name="annotator", password=None)
    actions.members.add(study=study, user=annotator, roles=[role], by=requester)
    client.force_login(annotator, backend=backend)
    batches = {
        scheme: hard_items.hard_batch(study, scheme, n=int(sys.argv[1])).pk
        for scheme in hard_items.SCHEMES
    }
    cookie = settings.SESSION_COOKIE_NAME
    session = client.cookies[cookie].value
    sys.stdout.write(json.dumps({"batches": batches, "cookie": cookie, "session": session}))


if __name__ == "__main__":
    main()
