"""How often intervals contain the true value, and tests reject what is equal, in simulated data.

    python -m bench.coverage --quick                 # every case in a small size: about three minutes
    python -m bench.coverage --only rates            # cases whose names contain this, in full
    python -m bench.coverage --only means --sets 2000
    python -m bench.coverage --list

The cases are in `bench/coverage/cases.py`, what a cell is in `bench/coverage/engine.py`. Intervals and tests are
the functions of the product. The cautions on pages (`stats/interval_coverage.py`) are from these figures.
"""

import argparse
import time
from dataclasses import replace

from bench.coverage.cases import CASES
from bench.coverage.engine import table


def parsed(arguments: list[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m bench.coverage",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--quick", action="store_true", help="few data sets of few sizes")
    parser.add_argument("--only", default="", metavar="NAME", help="cases whose names contain this")
    parser.add_argument("--sets", type=int, help="data sets of each size")
    parser.add_argument(
        "--list", action="store_true", help="the names of the cases, and no figures"
    )
    return parser.parse_args(arguments)


def main(arguments: list[str] | None = None) -> None:
    options, began = parsed(arguments), time.process_time()
    chosen = [case for case in CASES if options.only in case.name]
    if not chosen:
        raise SystemExit(f"No case has {options.only!r} in its name; --list has the names.")
    for case in chosen:
        if options.list:
            print(f"{case.name}: {case.about}")
            continue
        of = case.quick if options.quick else case.full
        if options.sets and of.n_sets:
            of = replace(of, n_sets=options.sets)
        before = time.process_time()
        for line in table(case, of):
            print(line, flush=True)
        print(f"\n{time.process_time() - before:.0f} s of CPU", flush=True)
    print(f"\n{time.process_time() - began:.0f} s of CPU in all")


if __name__ == "__main__":
    main()
