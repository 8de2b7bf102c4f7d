"""Relevance labels in the formats of TREC and BEIR. Imports no Django.

    TREC   question, 0, passage, 0 or 1, separated by blanks: `qid iter docid rel` of trec_eval
    BEIR   query-id, corpus-id, score, separated by tabs, with a header

Programs split the fields at white space, so white space in an id is written as %20 and the like,
and % as %25. Example: `1_1 0 doc%201 1`.
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
