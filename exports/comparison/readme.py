"""`README.md` of a comparison's folder: what its files are, and what to know before its figures are used.

Without Django. It has no time in it: the same rows give the same bytes.
"""

from collections.abc import Iterator, Mapping
from typing import Any

Json = Mapping[str, Any]

FILES = {
    "batches.csv": "one row a batch that is compared",
    "judgements.csv": "one row a judgement, answer and question asked",
    "answers.csv": "one row an answer of a run, with its automatic measures",
    "ratings_long.csv": "one row a rating on a scale, for mixed models",
    "preferences_long.csv": "one row a comparison of two runs, for mixed models",
    "systems.csv": "every figure of every run, with its interval",
    "pairs.csv": "every difference of two runs, with its interval and test",
    "automatic.csv": "correlations of automatic measures with judgements",
    "figures.json": "all figures",
    "table7.tex": "the main figures as a LaTeX table",
    "qrels-N.txt, qrels-N.tsv": "relevance labels of a setup's passages, where they were judged",
    "*-N.svg": "a measure of a setup's runs as a picture",
    "mixed_model.R": "cumulative-link mixed models of the long tables: `Rscript mixed_model.R`; not tried, see below",
    "mixed_model.py": "linear mixed models of the long tables: `python mixed_model.py`",
    "verify.py": "in a release: says whether its files are those of the manifest, `python verify.py`",
    "columns.md": "what each column of the tables holds",
    "manifest.json": "sources, settings of the batches, and the sha256 of every file",
}
MIXED_MODELS = """\
The figures of this folder are averages, with intervals over questions and, where at least three people judged, over \
people. A mixed model estimates the differences of runs for other questions and people in another way, from \
`ratings_long.csv` with questions, annotators, annotators on runs, and answers as random effects, from \
`preferences_long.csv` with annotators on pairs of runs, and pairs of answers.

- `mixed_model.R`: cumulative-link mixed models, for ordinal values, with R's package `ordinal`. It was written from \
the package's documentation and has not been run.
- `mixed_model.py`: linear mixed models with statsmodels. It was tried on simulated judgements with known differences.

Where several runs gave the same answer, its judgement has a row for each of them, and the models take these rows as \
separate judgements."""


def readme(result: Json) -> str:
    parts = [
        *_head(result),
        "\n## Primary and exploratory\n",
        *result["notes"],
        "\n## Files\n",
        *(f"- `{name}`: {what}" for name, what in FILES.items()),
        "\n## Mixed models\n",
        MIXED_MODELS,
    ]
    return "\n".join(parts) + "\n"


def _head(result: Json) -> Iterator[str]:
    n = result["n_judgements"]
    yield "# A human comparison of runs\n"
    yield f"{n} judgement{'' if n == 1 else 's'} in the batches {', '.join(result['batches'])}."
    if result["is_rehearsal"]:
        yield "\nSimulated people judged: the numbers say nothing about the runs."
