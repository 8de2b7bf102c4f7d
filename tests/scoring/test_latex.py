"""The table in LaTeX: what it says, and that no name breaks it."""

import re
import shutil
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.figures import Figure
from scoring.latex import escaped, table
from scoring.presenter import ScoresTable, TableRun, TableScorer

F1 = TableScorer("f1", "F1", "squad", "1", "squad#1", "computed")
SAS = TableScorer("sas", "SAS", "their_model", "imported", "their_model#imported", "imported")
FIGURE = Figure(0.25, "", 0.2, 0.3, "", 66, 3, 0, 0)
HOSTILE = r"\input{/etc/passwd} $x$ 100% a_b & #1 {~^} [8pt] *"


def scores_table(*rows, scorers=(F1,)):
    return ScoresTable("touch@1", "all turns", 12, scorers, rows)


def run(name="alder", setup="original"):
    return TableRun(name, "system", "rare", "x", setup)


def test_a_row_has_value_interval_turns_and_those_not_given():
    said = table(scores_table((run(), [FIGURE])))

    assert r"alder & \shortstack[r]{0.250 \\ {\scriptsize [0.200, 0.300]}" in said
    assert r"{\scriptsize 66, 3 not given}} \\" in said
    assert r"\toprule" in said
    assert r"\bottomrule" in said
    assert said.endswith("\\end{table}\n")


def test_the_caption_says_denominator_interval_and_every_scorer_with_its_version():
    (caption,) = re.findall(
        r"\\caption\{.*\}", table(scores_table((run(), [FIGURE, FIGURE]), scorers=(F1, SAS)))
    )

    assert "(all turns)" in caption
    assert "12 conversations" in caption
    assert r"F1 by squad\#1 (computed); SAS by their\_model\#imported (imported)" in caption


def test_setups_stand_under_headings_of_their_own():
    rows = [(run("a"), [FIGURE]), (run("b"), [FIGURE]), (run("c", "rewritten"), [FIGURE])]

    said = table(scores_table(*rows))

    assert said.count(r"\midrule") == 2
    assert said.index(r"\textit{original}") < said.index("a &") < said.index("b &")
    assert said.index("b &") < said.index(r"\textit{rewritten}") < said.index("c &")


@pytest.mark.parametrize(
    ("figure", "said"),
    [
        (Figure(None, "no score yet", None, None, "x", 0, 0, 5, 0), "no score yet"),
        (
            Figure(0.5, "", None, None, "all replicates are equal", 1, 0, 0, 0),
            "replicates are equal",
        ),
        (Figure(0.5, "", 0.1, 0.9, "", 4, 0, 5, 0), "4, 0 not given, 5 not scored"),
    ],
)
def test_what_is_undefined_or_left_out_is_said(figure, said):
    found = table(scores_table((run(), [figure])))

    assert said in found
    assert ("undefined" in found) == (figure.value is None)


def test_what_means_something_to_tex_is_escaped():
    assert escaped("100%_a & b#1 $x$") == r"100\%\_a \& b\#1 \$x\$"
    assert escaped("\\input{x}") == r"\textbackslash{}input\{x\}"
    # After the end of a row these would be its options.
    assert escaped("[8pt]*") == "{[}8pt{]}{*}"
    # Two hyphens would be a dash, two commas a quotation mark.
    assert escaped("a--b---c,,") == "a-{}-b-{}-{}-c,{},"
    assert escaped("a\nb\u2028c") == "a b c"


@given(st.text())
def test_whatever_a_name_holds_its_braces_match_and_no_command_is_its_own(name):
    said = escaped(name)

    bare = re.sub(r"\\[{}%&#_$]|\\text[a-z]+\{\}", "", said)
    assert not set(bare) & set("\\%&#_$~^\n\r")
    assert re.sub(r"\{[\[\]*]?\}", "", bare).count("{") == 0
    assert "}" not in re.sub(r"\{[\[\]*]?\}", "", bare)


def test_hostile_names_change_no_line_of_the_table():
    plain = table(scores_table((run("x", "x"), [FIGURE])))
    hostile = table(scores_table((run(HOSTILE, HOSTILE), [FIGURE])))

    assert len(plain.splitlines()) == len(hostile.splitlines())
    assert r"\input" not in hostile


def test_a_comment_stays_a_comment():
    broken = TableScorer("f1", "F1", "squad", "1\n\\input{x}", "squad#1\n", "computed")

    lines = table(scores_table((run(), [FIGURE]), scorers=(broken,))).splitlines()

    assert [line for line in lines if r"\input" in line] == [lines[1]]
    assert lines[1].startswith("%")


DOCUMENT = r"""\documentclass{article}
\usepackage{booktabs}
\usepackage[T1]{fontenc}
\usepackage{textcomp}
\begin{document}
%s\end{document}
"""


def latex_is_whole():
    """Whether there is a LaTeX with the packages that the table names."""
    if shutil.which("pdflatex") is None:
        return False
    found = subprocess.run(["kpsewhich", "booktabs.sty"], capture_output=True, check=False)
    return found.returncode == 0


@pytest.mark.skipif(not latex_is_whole(), reason="there is no LaTeX with booktabs here")
@pytest.mark.parametrize("name", ["alder", HOSTILE, "``a'' -- b?`!`", '<a|b>,,"c"', "é ü ß — “x”"])
def test_it_compiles_whatever_the_names_are(tmp_path, name):
    undefined = Figure(None, f"why {name}", None, None, name, 0, 0, 5, 0)
    scorer = TableScorer("sas", name, name, name, name, "imported")
    rows = [(run(name), [FIGURE, undefined]), (run(name, name), [undefined, FIGURE])]
    (tmp_path / "table.tex").write_text(
        DOCUMENT % table(scores_table(*rows, scorers=(F1, scorer))), "utf-8"
    )

    ended = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", "table.tex"],
        cwd=tmp_path,
        capture_output=True,
        check=False,
        timeout=60,
    )

    assert ended.returncode == 0, ended.stdout.decode("latin-1")[-2000:]
    assert (tmp_path / "table.pdf").stat().st_size > 1000
