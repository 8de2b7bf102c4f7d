"""Where the tests' Django finds its settings and its data, before anything reads them.

A test must never touch the data of the checkout it runs in. The settings are named here and not in
pyproject.toml, where pytest-django would read them before any file of the tests.
"""

import os
import tempfile

import django
from hypothesis import settings

os.environ.setdefault("TOUCHSTONE_DATA", tempfile.mkdtemp(prefix="touchstone-tests-"))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
# On a busy machine torch's threads wait for one another longer than they work.
os.environ.setdefault("OMP_NUM_THREADS", "1")
django.setup()

# How long an example takes says how busy the machine is, not whether the claim holds.
settings.register_profile("touchstone", deadline=None)
settings.load_profile("touchstone")
