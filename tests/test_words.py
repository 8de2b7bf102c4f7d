"""No page and no document has a phrase that stopped readers; each is here with the field's term for it."""

import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PLAIN_TERMS = {
    r"(tell|told)( \w+)? apart": "significant difference",
    r"four times in five": "80 % power",
    r"what could be seen": "statistical power",
    r"smallest (difference )?to be seen": "minimum detectable difference",
    r"one alone is accepted": "discordant",
    r"in whose end|had a part in": "judged or adjudicated",
    r"of honest people|honest work does not explain": "probability under honest work",
    r"a (key|place) that sticks": "repeated key, position bias",
    r"worth a look": "to check first",
    r"as others say": "agreement with others",
    r"unlike all others": "disagrees with everyone",
    r"others said": "labels of other annotators",
    r"quote (Cohen|Krippendorff|raw)|nothing to quote": "report",
    r"for other people too": "generalised to other annotators",
    r"share of one half": "margin of error at 50 %",
    r"cannot be meant": "invalid",
    r"what becomes of|what became of": "outcome",
    r"by lot\b|the lot fell|the same lots": "at random",
    r"\bparted\b|shared out": "stratified, allocation",
    r"scorer of their own": "a separate scorer",
    r"jobs are at it|no job is at it": "jobs are running",
    r"measures against people": "automatic measures vs human judgements",
    r"left, and longer": "position and length bias",
    r"what a tie counts|tie counting": "tie treatment",
    r"as people compared": "human comparison of runs",
    r"single taste": "maximum of items per annotator",
    r"\bnot said\b": "not specified",
    r"came by it|come by it": "joined",
    r"made so far": "invitations",
    r"at most optional": "maximum (optional)",
    r"people hold now|holds now": "open claims",
    r"(counted|paid) no more|no more (counted|paid)": "excluded from results, payment refused",
    r"asked for anew|judged? it anew": "re-annotate",
    r"ends now|would end\b": "current label, new label",
    r"decide so\b": "apply",
    r"settled last|settle and go on": "last decision, save and next",
    r"take the settlement back": "undo decision",
    r"is like that": "matches",
    r"did not come to its end": "did not finish",
    r"in a row the question|those of one question in a row": "grouped by question",
    r"dear to change": "expensive to change",
    r"smallest difference seen|which runs are told": "minimum detectable difference, significant",
    r"log time a word": "relative reading time",
    r"merged? also when nearly|also when nearly the same": "merge near-duplicates above similarity",
    r"of more candidates, so many": "at most this many, sampled at random",
    r"which come: each as likely": "sampling weights: uniform",
    r"measures of an answer alone": "answer-only measures",
    r"of two runs of equal strength ties": "Davidson tie parameter",
    r"let it give nothing away": "do not name systems or hypotheses",
    r"to the pools\b|\bgold of ended\b|\bof rehearsals\b": "pools, gold, rehearsed batches",
    r"present password|the same password again|who you will be": "current password, confirm password",
    r"machine that others use": "shared computer",
    r"whoever (runs|keeps|sent|gave|organises|adjudicates)": "administrator, requester, the person who",
    r"handed (out|to|over)|were handed|are handed|was handed": "assigned",
    r"people are asked about": "batches are open",
    r"looked at by the rule": "evaluated by the rule",
    r"held against (what people|the evidence)": "compared with human judgements, with evidence",
    r"(has|have|with) the say\b": "counts, is decisive",
    r"so large a share": "the largest share",
    r"ask(ed)? about so many|draw so many|show so many": "number of, maximum of",
    r"the chance of the lots|of the lots\b": "sampling error, random choice",
    r"to what\?|nothing was</th>|the pool's only": "evidence from",
    r"times in a row, of \d": "run of one label",
    r"this rule at the desk": "open in the sampling desk",
    r"sent again, ": "if repeated",
    r"what people say of the runs": "human comparison of runs",
    r"other people's desks": "assigned to others",
}
# Each release contains these words: they are not checked.
RELEASED = {"docs/columns.md", "docs/columns-of-comparisons.md"}
TEMPLATE_COMMENT = re.compile(
    r"\{#.*?#\}|\{% comment %\}.*?\{% endcomment %\}|<!--.*?-->", re.DOTALL
)


def tracked(*patterns: str) -> list[str]:
    """The files that git tracks and whose paths match."""
    done = subprocess.run(
        ["git", "ls-files", "-z", "--", *patterns],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    return [path for path in done.stdout.split("\0") if path]


def documents() -> list[str]:
    """README.md and the documents that its table lists, changelog, rules and decisions."""
    table = re.findall(r"^\|.*\|$", (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
    linked = set(re.findall(r"\((docs/[\w-]+\.md)\)", "\n".join(table)))
    others = ["CHANGELOG.md", "CONTRIBUTING.md", *tracked("docs/adr/*.md")]
    return ["README.md", *others, *sorted(linked - RELEASED)]


def phrases_in(path: str) -> list[str]:
    """The phrases in the file's text, whatever its line breaks, each with the plain term."""
    text = (ROOT / path).read_text(encoding="utf-8")
    if path.endswith(".html"):
        text = TEMPLATE_COMMENT.sub("", text)
    text = " ".join(text.split())
    return [
        f"{path}: “{match.group()}”, say: {term}"
        for phrase, term in PLAIN_TERMS.items()
        for match in re.finditer(phrase, text, re.IGNORECASE)
    ]


def test_pages_have_plain_words():
    paths = tracked("*.html")

    assert len(paths) > 300
    assert not [each for path in paths for each in phrases_in(path)]


def test_the_descriptions_of_the_api_and_the_help_of_the_commands_have_plain_words():
    """Both are in the golden copies, which other tests hold to what there is."""
    paths = ["tests/golden/schema.json", "tests/golden/commands.json"]

    assert not [each for path in paths for each in phrases_in(path)]


def test_documents_have_plain_words():
    paths = documents()

    assert {"docs/report.md", "docs/glossary.md", "docs/pages.md"} < set(paths)
    assert not [each for path in paths for each in phrases_in(path)]
