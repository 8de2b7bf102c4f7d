"""How long it takes to find out whether people can give all judgements: stats/completion.py.

    python -m bench.completion [--items N] [--people N] [--wanted N] [--seed N]

Each item wants judgements, and a few people have judged it already or, in the rows "of half" and "of few", may
not judge it. Each person may take a share of the items, even or uneven, that adds up to the wanted judgements and
some more or fewer. It prints the missing judgements and the processor time.
"""

import argparse
import time
from collections.abc import Iterator
from random import Random

from stats.completion import Group, n_missing

# How many more judgements than wanted people may give, how uneven shares are, and who may judge an item.
CASES = {
    "one too few": (-1, 0.0, None),
    "just enough": (0, 0.0, None),
    "a tenth too few": (-0.1, 0.0, None),
    "a tenth more": (0.1, 0.0, None),
    "uneven, one too few": (-1, 0.9, None),
    "uneven, just enough": (0, 0.9, None),
    "of half, one too few": (-1, 0.9, 0.5),
    "of few, just enough": (0, 0.9, 0.02),
}
TOUCHED = 2  # people who have judged an item, where nobody else is kept from it


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--items", type=int, default=10_000)
    parser.add_argument("--people", type=int, default=500)
    parser.add_argument("--wanted", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    print(f"{'case':24}{'missing':>9}{'CPU, s':>9}")
    for name, (more, unevenness, share) in CASES.items():
        random = Random(options.seed)
        everybody = range(options.people)
        sets = people_of_items(random, options.items, everybody, share)
        groups = [Group(1, options.wanted, people) for people in sets]
        n_wanted = options.items * options.wanted
        n_more = round(more * n_wanted) if isinstance(more, float) else more
        limits = shares(random, everybody, n_wanted + n_more, unevenness)
        begin = time.process_time()
        n = n_missing(groups, limits)
        print(f"{name:24}{n:9}{time.process_time() - begin:9.2f}", flush=True)


def people_of_items(
    random: Random, n_items: int, everybody: range, share: float | None
) -> Iterator[frozenset[int]]:
    for _ in range(n_items):
        if share is None:
            yield frozenset(everybody) - set(random.sample(everybody, TOUCHED))
        else:
            yield frozenset(person for person in everybody if random.random() < share)


def shares(random: Random, everybody: range, total: int, unevenness: float) -> dict[int, int]:
    """Return limits that add up to `total`."""
    weights = [random.uniform(1 - unevenness, 1 + unevenness) for _ in everybody]
    limits = [int(total * weight / sum(weights)) for weight in weights]
    for person in range(total - sum(limits)):
        limits[person] += 1
    return dict(enumerate(limits))


if __name__ == "__main__":
    main()
