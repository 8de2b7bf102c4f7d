"""`README.md` of a release: what it is, its counts, how it was judged, licence, citation, how to verify it.

Without Django. It has neither the number nor the time of the release, which the manifest has: the same rows
give the same bytes.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256 as sha256_of
from itertools import zip_longest
from typing import Any

from exports.errata import page as errata_page
from exports.rows.earlier_answers import GOLD_ALSO_SILVER

Json = Mapping[str, Any]

NOT_SPECIFIED = "not specified"
OF_NO_TEXT = sha256_of(b"").hexdigest()
FILES = {
    "gold.json": "the data set's truth with the gold answers added to each turn",
    "silver.json": "the same with the silver answers added too",
    "scai_qrecc.json": "the correct answers and their evidence in the form of the SCAI-QReCC shared task: gold answers, and"
    " extracted sentences that were found plausible",
    "negatives.json": "the unfaithful answers and their evidence in the same form",
    "judgements.csv": "one row a judgement, answer and question asked",
    "items.csv": "one row an item and answer: how it ended, and on what evidence",
    "answers.csv": "one row an answer of a run: whether it was drawn, and its outcomes",
    "per_run.csv": "the counts of each run",
    "soft_labels.csv": "one row an item and label: votes and their share",
    "precision.csv": "the accepted answers that an expert judged",
    "reference_evidence.csv": "one row a sentence that supports a reference, if its evidence was searched for",
    "relations.csv": "how accepted answers of a turn relate: one row a pair",
    "background.csv": "what annotators said of themselves, if they were asked: one row an answer",
    "report.json": "agreement, counts and comparisons of runs, computed from the tables",
    "evaluate.py": "scores a run against references and accepted answers: `python evaluate.py gold.json RUN.json`",
    "verify.py": "says whether the release agrees with itself: `python verify.py`",
    "columns.md": "what each column of the tables holds",
    "guidelines/": "the guidelines that people judged by: one file a batch, and earlier versions named by their sha256",
    "manifest.json": "number and time of the release, sources, settings of the batches, and the sha256 of every file",
}
PLAN_FILES = {"plans/": "the plans of analysis of batches, named by their sha256"}
VERIFY = """\
```python
import hashlib
import json
from pathlib import Path

for name, sha256 in json.loads(Path("manifest.json").read_text("utf-8"))["files"].items():
    assert hashlib.sha256(Path(name).read_bytes()).hexdigest() == sha256, name
```"""


def readme(manifest: Json, report: Json, *, has_errata: bool = False) -> str:
    """Return the page. `manifest` may lack the number, the time and the digests."""
    files = FILES | errata_page.FILES if has_errata else FILES
    has_plan = any("analysis_plans" in each for each in manifest["batches"])
    files = files | PLAN_FILES if has_plan else files
    parts = [
        *_head(manifest, report),
        *_earlier(report),
        *_data(manifest),
        *_judging(manifest, report),
        *_plans(manifest),
        "## Files\n",
        *(f"- `{name}`: {what}" for name, what in files.items()),
        "\n## Licence and citation\n",
        *_terms("This release", manifest),
        *_terms("The data set", manifest["dataset"]),
        "\n## How to verify it\n",
        "`python verify.py` in this folder says whether files, tables, verdicts, accepted answers and numbers agree"
        " with each other. It needs Python 3.9 or later; posteriors, agreement, rates and comparisons of runs, and"
        " precision audits it checks where pandas, numpy, scipy and krippendorff are installed, and says so where they"
        " are not. Whether the files are unchanged, a few lines say too; silence means that they are:\n",
        VERIFY,
    ]
    return "\n".join(parts) + "\n"


def _head(manifest: Json, report: Json) -> Iterator[str]:
    yield f"# {_line(manifest['title'])}\n"
    if manifest["is_rehearsal"]:
        yield "**A rehearsal: simulated people judged, right or wrong at random. Use it for nothing.**\n"
    accepted = report["accepted"]
    yield (
        f"The data set {_line(_dataset(manifest))} with the answers that people accepted:"
        f" {accepted['gold']} gold answers, found plausible and faithful to the evidence, and"
        f" {accepted['silver']} silver ones, found plausible, whose faithfulness was not asked or which"
        " have no evidence.\n"
    )


def _earlier(report: Json) -> Iterator[str]:
    if earlier := report.get("accepted_earlier"):
        yield (
            f"{earlier['gold']} gold and {earlier['silver']} silver answers more are those of an earlier release"
            " that the data set has read, about which nobody decided here: `earlier.json` has them by turn, and no table."
            f"{_also_silver(earlier[GOLD_ALSO_SILVER])}\n"
        )


def _also_silver(n: int) -> str:
    if not n:
        return ""
    return (
        f" Of the gold ones {n} are silver by the verdicts here, where nobody was asked whether they are faithful,"
        " and counted above, too; in the files they are gold."
    )


def _data(manifest: Json) -> Iterator[str]:
    runs = [_line(run["name"]) for run in manifest["runs"]]
    yield "## What it was made from\n"
    yield f"- Data set: {_line(_dataset(manifest))}"
    yield f"- Runs ({len(runs)}): {', '.join(runs)}"
    yield f"- Batches ({len(manifest['batches'])}): see below"
    if left_out := manifest.get("left_out"):
        yield f"- Batches left out by choice: {', '.join(_line(each['name']) for each in left_out)}"
    yield ""


def _judging(manifest: Json, report: Json) -> Iterator[str]:
    guidelines = {each["name"]: each.get("guideline_file", "") for each in manifest["batches"]}
    yield "## How it was judged\n"
    yield from _table(
        (
            "Batch",
            "Question",
            "Items",
            "Annotators",
            "Judgements",
            "Labels",
            "Set aside",
            "Guideline",
        ),
        [_batch_row(each, guidelines.get(each["batch"], "")) for each in report["batches"]],
    )
    yield from _guideline_versions(manifest)
    yield from _audiences(manifest)
    yield "\nAgreement between annotators, before adjudication, with 95 % intervals:\n"
    yield from _table(
        ("Batch", "Question", "Raw agreement", "Krippendorff's alpha"),
        [
            (batch["batch"], question, _figure(figures["raw"]), _figure(figures["alpha"]))
            for batch in report["batches"]
            for question, figures in batch["agreement"].items()
        ],
    )
    if n := len(report["conflicts"]):
        yield (
            f"\nSeveral batches decided {n} answers differently. An adjudicated label counts before"
            " another, and else that of the batch that was created last: `conflicts` in `report.json`."
        )
    for audit in report["precision"]:
        yield (
            f"\nPrecision audit {audit['audit']}: share of accepted answers that hold by an expert,"
            f" {_figure(audit['share'] | {'interval': audit['share']})} of {audit['n_judged']} judged."
        )
    yield ""


def _guideline_versions(manifest: Json) -> Iterator[str]:
    """For each batch whose guideline was changed while it was judged: which file was in force from when to when."""
    for batch in manifest["batches"]:
        versions = batch.get("guideline_versions", ())
        if not versions:
            continue
        yield f"\nThe guideline of {_line(batch['name'])} was changed after the batch opened:\n"
        until = [each["since"] for each in versions[1:]]
        for each, end in zip_longest(versions, until):
            file = _guideline_file(batch, each["sha256"], manifest)
            since = f"from {each['since']}" if each["since"] else "from the opening"
            yield f"- version {each['version']}, {file}: {since}{f' to {end}' if end else ''}"


def _audiences(manifest: Json) -> Iterator[str]:
    """For each batch that not every annotator of the study could work on: who could."""
    for batch in manifest["batches"]:
        if audience := batch.get("audience"):
            what = "a qualification with a rule" if audience["rule"] else "a group"
            yield (
                f"\nOnly people with {_line(audience['qualification'])} ({what}, in `manifest.json`) worked on"
                f" {_line(batch['name'])}."
            )


def _plans(manifest: Json) -> Iterator[str]:
    """For each batch with a plan of analysis: when it was frozen, and what was decided later."""
    for batch in manifest["batches"]:
        for number, plan in enumerate(batch.get("analysis_plans", ())):
            if not number:
                yield f"## Plan of analysis: {_line(batch['name'])}\n"
            when = (
                "before the first judgement"
                if plan["is_before_judgements"]
                else f"**after {plan['n_judgements']} judgements**"
            )
            yield f"- `{plan['file']}`, frozen {plan['frozen_at']}, {when}"
        for each in batch.get("deviations", ()):
            yield f"- deviation, {each['at']}: {_line(each['what'])}"
        if "analysis_plans" in batch:
            yield ""


def _guideline_file(batch: Json, sha256: str, manifest: Json) -> str:
    """The file with the text: that of a batch in whose force it is, or one named by its sha256."""
    for each in (batch, *manifest["batches"]):
        if each["guideline_sha256"] == sha256:
            file = each.get("guideline_file")
            return f"`{file}`" if file else "without text"
    return "without text" if sha256 == OF_NO_TEXT else f"`guidelines/{sha256}.md`"


def _batch_row(batch: Json, guideline: str) -> Sequence[str]:
    labels = ", ".join(f"{n} {label}" for label, n in sorted(batch["verdicts"].items()))
    set_aside = ", ".join(f"{n} {reason}" for reason, n in sorted(batch["set_aside"].items()))
    return (
        batch["batch"],
        batch["scheme"],
        str(batch["n_items"]),
        str(batch["n_annotators"]),
        f"{batch['n_judgements']['counted']} counted of {batch['n_judgements']['all']}",
        labels or "none",
        set_aside or "none",
        guideline or "none",
    )


def _figure(figure: Json) -> str:
    value, interval = figure["value"], figure["interval"]
    if value is None:
        return f"undefined: {figure['reason']}"
    if interval["low"] is None:
        return f"{value:.2f}"
    return f"{value:.2f} [{interval['low']:.2f}, {interval['high']:.2f}]"


def _terms(what: str, source: Json) -> Iterator[str]:
    yield f"- {what}: licence {_line(source['licence']) or NOT_SPECIFIED}"
    yield f"  - to cite: {_line(source['citation']) or NOT_SPECIFIED}"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(head)} |"
    yield f"|{' --- |' * len(head)}"
    for row in rows:
        yield f"| {' | '.join(_line(cell).replace('|', chr(92) + '|') for cell in row)} |"


def _dataset(manifest: Json) -> str:
    return f"{manifest['dataset']['name']}@{manifest['dataset']['version']}"


def _line(text: str | None) -> str:
    """The text in one line, without what HTML would take for its own."""
    return " ".join((text or "").split()).replace("<", "&lt;")
