"""The cost of a fresh process until it has made the desk's page; prints [CPU seconds, elapsed, MB].

python -m bench.devices.first_page MADE with|without

`without` the lazy resolver the addresses of the API are imported with the others.
"""

import importlib
import json
import resource
import sys
import time

from bench.devices.desk import Desk


def main(made: str, which: str) -> None:
    begin = time.perf_counter()
    if which == "without":
        del importlib.import_module("performance.lazy_resolver").LazyResolver._populate
    study = json.loads(made)
    Desk(study, study["sessions"][0]).page()
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1_024
    print(json.dumps([time.process_time(), time.perf_counter() - begin, megabytes]))


if __name__ == "__main__":
    main(*sys.argv[1:])
