"""Every address that an organiser can be led to, found by following links in this process.

    python -m bench.pages.survey

Prints, as JSON, the sessions of the requester and of the annotators, the open batch, and the addresses: of
each name, and each set of fields behind a question mark, the first ones that differ in their batch, data
set or pool, and MOST in all. It also asks each once more, to count its queries and its processor time
without a server and beside nobody.
"""

import importlib
import json
import os
import sys

import django


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    # As a process of the web server does before its first request.
    importlib.import_module("config.web").exempt_modules_from_collection()
    crawl = importlib.import_module("bench.pages.crawl")  # it has models, so not before setup
    json.dump(crawl.surveyed(), sys.stdout)


if __name__ == "__main__":
    main()
