"""Porter's stems of English words (Porter 1980, An algorithm for suffix stripping), for ROUGE with stemming.

`rouge-score` stems with NLTK's variant of the same algorithm, which treats a few words otherwise; figures with stems
may differ from it in the third digit.
"""

from functools import lru_cache

# Not `snowballstemmer.stemmer(...)`, as text.bags says.
from snowballstemmer.porter_stemmer import PorterStemmer


@lru_cache(maxsize=65_536)
def porter_stem(word: str) -> str:
    """Return the stem of a word in lower case: answers → answer, relational → relat."""
    # A stemmer keeps the word it works on in itself, so threads must not share one.
    stem: str = PorterStemmer().stemWord(word)
    return stem
