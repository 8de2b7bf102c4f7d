"""How long it takes to render the Markdown of an answer, of ordinary length and of the worst kind.

    python -m bench.answer_markdown

CPU time of `pages.answer_markdown.answer_html`. The worst kinds repeat one opening mark up to the longest text that is
rendered; the bench ends with status 1 if one of them takes longer than AT_MOST.
"""

import statistics
import sys
import time

from pages.answer_markdown import MOST_CHARACTERS, answer_html

N_ROUNDS = 30
AT_MOST = 1.0  # seconds
SECTION = """The **lighthouse** was built in *1702* by the guild of keepers.

## Steps

1. Masons cut the stone.
2. The lantern came from `Bremen`.

| Year | Event | Cost |
| ---- | ----- | ---: |
| 1702 | built | 12 |
| 1810 | lit by oil | 3 |

```python
def keeper(n):
    return n + 1
```

"""
PLAIN = "The lighthouse was built in 1702 by the guild of keepers, and it burns. "
WORST = (
    "[",
    "![",
    "![](",
    "*a _b ",
    "`",
    "> ",
    "- a\n",
    "x\n",
    "|a|\n|-|\n",
    "\\(",
    "\\[\n",
    "$$ ",
)


def main() -> None:
    print("| answer | words | ms, median (range) |\n| --- | --- | --- |")
    for name, text in (
        ("a table, a list and code", SECTION),
        ("six of these", SECTION * 6),
        ("plain paragraphs", f"{PLAIN * 6}\n\n" * 8),
    ):
        seconds = [_seconds(text) for _ in range(N_ROUNDS)]
        low, high = min(seconds), max(seconds)
        print(
            f"| {name} | {len(text.split())} | {1000 * statistics.median(seconds):.1f}"
            f" ({1000 * low:.1f} to {1000 * high:.1f}) |"
        )
    slowest, mark = max((_seconds(_filled_with(mark)), mark) for mark in WORST)
    print(f"slowest of {len(WORST)} hostile answers: {slowest:.2f} s, of {mark!r}")
    sys.exit(slowest > AT_MOST)


def _seconds(text: str) -> float:
    began = time.process_time()
    answer_html(text)
    return time.process_time() - began


def _filled_with(mark: str) -> str:
    return (mark * MOST_CHARACTERS)[:MOST_CHARACTERS]


if __name__ == "__main__":
    main()
