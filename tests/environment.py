"""Where the tests' Django finds its settings and its data, before anything reads them.

A test must never touch the data of the checkout it runs in. The settings are named here and not in
pyproject.toml, where pytest-django would read them before any file of the tests.
"""

import atexit
import os
import shutil
import tempfile

import django
from hypothesis import settings

if "TOUCHSTONE_DATA" not in os.environ:  # processes that this one starts find it set
    os.environ["TOUCHSTONE_DATA"] = tempfile.mkdtemp(prefix="touchstone-tests-")
    atexit.register(shutil.rmtree, os.environ["TOUCHSTONE_DATA"], ignore_errors=True)
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
# On a busy machine torch's threads wait for one another longer than they work.
os.environ.setdefault("OMP_NUM_THREADS", "1")
django.setup()

# How many examples a property is tried on: few in make test, many in CI.
# How long an example takes says how busy the machine is, not whether the claim holds.
settings.register_profile("quick", max_examples=15, deadline=None)
settings.register_profile("ci", max_examples=100, deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))
