"""How the time of splitting into sentences, and of the search for evidence, grows with a text.

    python -m bench.growth

Each text is taken at a quarter of its length and in full, and so is the reference: counting its
words (`text.segmentation.n_words`), which reads each character once. The growth of a linear search
is that of the reference, four; of one that is quadratic sixteen. CPU time, the best of three.
"""

import random
import time
from collections.abc import Callable, Iterator

from text.segmentation import n_words
from text.sentences import sentences
from text.spans import best_span_in, prepare_passage

N_CHARACTERS = 400_000
N_WORDS = 64_000
TEXTS = {
    "stops without spaces": "中。",
    "dots": ".",
    "initials": "J. ",
    "stops that end nothing": "a . , ",
    "lines": "中 one\n",
    "prose": "It was a cold, wet day. Mr. Smith went home, said J. K. Jones. ",
}


def main() -> None:
    print(f"{'':46}{'ms':>10}{'growth':>10}{'of the reference':>20}")
    for name, piece in TEXTS.items():
        n = N_CHARACTERS // len(piece)
        _report(f"sentences: {name}", sentences, piece * n + "a", piece * (n // 4) + "a")
    rng = random.Random(1)
    for n_different in (20, 500, 64_000):
        words = [f"w{rng.randrange(n_different)}" for _ in range(N_WORDS)]
        answer = [f"w{rng.randrange(n_different)}" for _ in range(N_WORDS)]
        _report(f"evidence: {n_different:,} different words", _search, *_texts(words, answer))


def _texts(words: list[str], answer: list[str]) -> Iterator[str]:
    for n in (N_WORDS, N_WORDS // 4):
        yield "\n".join((" ".join(words[:n]), " ".join(answer[:n])))


def _search(text: str) -> object:
    passage, answer = text.split("\n")
    return best_span_in(prepare_passage(passage), answer)


def _report(name: str, search: Callable[[str], object], text: str, part: str) -> None:
    seconds = _seconds(search, text)
    growth = seconds / _seconds(search, part)
    reference = _seconds(n_words, text) / _seconds(n_words, part)
    print(f"{name:46}{seconds * 1000:10.1f}{growth:10.1f}{reference:20.1f}")


def _seconds(search: Callable[[str], object], text: str) -> float:
    return min(_once(search, text) for _ in range(3))


def _once(search: Callable[[str], object], text: str) -> float:
    start = time.process_time()
    search(text)
    return time.process_time() - start


if __name__ == "__main__":
    main()
