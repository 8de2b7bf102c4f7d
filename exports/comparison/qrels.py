"""Relevance labels as programs read them. Plain Python.

    TREC   question, 0, passage, 0 or 1, with a blank between: `qid iter docid rel` of trec_eval
    BEIR   query-id, corpus-id, score with tabs between, and a header

Both part fields by white space, so white space in an id is written %20 and the like, and % as %25.
Right: `1_1 0 doc%201 1`.
"""

import re
from collections.abc import Iterable, Sequence
from urllib.parse import quote

Rows = Iterable[Sequence[str | int]]

_UNSAFE = re.compile(r"[\s%]")


def trec(rows: Rows) -> str:
    return "".join(
        f"{_id(question)} 0 {_id(passage)} {label}\n" for question, passage, label in rows
    )


def beir(rows: Rows) -> str:
    lines = (f"{_id(question)}\t{_id(passage)}\t{label}\n" for question, passage, label in rows)
    return "query-id\tcorpus-id\tscore\n" + "".join(lines)


def _id(name: str | int) -> str:
    return _UNSAFE.sub(lambda found: quote(found[0]), str(name))
